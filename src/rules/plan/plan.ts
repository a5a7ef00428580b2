import type { Side } from '../../model/ids.ts';
import type { Bug, FieldName, Fields, Issue } from '../../model/item.ts';
import { aboutOf, type Base, type Link } from '../../model/link.ts';
import type { Conflict, Note, Operation, Plan, Skip } from '../../model/plan/operation.ts';
import type { PlanContext, PlanInput } from '../../model/plan/plan-input.ts';
import type { PublicPlanInput } from '../../model/plan/public.ts';
import type { AttachmentRule, Direction, Route } from '../../model/route.ts';
import { equalFields, equalValues } from '../../text/canonical.ts';
import { isDescriptionWaiting, shownCommentLinks } from '../attachments/notice.ts';
import { planFiles } from '../attachments/plan.ts';
import { planMinimizing } from '../comments/minimizing.ts';
import { editedSkips, freshNotes, planComments } from '../comments/plan.ts';
import { bugFields, issueFields, takesNoMilestone } from '../fields/comparable.ts';
import { mergeUnrefused, oneWayOf, upstreamOf, winner, wornOutSkips } from '../fields/merge.ts';
import { planUpdates, tidyingOf } from '../fields/plan.ts';
import { githubRelations, trackerRelations, withHiddenRelations } from '../fields/relations.ts';
import { githubTable, trackerTable } from '../fields/table.ts';
import { lapsing, traitsOfField } from '../fields/traits.ts';
import { takesNothing } from '../labels/labels-and-fields.ts';
import { planRemarks, wrongLabels } from '../labels/wrong-labels.ts';
import { planPointers, withPointer } from '../links/match.ts';
import { isTitledByNumber } from '../links/placeholder.ts';
import { planPulls } from '../links/pulls.ts';
import { planPushes } from '../links/pushes.ts';
import { planLock } from '../people/people.ts';
import { gate } from '../privacy/gate.ts';
import { isNeutralTitle } from '../privacy/neutral.ts';
import { isPeoplesPair } from '../privacy/plan-withdrawal.ts';
import { planCreate } from './create.ts';
import { isMoved, isOnTheMove, whileMoving } from './moves.ts';

/** Pure: observations in, operations out. Operations of different links do not depend on each other's order. */
export function plan(planContext: PlanContext, inputs: readonly PlanInput[]): Plan {
  return joinedPlans(inputs.map((input) => planLink(planContext, input)));
}

/** The plans of several links as one. */
export const joinedPlans = (parts: readonly Plan[]): Plan => ({
  operations: parts.flatMap((part) => part.operations),
  notes: parts.flatMap((part) => part.notes),
  conflicts: parts.flatMap((part) => part.conflicts),
  skips: parts.flatMap((part) => part.skips),
});

const nothing: Plan = { operations: [], notes: [], conflicts: [], skips: [] };

function planLink(planContext: PlanContext, input: PlanInput): Plan {
  const { link } = input;
  if (link.state !== 'live') return nothing;
  const gated = gate(planContext.route, input);
  if (gated.kind === 'hidden' && link.tracker?.isPrivate)
    return { ...nothing, notes: [{ kind: 'freeze', link: link.id, reason: gated.why }] };
  if (gated.kind === 'hidden') return { ...nothing, skips: [heldBack(link, gated.why)] };
  if (gated.kind === 'waiting' || link.isWithdrawn) {
    const why = gated.kind === 'waiting' ? gated.why : 'the withdrawn content is being restored';
    return { ...nothing, skips: [{ ...heldBack(link, why), isToRetry: true }] };
  }
  const { attachments } = planContext.route;
  const whole =
    attachments === null ? planPair(planContext, gated.input) : planWithFiles(planContext, gated.input, attachments);
  return isOnTheMove(planContext.route, link) || isMoved(planContext.route, link)
    ? whileMoving(planContext.route, link, whole)
    : whole;
}

/** Comments link to stored files, so an issue is not opened before the files of its description are there. */
function planWithFiles(planContext: PlanContext, input: PublicPlanInput, rule: AttachmentRule): Plan {
  const { link, commentLinks, attachmentLinks } = input;
  const files = planFiles(link, attachmentLinks);
  if (link.github === null && isDescriptionWaiting(rule, commentLinks, attachmentLinks))
    return { ...nothing, ...files };
  const rest = planPair(planContext, {
    ...input,
    commentLinks: shownCommentLinks(rule, commentLinks, attachmentLinks),
  });
  return { ...rest, operations: [...files.operations, ...rest.operations], skips: [...rest.skips, ...files.skips] };
}

function planPair(planContext: PlanContext, input: PublicPlanInput): Plan {
  const { tracker, github } = input.link;
  return tracker !== null && github !== null ? planWhole(planContext, input) : planCreate(planContext, input);
}

const heldBack = (link: Link, reason: string): Skip => ({
  link: link.id,
  about: aboutOf(link, 'tracker'),
  reason,
  needsPerson: false,
});

