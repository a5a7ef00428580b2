import { otherSide, type Side } from '../../model/ids.ts';
import type { FieldName, Fields, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import type { Carried } from '../../model/plan/operation.ts';
import { elementsOf, equalValues, isSet, namesIn, sorted } from '../../text/canonical.ts';
import { isOpenView } from './status.ts';
import { traitsOfField } from './traits.ts';

/** A write, as far as the base is concerned. `replaces` is absent for a new item. */
export interface Written extends Carried {
  readonly replaces?: Fields;
  /** What another user changed just before, according to the server's answer. */
  readonly foreign?: readonly FieldName[];
}

/**
 * The base after the server answered a write to the side `on`: that side gets the answer, the other side gets the value
 * that was carried. This keeps the echo quiet, even if the server trims, re-cases or ignores a value.
 *
 *   answer                  | meaning                                 | base of that side
 *   ------------------------+-----------------------------------------+--------------------------------------
 *   the target              | the value arrived                       | the answer
 *   the value before        | the server ignored the write            | the answer
 *   a third value           | the server spells it its own way        | the answer
 *   a third value, labels   | another user changed it just before     | the target, so that the change travels
 *   a foreign value         | likewise, for another reason to close   | the target, so that the change travels
 *   an assignee, not none   | we asked for no assignee                | the target, so that the assignee travels
 *
 * On GitHub, the status and most fields are read from labels, which are sent as a whole list: only there can an answer
 * contain another user's change. Clearing an assignee can bring up the default of a component on the tracker, and the
 * next of several assignees on GitHub.
 *
 * Sets advance by element, and only for elements that travelled (changed on the other side, and requested here), or
 * that both sides have, or both lack: the others may be on their way to the other side. What both have counts as agreed
 * even if it came late here, after an answer that did not show it: otherwise the removal by a person would be
 * ignored.
 * @param answered the item's fields as the server showed them after the write
 */
export function advance(
  base: Base | null,
  on: Side,
  { source, target, replaces, foreign = [] }: Written,
  answered: Fields,
): Base {
  const other = otherSide(on);
  const sides: Record<Side, Record<string, Value | undefined>> = {
    tracker: { ...base?.tracker },
    github: { ...base?.github },
  };
  for (const field of namesIn(source)) {
    const [carried, shown, wanted] = [source[field], answered[field], target[field]];
    if (carried === undefined) continue;
    if (field === 'assignee' && wanted === null) [sides[on][field], sides[other][field]] = [null, carried];
    if (shown === undefined || (field === 'assignee' && wanted === null)) continue;
    if (isSet(carried) && isSet(shown)) {
      const [past, pastOther] = [elementsOf(sides[on][field]), elementsOf(sides[other][field])];
      const asked = elementsOf(wanted);
      const isSame = (element: string) => carried.includes(element) === shown.includes(element);
      const hasTravelled = (element: string) =>
        carried.includes(element) !== pastOther.includes(element) &&
        asked.includes(element) === carried.includes(element);
      const moved = sorted([...carried, ...past, ...pastOther]).filter(
        (element) => isSame(element) || hasTravelled(element),
      );
      sides[on][field] = sorted([...without(past, moved), ...moved.filter((element) => shown.includes(element))]);
      sides[other][field] = sorted([
        ...without(pastOther, moved),
        ...moved.filter((element) => carried.includes(element)),
      ]);
      continue;
    }
    // What showed no value before a write has a third one as well. A new item was asked for by nobody else.
    const before = replaces === undefined ? shown : replaces[field];
    const isOther = (value: Value | undefined) => value === undefined || !equalValues(shown, value);
    const isThird = wanted !== undefined && isOther(wanted) && isOther(before);
    const isSeenForeign =
      isThird && on === 'github' && !traitsOfField(field).isCheckedFirst && !isCloseReason(field, wanted, shown);
    sides[on][field] = wanted !== undefined && (isSeenForeign || foreign.includes(field)) ? wanted : shown;
    sides[other][field] = carried;
  }
  return sides;
}

/**
 * The base of a link whose counterpart was just created. Values that the new item shows and the request did not mention
 * count as agreed by both, so that the original's own value travels next. A missing assignee or milestone counts as
 * unmentioned: the value that the tracker chose is then handled as on first contact.
 */
export function baseOfCreated(on: Side, carried: Written, answered: Fields): Base {
  const isUnsaid = (field: FieldName) =>
    carried.source[field] === undefined && !traitsOfField(field).mayLackCounterpart;
  const rest = Object.fromEntries(Object.entries(answered).filter(([field]) => isUnsaid(field as FieldName)));
  return advance({ tracker: rest, github: rest }, on, carried, answered);
}

/**
 * The base after reading the target of an update whose outcome is unknown: fields that show the sent value have
 * arrived. A status on the way counts as ours, so that the remaining steps are planned again and are not mistaken for
 * an edit.
 */
export function settleFields(
  base: Base | null,
  on: Side,
  carried: Carried,
  via: readonly string[],
  shown: Fields,
): Base {
  const arrived: Record<string, Value> = {};
  for (const field of namesIn(carried.target)) {
    const [target, source, now] = [carried.target[field], carried.source[field], shown[field]];
    if (target !== undefined && source !== undefined && now !== undefined && equalValues(now, target))
      arrived[field] = source;
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
 * The base while a status is on its way: both sides count as agreed on the intermediate status, so that the original's
 * current status is the one that travels.
 */
export const midway = (base: Base, status: string): Base => ({
  tracker: { ...base.tracker, status },
  github: { ...base.github, status },
});

/**
 * The target, with each set reduced to the elements that show: the others have not arrived, and must not count as
 * refused.
 */
export function ofSetsWhatShows(target: Fields, shown: Fields): Fields {
  return {
    ...target,
    ...Object.fromEntries(Object.keys(setsOf(target)).map((name) => [name, shown[name as FieldName]])),
  };
}

const setsOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));

/** Unless it is foreign, a different reason for closing is the server's choice; older servers know no reasons. */
const isCloseReason = (field: FieldName, wanted: Value, shown: Value): boolean =>
  field === 'status' && !isOpenView(String(wanted)) && !isOpenView(String(shown));

const without = (from: readonly string[], what: readonly string[]) => from.filter((element) => !what.includes(element));

/**
 * What remains agreed of an issue that people transferred: GitHub drops labels and milestones that the other repository
 * does not have, which is nobody's wish.
 */
export function baseElsewhere(base: Base | null): Base | null {
  const only = ({ title, status }: Fields): Fields => ({
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : { status }),
  });
  return base === null ? null : { tracker: only(base.tracker), github: only(base.github) };
}
