import { aboutOf } from '../kernel/about.ts';
import type { PlanContext } from '../links/plan-input.ts';
import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Fields } from '../model/item.ts';
import type { Conflict, Skip, UpdateOperation } from '../model/operation.ts';
import type { PublicPlanInput } from '../privacy/gate.ts';
import { canonicalTitle, titleMax, titleWithin } from '../text/canonical.ts';
import type { Merged } from './merge.ts';
import { mirrorOf, type OneWay } from './one-way.ts';
import { withFewRelations } from './relations.ts';
import { isOpenView, statusSteps, statusView } from './status.ts';

/**
 * GitHub first: of two labels for one field the new one is known by what both sides last agreed on, so the old one has to go
 * before they agree on the new one.
 */
const inOrder = ['github', 'tracker'] as const satisfies readonly Side[];

/** Labels of ours that say something else than the fields, and that an update takes off, if only for their sake. */
export interface Tidying {
  readonly isWanted: boolean;
  /** On a one-way route: the fields that they speak of, which somebody changed. */
  readonly corrects: readonly FieldName[];
  /** The same of fields that are changed again and again: for their sake alone nothing is written. */
  readonly left: readonly FieldName[];
}

/** @param fields what `stray`, the labels, speak of */
export function tidyingOf(oneWay: OneWay | null, fields: readonly FieldName[], stray: readonly string[]): Tidying {
  if (oneWay?.upstream !== 'tracker') return { isWanted: oneWay === null && stray.length > 0, corrects: [], left: [] };
  const names = [...new Set(fields)];
  const corrects = names.filter((field) => !oneWay.isWornOut(field));
  return { isWanted: corrects.length > 0, corrects, left: names.filter((field) => oneWay.isWornOut(field)) };
}

/** The writes that a merge asks for: at most one operation a side, whatever the number of fields. */
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
    const isWriting = isTidying || Object.keys(merged.write[side]).length > 0;
    // What is left for now is put right along with whatever is written anyway.
    const wishes =
      isWriting && side === mirrorOf(planContext.route.direction) ? { ...merged.left, ...merged.write[side] } : merged.write[side];
    const { target: wanted, skip } = side === 'tracker' ? reachable(planContext, input, wishes) : { target: wishes, skip: null };
    if (skip) skips.push(skip);
    const target = withTitleAsShown(side === 'github' ? withFewRelations(wanted, seen.github) : wanted, side);
    if (Object.keys(target).length === 0 && !isTidying) continue;
    const names = Object.keys(wishes).filter((name) => name in target);
    const source = Object.fromEntries(names.map((name) => [name, seen[otherSide(side)][name as keyof Fields]]));
    const place = { key: `${input.link.id}:${side}:update`, link: input.link.id, about: aboutOf(input.link, side), on: side };
    const replaces = Object.fromEntries(names.map((name) => [name, seen[side][name as keyof Fields]]));
    const overruled = conflicts.filter(({ kept, field }) => kept === otherSide(side) && field in target);
    const drifted = [...merged.corrects.filter((field) => field in target), ...(side === 'github' ? tidying.corrects : [])];
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
    });
  }
  return { operations, skips };
}

/**
 * Views that show between two steps: on the way through the tracker's workflow, and while a closed issue is open to get
 * another reason.
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

/** What of the target the tracker can be brought to; a status out of reach is left to a person. */
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

/** The title as the side will show it: one character too long for the tracker is not a change of the tracker's. */
function withTitleAsShown(target: Fields, side: Side): Fields {
  if (typeof target.title !== 'string') return target;
  return { ...target, title: canonicalTitle(titleWithin(target.title, titleMax[side])) };
}
