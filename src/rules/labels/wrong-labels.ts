/**
 * Labels, types and values that people set on GitHub and that cannot be synced to the tracker, and the remarks that
 * explain why.
 */

import type { Bug, Fields, FieldValues, Value } from '../../model/item.ts';
import type { WrongLabel } from '../../model/label-event.ts';
import { aboutOf, type Base, type CommentLink, type Link } from '../../model/link.ts';
import type { RemarkOperation } from '../../model/plan/operation.ts';
import type { LabelRule, Route, Vocabulary } from '../../model/route.ts';
import { digestOf, equalValues, isSet } from '../../text/canonical.ts';
import { toMarkdownInline } from '../../text/to-markdown.ts';
import { choicesOf, labelsFor, shownIn, takesNothing } from './labels-and-fields.ts';

interface LabelledIssue {
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
export function wrongLabels(route: Route, vocabulary: Vocabulary, issue: LabelledIssue): readonly WrongLabel[] {
  const unknown = issue.foreign.map(({ label, rule }) => ({ label, rule, event: 'labeled', why: 'unknown' }) as const);
  // Replacing a label is explained once, for the new label.
  const isReplaced = ({ rule, event }: WrongLabel) =>
    event === 'unlabeled' && issue.foreign.some((each) => each.rule.from === rule.from);
  const others = route.labels.flatMap((rule) => wrongBy(rule, vocabulary, issue));
  return [...unknown, ...others.filter((each) => !isReplaced(each))];
}

function wrongBy(rule: LabelRule, vocabulary: Vocabulary, issue: LabelledIssue): readonly WrongLabel[] {
  if (rule.isType) return wrongType(rule, issue);
  return rule.field === undefined ? wrongIn(rule, vocabulary, issue) : wrongField(rule, vocabulary, rule.field, issue);
}

/** Without a base, the author of a change is unknown, and the label is reset without an explanation. */
function wrongIn(
  rule: LabelRule,
  vocabulary: Vocabulary,
  { base, tracker, github, labels, refused }: LabelledIssue,
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
function wrongType(
  rule: LabelRule,
  { base, tracker, github, unknown, refused, type }: LabelledIssue,
): readonly WrongLabel[] {
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
function wrongField(
  rule: LabelRule,
  vocabulary: Vocabulary,
  field: string,
  issue: LabelledIssue,
): readonly WrongLabel[] {
  const [t, g, before] = [issue.tracker[rule.from], issue.github[rule.from], issue.base?.github[rule.from]];
  const shown = shownIn(issue, field) ?? [];
  const [name] = shown;
  if (issue.unknown.includes(rule.from) && name !== undefined) {
    const isNewName = before !== undefined && before !== null && equalValues(t, before) && !equalValues(g, before);
    return isNewName ? [{ label: name, rule, event: 'filled', field, why: rule.both ? 'unknown' : 'one-way' }] : [];
  }
  return wrongIn(rule, vocabulary, { ...issue, labels: shown }).map((each) => ({
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

/** Explains each reset label once, however often it is changed again. */
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

/** A longer list of values would not help. */
const namedMax = 20;

/** Explains why a label, a type or the value of a field was reset, and what people can do instead. */
export function labelRemark(wrong: WrongLabel, bug: Bug, vocabulary: Vocabulary): string {
  const { thing, mirror, another } = wordsFor(wrong);
  const label = `The ${thing} "${toMarkdownInline(wrong.label)}"${wrong.field === undefined ? '' : ` of ${toMarkdownInline(wrong.field)}`}`;
  const reset = ['labeled', 'typed', 'filled'].includes(wrong.event) ? 'was removed again' : 'was restored';
  const field = fieldInWords(wrong.rule.from);
  const page = `[bug ${bug.id}](${bug.url})`;
  switch (wrong.why) {
    case 'one-way':
      return `${label} ${reset}. ${mirror} mirrors the ${field} of ${page} and is not synced back. Please change it on the tracker.`;
    case 'unknown':
      return `${label} ${reset}, because the tracker has no such ${field}.${choicesInWords(wrong, vocabulary)}`;
    case 'refused':
      return `${label} ${reset}, because the tracker refused this change to the ${field} of ${page}.${choicesInWords(wrong, vocabulary)}`;
    case 'needed':
      return `${label} ${reset}, because it mirrors the ${field} of ${page}, which cannot be empty. To change it, choose another ${another}.`;
  }
}

function wordsFor({ rule }: WrongLabel) {
  if (rule.isType) return { thing: 'type', mirror: 'The type', another: 'type' };
  if (rule.field !== undefined) return { thing: 'value', mirror: 'This field', another: 'value' };
  return { thing: 'label', mirror: 'This label', another: 'label of this kind' };
}

function choicesInWords({ rule }: WrongLabel, vocabulary: Vocabulary): string {
  const choices = choicesOf(rule, vocabulary);
  if (choices.length === 0 || choices.length > namedMax) return '';
  return ` Possible values: ${choices.map((choice) => `"${toMarkdownInline(choice)}"`).join(', ')}.`;
}

const names: Readonly<Record<string, string>> = { keywords: 'keyword', whiteboard: 'tag', op_sys: 'operating system' };

const fieldInWords = (from: string): string =>
  names[from] ?? toMarkdownInline(from.replace(/^cf_/u, '').replaceAll('_', ' '));

export interface ForeignLabel {
  readonly label: string;
  readonly rule: LabelRule;
}
