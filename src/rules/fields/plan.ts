/** From a merge to requests: one operation for each side, and the requests that carry it out. */

import { otherSide, type Side } from '../../model/ids.ts';
import type { Bug, BugValueName, CustomValues, FieldName, Fields, Issue, Value } from '../../model/item.ts';
import { aboutOf } from '../../model/link.ts';
import type { BugPatch, IssuePatch, SetPatch } from '../../model/plan/draft.ts';
import type { Conflict, Skip, UpdateOperation } from '../../model/plan/operation.ts';
import type { PlanContext } from '../../model/plan/plan-input.ts';
import type { PublicPlanInput } from '../../model/plan/public.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import { canonicalTitle, elementsOrText, isCustom, isSet, titleMax, titleWithin } from '../../text/canonical.ts';
import { fieldPatch, labelChange, nothingIn } from '../labels/labels-and-fields.ts';
import { isUnreadable, withTags } from '../labels/tags.ts';
import { trackerAssignee } from '../people/people.ts';
import { bugFields, issueFields, labelsOfFields, noMilestone, typeOfFields } from './comparable.ts';
import { type Merged, mirrorOf, type OneWay } from './merge.ts';
import { withFewRelations } from './relations.ts';
import { isOpenView, statusSteps, statusView } from './status.ts';

/**
 * GitHub first: if there are two labels for one field, the base tells which one is new, so the old label must go before
 * both sides agree on the new one.
 */
const inOrder = ['github', 'tracker'] as const satisfies readonly Side[];

/** Our labels that contradict the fields, and that an update removes, even if it changes nothing else. */
interface Tidying {
  readonly isWanted: boolean;
  /** On a one-way route: the fields of these labels, which people changed. */
  readonly corrects: readonly FieldName[];
  /** The same for fields that are changed again and again: they alone are no reason to write. */
  readonly left: readonly FieldName[];
}

/** @param fields the fields of the `stray` labels */
export function tidyingOf(oneWay: OneWay | null, fields: readonly FieldName[], stray: readonly string[]): Tidying {
  if (oneWay?.upstream !== 'tracker') return { isWanted: oneWay === null && stray.length > 0, corrects: [], left: [] };
  const names = [...new Set(fields)];
  const corrects = names.filter((field) => !oneWay.isWornOut(field));
  return { isWanted: corrects.length > 0, corrects, left: names.filter((field) => oneWay.isWornOut(field)) };
}

/** The writes that a merge asks for: at most one operation for each side, for any number of fields. */
export function planUpdates(
  planContext: PlanContext,
  input: PublicPlanInput,
  seen: Readonly<Record<Side, Fields>>,
  merged: Merged,
  conflicts: readonly Conflict[],
  tidying: Tidying,
): { readonly operations: readonly UpdateOperation[]; readonly skips: readonly Skip[] } {
  const operations: UpdateOperation[] = [];
  const skips: Skip[] = [];
  for (const side of inOrder) {
    const isTidying = side === 'github' && tidying.isWanted;
    const written =
      side === 'github' && isToName(input, seen) ? { status: 'duplicate', ...merged.write.github } : merged.write[side];
    const isWriting = isTidying || Object.keys(written).length > 0;
    // A field that is left alone for now is reset together with any other write.
    const wishes =
      isWriting && side === mirrorOf(planContext.route.direction) ? { ...merged.left, ...written } : written;
    const readable =
      side === 'tracker' ? withoutUnreadable(input, seen.tracker, wishes) : { target: wishes, skip: null };
    const { target: wanted, skip } =
      side === 'tracker' ? reachable(planContext, input, readable.target) : { target: wishes, skip: null };
    skips.push(...[readable.skip, skip].filter((each) => each !== null));
    const target = withTitleAsShown(side === 'github' ? withFewRelations(wanted, seen.github) : wanted, side);
    if (Object.keys(target).length === 0 && !isTidying) continue;
    const names = Object.keys(wishes).filter((name) => name in target);
    const source = Object.fromEntries(names.map((name) => [name, seen[otherSide(side)][name as keyof Fields]]));
    const place = {
      key: `${input.link.id}:${side}:update`,
      link: input.link.id,
      about: aboutOf(input.link, side),
      on: side,
    };
    const replaces = Object.fromEntries(names.map((name) => [name, seen[side][name as keyof Fields]]));
    const overruled = conflicts.filter(({ kept, field }) => kept === otherSide(side) && field in target);
    const drifted = [
      ...merged.corrects.filter((field) => field in target),
      ...(side === 'github' ? tidying.corrects : []),
    ];
    const duplicateOf = side === 'tracker' ? input.duplicateOf : (input.link.tracker?.dupeOf ?? null);
    operations.push({
      kind: 'update',
      ...place,
      target,
      source,
      duplicateOf,
      via: viaOf(planContext, input, side, target),
      replaces,
      overruled,
      ...(drifted.length === 0 ? {} : { corrects: [...new Set(drifted)] }),
      ...contentIn(planContext.route, side, target),
    });
  }
  return { operations, skips };
}

