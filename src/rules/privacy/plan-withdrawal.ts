import type { Issue } from '../../model/item.ts';
import { aboutOf, bodyId, type CommentLink, shownBug } from '../../model/link.ts';
import { isBy, type OwnAccounts } from '../../model/people.ts';
import type { IssuePatch, SetPatch } from '../../model/plan/draft.ts';
import type { PlanContext, PlanInput } from '../../model/plan/plan-input.ts';
import type { Withdrawal } from '../../model/plan/withdrawal.ts';
import type { Route } from '../../model/route.ts';
import { isSet } from '../../text/canonical.ts';
import { issueFooter, withoutFooter } from '../../text/footer.ts';
import { movedBugIn, parseGithubMarker } from '../../text/marker.ts';
import { openingDespite, statusLabels } from '../fields/status.ts';
import { fieldsWithdrawn, isLabelRule, labelsFor, valuesIn } from '../labels/labels-and-fields.ts';
import { gate, namesHidden, whyHidden } from './gate.ts';
import {
  hasPlainFooter,
  isNeutralBody,
  neutralBody,
  neutralTitle,
  plainFooter,
  sameText,
  saysNothing,
} from './neutral.ts';

/**
 * The published content of a bug that is private, or no longer public, as last seen: all of it is withdrawn. On an
 * issue that began on GitHub, the words of people stay, and the tracker's content goes (decision 015). An issue that
 * people opened is not locked because of a bug that the bridge did not file from it.
 * @param ownTitle the title that people on GitHub gave; null if the current title came from the tracker, or if that is
 *   unknown
 */
export function planWithdrawal(
  planContext: PlanContext,
  input: PlanInput,
  ownTitle: string | null,
): readonly Withdrawal[] {
  const { route } = planContext;
  const { link } = input;
  const isOutOfReach = link.state === 'tombstone' || (link.state === 'frozen' && link.frozenBy === 'github');
  if (route.direction === 'to-tracker' || isOutOfReach) return [];
  const isHidden = whyHidden(route, link) !== null;
  const place = { link: link.id, about: aboutOf(link, 'github') };
  const gone = input.commentLinks.filter(
    (commentLink) => isCopied(commentLink) && (isHidden || isToGo(input, commentLink)),
  );
  const comments = gone.flatMap((commentLink): readonly Withdrawal[] =>
    commentLink.copy === null || commentLink.copy?.id === bodyId
      ? []
      : [{ ...place, what: 'comment', commentLink: commentLink.id, comment: commentLink.copy.id }],
  );
  // The bridge's explanation of a label contains values of the bug.
  const remarks = input.commentLinks.flatMap((commentLink): readonly Withdrawal[] =>
    isHidden && commentLink.origin === 'github' && commentLink.remark !== undefined && commentLink.state !== 'gone'
      ? [{ ...place, what: 'comment', commentLink: commentLink.id, comment: commentLink.source }]
      : [],
  );
  const files = input.attachmentLinks.flatMap(({ id, origin, state, path }): readonly Withdrawal[] =>
    origin === 'tracker' && path !== null && (isHidden || state === 'withdrawn')
      ? [{ ...place, what: 'file', attachmentLink: id, path }]
      : [],
  );
  const rest = [...comments, ...remarks, ...files];
  if (isHidden)
    return [...ofIssue(planContext, input, ownTitle), ...rest, ...relations(input), ...lock(planContext, input)];
  return [...opening(planContext, input), ...ofText(planContext, input, gone), ...rest];
}

/** Whether it has a copy on GitHub, as far as is known. */
export const isCopied = ({ origin, state, copy }: CommentLink): boolean =>
  origin === 'tracker' && copy !== null && (state === 'mirrored' || state === 'withdrawn');

const isToGo = ({ attachmentLinks }: PlanInput, commentLink: CommentLink): boolean =>
  commentLink.state === 'withdrawn' || namesHidden(commentLink, attachmentLinks);

/** Whether a person wrote the body: then it is a comment link from GitHub. In doubt it counts as ours. */
export const isPeoples = ({ commentLinks }: Pick<PlanInput, 'commentLinks'>): boolean =>
  commentLinks.some(({ origin, source, part }) => origin === 'github' && source === bodyId && part === 1);

