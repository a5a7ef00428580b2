import { bugFor } from './bugs.ts';
import { type Draft, draftOf, type Edit } from './edit.ts';
import { TrackerError } from './errors.ts';
import type { ListChange } from './request.ts';
import { localUrl, parseSeeAlso } from './see-also.ts';

type Relation = 'depends_on' | 'blocks';
const opposite: Readonly<Record<Relation, Relation>> = { depends_on: 'blocks', blocks: 'depends_on' };

/** Changes what a bug depends on or blocks, at both ends. */
export function changeRelation(edit: Edit, bug: Draft, relation: Relation, change: ListChange): void {
  const idOf = (text: string): number => bugFor(edit.state, edit.user, text).id;
  const added = (change.set ?? change.add).map(idOf);
  const removed = change.set === null ? change.remove.map(Number) : bug[relation].filter((id) => !added.includes(id));
  if (added.includes(bug.id)) throw new TrackerError(116, 400, "You can't make a bug block itself or depend on itself.", bug.id);
  const kept = bug[relation].filter((id) => !removed.includes(id));
  for (const id of bug[relation].filter((old) => removed.includes(old))) {
    const other = draftOf(edit, id);
    other[opposite[relation]] = other[opposite[relation]].filter((end) => end !== bug.id);
  }
  for (const id of added) {
    const other = draftOf(edit, id);
    other[opposite[relation]] = sorted([...other[opposite[relation]], bug.id]);
  }
  bug[relation] = sorted([...kept, ...added]);
}

/** Refuses a bug that stands on both sides of the tree of another. */
export function refuseLoops(edit: Edit, bug: Draft): void {
  const above = reachable(edit, bug.id, 'blocks');
  const loop = [...reachable(edit, bug.id, 'depends_on')].filter((id) => id !== bug.id && above.has(id));
  if (loop.length === 0) return;
  throw new TrackerError(
    116,
    400,
    `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${loop.join(', ')}. This would create a circular dependency, which is not allowed.`,
  );
}

/** Adds and removes See Also values. A bug of this tracker gets the mirror link; what is there or absent already is left alone. */
export function changeSeeAlso(edit: Edit, bug: Draft, change: Pick<ListChange, 'add' | 'remove'>): void {
  const trackerUrl = edit.state.url;
  for (const text of change.remove.filter((url) => bug.see_also.includes(url))) {
    bug.see_also = bug.see_also.filter((url) => url !== text);
    const target = parseSeeAlso(text, trackerUrl);
    if (target.kind !== 'local' || !edit.state.bugs.has(target.bug)) continue;
    const other = draftOf(edit, target.bug);
    other.see_also = other.see_also.filter((url) => url !== localUrl(bug.id, trackerUrl));
  }
  for (const text of change.add) {
    const target = parseSeeAlso(text, trackerUrl);
    if (target.kind === 'local') {
      const other = draftOf(edit, bugFor(edit.state, edit.user, String(target.bug)).id);
      other.see_also = union(other.see_also, localUrl(bug.id, trackerUrl));
    }
    bug.see_also = union(bug.see_also, target.url);
  }
}

const union = (list: readonly string[], element: string): readonly string[] => (list.includes(element) ? list : [...list, element]);
const sorted = (ids: readonly number[]): readonly number[] => [...new Set(ids)].sort((one, other) => one - other);

function reachable(edit: Edit, from: number, relation: Relation): ReadonlySet<number> {
  const seen = new Set<number>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const bug = edit.drafts.get(id) ?? edit.state.bugs.get(id);
    for (const next of bug?.[relation] ?? []) {
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
  return seen;
}
