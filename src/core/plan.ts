import type { FieldName, Fields } from '../model/fields.ts';
import type { Bug } from '../model/item.ts';
import type { Base, Entry, Link } from '../model/link.ts';
import type { Conflict, Note, Operation, Plan, Skip } from '../model/operation.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import type { Side } from '../model/side.ts';
import { bornOn } from './bind.ts';
import { equalFields } from './canonical.ts';
import { merge } from './merge.ts';
import { planComments } from './plan-comments.ts';
import { planCreate } from './plan-create.ts';
import { planPointers } from './plan-pointers.ts';
import { planUpdates } from './plan-updates.ts';
import { bugFields, issueFields } from './view.ts';

/** A link with all that planning it needs. */
export interface Sight {
  readonly link: Link;
  readonly entries: readonly Entry[];
  /** The bug whose issue this one is said to duplicate on GitHub, when that can be told. */
  readonly duplicateOf: Link['bug'];
}

/** What holds for all links of a route during one planning. */
export interface Scene {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  /** Sides that have been read from end to end: only then is a missing counterpart really missing. */
  readonly isComplete: Readonly<Record<Side, boolean>>;
  /** Our accounts, as far as the sides tell. */
  readonly own: Readonly<Record<Side, string | null>>;
}

/** Pure: observations in, operations out. Operations of different links do not depend on each other's order. */
export function plan(scene: Scene, sights: readonly Sight[]): Plan {
  const parts = sights.map((sight) => planLink(scene, sight));
  return {
    operations: parts.flatMap((part) => part.operations),
    notes: parts.flatMap((part) => part.notes),
    conflicts: parts.flatMap((part) => part.conflicts),
    skips: parts.flatMap((part) => part.skips),
  };
}

const nothing: Plan = { operations: [], notes: [], conflicts: [], skips: [] };

function planLink(scene: Scene, sight: Sight): Plan {
  const { link } = sight;
  if (link.state !== 'live') return nothing;
  if (link.tracker?.isPrivate) return { ...nothing, notes: [{ kind: 'freeze', link: link.id, reason: 'the bug is private' }] };
  if (link.tracker !== null && link.github !== null) return planWhole(scene, sight);
  return planCreate(scene, sight);
}

function planWhole(scene: Scene, sight: Sight): Plan {
  const { link } = sight;
  const { route, vocabulary } = scene;
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return nothing;
  const tracker = bugFields(route, bug);
  const { fields: github, stray, untidy } = issueFields(route, vocabulary, issue, link.base?.github ?? {}, tracker);
  const merged = merge(link.base, tracker, github, rulesFor(scene, link));
  const conflicts: Conflict[] = merged.conflicts.map((conflict) => ({ ...conflict, link: link.id }));
  const updates = planUpdates(scene, sight, { tracker, github }, merged, conflicts, stray);
  const comments = planComments(route, link, sight.entries);
  const operations: Operation[] = [...planPointers(link), ...comments, ...updates.operations];
  return {
    operations,
    notes: agreeNote(link, merged.agreed, untidy),
    conflicts,
    skips: [...updates.skips, ...unmapped(route, bug, link, tracker)],
  };
}

function rulesFor({ route, own }: Scene, link: Link) {
  const both = new Map(route.labels.map((rule) => [rule.from as string, rule.both]));
  return {
    // A label that is missing says nothing that the tracker could take; it is put back.
    isTrackers: (field: string, github: unknown) => both.has(field) && (both.get(field) === false || github === null),
    decide: (): Side | null => winner(route, link, link.base === null ? bornOn(link, own) : null),
  };
}

function winner(route: Route, { tracker, github }: Link, born: Side | null): Side | null {
  if (route.direction === 'to-github') return 'tracker';
  if (route.direction === 'to-tracker') return 'github';
  if (born !== null) return born;
  if (route.conflicts === 'ask') return null;
  if (route.conflicts !== 'newest') return route.conflicts;
  return (github?.changedAt ?? 0) > (tracker?.changedAt ?? 0) ? 'github' : 'tracker';
}

/** The base moves for the fields that are agreed already; the others wait for the server's answer. */
function agreeNote(link: Link, agreed: Base, untidy: readonly FieldName[]): readonly Note[] {
  const news = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([field]) => !untidy.includes(field as FieldName)));
  const base: Base = {
    tracker: { ...link.base?.tracker, ...news(agreed.tracker) },
    github: { ...link.base?.github, ...news(agreed.github) },
  };
  const isNews = link.base === null || !equalFields(base.tracker, link.base.tracker) || !equalFields(base.github, link.base.github);
  return isNews ? [{ kind: 'agree', link: link.id, base }] : [];
}

function unmapped(route: Route, bug: Bug, { id }: Link, shown: Fields): readonly Skip[] {
  if (shown.status !== undefined) return [];
  const what = `${bug.status}${bug.resolution === '' ? '' : ` ${bug.resolution}`}`;
  const reason = `the status map of route ${route.name} does not name ${what}; add it to status.toGithub`;
  return [{ link: id, about: `bug ${bug.id}`, reason, needsPerson: true }];
}