function planWhole(planContext: PlanContext, whole: PublicPlanInput): Plan {
  const link = withHiddenRelations(whole.link, whole.neighbours);
  const input = { ...whole, link };
  const { route, vocabulary } = planContext;
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return nothing;
  const past = link.base?.github ?? {};
  const tracker = {
    ...bugFields(route, bug),
    ...trackerRelations(route, bug, input.neighbours),
    ...trackerTable(route, bug, input.neighbours),
  };
  const { fields: shown, stray, untidy, unknown, foreign } = issueFields(route, vocabulary, issue, past, tracker);
  const github = {
    ...shown,
    ...githubRelations(route, issue, input.neighbours, past),
    ...githubTable(route, issue, link.bug),
  };
  const seen = { base: link.base, tracker, github };
  const oneWay = oneWayOf(route.direction, input.corrected ?? []);
  const { merged, refused } = mergeUnrefused(route, input.refused, seen, {
    ...rulesFor(planContext, input, unknown),
    oneWay,
  });
  const conflicts: Conflict[] = merged.conflicts.map((conflict) => ({ ...conflict, link: link.id }));
  const tidying = tidyingOf(oneWay, [...untidy, ...foreign.map(({ rule }) => rule.from)], stray);
  const updates = planUpdates(planContext, input, { tracker, github }, merged, conflicts, tidying);
  const comments = planComments(route, input.isOutrun === true ? withoutNews(input) : input);
  const { labels, type = null, fields } = issue;
  // The mirror of a one-way route is corrected without a remark.
  const shownNow = { ...seen, labels, type, ...(fields === undefined ? {} : { fields }), foreign, unknown, refused };
  const wrong = oneWay === null ? wrongLabels(route, vocabulary, shownNow) : [];
  const remarks = planRemarks(link, input.commentLinks, wrong);
  const isClosing = isFixing(input, updates.operations);
  const operations: Operation[] = [
    ...planPointers(route, link),
    ...comments,
    ...planMinimizing(input),
    ...remarks,
    ...(input.pulls === undefined ? [] : planPulls(input, isClosing)),
    ...(input.pushes === undefined ? [] : planPushes(route, input, isClosing)),
    ...updates.operations.map((operation) => withPointer(route, link, operation)),
    ...(isPeoplesPair(planContext.own, input) ? [] : planLock(route, link, issue)),
  ];
  return {
    operations,
    notes: [...agreeNote(link, merged.agreed, untidy, { tracker, github }), ...freshNotes(route, input)],
    conflicts,
    skips: [
      ...updates.skips,
      ...unmapped(route, bug, link, tracker),
      ...untaken(link, merged.agreed),
      ...editedSkips(route, input),
      ...outrun(input),
      ...unknownMilestone(link, issue, github, route),
      ...missingFields(planContext, link),
      ...wornOutSkips(link, route.direction, [...Object.keys(merged.left), ...tidying.left]),
    ],
  };
}

/** The comments of the issue that have no copy wait for one that may precede them. */
const withoutNews = (input: PublicPlanInput): PublicPlanInput => ({
  ...input,
  commentLinks: input.commentLinks.filter(({ origin, state }) => origin === 'tracker' || state !== 'pending'),
});

const outrun = ({ link, isOutrun = false }: PublicPlanInput): readonly Skip[] => {
  const reason =
    'GitHub may not list an earlier comment yet; so that the order is kept, newer ones wait up to two minutes';
  return isOutrun
    ? [{ link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: false, isToRetry: true }]
    : [];
};

/**
 * Whether the bug is about to be closed because its issue is done: the closing will say what fixed it, unless the
 * tracker refuses it.
 */
function isFixing(
  { link: { tracker, github }, refused }: PublicPlanInput,
  updates: readonly Operation<'update'>[],
): boolean {
  const isDone =
    github?.state === 'closed' && (github.reason ?? 'completed') === 'completed' && tracker?.resolution === '';
  const status = updates.find(({ on }) => on === 'tracker')?.target.status;
  return isDone && status !== undefined && !equalValues(status, refused.status);
}

function rulesFor(
  { route, vocabulary }: PlanContext,
  { link, settled = {} }: PublicPlanInput,
  unknown: readonly string[],
) {
  const both = new Map(route.labels.map((rule) => [rule.from as string, rule.both]));
  // Neither a missing label nor a value that the tracker does not have can be stored on the tracker, so GitHub is
  // corrected.
  const saysNothing = (field: string, github: unknown) =>
    unknown.includes(field) || (github === null && !takesNothing(field, vocabulary));
  return {
    isTrackers: (field: FieldName, github: unknown) =>
      traitsOfField(field).isTrackers ||
      (field === 'title' && link.bug !== null && isNeutralTitle(String(github), link.bug)) ||
      (both.has(field) && (both.get(field) === false || saysNothing(field, github))) ||
      (field === 'milestone' && github === null && !takesNoMilestone(vocabulary)),
    isAsked: (field: FieldName) => (settled[field] === undefined ? 'base' : settled[field]) !== 'base',
    decide: (field: FieldName): Side | null => {
      const { [field]: kept = 'base' } = settled;
      return isUnmet(link) ? 'tracker' : kept === 'base' ? winner(route, link) : kept;
    },
  };
}