/**
 * Whether people made both ends. Former versions paired them because the bug named the issue, whoever wrote that; so
 * what becomes of the bug says nothing about what may be done to the issue. In doubt the bug counts as ours.
 */
export function isPeoplesPair(
  { tracker: account }: OwnAccounts,
  { link: { tracker: bug }, commentLinks }: Pick<PlanInput, 'link' | 'commentLinks'>,
): boolean {
  return account !== null && bug !== null && !isBy(bug.creator, account) && isPeoples({ commentLinks });
}

/**
 * Whether the issue shows anything of the tracker: an issue that people opened, and whose bug was never public, is left
 * alone.
 */
export function showsTracker({ link, commentLinks }: Pick<PlanInput, 'link' | 'commentLinks'>): boolean {
  return link.isWithdrawn || !isPeoples({ commentLinks }) || link.pointed.github || commentLinks.some(isCopied);
}

function ofIssue(planContext: PlanContext, input: PlanInput, ownTitle: string | null): readonly Withdrawal[] {
  const { link } = input;
  if (link.github === null || shownBug(link) === null || !showsTracker(input)) return [];
  const patch = withdrawnPatch(planContext, input, link.github, ownTitle);
  return Object.keys(patch).length === 0
    ? []
    : [{ link: link.id, about: aboutOf(link, 'github'), what: 'issue', patch }];
}

function withdrawnPatch(planContext: PlanContext, input: PlanInput, issue: Issue, ownTitle: string | null): IssuePatch {
  const { route } = planContext;
  const bug = shownBug(input.link) ?? 0;
  const isOurs = !isPeoples(input);
  // Under the plain line, the title is what a withdrawal left: after a lost database, nothing else tells.
  const left = hasPlainFooter(route.instance, issue.body, bug) ? issue.title : null;
  const title = isOurs ? neutralTitle(bug) : (ownTitle ?? left ?? neutralTitle(bug));
  const body = isOurs ? neutralBody(route.instance, bug) : withPlainFooter(planContext, bug, issue.body);
  const isBodyDone = sameText(issue.body, body) || (isOurs && isNeutralBody(route.instance, issue.body, bug));
  return {
    ...(issue.title === title ? {} : { title }),
    ...(isBodyDone ? {} : { body }),
    ...withoutValues(planContext, input, issue),
    ...(isOurs && issue.state === 'open' ? { state: 'closed', reason: 'not_planned' } : {}),
  };
}

/** Takes away what the issue shows of the bug beside its texts. */
export function withoutValues(
  { route, vocabulary }: Pick<PlanContext, 'route' | 'vocabulary'>,
  input: Pick<PlanInput, 'link'>,
  issue: Issue,
): Pick<IssuePatch, Valued | 'fields'> {
  const labels = ownedLabels({ route, vocabulary }, input, issue);
  const fields = fieldsWithdrawn(route, vocabulary, issue, (from) => agreedValues(input, from));
  return {
    ...(labels.length === 0 ? {} : { labels: without(labels) }),
    ...(route.labels.some(({ isType }) => isType) && (issue.type ?? null) !== null ? { type: null } : {}),
    ...(fields === undefined ? {} : { fields }),
    ...(route.milestones && issue.milestone !== null ? { milestone: null } : {}),
    ...(route.assignee && issue.assignees.length > 0 ? { assignees: without(issue.assignees) } : {}),
  };
}

/** What GitHub drops from a change without a word, if the account may not set it. */
const valued = ['labels', 'type', 'milestone', 'assignees'] as const;
type Valued = (typeof valued)[number];

/** What is left to take away although GitHub confirmed that it is gone; empty if nothing is. */
export const droppedFrom = (left: readonly Withdrawal[]): readonly Valued[] =>
  left.flatMap((each) => (each.what === 'issue' ? valued.filter((name) => name in each.patch) : []));

const without = (names: readonly string[]): SetPatch => ({ add: [], remove: names });

/**
 * The words of people, followed by the line that names the bug, without a link. A body without our line stays
 * unchanged.
 */
function withPlainFooter({ route }: PlanContext, bug: number, body: string): string {
  const text = withoutFooter(body);
  return text === body ? body : `${text}\n\n${plainFooter(route.instance, bug)}`;
}

