import type { Bug, FieldName, Fields, Issue, Value } from '../../model/item.ts';
import type { LabelRule, Route, Vocabulary } from '../../model/route.ts';
import { canonicalTitle, elementsOrText, isCustom, isSet, sorted, withoutAddresses } from '../../text/canonical.ts';
import {
  fitsTemplate,
  isLabelRule,
  isSeveral,
  labelOf,
  labelsFor,
  noChoice,
  readNames,
  shownIn,
  valuesIn,
} from '../labels/labels-and-fields.ts';
import { tagsIn } from '../labels/tags.ts';
import type { ForeignLabel } from '../labels/wrong-labels.ts';
import { assigneeOfBug, assigneeOfIssue } from '../people/people.ts';
import { encodeView, statusLabels, statusView } from './status.ts';

/** A bug as comparable fields. An unmapped status is left out. */
export function bugFields(route: Route, bug: Bug): Fields {
  const fields: Record<string, Value> = { title: canonicalTitle(bug.summary) };
  const status = statusView(route.status, bug.status, bug.resolution);
  if (status !== null) fields['status'] = status;
  for (const rule of route.labels) {
    const value = valueIn(rule, bug);
    if (value !== undefined) fields[rule.from] = value;
  }
  return { ...fields, ...shown({ assignee: assigneeOfBug(route, bug), milestone: milestoneOfBug(route, bug) }) };
}

/** A bug's value in the field of a rule; null for nothing. Undefined takes no part. */
function valueIn({ from }: LabelRule, bug: Bug): Value | undefined {
  if (from === 'keywords') return sorted(bug.keywords);
  if (from === 'whiteboard') return bug.whiteboard === undefined ? undefined : tagsIn(bug.whiteboard);
  const value = isCustom(from) ? bug.customs?.[from] : bug.values[from];
  if (isSet(value)) return sorted(value);
  return value === '' || (isCustom(from) && value === noChoice) ? null : value;
}

export interface IssueView {
  readonly fields: Fields;
  /** Our labels that contradict `fields`: they must be removed. */
  readonly stray: readonly string[];
  /**
   * The fields of those stray labels that we may remove. Until they are gone, nothing new is agreed, because old and
   * new values could not be distinguished.
   */
  readonly untidy: readonly FieldName[];
  /** Fields for which the issue's type, or a field of the organisation, shows a name that the tracker does not know. */
  readonly unknown: readonly FieldName[];
  /** Labels that match the template of a rule with an unknown value; they are stray as well. */
  readonly foreign: readonly ForeignLabel[];
}

/**
 * An issue as comparable fields.
 * @param past the issue's fields when both sides last agreed: of two labels for one field, the new one counts. If the
 *   route may not
 *   remove the other one, the old one counts instead: otherwise each would count as new in turn, forever.
 * @param bug the tracker's current fields, to recognise its values: of two new labels, the one of the bug may be a copy
 */
export function issueFields(route: Route, vocabulary: Vocabulary, issue: Issue, past: Fields, bug: Fields): IssueView {
  const fields: Record<string, Value> = { title: canonicalTitle(issue.title) };
  const stray: string[] = [];
  const untidy: FieldName[] = [];
  const unknown: FieldName[] = [];
  const found = (field: FieldName, labels: readonly string[]) => {
    if (labels.length > 0 && route.direction !== 'to-tracker') untidy.push(field);
    stray.push(...labels);
  };
  const status = readStatus(route, issue, past.status, bug.status);
  fields['status'] = status.view;
  found('status', status.stray);
  const recognised = new Set<string>();
  for (const rule of route.labels) {
    if (!isLabelRule(rule)) {
      const names = namesShown(rule, issue);
      if (names === undefined) continue;
      const read = readNames(rule, vocabulary, names, bug[rule.from], past[rule.from]);
      fields[rule.from] = read.value;
      if (read.isUnknown) unknown.push(rule.from);
      continue;
    }
    const values = valuesIn(
      rule,
      vocabulary,
      [...elementsOrText(past[rule.from]), ...elementsOrText(bug[rule.from])],
      issue.labels,
    );
    for (const value of values) recognised.add(labelOf(rule, value).toLowerCase());
    if (isSeveral(rule, vocabulary, [bug[rule.from], past[rule.from]])) fields[rule.from] = values;
    else {
      const chosen = meant(route, values, past[rule.from], bug[rule.from]) ?? null;
      fields[rule.from] = chosen;
      found(
        rule.from,
        values.filter((value) => value !== chosen).flatMap((value) => labelsFor(rule, value)),
      );
    }
  }
  const foreign = foreignLabels(route, vocabulary, issue.labels, recognised);
  stray.push(...foreign.map(({ label }) => label));
  const assignee = assigneeOfIssue(route, issue, past.assignee);
  const milestone = milestoneOfIssue(route, vocabulary, issue, [past.milestone, bug.milestone]);
  return { fields: { ...fields, ...shown({ assignee, milestone }) }, stray, untidy, unknown, foreign };
}

