/**
 * What GitHub did not take of a write, although it answered without an error: what it does not offer, and what the
 * account has no right for. That is no agreement, so no base moves for it.
 */

import type { FieldName, Fields, Issue, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import type { Carried } from '../../model/plan/operation.ts';
import type { LabelRule, Route } from '../../model/route.ts';
import { elementsOf, equalValues, isSet, namesIn } from '../../text/canonical.ts';
import { isLabelRule } from '../labels/labels-and-fields.ts';
import { isOpenView } from './status.ts';
import { lapsing, traitsOfField } from './traits.ts';

/**
 * Fields that GitHub may leave out of a new issue without refusing it: unknown assignees, and options that are not
 * offered.
 */
export const leavable = ({ labels }: Pick<Route, 'labels'>): readonly FieldName[] => [
  ...labels.filter((rule) => !isLabelRule(rule)).map(({ from }) => from),
  ...lapsing,
];

/**
 * The values that a new issue was created with, if the answer was lost. Fields that GitHub may leave out count only as
 * far as they show: a value that counts as written and does not show would look like an edit, and travel to the
 * tracker.
 * @param shown the issue's fields as last seen
 */
export function withoutLeftOut<C extends Carried>(route: Route, carried: C, shown: Fields): C {
  const expressed = (fields: Fields): Fields => {
    const present = Object.entries(fields).flatMap(([name, value]) => {
      const found = shown[name as FieldName];
      if (found === undefined || !leavable(route).some((each) => each === name)) return [[name, value] as const];
      if (isSet(value)) return [[name, value.filter((element) => isSet(found) && found.includes(element))] as const];
      return value !== null && found === null ? [] : [[name, value] as const];
    });
    return Object.fromEntries(present);
  };
  return { ...carried, target: expressed(carried.target), source: expressed(carried.source) };
}

interface Asked {
  /** The values that the issue should show. */
  readonly target: Fields;
  /** The values before the write; none for a new issue. */
  readonly replaces: Fields;
}

/**
 * The fields for which the issue shows what it showed before, and not what was asked for.
 *
 *   a label, a status   always
 *   a type, an option   if the issue shows another one: where the organisation does not offer the right one, it stays
 *                       empty
 *   a person, a milestone   only together with others: alone, it is the value that GitHub does not accept
 *
 * What shows a third value is the server's choice, or somebody else's.
 */
export function ignoredFields(
  route: Pick<Route, 'labels'>,
  { target, replaces }: Asked,
  issue: Issue,
  shown: Fields,
): readonly FieldName[] {
  const names = namesIn(target).filter((name) => isAsBefore(name, target[name], replaces[name], shown[name]));
  const alone = names.filter((name) => isDropped(route, name, issue));
  return alone.length === 0 ? [] : names.filter((name) => alone.includes(name) || mayLack(name));
}

const mayLack = (name: FieldName): boolean => traitsOfField(name).mayLackCounterpart;

function isDropped(route: Pick<Route, 'labels'>, name: FieldName, issue: Issue): boolean {
  const rule = route.labels.find(({ from }) => from === name);
  if (rule === undefined) return name === 'status';
  return !leavable(route).includes(name) || isShowing(rule, issue);
}

const isShowing = ({ isType, field = '' }: LabelRule, { type, fields = {} }: Issue): boolean =>
  isType ? (type ?? null) !== null : Object.hasOwn(fields, field) && [fields[field] ?? []].flat().length > 0;

function isAsBefore(name: FieldName, wanted: Value | undefined, before: Value | undefined, shown: Value | undefined) {
  if (wanted === undefined || shown === undefined || equalValues(wanted, shown)) return false;
  if (isSet(wanted)) {
    const [past, now] = [elementsOf(before), elementsOf(shown)];
    return (
      wanted.some((each) => !past.includes(each) && !now.includes(each)) ||
      past.some((each) => !wanted.includes(each) && now.includes(each))
    );
  }
  // Which reason for closing it shows is the server's choice.
  if (name === 'status' && !isOpenView(String(wanted)) && !isOpenView(String(shown))) return false;
  return before === undefined ? shown === null || shown === 'open' : equalValues(shown, before);
}

/** The base of a new issue without what GitHub did not take of it, so that the tracker's values travel next. */
export function withoutIgnored(base: Base, names: readonly FieldName[]): Base {
  const tracker: Record<string, Value | undefined> = { ...base.tracker };
  for (const name of names) {
    const [asked, shown] = [base.tracker[name], base.github[name]];
    if (isSet(asked)) tracker[name] = asked.filter((each) => elementsOf(shown).includes(each));
    else delete tracker[name];
  }
  return { tracker, github: base.github };
}

/** @param names the fields; none if labels alone were to be corrected */
export const ignoredInWords = (names: readonly FieldName[]): string =>
  `GitHub did not take ${names.length === 0 ? 'the corrected labels' : names.join(', ')}, though it reported no error. Either the account lacks the right (it needs the triage role), or GitHub does not have such a value.`;