/** Labels that the route's rules or its status map could have put there. */
function ownedLabels(
  { route, vocabulary }: Pick<PlanContext, 'route' | 'vocabulary'>,
  input: Pick<PlanInput, 'link'>,
  issue: Issue,
): readonly string[] {
  const ours = new Set(
    [
      ...statusLabels(route.status),
      ...route.labels
        .filter(isLabelRule)
        .flatMap((rule) => labelsFor(rule, valuesIn(rule, vocabulary, agreedValues(input, rule.from), issue.labels))),
    ].map((label) => label.toLowerCase()),
  );
  return issue.labels.filter((label) => ours.has(label.toLowerCase()));
}

/** The agreed values of this field. */
function agreedValues({ link }: Pick<PlanInput, 'link'>, name: string): readonly string[] {
  const values = [link.base?.github, link.base?.tracker].map(
    (fields) => Object.entries(fields ?? {}).find(([field]) => field === name)?.[1],
  );
  return values.flatMap((value) => (isSet(value) ? value : typeof value === 'string' ? [value] : []));
}

/** Agreed relations reveal something of the bug, too; each is a separate request. */
function relations({ link, neighbours }: PlanInput): readonly Withdrawal[] {
  const agreed = link.base?.github.dependsOn;
  const blockers = link.github?.blockedBy ?? [];
  return neighbours.flatMap(({ bug, issue, issueId }): readonly Withdrawal[] =>
    isSet(agreed) && agreed.includes(String(bug)) && blockers.includes(issue)
      ? [
          {
            link: link.id,
            about: aboutOf(link, 'github'),
            what: 'relation',
            patch: { blocker: { change: 'remove', issueId } },
          },
        ]
      : [],
  );
}

function lock({ own }: PlanContext, input: PlanInput): readonly Withdrawal[] {
  const { link } = input;
  if (link.github === null || link.github.isLocked || !showsTracker(input) || isPeoplesPair(own, input)) return [];
  return [{ link: link.id, about: aboutOf(link, 'github'), what: 'lock' }];
}

/** A private description of a public bug: the body shows nothing of it until it may. */
function ofText({ route }: PlanContext, input: PlanInput, gone: readonly CommentLink[]): readonly Withdrawal[] {
  const { link } = input;
  const bug = shownBug(link);
  if (link.github === null || bug === null) return [];
  const description = gone.find(({ copy, part, mirrored }) => copy?.id === bodyId && part === 1 && mirrored !== null);
  if (description === undefined && !showsUnknown(route, input, link.github, bug)) return [];
  const patch = { body: neutralBody(route.instance, bug) };
  const commentLink = description?.id ?? null;
  return [{ link: link.id, about: aboutOf(link, 'github'), what: 'text', commentLink, patch }];
}

/**
 * Whether our body has a description that the tracker does not show: a state that was lost does not know that it was
 * copied. Every bug has a description, though it may be empty.
 */
function showsUnknown({ instance }: Route, { link, commentLinks }: PlanInput, { body }: Issue, bug: number): boolean {
  const isKnown = commentLinks.some(({ origin, count, copy, source }) =>
    origin === 'tracker' ? count === 0 || copy?.id === bodyId : source === bodyId,
  );
  const isOurs = parseGithubMarker(instance, body)?.bug === bug || movedBugIn(instance, body) === bug;
  const text = withoutFooter(body).trim();
  return link.state === 'live' && link.threadReadAt !== null && isOurs && !isKnown && text !== '' && !saysNothing(text);
}

function opening({ route }: PlanContext, input: PlanInput): readonly Withdrawal[] {
  const { link } = input;
  if (!link.isWithdrawn || link.state !== 'live' || link.github === null || link.tracker === null) return [];
  if (gate(route, input).kind !== 'open') return [];
  const was = plainFooter(route.instance, link.tracker.id);
  const isThere = link.github.body.includes(was);
  // Of a closed issue of people, nobody knows whether they closed it meanwhile.
  const isTheirs = isPeoples(input) && link.github.state === 'closed';
  const patch: IssuePatch = {
    ...(isThere ? { passage: { was, becomes: issueFooter(route, link.tracker.id, link.tracker.url) } } : {}),
    ...(isTheirs ? {} : openingDespite(route.status, link)),
  };
  const isNothing = Object.keys(patch).length === 0;
  return [{ link: link.id, about: aboutOf(link, 'github'), what: 'open', patch: isNothing ? null : patch }];
}
