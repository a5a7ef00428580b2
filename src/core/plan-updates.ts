import type { Fields } from '../model/fields.ts';
import type { Conflict, Skip, UpdateOperation } from '../model/operation.ts';
import { otherSide, type Side } from '../model/side.ts';
import { aboutOf } from './about.ts';
import { canonicalTitle, titleMax, titleWithin } from './canonical.ts';
import type { PublicSight } from './gate.ts';
import type { Merged } from './merge.ts';
import type { Scene } from './plan.ts';
import { withFewRelations } from './relations.ts';
import { isOpenView, statusSteps, statusView } from './status.ts';

/**
 * GitHub first: of two labels for one field the new one is known by what both sides last agreed on, so the old one has to go
 * before they agree on the new one.
 */
const inOrder = ['github', 'tracker'] as const satisfies readonly Side[];

/** The writes that a merge asks for: at most one operation a side, whatever the number of fields. */
export function planUpdates(
  scene: Scene,
  sight: PublicSight,
  seen: Readonly<Record<Side, Fields>>,
  merged: Merged,
  conflicts: readonly Conflict[],
  stray: readonly string[],
): { readonly operations: readonly UpdateOperation[]; readonly skips: readonly Skip[] } {
  const operations: UpdateOperation[] = [];
  const skips: Skip[] = [];
  for (const side of inOrder) {
    const { target: wanted, skip } =
      side === 'tracker' ? reachable(scene, sight, merged.write.tracker) : { target: merged.write.github, skip: null };
    if (skip) skips.push(skip);
    const target = withTitleAsShown(side === 'github' ? withFewRelations(wanted, seen.github) : wanted, side);
    const isTidying = side === 'github' && stray.length > 0;
    if (Object.keys(target).length === 0 && !isTidying) continue;
    const names = Object.keys(merged.write[side]).filter((name) => name in target);
    const source = Object.fromEntries(names.map((name) => [name, seen[otherSide(side)][name as keyof Fields]]));
    const place = { key: `${sight.link.id}:${side}:update`, link: sight.link.id, about: aboutOf(sight.link, side), on: side };
    const replaces = Object.fromEntries(names.map((name) => [name, seen[side][name as keyof Fields]]));
    const overruled = conflicts.filter(({ kept, field }) => kept === otherSide(side) && field in target);
    const duplicateOf = side === 'tracker' ? sight.duplicateOf : (sight.link.tracker?.dupeOf ?? null);
    operations.push({
      kind: 'update',
      ...place,
      target,
      source,
      duplicateOf,
      via: viaOf(scene, sight, side, target),
      replaces,
      overruled,
    });
  }
  return { operations, skips };
}

/**
 * Views that show between two steps: on the way through the tracker's workflow, and while a closed issue is open to get
 * another reason.
 */
function viaOf({ route, vocabulary }: Scene, { link, duplicateOf }: PublicSight, side: Side, { status }: Fields): readonly string[] {
  const { tracker: bug, github: issue } = link;
  if (typeof status !== 'string' || bug === null || issue === null) return [];
  if (side === 'github') return issue.state === 'closed' && !isOpenView(status) ? ['open'] : [];
  const steps = statusSteps(route.status, vocabulary, bug, status, duplicateOf);
  const between = steps.kind === 'steps' ? steps.steps.slice(0, -1) : [];
  return between.flatMap((step) => statusView(route.status, step.status ?? '', '') ?? []);
}

/** What of the target the tracker can be brought to; a status out of reach is left to a person. */
function reachable(
  scene: Scene,
  { link, duplicateOf }: PublicSight,
  target: Fields,
): { readonly target: Fields; readonly skip: Skip | null } {
  const { status, ...rest } = target;
  if (typeof status !== 'string' || link.tracker === null) return { target, skip: null };
  const steps = statusSteps(scene.route.status, scene.vocabulary, link.tracker, status, duplicateOf);
  if (steps.kind === 'steps') return { target: { ...target, status: steps.view }, skip: null };
  const skip: Skip = { link: link.id, about: aboutOf(link, 'tracker'), reason: steps.why, needsPerson: true };
  return { target: rest, skip };
}

/** The title as the side will show it: one character too long for the tracker is not a change of the tracker's. */
function withTitleAsShown(target: Fields, side: Side): Fields {
  if (typeof target.title !== 'string') return target;
  return { ...target, title: canonicalTitle(titleWithin(target.title, titleMax[side])) };
}
