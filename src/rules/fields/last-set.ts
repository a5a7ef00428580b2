/**
 * Who set the values last in which a pair differs, if its state may be older than what both sides show. A value that
 * our own account set is a copy of what the other side showed then, and no edit: the other side has changed since.
 */

import { otherSide, type Side, sides } from '../../model/ids.ts';
import { type FieldName, type Issue, stampMs, type Value } from '../../model/item.ts';
import type { IssueEvent, LabelEvent } from '../../model/label-event.ts';
import type { Base, OlderPair } from '../../model/link.ts';
import { isLogin } from '../../model/people.ts';
import type { LabelRule, Route, Vocabulary } from '../../model/route.ts';
import { equalValues, isSet, sorted } from '../../text/canonical.ts';
import { choicesOf, isLabelRule, labelsFor, noChoice } from '../labels/labels-and-fields.ts';
import { isOpenView, statusLabels } from './status.ts';

/** A field in which the sides differ; of a set, one element that only one of them has. */
export interface Difference {
  readonly field: FieldName;
  readonly element: string | null;
  readonly tracker: Value;
  readonly github: Value;
}

/** Who set a value, and when; null where the side does not tell. */
export type Setter = {
  readonly isOurs: boolean;
  readonly at: number;
  /** Whether the item has had it since it was made. */
  readonly isFirst: boolean;
  /** When our own account had given this side the other side's value before; null if it had not. */
  readonly copiedAt: number | null;
  /** Whether the side tells of that copy: it may also be that our own account made the item. */
  readonly isCopyTold: boolean;
  /** When this side had the other side's value for the last time, as far as it tells. */
  readonly agreedAt: number | null;
  readonly origin: Origin;
} | null;

/**
 * What our own account set:
 *
 *   copy     what the other side showed
 *   taken    what a withdrawal or a move leaves of it, which the other side never showed
 *   unclear  either
 */
export type Origin = 'copy' | 'taken' | 'unclear';

/** The differences of one field: one for each element of a set, except those that both sides agreed on. */
export function differencesIn(
  base: Base | null,
  field: FieldName,
  tracker: Value,
  github: Value,
): readonly Difference[] {
  if (!isSet(tracker) || !isSet(github)) return [{ field, element: null, tracker, github }];
  const [bt, bg] = [base?.tracker[field], base?.github[field]];
  const isAgreed = (element: string): boolean =>
    isSet(bt) &&
    isSet(bg) &&
    bt.includes(element) === tracker.includes(element) &&
    bg.includes(element) === github.includes(element);
  const elements = sorted([...tracker, ...github]).filter(
    (element) => tracker.includes(element) !== github.includes(element),
  );
  return elements.filter((element) => !isAgreed(element)).map((element) => ({ field, element, tracker, github }));
}

/** Whether a text in the history of a bug is this value. */
export const isText =
  (value: Value) =>
  (text: string): boolean =>
    value === null ? text === '' || text === noChoice : text === value;

/**
 * The events of which the last gave the issue what it shows; null if no event tells. @param past what the issue showed
 * before, if known
 */
export function eventsFor(
  route: Route,
  vocabulary: Vocabulary,
  issue: Issue,
  { field, element, github }: Difference,
  past: Value | undefined,
): readonly IssueEvent[] | null {
  if (field === 'title') return [{ event: 'renamed', name: issue.title }];
  if (field === 'status') return statusEvents(route, issue);
  if (field === 'assignee') {
    const login = issue.assignees.find((each) => isLogin(each, String(github)));
    return [login === undefined ? { event: 'unassigned', name: null } : { event: 'assigned', name: login }];
  }
  if (field === 'milestone')
    return [
      issue.milestone === null ? { event: 'demilestoned', name: null } : { event: 'milestoned', name: issue.milestone },
    ];
  const rule = route.labels.find(({ from }) => from === field);
  if (rule === undefined) return null;
  const isShown = element === null ? github !== null : isSet(github) && github.includes(element);
  const gone = [...choicesOf(rule, vocabulary), ...(typeof past === 'string' ? [past] : [])];
  const labels = labelsFor(rule, element === null ? (isShown ? github : gone) : [element]);
  return labels.map((label) => labelEvent(rule, label, isShown));
}

/** The events that would have given the issue the tracker's value; null if no event tells. */
export function eventsOfCopy(
  route: Route,
  vocabulary: Vocabulary,
  issue: Issue,
  difference: Difference,
): readonly IssueEvent[] | null {
  const { field, tracker } = difference;
  if (field === 'assignee') return null;
  const [text, isOpen] = [typeof tracker === 'string' ? tracker : null, isOpenView(String(tracker))];
  const copy: Issue = { ...issue, title: text ?? '', milestone: text, state: isOpen ? 'open' : 'closed' };
  return eventsFor(route, vocabulary, copy, { ...difference, github: tracker }, undefined);
}