/**
 * If a template has no fixed words, a label cannot be attributed to it; if the tracker does not report its values, any
 * value may be valid.
 */
function foreignLabels(
  route: Route,
  vocabulary: Vocabulary,
  labels: readonly string[],
  recognised: ReadonlySet<string>,
) {
  const unknown = labels.filter((label) => !recognised.has(label.toLowerCase()));
  if (unknown.length === 0) return [];
  const attributable = route.labels.filter(
    (rule) => isLabelRule(rule) && (rule.from === 'whiteboard' || vocabulary.values[rule.from] !== undefined),
  );
  const kept = new Set([...statusLabels(route.status), route.label ?? ''].map((label) => label.toLowerCase()));
  return unknown.flatMap((label): readonly ForeignLabel[] => {
    const rule = attributable.find((each) => fitsTemplate(each, label));
    return rule === undefined || kept.has(label.toLowerCase()) ? [] : [{ label, rule }];
  });
}

/** All labels that the route's rules and status map could have put on an issue with these fields. */
export function labelsOfFields(route: Route, fields: Fields): readonly string[] {
  const status =
    typeof fields.status === 'string' && fields.status.startsWith('open: ')
      ? [fields.status.slice('open: '.length)]
      : [];
  return [
    ...status,
    ...route.labels.flatMap((rule: LabelRule) => (isLabelRule(rule) ? labelsFor(rule, fields[rule.from]) : [])),
  ];
}

/** The type of an issue with these fields; undefined if there is no rule, or the tracker does not report the field. */
export function typeOfFields(route: Route, fields: Fields): string | null | undefined {
  const rule = route.labels.find(({ isType }) => isType);
  const value = rule === undefined ? undefined : fields[rule.from];
  return rule === undefined || value === undefined ? undefined : (labelsFor(rule, value)[0] ?? null);
}

/** Undefined if GitHub does not report it. */
function namesShown({ isType, field = '' }: LabelRule, issue: Issue): readonly string[] | undefined {
  if (!isType) return shownIn(issue, field);
  return issue.type === undefined ? undefined : issue.type === null ? [] : [issue.type];
}

function readStatus(
  route: Route,
  issue: Issue,
  past: Value | undefined,
  bug: Value | undefined,
): { view: string; stray: readonly string[] } {
  const ours = statusLabels(route.status);
  const lower = new Set(issue.labels.map((label) => label.toLowerCase()));
  const present = ours.filter((label) => lower.has(label.toLowerCase()));
  if (issue.state === 'closed') return { view: issue.reason ?? 'completed', stray: present };
  const views = present.map((label) => ({ label, view: encodeView({ state: 'open', label }) }));
  const named = meant(
    route,
    views.map(({ view }) => view),
    past,
    bug,
  );
  const chosen = views.find(({ view }) => view === named);
  if (chosen === undefined) return { view: 'open', stray: [] };
  return { view: chosen.view, stray: present.filter((label) => label !== chosen.label) };
}

function meant(
  route: Route,
  shown: readonly string[],
  past: Value | undefined,
  bug: Value | undefined,
): string | undefined {
  const isTidied = route.direction !== 'to-tracker';
  const meanable = shown.filter((each) => (each === past) !== isTidied);
  return meanable.find((each) => each !== bug) ?? meanable[0] ?? shown[0];
}

/** Drops fields that take no part. */
const shown = (fields: Readonly<Record<string, Value | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The tracker's value for a bug without a milestone. */
export const noMilestone = '---';

/**
 * A bug's milestone; null for none. Undefined takes no part, and neither does a milestone that contains an e-mail
 * address, which must not reach GitHub.
 */
export function milestoneOfBug({ milestones }: Route, { milestone }: Bug): string | null | undefined {
  if (!milestones || milestone === null || withoutAddresses(milestone) !== milestone) return undefined;
  return milestone === noMilestone || milestone === '' ? null : milestone;
}

/**
 * An issue's milestone in the tracker's spelling; null for none. A milestone that the tracker does not know belongs to
 * people on GitHub and takes no part; on a route to GitHub it counts as none, and the bug's milestone replaces it.
 * @param known names to recognise in addition to the vocabulary: the link's current and former milestones
 */
export function milestoneOfIssue(
  { milestones, direction }: Route,
  vocabulary: Vocabulary,
  { milestone }: Issue,
  known: readonly (Value | undefined)[],
): string | null | undefined {
  if (!milestones) return undefined;
  if (milestone === null) return null;
  const legal = vocabulary.values.milestone;
  const names = [...known.filter((name) => typeof name === 'string'), ...(legal ?? [])].filter(
    (name) => name !== noMilestone,
  );
  const spelled =
    names.find((name) => name === milestone) ?? names.find((name) => name.toLowerCase() === milestone.toLowerCase());
  return spelled ?? (legal === undefined ? milestone : direction === 'to-github' ? null : undefined);
}

/** Whether a bug can be without a milestone: a product may lack the value for it. */
export const takesNoMilestone = ({ values }: Vocabulary): boolean => values.milestone?.includes(noMilestone) ?? true;
