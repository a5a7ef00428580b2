import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Fields, Value } from '../model/item.ts';
import type { Base } from '../model/link.ts';
import type { Carried } from '../model/operation.ts';
import { equalValues, isSet, namesIn, sorted } from '../text/canonical.ts';
import { isOpenView } from './status.ts';

/** What a write carried, as far as the base is concerned. `replaces` is absent for what was just made. */
export interface Written extends Carried {
  readonly replaces?: Fields;
}

/**
 * The base after the server answered a write on `on`: what it answered on that side, what was carried on the other. That is
 * what keeps the echo quiet, also where the server trims, re-cases or ignores a value.
 *
 *   answered        | meaning                               | base of that side
 *   ----------------+---------------------------------------+------------------
 *   the target      | it arrived                            | the answer
 *   what it showed  | the server ignores it                 | the answer
 *   a third value   | the server spells it its own way      | the answer
 *   ... of a label  | somebody changed it a moment before   | the target, so that the change travels
 *   somebody's name | to be nobody's is what was asked      | the target, so that whoever it is travels
 *
 * On GitHub a status and most fields are told from labels, which are sent as a whole list: only there can an answer hold what
 * somebody else wrote. Nobody's can mean the default of a component on the tracker, and the next of several on GitHub.
 *
 * Sets advance by element, and only for the elements that travelled (changed on the other side, and asked for here): the others
 * may be on their way to the other side.
 * @param answered the item's fields as the server showed them after the write
 */
export function advance(base: Base | null, on: Side, { source, target, replaces }: Written, answered: Fields): Base {
  const other = otherSide(on);
  const sides: Record<Side, Record<string, Value | undefined>> = { tracker: { ...base?.tracker }, github: { ...base?.github } };
  for (const field of namesIn(source)) {
    const [carried, shown, wanted] = [source[field], answered[field], target[field]];
    if (carried === undefined) continue;
    if (field === 'assignee' && wanted === null) [sides[on][field], sides[other][field]] = [null, carried];
    if (shown === undefined || (field === 'assignee' && wanted === null)) continue;
    if (isSet(carried) && isSet(shown)) {
      const [past, pastOther] = [elementsOf(sides[on][field]), elementsOf(sides[other][field])];
      const asked = elementsOf(wanted);
      const travelled = sorted([...carried, ...pastOther]).filter(
        (element) => carried.includes(element) !== pastOther.includes(element) && asked.includes(element) === carried.includes(element),
      );
      sides[on][field] = sorted([...without(past, travelled), ...travelled.filter((element) => shown.includes(element))]);
      sides[other][field] = sorted([...without(pastOther, travelled), ...travelled.filter((element) => carried.includes(element))]);
      continue;
    }
    const isThird = wanted !== undefined && !equalValues(shown, wanted) && !equalValues(shown, replaces?.[field] ?? shown);
    const isForeign = isThird && on === 'github' && !looked.includes(field) && !isCloseReason(field, wanted, shown);
    sides[on][field] = isForeign ? wanted : shown;
    sides[other][field] = carried;
  }
  return sides;
}

/**
 * The base of a link whose counterpart was just made. What the new item shows and the making did not express counts as
 * agreed by both, so that the original's own value travels next. Who says no assignee and no milestone has said nothing: what the
 * tracker gave the bug by itself is then heard as on first contact.
 */
export function baseOfCreated(on: Side, carried: Carried, answered: Fields): Base {
  const isUnsaid = (field: FieldName) => carried.source[field] === undefined && !voidable.includes(field);
  const rest = Object.fromEntries(Object.entries(answered).filter(([field]) => isUnsaid(field as FieldName)));
  return advance({ tracker: rest, github: rest }, on, carried, answered);
}

/**
 * The base after looking at the target of an update whose outcome is unknown: fields that show what was sent have arrived.
 * A status on the way counts as ours, so that the rest of the way is planned again and nobody's edit is seen in it.
 */
export function settleFields(base: Base | null, on: Side, carried: Carried, via: readonly string[], shown: Fields): Base {
  const arrived: Record<string, Value> = {};
  for (const field of namesIn(carried.target)) {
    const [target, source, now] = [carried.target[field], carried.source[field], shown[field]];
    if (target !== undefined && source !== undefined && now !== undefined && equalValues(now, target)) arrived[field] = source;
  }
  const advanced = advance(
    base,
    on,
    { source: { ...arrived, ...setsOf(carried.source) }, target: ofSetsWhatShows(carried.target, shown) },
    shown,
  );
  const { status } = shown;
  return typeof status === 'string' && via.includes(status) ? midway(advanced, status) : advanced;
}

/**
 * The base while a status is on its way: both sides count as agreed on what shows between two steps, so that whatever the
 * original says now is what travels.
 */
export const midway = (base: Base, status: string): Base => ({
  tracker: { ...base.tracker, status },
  github: { ...base.github, status },
});

/** Before these are written, an edge looks whether they are still as they were seen: what answers otherwise is the server. */
const looked: readonly FieldName[] = ['title', 'assignee', 'milestone'];

const voidable: readonly FieldName[] = ['assignee', 'milestone'];

/** The target, with each set as far as it shows: the rest of it has not arrived, and is not to be taken for refused. */
export function ofSetsWhatShows(target: Fields, shown: Fields): Fields {
  return { ...target, ...Object.fromEntries(Object.keys(setsOf(target)).map((name) => [name, shown[name as FieldName]])) };
}

const setsOf = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));

/** A close for another reason than was asked for is the server's way to say it; an older one knows no reasons. */
const isCloseReason = (field: FieldName, wanted: Value, shown: Value): boolean =>
  field === 'status' && !isOpenView(String(wanted)) && !isOpenView(String(shown));

const elementsOf = (value: Value | undefined): readonly string[] => (isSet(value) ? value : []);

const without = (from: readonly string[], what: readonly string[]) => from.filter((element) => !what.includes(element));
