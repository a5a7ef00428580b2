import { fieldPatch } from '../labels/issue-fields.ts';
import { labelChange, noChoice } from '../labels/labels.ts';
import type { Bug, BugValueName, CustomName, Fields, Issue, Value } from '../model/item.ts';
import type { BugPatch, IssuePatch, SetPatch, UpdateOperation } from '../model/operation.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import { trackerAssignee } from '../people/people.ts';
import { isCustom, isSet, titleMax, titleWithin } from '../text/canonical.ts';
import { issueFields, labelsOfFields, typeOfFields } from './comparable.ts';
import { noMilestone } from './milestone.ts';
import { isOpenView, statusSteps } from './status.ts';
import { withTags } from './tags.ts';

export type Steps<Patch> =
  | { readonly kind: 'steps'; readonly steps: readonly Patch[] }
  | { readonly kind: 'impossible'; readonly why: string };

/** An update as the requests that carry it out on this bug: one, or more if the workflow has no direct way. */
export function bugSteps(route: Route, vocabulary: Vocabulary, operation: UpdateOperation, bug: Bug): Steps<BugPatch> {
  const { target } = operation;
  const patch: { -readonly [Name in keyof BugPatch]: BugPatch[Name] } = {};
  const values: Partial<Record<BugValueName, string>> = {};
  const customs: Record<CustomName, string | readonly string[]> = {};
  if (typeof target.title === 'string') patch.summary = titleWithin(target.title, titleMax.tracker);
  for (const { from } of route.labels) {
    const value = target[from];
    if (from === 'keywords') {
      if (isSet(value)) patch.keywords = { add: without(value, bug.keywords), remove: without(bug.keywords, value) };
    } else if (from === 'whiteboard') {
      if (isSet(value)) patch.whiteboard = withTags(bug.whiteboard ?? '', value);
    } else if (isCustom(from)) {
      if (value !== undefined) customs[from] = value ?? noChoice;
    } else if (typeof value === 'string') values[from] = value;
  }
  if (Object.keys(customs).length > 0) patch.customs = customs;
  if (Object.keys(values).length > 0) patch.values = values;
  const relations = changedElements(operation, 'dependsOn');
  if (relations !== null) patch.dependsOn = relations;
  const assignee = isName(target.assignee) ? trackerAssignee(route, target.assignee) : undefined;
  if (assignee !== undefined) patch.assignee = assignee;
  if (isName(target.milestone)) patch.milestone = target.milestone ?? noMilestone;
  if (typeof target.status !== 'string') return { kind: 'steps', steps: Object.keys(patch).length > 0 ? [patch] : [] };
  const status = statusSteps(route.status, vocabulary, bug, target.status, operation.duplicateOf);
  if (status.kind === 'impossible') return status;
  const [first = {}, ...rest] = status.steps;
  return { kind: 'steps', steps: [{ ...patch, ...first }, ...rest].filter((step) => Object.keys(step).length > 0) };
}

/**
 * An update as the requests that carry it out on this issue. GitHub ignores a reason unless the state changes, so a new reason for
 * a closed issue requires reopening it first.
 */
export function issueSteps(
  route: Route,
  vocabulary: Vocabulary,
  operation: UpdateOperation,
  issue: Issue,
  past: Fields,
  duplicateOfId: number | null,
): readonly IssuePatch[] {
  const { target } = operation;
  const { fields, stray } = issueFields(route, vocabulary, issue, past, { ...operation.source, ...target });
  const wanted = { ...fields, ...target };
  const labels = labelChange([...labelsOfFields(route, fields), ...stray], labelsOfFields(route, wanted), issue.labels);
  const patch: { -readonly [Name in keyof IssuePatch]: IssuePatch[Name] } = {};
  if (typeof target.title === 'string') patch.title = titleWithin(target.title, titleMax.github);
  if (labels.add.length + labels.remove.length > 0) patch.labels = labels;
  const type = typeOfFields(route, target);
  if (type !== undefined && type !== typeOfFields(route, fields)) patch.type = type;
  const organisation = fieldPatch(route, vocabulary, issue, target);
  if (organisation !== undefined) patch.fields = organisation;
  if (isName(target.assignee) && target.assignee !== fields.assignee) patch.assignees = replacing(fields.assignee, target.assignee);
  if (isName(target.milestone) && target.milestone !== fields.milestone) patch.milestone = target.milestone;
  const view = target.status;
  if (typeof view !== 'string') return Object.keys(patch).length > 0 ? [patch] : [];
  if (isOpenView(view))
    return [issue.state === 'open' ? patch : { ...patch, state: 'open' as const }].filter((step) => Object.keys(step).length > 0);
  const close: IssuePatch = { state: 'closed', reason: reasonOf(view), ...(duplicateOfId === null ? {} : { duplicateOfId }) };
  if (issue.state === 'open') return [{ ...patch, ...close }];
  if (issue.reason === reasonOf(view)) return Object.keys(patch).length > 0 ? [patch] : [];
  // Everything else goes with the first step, which detects changes made meanwhile.
  return [{ ...patch, state: 'open' }, close];
}

/** A name, or null for none; a field that holds a name is never a list. */
const isName = (value: Value | undefined): value is string | null => typeof value === 'string' || value === null;

const replacing = (old: Value | undefined, name: string | null) => ({
  add: name === null ? [] : [name],
  remove: typeof old === 'string' ? [old] : [],
});

/** The elements that an update adds to a set and removes from it; null if the update does not change that set. */
function changedElements({ target, replaces }: UpdateOperation, name: 'dependsOn'): SetPatch | null {
  const [wanted, present] = [target[name], replaces[name]];
  return isSet(wanted) && isSet(present) ? { add: without(wanted, present), remove: without(present, wanted) } : null;
}

const reasonOf = (view: string) => (view === 'not_planned' || view === 'duplicate' ? view : 'completed');

const without = (from: readonly string[], what: readonly string[]) => from.filter((element) => !what.includes(element));
