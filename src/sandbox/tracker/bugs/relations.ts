import { requireRight } from '../installation/rights.ts';
import { TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { type ListChange, listChangeOf, type Request } from '../server/request.ts';
import { bugFor } from './bugs.ts';
import type { Draft, Edit } from './draft.ts';
import { draftOf } from './edit.ts';
import { localUrl, parseSeeAlso } from './see-also.ts';

const relations = ['depends_on', 'blocks'] as const;
type Relation = (typeof relations)[number];
const opposite: Readonly<Record<Relation, Relation>> = { depends_on: 'blocks', blocks: 'depends_on' };

/** Changes what a bug depends on and blocks, at both ends. Only added and removed bugs need to be visible. */
export function changeRelations(edit: Edit, bug: Draft, request: Request): void {
  const changes = relations.map((relation) => [relation, listChangeOf(request, relation)] as const);
  if (changes.every(([, change]) => change === undefined)) return;
  const wanted = changes.map(
    ([relation, change]) =>
      [relation, change === undefined ? bug[relation] : endsOf(edit, bug, relation, change)] as const,
  );
  for (const [, ids] of wanted) {
    if (ids.includes(bug.id))
      throw new TrackerError(116, 400, "You can't make a bug block itself or depend on itself.", bug.id);
  }
  for (const [relation, ids] of wanted) relate(edit, bug, relation, ids);
  refuseLoops(edit, bug);
}

/** The wanted bugs at the other end. Throws if the user may not see one of them, or lacks the right (115). */
function endsOf(edit: Edit, bug: Draft, relation: Relation, change: ListChange): readonly number[] {
  const before = bug[relation].map(String);
  const listed = change.set ?? [...before, ...change.add].filter((id) => !change.remove.includes(id));
  const come = listed.filter((id) => !before.includes(id));
  const gone = before.filter((id) => !listed.includes(id));
  if (come.length + gone.length > 0) requireRight(edit, bug, { field: relation, removed: '', added: '' });
  const ids = new Map([...come, ...gone].map((id) => [id, bugFor(edit.state, edit.user, id).id]));
  return [...new Set(listed.map((id) => ids.get(id) ?? Number(id)))];
}

function relate(edit: Edit, bug: Draft, relation: Relation, ids: readonly number[]): void {
  const far = opposite[relation];
  for (const id of bug[relation].filter((old) => !ids.includes(old))) {
    const other = draftOf(edit, id);
    other[far] = other[far].filter((end) => end !== bug.id);
  }
  for (const id of ids.filter((added) => !bug[relation].includes(added))) {
    const other = draftOf(edit, id);
    other[far] = sorted([...other[far], bug.id]);
  }
  bug[relation] = sorted(ids);
}

/** Refuses a bug that another depends on and blocks, directly or indirectly. */
function refuseLoops(edit: Edit, bug: Draft): void {
  const above = reachable(edit, bug.id, 'blocks');
  const loop = [...reachable(edit, bug.id, 'depends_on')].filter((id) => id !== bug.id && above.has(id));
  if (loop.length === 0) return;
  throw new TrackerError(
    116,
    400,
    `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${loop.join(', ')}. This would create a circular dependency, which is not allowed.`,
  );
}

/**
 * Adds and removes See Also values, ignoring case. A bug of this tracker gets the link back; values that are already
 * there or absent stay as they are.
 */
export function changeSeeAlso(edit: Edit, bug: Draft, { add, remove }: Pick<ListChange, 'add' | 'remove'>): void {
  for (const text of add) addSeeAlso(edit, bug, text);
  for (const text of remove) removeSeeAlso(edit, bug, text);
}

function addSeeAlso(edit: Edit, bug: Draft, text: string): void {
  const { state, user } = edit;
  const target = parseSeeAlso(state, text);
  const other = target.kind === 'local' ? bugFor(state, user, target.bug) : null;
  if (other?.id === bug.id) throw new TrackerError(32000, 400, guesses.seeAlsoItself, bug.id);
  const url = target.kind === 'elsewhere' ? target.url : localUrl(other?.id ?? 0, state.url);
  if (bug.see_also.some((known) => same(known, url))) return;
  requireRight(edit, bug, { field: 'see_also', removed: '', added: url });
  bug.see_also = [...bug.see_also, url];
  if (other === null) return;
  const counterpart = draftOf(edit, other.id);
  const mirror = localUrl(bug.id, state.url);
  if (!counterpart.see_also.includes(mirror)) counterpart.see_also = [...counterpart.see_also, mirror];
}

function removeSeeAlso(edit: Edit, bug: Draft, text: string): void {
  const known = bug.see_also.find((url) => same(url, text));
  if (known === undefined) return;
  requireRight(edit, bug, { field: 'see_also', removed: known, added: '' });
  bug.see_also = bug.see_also.filter((url) => url !== known);
  const target = parseSeeAlso(edit.state, known);
  if (target.kind !== 'local' || !edit.state.bugs.has(Number(target.bug))) return;
  const counterpart = draftOf(edit, Number(target.bug));
  counterpart.see_also = counterpart.see_also.filter((url) => url !== localUrl(bug.id, edit.state.url));
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
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
