import type { Link } from '../../../src/model/link.ts';
import { repo, type Stage } from '../stage.ts';
import type { Actions } from './people.ts';

/** A comment of people and where its copy stands in the thread of the other side. */
interface Said {
  readonly words: string;
  readonly id: number;
  readonly createdAt: number;
  readonly place: number;
}

/**
 * I14: copies stand in the order in which their originals were said, whatever had to wait. What is told apart from
 * that: a thread of which something was hidden for a while, or frozen, or of which the tracker lost a comment in
 * silence, which is written again behind what followed; and comments of which nothing says which came first, as one was
 * stamped before it showed.
 */
export function threadViolations(stage: Stage, actions: Actions, links: readonly Link[]): readonly string[] {
  return links
    .filter(
      (link) => link.state === 'live' && link.bug !== null && link.issue !== null && !isExplained(stage, link, actions),
    )
    .flatMap((link) => [
      ...outOfOrder(onGithub(stage, actions, link), link),
      ...outOfOrder(onTracker(stage, actions, link), link),
    ]);
}

function isExplained({ store }: Stage, { id, bug }: Link, { hidden }: Actions): boolean {
  const kinds: readonly string[] = ['withdraw', 'restore', 'freeze', 'thaw'];
  const lines = store.ledger.ofLink(id);
  return (
    hidden.has(bug ?? 0) ||
    lines.some(({ kind, detail }) => kinds.includes(kind) || String(detail['why']).includes('does not show it'))
  );
}

/** Copies of what was said on the tracker; an edited copy is somebody's own by then. */
function onGithub({ tracker, github }: Stage, { bugComments, tails }: Actions, { bug, issue }: Link): readonly Said[] {
  const copies = github.commentsOf(repo, issue ?? 0);
  const ends = new Set(tails.values());
  const words = [...bugComments].filter(([text, on]) => on === bug && !ends.has(text)).map(([text]) => text);
  return tracker.commentsOf(bug ?? 0).flatMap(({ id, text, at: createdAt }) => {
    const said = words.find((each) => text.includes(each));
    const place =
      said === undefined ? -1 : copies.findIndex(({ body }) => body.includes(said) && body.includes('<!-- bugferry:1'));
    return said === undefined || place < 0 ? [] : [{ words: said, id, createdAt, place }];
  });
}

/** Copies of what was said on GitHub; an edit is reported behind everything else. */
function onTracker(
  { tracker, github }: Stage,
  { issueComments, tails }: Actions,
  { bug, issue }: Link,
): readonly Said[] {
  const copies = tracker.commentsOf(bug ?? 0);
  const ends = new Set(tails.values());
  const words = new Map(
    [...issueComments].flatMap(([text, { id }]) => (text.startsWith('Said') && !ends.has(text) ? [[id, text]] : [])),
  );
  return github.commentsOf(repo, issue ?? 0).flatMap(({ id, createdAt }) => {
    const said = words.get(id);
    const place = said === undefined ? -1 : copies.findIndex(({ text }) => text.includes(said));
    return said === undefined || place < 0 ? [] : [{ words: said, id, createdAt, place }];
  });
}

function outOfOrder(thread: readonly Said[], { bug, issue }: Link): readonly string[] {
  return thread.flatMap((late) =>
    thread
      .filter((early) => early.id < late.id && early.createdAt <= late.createdAt && early.place > late.place)
      .map((early) => `I14: "${late.words}" overtook "${early.words}" between bug ${bug} and issue ${issue}`),
  );
}
