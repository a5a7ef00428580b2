import type { TrackerState } from '../../../src/sandbox/tracker/world/state.ts';

/**
 * What a migration has to ask of GitHub, however it is programmed, and how long that takes within GitHub's documented
 * limits.
 */
export interface Needed {
  readonly writes: number;
  readonly reads: number;
  readonly hours: number;
}

/** Items in one request or one page. */
const perPage = 100;
const perClosing = 25;
const perMinimizing = 25;
const perCommit = 50;
/** A tree, a commit, and the branch that points to it. */
const writesPerCommit = 3;

/** GitHub asks for a second between writes, and allows 5,000 requests an hour: the first 5,000 may come at once. */
const writeSeconds = 1;
const requestsPerHour = 5_000;

export function neededFor({ bugs, comments, attachments }: TrackerState): Needed {
  const open = [...bugs.values()].filter(({ groups }) => groups.length === 0);
  const ids = new Set(open.map(({ id }) => id));
  const said = open.flatMap(({ id }) => (comments.get(id) ?? []).slice(1)).filter(({ isPrivate }) => !isPrivate);
  const files = [...attachments.values()].filter(({ bug, isPrivate }) => ids.has(bug) && !isPrivate).length;
  const reasons = open.filter(({ resolution }) => resolution !== '' && resolution !== 'FIXED').length;
  const minimized = said.filter(({ tags }) => tags.includes('spam')).length;
  const relations = open.flatMap(({ depends_on }) => depends_on).filter((id) => ids.has(id)).length;
  const stored = files + Math.ceil(files / perCommit) * writesPerCommit;
  const finished = Math.ceil(reasons / perClosing) + Math.ceil(minimized / perMinimizing) + relations;
  const writes = open.length + stored + finished;
  const reads = Math.ceil(open.length / perPage) + Math.ceil(said.length / perPage);
  const secondsOfWrites = writes * writeSeconds;
  const hours = Math.max(secondsOfWrites / 3_600, (writes + reads - requestsPerHour) / requestsPerHour);
  return { writes, reads, hours };
}