/** An issue that so far only held the number of its bug must not change the bug. */
const isUnmet = ({ tracker, github, base }: Link): boolean =>
  base?.github.title === undefined && github !== null && tracker !== null && isTitledByNumber(github, tracker.id);

/** Moves the base for the fields that agree already; the others wait for the server's answer. */
function agreeNote(
  link: Link,
  agreed: Base,
  untidy: readonly FieldName[],
  seen: Readonly<Record<Side, Fields>>,
): readonly Note[] {
  const without = (fields: Fields, names: readonly FieldName[]) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field as FieldName)));
  const news = (fields: Fields) => without(fields, untidy);
  // An unmapped assignee is ignored, and the base of its side is dropped. What the other side shows is still no edit.
  const kept = (side: Side): Fields =>
    without(
      link.base?.[side] ?? {},
      lapsing.filter((field) => seen[side][field] === undefined),
    );
  const base: Base = {
    tracker: { ...kept('tracker'), ...news(agreed.tracker) },
    github: { ...kept('github'), ...news(agreed.github) },
  };
  const isNews =
    link.base === null || !equalFields(base.tracker, link.base.tracker) || !equalFields(base.github, link.base.github);
  return isNews ? [{ kind: 'agree', link: link.id, base }] : [];
}

function unmapped(route: Route, bug: Bug, { id }: Link, shown: Fields): readonly Skip[] {
  if (shown.status !== undefined) return [];
  const what = `${bug.status}${bug.resolution === '' ? '' : ` ${bug.resolution}`}`;
  const reason = `the status map of route ${route.name} does not name ${what}; add it to status.toGithub`;
  return [{ link: id, about: `bug ${bug.id}`, reason, needsPerson: true }];
}

/**
 * Values that one side did not accept from the other. The base records them as agreed, so that they are not tried for
 * ever.
 */
function untaken({ id, bug, issue, repo }: Link, agreed: Base): readonly Skip[] {
  return lapsing.flatMap((field): Skip[] => {
    const [tracker, github] = [agreed.tracker[field], agreed.github[field]];
    if (tracker === undefined || equalValues(tracker, github)) return [];
    const [value, side] = tracker === null ? [github, 'the tracker'] : [tracker, 'GitHub'];
    const advice =
      field === 'assignee'
        ? 'see that the person has this login and the rights for that'
        : 'give the bridge the rights for that';
    const reason = `${side} did not accept ${String(value)} as its ${field}; ${advice}, and set it again`;
    return [{ link: id, about: `bug ${bug} = ${repo}#${issue}`, reason, needsPerson: true }];
  });
}

function missingFields({ missing = [], route }: PlanContext, { id, repo, issue }: Link): readonly Skip[] {
  return missing.map((field) => {
    const reason = `the organisation ${route.owner} has no issue field "${field}", or does not show it to the bridge; rename it back there, or name another field in the rule of route ${route.name}`;
    return { link: id, about: `${repo}#${issue}`, reason, needsPerson: true };
  });
}

/**
 * A milestone that exists only on GitHub stays there, and the bug keeps its own: only the tracker's administrators can
 * add one.
 */
function unknownMilestone(link: Link, issue: Issue, { milestone }: Fields, route: Route): readonly Skip[] {
  if (!route.milestones || issue.milestone === null || milestone !== undefined) return [];
  const reason = `the tracker has no milestone "${issue.milestone}" in ${route.selection.product}; add it there and run bugferry resync, or choose another on GitHub`;
  return [{ link: link.id, about: `${link.repo}#${link.issue}`, reason, needsPerson: true }];
}

/**
 * Filters a finished plan by the direction of its route. It lets through:
 *
 *   both        everything
 *   to-github   nothing on the tracker
 *   to-tracker  nothing on GitHub
 *
 * The merge plans no field changes upstream; this filter holds back counterparts, comments, files and pointers.
 */
export function policy(plan: Plan, direction: Direction): Plan {
  const closed = upstreamOf(direction);
  if (closed === null) return plan;
  // Without its counterpart, nothing else of a link can be written either, not even the line that names it.
  const oneEnded = new Set(
    plan.operations.filter(({ on, kind }) => on === closed && kind === 'create').map(({ link }) => link),
  );
  const isHeld = ({ on, link }: Operation) => on === closed || oneEnded.has(link);
  const held = plan.operations.filter((operation) => isHeld(operation) && operation.kind !== 'point');
  const reason = `the route is one-way (${direction})`;
  const ofLinks = new Map(held.map(({ link, about }) => [link, { link, about, reason, needsPerson: false }]));
  return {
    ...plan,
    operations: plan.operations.filter((operation) => !isHeld(operation)),
    skips: [...plan.skips, ...ofLinks.values()],
  };
}