/**
 * Whether GitHub counts such an update as content. Source: GitHub's OpenAPI description, where dependencies and
 * issue-field-values say that creating too quickly may lead to a secondary limit.
 */
export const contentIn = ({ labels }: Route, side: Side, target: Fields): Pick<UpdateOperation, 'isContent'> =>
  side === 'github' &&
  (target.dependsOn !== undefined ||
    labels.some(({ from, field }) => field !== undefined && target[from] !== undefined))
    ? { isContent: true }
    : {};

/** GitHub takes the original only with a closing, so the issue is opened for that. */
const isToName = (
  { isToName: isWanted }: PublicPlanInput,
  { tracker, github }: Readonly<Record<Side, Fields>>,
): boolean => isWanted === true && tracker.status === 'duplicate' && github.status === 'duplicate';

/** Whether an update writes the status that shows already, with the original that it lacks. */
export const isNaming = ({ on, target, replaces }: UpdateOperation): boolean =>
  on === 'github' && target.status === 'duplicate' && replaces.status === 'duplicate';

/**
 * Intermediate views between two steps: on the way through the tracker's workflow, and while a closed issue is open to
 * get another reason.
 */
function viaOf(
  { route, vocabulary }: PlanContext,
  { link, duplicateOf }: PublicPlanInput,
  side: Side,
  { status }: Fields,
): readonly string[] {
  const { tracker: bug, github: issue } = link;
  if (typeof status !== 'string' || bug === null || issue === null) return [];
  if (side === 'github') return issue.state === 'closed' && !isOpenView(status) ? ['open'] : [];
  const steps = statusSteps(route.status, vocabulary, bug, status, duplicateOf);
  const between = steps.kind === 'steps' ? steps.steps.slice(0, -1) : [];
  return between.flatMap((step) => statusView(route.status, step.status ?? '', '') ?? []);
}

/** The part of the target that the tracker can reach; an unreachable status is left to a person. */
function reachable(
  planContext: PlanContext,
  { link, duplicateOf }: PublicPlanInput,
  target: Fields,
): { readonly target: Fields; readonly skip: Skip | null } {
  const { status, ...rest } = target;
  if (typeof status !== 'string' || link.tracker === null) return { target, skip: null };
  const steps = statusSteps(planContext.route.status, planContext.vocabulary, link.tracker, status, duplicateOf);
  if (steps.kind === 'steps') return { target: { ...target, status: steps.view }, skip: null };
  const skip: Skip = { link: link.id, about: aboutOf(link, 'tracker'), reason: steps.why, needsPerson: true };
  return { target: rest, skip };
}

/** The part of the target that writes no text back in which the tracker showed bytes that are no text. */
function withoutUnreadable(
  { link }: PublicPlanInput,
  seen: Fields,
  target: Fields,
): { readonly target: Fields; readonly skip: Skip | null } {
  const isLost = (value: Value | undefined): boolean => elementsOrText(value).some(isUnreadable);
  const names = Object.keys(target) as FieldName[];
  const lost = names.filter((name) =>
    name === 'whiteboard' ? isUnreadable(link.tracker?.whiteboard ?? '') : isLost(target[name]) && isLost(seen[name]),
  );
  if (lost.length === 0) return { target, skip: null };
  const reason = `the tracker shows characters in its ${lost.join(' and ')} that are no UTF-8 (U+FFFD), and writing them back would lose them. Correct the bug there`;
  const kept = Object.fromEntries(names.filter((name) => !lost.includes(name)).map((name) => [name, target[name]]));
  return { target: kept, skip: { link: link.id, about: aboutOf(link, 'tracker'), reason, needsPerson: true } };
}

