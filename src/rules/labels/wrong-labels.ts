/**
 * Labels, types and values that people set and that cannot travel: which they are, and the remark that explains why.
 */

import type { Bug, Fields, FieldValues, Value } from '../../model/item.ts';
import type { WrongLabel } from '../../model/label-event.ts';
import { aboutOf, type Base, type CommentLink, type Link } from '../../model/link.ts';
import type { RemarkOperation } from '../../model/plan/operation.ts';
import type { LabelRule, Route, Vocabulary } from '../../model/route.ts';
import { digestOf, equalValues, isSet } from '../../text/canonical.ts';
import { toMarkdownInline } from '../../text/to-markdown.ts';
import { choicesOf, labelsFor, shownIn, takesNothing } from './labels-and-fields.ts';

interface Seen {
  readonly base: Base | null;
  readonly tracker: Fields;
  readonly github: Fields;
  /** All labels of the issue. */
  readonly labels: readonly string[];
  readonly foreign: readonly ForeignLabel[];
  /** Fields for which the type, or a field of the organisation, shows a name that the tracker does not know. */
  readonly unknown: readonly string[];
  /** The type of the issue; null for none. */
  readonly type: string | null;
  /** The values of the organisation's fields; absent if GitHub does not report them. */
  readonly fields?: FieldValues;
  /** Fields whose change on GitHub the tracker refused. */
  readonly refused: readonly string[];
}

/** The wrong labels, types and field values of an issue. */
export function wrongLabels(route: Route, vocabulary: Vocabulary, seen: Seen): readonly WrongLabel[] {
  const unknown = seen.foreign.map(({ label, rule }) => ({ label, rule, event: 'labeled', why: 'unknown' }) as const);
  return [...unknown, ...route.labels.flatMap((rule) => wrongBy(rule, vocabulary, seen))];
}

function wrongBy(rule: LabelRule, vocabulary: Vocabulary, seen: Seen): readonly WrongLabel[] {
  if (rule.isType) return wrongType(rule, seen);
  return rule.field === undefined ? wrongIn(rule, vocabulary, seen) : wrongField(rule, vocabulary, rule.field, seen);
}

/** Without a base, the author of a change is unknown, and the label is reset without an explanation. */
function wrongIn(
  rule: LabelRule,
  vocabulary: Vocabulary,
  { base, tracker, github, labels, refused }: Seen,
): readonly WrongLabel[] {
  const [t, g, before] = [tracker[rule.from], github[rule.from], base?.github[rule.from]];
  if (t === undefined || g === undefined || before === undefined || equalValues(g, before)) return [];
  const why = refused.includes(rule.from)
    ? 'refused'
    : !rule.both
      ? 'one-way'
      : isMissing(rule, vocabulary, g)
        ? 'needed'
        : null;
  if (why === null) return [];
  const shown = (value: Value) => labelsFor(rule, value);
  const wanted = shown(t);
  const added = without(without(shown(g), shown(before)), wanted).map(
    (label) => ({ label, rule, why, event: 'labeled' }) as const,
  );
  // Replacing a label is explained once, for the new label.
  if (added.length > 0) return added;
  return without(shown(before), labels)
    .filter((label) => wanted.includes(label))
    .map((label) => ({ label, rule, why, event: 'unlabeled' }) as const);
}

/**
 * A type that people chose in place of the right one, or removed. If the right type is not the previous one, the
 * organisation may lack it, and nothing is explained.
 */
function wrongType(rule: LabelRule, { base, tracker, github, unknown, refused, type }: Seen): readonly WrongLabel[] {
  const [t, g, before] = [tracker[rule.from], github[rule.from], base?.github[rule.from]];
  if (t === undefined || g === undefined || before === undefined || equalValues(g, before) || !equalValues(t, before))
    return [];
  const [right] = labelsFor(rule, before);
  const isUnknown = unknown.includes(rule.from);
  const why = refused.includes(rule.from)
    ? 'refused'
    : !rule.both
      ? 'one-way'
      : isUnknown
        ? 'unknown'
        : g === null
          ? 'needed'
          : null;
  if (why === null) return [];
  if (type !== null) return [{ label: type, rule, why, event: 'typed' }];
  return right === undefined ? [] : [{ label: right, rule, why, event: 'untyped' }];
}

/**
 * As with labels; and, as with types, also values that the tracker does not know. If a field holds several options,
 * unknown ones belong to people.
 */