/** The events that would have taken the tracker's value from the issue; null if no event tells. */
export function eventsOfLoss(
  { labels }: Route,
  { state }: Issue,
  { field, element, tracker }: Difference,
): readonly IssueEvent[] | null {
  if (element !== null || typeof tracker !== 'string') return null;
  if (field === 'status' && isOpenView(tracker) !== (state === 'open'))
    return [{ event: state === 'open' ? 'reopened' : 'closed', name: null }];
  if (field === 'assignee') return [{ event: 'unassigned', name: tracker }];
  if (field === 'milestone') return [{ event: 'demilestoned', name: tracker }];
  const rule = labels.find(({ from }) => from === field);
  return rule === undefined ? null : labelsFor(rule, tracker).map((label) => labelEvent(rule, label, false));
}

function statusEvents({ status }: Route, issue: Issue): readonly IssueEvent[] {
  if (issue.state === 'closed') return [{ event: 'closed', name: null }];
  const present = new Set(issue.labels.map((label) => label.toLowerCase()));
  const labels = statusLabels(status).map((label) => labelEvent(null, label, present.has(label.toLowerCase())));
  return [{ event: 'reopened', name: null }, ...labels];
}

function labelEvent(rule: LabelRule | null, label: string, isShown: boolean): LabelEvent {
  if (rule === null || isLabelRule(rule)) return { event: isShown ? 'labeled' : 'unlabeled', label };
  if (rule.field === undefined) return { event: isShown ? 'typed' : 'untyped', label };
  return { event: isShown ? 'filled' : 'emptied', label, field: rule.field };
}

/**
 * Who set the value of one side last:
 *
 *   ours       our own account
 *   untouched  no one since the base was stored, and the value is that of the base; where a side does not name who set
 *              a value, only if the item has not changed since then, or since the other side was edited
 *   person     another account
 *   unknown    the side does not say
 */
type Edit =
  | { readonly by: 'ours' | 'untouched' | 'unknown' }
  | ({ readonly by: 'person'; readonly isAsBase: boolean } & Pick<
      NonNullable<Setter>,
      'at' | 'isFirst' | 'copiedAt' | 'agreedAt'
    >);

const isSame = (value: Value, base: Value | undefined, element: string | null): boolean =>
  base !== undefined && (element === null ? equalValues(value, base) : has(value, element) === has(base, element));

/** @param untilAt what was set until then is the base, if it is as that; `changedAt` when the item last changed */
function editOf(
  value: Value,
  base: Value | undefined,
  element: string | null,
  setter: Setter,
  untilAt: number,
  changedAt: number,
): Edit {
  if (setter?.isOurs) return { by: 'ours' };
  const isAsBase = isSame(value, base, element);
  if (isAsBase && (setter?.at ?? changedAt) + stampMs <= untilAt) return { by: 'untouched' };
  return setter === null ? { by: 'unknown' } : { ...setter, by: 'person', isAsBase };
}

export const has = (value: Value, element: string): boolean => isSet(value) && value.includes(element);

/**
 *   one side  | the other        | verdict
 *   ----------+------------------+----------------------------------------------
 *   ours      | anything else    | the other side's value travels
 *   untouched | person, unknown  | likewise
 *   person    | person, on top   | likewise; also if the one side was not edited since it was made, or was given the
 *             |                  | value of the base, or of the other side, again before that one got another
 *   person    | person           | both: a conflict, with the later side known
 *   any other                    | unclear: a conflict for a person
 */
export type Verdict =
  | { readonly wins: Side }
  | { readonly wins: 'both'; readonly later: Side }
  | { readonly wins: 'unclear' };

/**
 * Whether a difference shows that a state was put back: since it last wrote something of the pair down, our own account
 * gave one side a value that people had given the other one, and people have changed either of them again.
 * @param isMarked whether the state was put back before: then any other value of our account shows that, too
 */
export function isCopyUnknown(
  base: Base | null,
  difference: Difference,
  setters: Readonly<Record<Side, Setter>>,
  lastAt: number,
  isMarked: boolean,
): boolean {
  const { field, element } = difference;
  return sides.some((side) => {
    const [setter, other] = [setters[side], otherSide(side)];
    const isKnown = (value: Value): boolean => isSame(value, base?.[side][field], element);
    if (setter === null) return false;
    if (!setter.isOurs) return setter.isCopyTold && (setter.copiedAt ?? 0) > lastAt && !isKnown(difference[other]);
    if (setter.isFirst || isKnown(difference[side]) || setter.at <= lastAt) return false;
    if (isMarked) return true;
    const edit = editOf(difference[other], base?.[other][field], element, setters[other], 0, 0);
    if (edit.by !== 'person') return false;
    return (edit.agreedAt ?? (edit.isAsBase && !edit.isFirst ? edit.at : 0)) > lastAt;
  });
}

