import type { PlanContext } from '../links/plan-input.ts';
import { otherSide, type Side } from '../model/ids.ts';
import type { FieldName, Fields } from '../model/item.ts';
import { aboutOf } from '../model/link.ts';
import type { Conflict, Skip, UpdateOperation } from '../model/operation.ts';
import type { PublicPlanInput } from '../privacy/gate.ts';
import { canonicalTitle, titleMax, titleWithin } from '../text/canonical.ts';
import type { Merged } from './merge.ts';
import { mirrorOf, type OneWay } from './one-way.ts';
import { withFewRelations } from './relations.ts';
import { isOpenView, statusSteps, statusView } from './status.ts';

/**
 * GitHub first: if there are two labels for one field, the base tells which one is new, so the old label must go before both sides
 * agree on the new one.
 */
const inOrder = ['github', 'tracker'] as const satisfies readonly Side[];

/** Our labels that contradict the fields, and that an update removes, even if it changes nothing else. */
export interface Tidying {
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
    const isWriting = isTidying || Object.keys(merged.write[side]).length > 0;
    // A field that is left alone for now is reset together with any other write.
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
 * Intermediate views between two steps: on the way through the tracker's workflow, and while a closed issue is open to get another
 * reason.
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

/** The title as the side will show it: if the tracker cuts off one character, that is not a change by the tracker. */
function withTitleAsShown(target: Fields, side: Side): Fields {
  if (typeof target.title !== 'string') return target;
  return { ...target, title: canonicalTitle(titleWithin(target.title, titleMax[side])) };
}
