import { fieldIn } from '../labels/issue-fields.ts';
import { fitsTemplate, isLabelRule, isSeveral, labelOf, labelsFor, noChoice, valuesIn } from '../labels/labels.ts';
import type { Bug, FieldName, Fields, Issue, Value } from '../model/item.ts';
import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import { assigneeOfBug, assigneeOfIssue } from '../people/people.ts';
import { canonicalTitle, isCustom, isSet, sorted } from '../text/canonical.ts';
import { milestoneOfBug, milestoneOfIssue } from './milestone.ts';
import { encodeView, statusLabels, statusView } from './status.ts';
import { tagsIn } from './tags.ts';

/** A bug as comparable fields. A status that the route does not map is left out. */
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

/** What a bug says in the field of a rule; null for nothing. Undefined takes no part. */
function valueIn({ from }: LabelRule, bug: Bug): Value | undefined {
  if (from === 'keywords') return sorted(bug.keywords);
  if (from === 'whiteboard') return bug.whiteboard === undefined ? undefined : tagsIn(bug.whiteboard);
  const value = isCustom(from) ? bug.customs?.[from] : bug.values[from];
  if (isSet(value)) return sorted(value);
  return value === '' || (isCustom(from) && value === noChoice) ? null : value;
}

export interface IssueView {
  readonly fields: Fields;
  /** Labels that are ours but say something else than `fields`: they have to go. */
  readonly stray: readonly string[];
  /** The fields of such labels that we may take away. Until they are gone, nothing new is agreed: it could not be told from the old. */
  readonly untidy: readonly FieldName[];
  /** Labels that a rule claims by the words of its template, with something else than a value of the tracker; they are stray as well. */
  readonly foreign: readonly ForeignLabel[];
}

export interface ForeignLabel {
  readonly label: string;
  readonly rule: LabelRule;
}

/**
 * An issue as comparable fields.
 * @param past what the issue showed when both sides last agreed: of two labels for one field, the new one is meant. Where the
 *   route may not take the other one away, the old one stays in force instead: else both would be new in turn, for ever.
 * @param bug  what the tracker shows now, to recognise its values
 */
export function issueFields(route: Route, vocabulary: Vocabulary, issue: Issue, past: Fields, bug: Fields): IssueView {
  const fields: Record<string, Value> = { title: canonicalTitle(issue.title) };
  const stray: string[] = [];
  const untidy: FieldName[] = [];
  const found = (field: FieldName, labels: readonly string[]) => {
    if (labels.length > 0 && route.direction !== 'to-tracker') untidy.push(field);
    stray.push(...labels);
  };
  const status = readStatus(route, issue, past.status);
  fields['status'] = status.view;
  found('status', status.stray);
  const recognised = new Set<string>();
  for (const rule of route.labels) {
    if (rule.isType) {
      const type = typeIn(rule, vocabulary, issue, [past[rule.from], bug[rule.from]]);
      if (type !== undefined) fields[rule.from] = type;
      continue;
    }
    if (rule.field !== undefined) {
      const value = fieldIn(rule, vocabulary, issue, [bug[rule.from], past[rule.from]]);
      if (value !== undefined) fields[rule.from] = value;
      continue;
    }
    const values = valuesIn(rule, vocabulary, [...elements(past[rule.from]), ...elements(bug[rule.from])], issue.labels);
    for (const value of values) recognised.add(labelOf(rule, value).toLowerCase());
    if (isSeveral(rule, vocabulary, [bug[rule.from], past[rule.from]])) fields[rule.from] = values;
    else {
      const chosen = meant(route, values, past[rule.from]) ?? null;
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
  return { fields: { ...fields, ...shown({ assignee, milestone }) }, stray, untidy, foreign };
}

/** The marks of a rule without words of its own are nobody's; and where the tracker does not tell its values, any may be one. */
function foreignLabels(route: Route, vocabulary: Vocabulary, labels: readonly string[], recognised: ReadonlySet<string>) {
  const strange = labels.filter((label) => !recognised.has(label.toLowerCase()));
  if (strange.length === 0) return [];
  const told = route.labels.filter(
    (rule) => isLabelRule(rule) && (rule.from === 'whiteboard' || vocabulary.values[rule.from] !== undefined),
  );
  const kept = new Set([...statusLabels(route.status), route.label ?? ''].map((label) => label.toLowerCase()));
  return strange.flatMap((label): readonly ForeignLabel[] => {
    const rule = told.find((each) => fitsTemplate(each, label));
    return rule === undefined || kept.has(label.toLowerCase()) ? [] : [{ label, rule }];
  });
}

/** All labels that the route's rules and status map could have put on an issue showing these fields. */
export function labelsOfFields(route: Route, fields: Fields): readonly string[] {
  const status = typeof fields.status === 'string' && fields.status.startsWith('open: ') ? [fields.status.slice('open: '.length)] : [];
  return [...status, ...route.labels.flatMap((rule: LabelRule) => (isLabelRule(rule) ? labelsFor(rule, fields[rule.from]) : []))];
}

/** The name of the type that an issue with these fields has; undefined where no rule says, or the tracker does not tell. */
export function typeOfFields(route: Route, fields: Fields): string | null | undefined {
  const rule = route.labels.find(({ isType }) => isType);
  const value = rule === undefined ? undefined : fields[rule.from];
  return rule === undefined || value === undefined ? undefined : (labelsFor(rule, value)[0] ?? null);
}

/** The tracker's value that the issue's type stands for. One that stands for none is as good as none, and is put right like that. */
function typeIn(
  rule: LabelRule,
  vocabulary: Vocabulary,
  { type }: Issue,
  known: readonly (Value | undefined)[],
): string | null | undefined {
  if (type === undefined || type === null) return type;
  return valuesIn(rule, vocabulary, known.flatMap(elements), [type])[0] ?? null;
}

function readStatus(route: Route, issue: Issue, past: Value | undefined): { view: string; stray: readonly string[] } {
  const ours = statusLabels(route.status);
  const lower = new Set(issue.labels.map((label) => label.toLowerCase()));
  const present = ours.filter((label) => lower.has(label.toLowerCase()));
  if (issue.state === 'closed') return { view: issue.reason ?? 'completed', stray: present };
  const views = present.map((label) => ({ label, view: encodeView({ state: 'open', label }) }));
  const named = meant(
    route,
    views.map(({ view }) => view),
    past,
  );
  const chosen = views.find(({ view }) => view === named);
  if (chosen === undefined) return { view: 'open', stray: [] };
  return { view: chosen.view, stray: present.filter((label) => label !== chosen.label) };
}

function meant(route: Route, shown: readonly string[], past: Value | undefined): string | undefined {
  const isTidied = route.direction !== 'to-tracker';
  return shown.find((each) => (each === past) !== isTidied) ?? shown[0];
}

/** Without what takes no part. */
const shown = (fields: Readonly<Record<string, Value | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const elements = (value: Value | undefined): readonly string[] => (isSet(value) ? value : typeof value === 'string' ? [value] : []);