function wrongField(rule: LabelRule, vocabulary: Vocabulary, field: string, seen: Seen): readonly WrongLabel[] {
  const [t, g, before] = [seen.tracker[rule.from], seen.github[rule.from], seen.base?.github[rule.from]];
  const shown = shownIn(seen, field) ?? [];
  const [name] = shown;
  if (seen.unknown.includes(rule.from) && name !== undefined) {
    const isNews = before !== undefined && before !== null && equalValues(t, before) && !equalValues(g, before);
    return isNews ? [{ label: name, rule, event: 'filled', field, why: rule.both ? 'unknown' : 'one-way' }] : [];
  }
  return wrongIn(rule, vocabulary, { ...seen, labels: shown }).map((each) => ({
    ...each,
    field,
    event: each.event === 'labeled' ? 'filled' : 'emptied',
  }));
}

const isMissing = ({ from }: LabelRule, vocabulary: Vocabulary, value: Value): boolean =>
  !isSet(value) && value === null && !takesNothing(from, vocabulary);

function without(list: readonly string[], what: readonly string[]): readonly string[] {
  const lower = new Set(what.map((each) => each.toLowerCase()));
  return list.filter((each) => !lower.has(each.toLowerCase()));
}

/** One explanation for each label that is reset, and only one, however often it is changed again. */
export function planRemarks(
  link: Link,
  commentLinks: readonly CommentLink[],
  wrong: readonly WrongLabel[],
): readonly RemarkOperation[] {
  const planned = new Map<string, RemarkOperation>();
  for (const answers of wrong) {
    const { event, label, field } = answers;
    const remark = `${event}-${digestOf(`${field === undefined ? '' : `${field}: `}${label.toLowerCase()}`).slice(0, 16)}`;
    if (isRemarked(commentLinks, remark)) continue;
    const place = { key: `${link.id}:github:remark:${remark}`, link: link.id, about: aboutOf(link, 'github') };
    planned.set(remark, { kind: 'remark', on: 'github', ...place, remark, answers });
  }
  return [...planned.values()];
}

export const isRemarked = (commentLinks: readonly CommentLink[], remark: string): boolean =>
  commentLinks.some((commentLink) => commentLink.remark === remark);

/** A longer list of values is no help. */
const namedMax = 20;

/** Explains to people why a label, a type or the value of a field could not travel, and what they can do instead. */
export function labelRemark(wrong: WrongLabel, bug: Bug, vocabulary: Vocabulary): string {
  const { thing, things, another } = wordsFor(wrong);
  const label = `The ${thing} "${toMarkdownInline(wrong.label)}"${wrong.field === undefined ? '' : ` of ${toMarkdownInline(wrong.field)}`}`;
  const undone = ['labeled', 'typed', 'filled'].includes(wrong.event) ? 'was taken off again' : 'was put back';
  const field = fieldInWords(wrong.rule.from);
  const page = `[bug ${bug.id}](${bug.url})`;
  switch (wrong.why) {
    case 'one-way':
      return `${label} ${undone}. ${things} show the ${field} of ${page}, and changes of them do not travel there; change it on the tracker.`;
    case 'unknown':
      return `${label} ${undone}: the tracker knows no such ${field}.${choicesInWords(wrong, vocabulary)}`;
    case 'refused':
      return `${label} ${undone}: the tracker refused this change of the ${field} of ${page}.${choicesInWords(wrong, vocabulary)}`;
    case 'needed':
      return `${label} ${undone}: it shows the ${field} of ${page}, which is never without one. To change it, ${another}.`;
  }
}

function wordsFor({ rule }: WrongLabel) {
  if (rule.isType) return { thing: 'type', things: 'Types', another: 'choose another type' };
  if (rule.field !== undefined)
    return { thing: 'value', things: 'Values of this field', another: 'choose another value' };
  return { thing: 'label', things: 'Such labels', another: 'put another such label in its place' };
}

function choicesInWords({ rule }: WrongLabel, vocabulary: Vocabulary): string {
  const choices = choicesOf(rule, vocabulary);
  if (choices.length === 0 || choices.length > namedMax) return '';
  return ` It knows ${choices.map((choice) => `"${toMarkdownInline(choice)}"`).join(', ')}.`;
}

const names: Readonly<Record<string, string>> = { keywords: 'keyword', whiteboard: 'tag', op_sys: 'operating system' };

const fieldInWords = (from: string): string =>
  names[from] ?? toMarkdownInline(from.replace(/^cf_/u, '').replaceAll('_', ' '));

export interface ForeignLabel {
  readonly label: string;
  readonly rule: LabelRule;
}