/** The title as the side will show it: if the tracker cuts off one character, that is not a change by the tracker. */
function withTitleAsShown(target: Fields, side: Side): Fields {
  if (typeof target.title !== 'string') return target;
  return { ...target, title: canonicalTitle(titleWithin(target.title, titleMax[side])) };
}

export type Steps<Patch> =
  | { readonly kind: 'steps'; readonly steps: readonly Patch[] }
  | { readonly kind: 'impossible'; readonly why: string };

/** An update as the requests that carry it out on this bug: one, or more if the workflow has no direct way. */
export function bugSteps(route: Route, vocabulary: Vocabulary, operation: UpdateOperation, bug: Bug): Steps<BugPatch> {
  const { target } = operation;
  const patch: { -readonly [Name in keyof BugPatch]: BugPatch[Name] } = {};
  const values: Partial<Record<BugValueName, string>> = {};
  let customs: CustomValues = {};
  if (typeof target.title === 'string') patch.summary = titleWithin(target.title, titleMax.tracker);
  for (const { from } of route.labels) {
    const value = target[from];
    if (from === 'keywords') {
      if (isSet(value)) patch.keywords = { add: without(value, bug.keywords), remove: without(bug.keywords, value) };
    } else if (from === 'whiteboard') {
      if (isSet(value)) patch.whiteboard = withTags(bug.whiteboard ?? '', value);
    } else if (isCustom(from)) {
      if (value !== undefined) customs = { ...customs, [from]: value ?? nothingIn(from, vocabulary) };
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
 * An update as the requests that carry it out on this issue. GitHub ignores a reason unless the state changes, so a new
 * reason for a closed issue requires reopening it first.
 */
export function issueSteps(
  route: Route,
  vocabulary: Vocabulary,
  operation: UpdateOperation,
  { issue, bug, past }: { readonly issue: Issue; readonly bug: Bug; readonly past: Fields },
  duplicateOfId: number | null,
): readonly IssuePatch[] {
  const { target } = operation;
  const { fields, stray } = issueFields(route, vocabulary, issue, past, {
    ...bugFields(route, bug),
    ...operation.source,
    ...target,
  });
  const wanted = { ...fields, ...target };
  const labels = labelChange([...labelsOfFields(route, fields), ...stray], labelsOfFields(route, wanted), issue.labels);
  const patch: { -readonly [Name in keyof IssuePatch]: IssuePatch[Name] } = {};
  if (typeof target.title === 'string') patch.title = titleWithin(target.title, titleMax.github);
  if (labels.add.length + labels.remove.length > 0) patch.labels = labels;
  const type = typeOfFields(route, target);
  if (type !== undefined && type !== typeOfFields(route, fields)) patch.type = type;
  const organisation = fieldPatch(route, vocabulary, issue, target);
  if (organisation !== undefined) patch.fields = organisation;
  if (isName(target.assignee) && target.assignee !== fields.assignee)
    patch.assignees = replacing(fields.assignee, target.assignee);
  if (isName(target.milestone) && target.milestone !== fields.milestone) patch.milestone = target.milestone;
  const view = target.status;
  if (typeof view !== 'string') return Object.keys(patch).length > 0 ? [patch] : [];
  if (isOpenView(view))
    return [issue.state === 'open' ? patch : { ...patch, state: 'open' as const }].filter(
      (step) => Object.keys(step).length > 0,
    );
  const close: IssuePatch = {
    state: 'closed',
    reason: reasonOf(view),
    ...(duplicateOfId === null ? {} : { duplicateOfId }),
  };
  if (issue.state === 'open') return [{ ...patch, ...close }];
  if (issue.reason === reasonOf(view) && !isNaming(operation)) return Object.keys(patch).length > 0 ? [patch] : [];
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
