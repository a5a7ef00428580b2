import type { Link } from '../../../src/model/link.ts';
import type { Visitors } from '../../../src/model/route.ts';
import { random } from '../../support/random.ts';
import { keepsOut, remarksOn, repo, type Stage } from '../stage.ts';

/** What a route to GitHub does about visitors; on others it says nothing. */
export const visitorsOf = (seed: number): Visitors =>
  seed % 7 === 3 ? 'lock' : seed % 7 === 5 ? 'redirect' : 'welcome';

/** Somebody takes the locks off again, now and then. Draws of its own, so that other seeds run as they did. */
export function lockpicks(seed: number, world: Stage): () => void {
  if (visitorsOf(seed) !== 'lock') return () => undefined;
  const draw = random(seed + 60_000_000);
  return () => {
    const issues = world.github.issues(repo);
    if (issues.length > 0 && draw.chance(0.5)) world.github.as('mona').lock(repo, draw.pick(issues).number, false);
  };
}

/**
 * I1 and I4 of a route to GitHub: mirrors are locked, and issues of people are not; or whoever opens an issue was
 * answered, once, and the issue was closed once. One that people closed before anybody answered needs no answer.
 */
export function visitorViolations(
  { github, store }: Stage,
  links: readonly Link[],
  visitors: Visitors,
): readonly string[] {
  const found: string[] = [];
  for (const { number, author, state, isLocked, body } of github.issues(repo).filter(({ isPull }) => !isPull)) {
    const link = links.find(({ issue }) => issue === number);
    const isMirror = author === 'bugferry-bot';
    if (visitors === 'lock' && isMirror && link?.state === 'live' && link.bug !== null && !isLocked)
      found.push(`I1: issue ${number} is not locked`);
    if (visitors === 'lock' && !isMirror && isLocked) found.push(`I1: issue ${number} of ${author} is locked`);
    if (visitors !== 'redirect') continue;
    const answers = remarksOn(github, number).filter((remark) => remark === 'redirected').length;
    if (answers > (isMirror ? 0 : 1)) found.push(`I4: issue ${number} was answered ${answers} times`);
    const isAnswered =
      link !== undefined &&
      store.ledger.ofLink(link.id).some(({ kind, outcome }) => kind === 'lock' && outcome === 'applied');
    if (!isMirror && state === 'open' && !isAnswered && !keepsOut(body))
      found.push(`I1: issue ${number} of ${author} was neither answered nor closed`);
    if (isMirror && link?.state === 'tombstone' && link.bug !== null)
      found.push(`I1: the mirror ${number} was given up: ${link.reason}`);
  }
  return found;
}