type Person = Extract<Edit, { readonly by: 'person' }>;

/**
 * Whether a person set the value of this side after our own account had copied the other side's value here. What we
 * wrote before that side had its value is no copy of it, but the neutral values of a withdrawal, say.
 */
const isCopied = ({ copiedAt }: Pick<Person, 'copiedAt'>, other: Pick<Person, 'at'>): boolean =>
  copiedAt !== null && other.at < copiedAt + stampMs;

/** Whether a person changed this side after both had shown what the other one still shows. */
const isOver = (edit: Person, other: Person): boolean =>
  isCopied(edit, other) || (edit.agreedAt !== null && other.at + stampMs <= edit.agreedAt);

function verdictOn(edits: Readonly<Record<Side, Edit>>): Verdict {
  const { tracker, github } = edits;
  if (tracker.by === 'person' && github.by === 'person') {
    if (tracker.isFirst !== github.isFirst) return { wins: tracker.isFirst ? 'github' : 'tracker' };
    const isOnTop = { tracker: isOver(tracker, github), github: isOver(github, tracker) };
    if (isOnTop.tracker !== isOnTop.github) return { wins: isOnTop.tracker ? 'tracker' : 'github' };
    if (tracker.at === github.at) return { wins: 'unclear' };
    const later = tracker.at > github.at ? 'tracker' : 'github';
    const [last, first] = later === 'tracker' ? [tracker, github] : [github, tracker];
    return first.isAsBase && !last.isAsBase ? { wins: later } : { wins: 'both', later };
  }
  for (const by of ['ours', 'untouched'] as const)
    for (const side of sides)
      if (edits[side].by === by && edits[otherSide(side)].by !== by) return { wins: otherSide(side) };
  return { wins: 'unclear' };
}

/** How far the clocks of both sides may be apart, and how long a write may follow the reading that it comes from. */
const [apartMs, raceMs] = [3_600_000, 300_000];

/**
 * Whether the difference shows that the tracker went back: it had its value before our own account set that of GitHub,
 * and had not shown that one for a while. So it has lost what was copied. Null if it may have, or not.
 */
function isLost({ element }: Difference, { tracker, github }: Readonly<Record<Side, Setter>>): boolean | null {
  if (tracker === null || github?.isOurs !== true || github.isFirst || github.origin === 'taken') return false;
  // An element was there, or was not, until the last change of it.
  const shownAt = element !== null && !tracker.isFirst ? tracker.at : tracker.agreedAt;
  const agoMs = github.at - (shownAt ?? 0);
  if (tracker.at + stampMs >= github.at || agoMs <= raceMs) return false;
  return agoMs > apartMs ? true : null;
}

/** A tracker that went back shows replaced values: the later one travels; if GitHub is silent, the bug's last. */
function laterOf({ tracker, github }: Readonly<Record<Side, Setter>>, changedAt: number | null): Verdict {
  if (tracker !== null && github === null && changedAt !== null && tracker.at >= changedAt) return { wins: 'tracker' };
  if (tracker === null || github === null || tracker.at === github.at) return { wins: 'unclear' };
  if (tracker.at > github.at || (github.isOurs && github.origin === 'taken')) return { wins: 'tracker' };
  return { wins: github.isOurs && github.origin === 'unclear' ? 'unclear' : 'github' };
}

/** @param setters who gave each side its value; `changedAt` when each item last changed */
export function verdictOf(
  base: Base | null,
  older: OlderPair,
  difference: Difference,
  setters: Readonly<Record<Side, Setter>>,
  changedAt: Readonly<Record<Side, number>>,
): Verdict {
  const isBehind = older.isTrackerOlder || isLost(difference, setters);
  if (isBehind === null) return { wins: 'unclear' };
  if (isBehind) return laterOf(setters, older.knownUntil.tracker);
  const { field, element } = difference;
  // What did not change after the other side was edited cannot undo that.
  const editedAt = (side: Side): number => (setters[side] === null ? (setters[otherSide(side)]?.at ?? 0) : 0);
  // Who took back what we had copied gave the side the value of the base again: a base that knew that would be another.
  const isTakenBack = (side: Side): boolean => {
    const [here, there] = [setters[side], setters[otherSide(side)]];
    return here?.isOurs === false && here.isCopyTold && there !== null && isCopied(here, there);
  };
  const untilAt = (side: Side): number =>
    isTakenBack(side) ? 0 : Math.max(older.knownUntil[side] ?? 0, older.agreed[field] ?? 0, editedAt(side));
  const edit = (side: Side): Edit =>
    editOf(difference[side], base?.[side][field], element, setters[side], untilAt(side), changedAt[side]);
  return verdictOn({ tracker: edit('tracker'), github: edit('github') });
}
