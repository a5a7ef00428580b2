import { random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

const [tools, vault] = ['acme/tools', 'acme/vault'];

/**
 * In one of six seeds, pull requests and commits close issues: those of the repository itself, of another public one, and of a private one
 * that our account may read. Draws of its own, so that other seeds run as they did.
 */
export function fixers(seed: number, { github }: Stage): () => void {
  if (seed % 6 !== 4) return () => undefined;
  const draw = random(seed + 130_000_000);
  github.addRepo(tools, { permissions: { mona: 'admin' } });
  github.addRepo(vault, { isPrivate: true, permissions: { 'bugferry-bot': 'read', mona: 'admin' } });
  const mona = github.as('mona');
  return () => {
    const issues = github.issues(repo).filter(({ state }) => state === 'open');
    if (issues.length === 0 || draw.chance(0.4)) return;
    const { number } = draw.pick(issues);
    if (draw.chance(0.4)) mona.push(repo, `Fixes #${number}`);
    else {
      const home = draw.pick([tools, vault]);
      mona.merge(home, mona.openPull(home, { title: 'A fix', body: `It fixes ${repo}#${number}.` }));
    }
  };
}

/** I4, I9 and I3: a bug says at most once what fixed it, never names what is private, and what it says is no comment on GitHub. */
export function fixerViolations({ tracker, github }: Stage): readonly string[] {
  const found: string[] = [];
  for (const { id } of tracker.bugs()) {
    const said = tracker.commentsOf(id).flatMap(({ text }) => (text.startsWith('Fixed by ') ? text : []));
    if (new Set(said).size < said.length) found.push(`I4: bug ${id} says twice what fixed it`);
    if (said.some((text) => text.includes(vault))) found.push(`I9: bug ${id} names a private repository`);
  }
  for (const { number } of github.issues(repo)) {
    if (github.commentsOf(repo, number).some(({ body }) => body.includes('Fixed by ')))
      found.push(`I3: issue ${number} says what its bug says of what fixed it`);
  }
  return found;
}
