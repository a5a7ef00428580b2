import type { AttachmentLink } from '../../model/attachment.ts';
import type { Bug } from '../../model/item.ts';
import { aboutOf, bodyId, type CommentLink, type Link, shownBug } from '../../model/link.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { AuditedPair, AuditedWithdrawal, AuditItem, Ground } from '../../model/reports/audit.ts';
import type { Route } from '../../model/route.ts';
import type { LedgerLine } from '../../model/store.ts';
import { checksVisibility, fileDigest, namesHidden, publicFieldsOf, whyHidden } from './gate.ts';
import { isNeutralBody, isNeutralTitle } from './neutral.ts';
import { isCopied, isPeoples, showsTracker, withoutValues } from './plan-withdrawal.ts';

/** The anonymous reader's current view; null if the bug is not visible. */
export interface AnonymousView {
  readonly bug: Bug;
  readonly comments: ReadonlySet<number>;
  readonly files: ReadonlySet<number>;
}

/** Null for a link without any tracker content on GitHub, now or in the past. */
export function auditOf(
  route: Route,
  input: Pick<PlanInput, 'link' | 'commentLinks' | 'attachmentLinks'>,
  ledger: readonly LedgerLine[],
): AuditedPair | null {
  const { link } = input;
  const bug = shownBug(link);
  if (bug === null || link.issue === null || route.direction === 'to-tracker') return null;
  const withdrawals = ledger.flatMap(withdrawalIn);
  const published = [...issueItems(route, input), ...textItems(route, input), ...fileItems(route, input)];
  if (published.length + withdrawals.length === 0) return null;
  const why = whyHidden(route, link) ?? (isGivenUp(link) ? (link.reason ?? 'one end is gone') : null);
  const { origin, isWithdrawn, visibility } = link;
  return {
    bug,
    issue: aboutOf(link, 'github'),
    origin,
    checkedAt: visibility?.isShown ? visibility.at : null,
    why,
    isWithdrawn,
    published,
    withdrawals,
  };
}

/** The same pair, compared with the anonymous reader's current view. A pair that was given up is not compared. */
export function comparedWithView(pair: AuditedPair, link: Link, shown: AnonymousView | null): AuditedPair {
  const visible = shown === null ? null : publicFieldsOf(shown.bug);
  const isShown = ({ what, name, source }: AuditItem): boolean => {
    if (shown === null || visible === null) return false;
    if (what === 'comment') return source !== null && shown.comments.has(source);
    if (what === 'file') return source !== null && shown.files.has(source);
    return what !== 'field' || name in visible.details || visible.labels.includes(name) || !isFilled(link, name);
  };
  const withGround = (item: AuditItem): AuditItem =>
    item.ground === 'given-up' || isShown(item) ? item : { ...item, ground: 'refuted' };
  return { ...pair, published: pair.published.map(withGround) };
}

/** One end was deleted, or the issue is out of reach: it is no longer withdrawn. */
const isGivenUp = ({ state, frozenBy }: Link): boolean =>
  state === 'tombstone' || (state === 'frozen' && frozenBy === 'github');

function issueItems(
  route: Route,
  input: Pick<PlanInput, 'link' | 'commentLinks' | 'attachmentLinks'>,
): readonly AuditItem[] {
  const { link } = input;
  if (!showsTracker(input)) return [];
  if (isNeutral(route, input)) return valuesLeft(route, link);
  const ground = groundOf(route, link, link.visibility?.isShown === true);
  const { details = {}, labels = [] } = link.visibility ?? {};
  const fields = [...Object.keys(details), ...labels].map(
    (name): AuditItem => ({ what: 'field', name, source: null, ground }),
  );
  return [
    {
      what: 'issue',
      name: isPeoples(input) ? 'status, labels and title' : 'title, status and labels',
      source: null,
      ground,
    },
    ...fields,
  ];
}

/**
 * What a withdrawal that has not ended left beside the neutral line. Without the tracker's list of values, it may count
 * a label of people, until the next cycle knows better.
 */
function valuesLeft(route: Route, link: Link): readonly AuditItem[] {
  if (link.github === null || link.urgency === 'none' || whyHidden(route, link) === null) return [];
  const left = Object.keys(withoutValues({ route, vocabulary: { values: {}, workflow: null } }, { link }, link.github));
  return left.length === 0 ? [] : [{ what: 'issue', name: left.join('; '), source: null, ground: 'to-go' }];
}

/** Whether its texts contained nothing of the bug when it was last read. Comments by people below it are theirs. */
function isNeutral(route: Route, { link, commentLinks }: Pick<PlanInput, 'link' | 'commentLinks'>): boolean {
  const bug = shownBug(link);
  if (!link.isWithdrawn || link.github === null || bug === null) return false;
  if (isPeoples({ commentLinks })) return true;
  return isNeutralTitle(link.github.title, bug) && isNeutralBody(route.instance, link.github.body, bug);
}

function textItems(
  route: Route,
  { link, commentLinks, attachmentLinks }: Pick<PlanInput, 'link' | 'commentLinks' | 'attachmentLinks'>,
): readonly AuditItem[] {
  const copies = commentLinks.filter((commentLink) => isCopied(commentLink) && !isRedacted(route, link, commentLink));
  const remarks = commentLinks.filter(
    ({ origin, remark, state }) => origin === 'github' && remark !== undefined && state !== 'gone',
  );
  return [
    ...copies.map((commentLink): AuditItem => {
      const isToGo = commentLink.state === 'withdrawn' || namesHidden(commentLink, attachmentLinks);
      const ground =
        isToGo && !isGivenUp(link)
          ? 'to-go'
          : groundOf(route, link, first(commentLinks, commentLink).checkedDigest !== null);
      return { what: 'comment', name: textName(commentLink), source: commentLink.source, ground };
    }),
    ...remarks.map((commentLink): AuditItem => {
      const ground = groundOf(route, link, link.visibility?.isShown === true);
      return { what: 'remark', name: `the bridge's own comment ${commentLink.source}`, source: null, ground };
    }),
  ];
}

/** A description whose place in the body now shows a neutral text, whether or not the state knows why. */
function isRedacted({ instance }: Route, link: Link, { state, copy, mirrored }: CommentLink): boolean {
  if (copy?.id !== bodyId) return false;
  const bug = shownBug(link);
  const isNeutralNow = link.github !== null && bug !== null && isNeutralBody(instance, link.github.body, bug);
  return isNeutralNow || (state === 'withdrawn' && mirrored === null);
}

/** A further part is checked with the first. */
const first = (commentLinks: readonly CommentLink[], commentLink: CommentLink): CommentLink =>
  commentLinks.find(
    ({ origin, source, part }) => origin === commentLink.origin && source === commentLink.source && part === 1,
  ) ?? commentLink;

function textName({ count, copy, source, part }: CommentLink): string {
  const name =
    count === 0 || copy?.id === bodyId ? 'the description' : count === null ? `comment ${source}` : `comment ${count}`;
  return part === 1 ? name : `${name}, part ${part}`;
}

function fileItems(
  route: Route,
  { link, attachmentLinks }: Pick<PlanInput, 'link' | 'attachmentLinks'>,
): readonly AuditItem[] {
  return attachmentLinks.flatMap((file): readonly AuditItem[] => {
    const isThere = file.state === 'mirrored' || file.state === 'linked';
    const isLeft = file.state === 'withdrawn' && file.path !== null;
    if (file.origin !== 'tracker' || (!isThere && !isLeft)) return [];
    const ground =
      isLeft && !isGivenUp(link) ? 'to-go' : groundOf(route, link, file.checkedDigest === fileDigest(file));
    return [{ what: 'file', name: fileName(file), source: Number(file.source), ground }];
  });
}

const fileName = ({ source, name, state }: AttachmentLink): string =>
  `attachment ${source} (${name}${state === 'linked' ? ', by its name' : ''})`;

function groundOf(route: Route, link: Link, isChecked: boolean): Ground {
  if (isGivenUp(link)) return 'given-up';
  if (whyHidden(route, link) !== null) return 'to-go';
  if (!checksVisibility(route)) return 'trusted';
  return isChecked ? 'shown' : 'unproved';
}

/** A field that was emptied meanwhile is visible to no one. */
function isFilled({ tracker }: Link, name: string): boolean {
  const { details = {}, customs = {}, whiteboard = '' } = tracker ?? {};
  const values = [
    details[name] ?? [],
    Object.entries(customs).flatMap(([key, value]) => (key === name ? value : [])),
  ].flat();
  return values.some((value) => value !== '') || (name === 'whiteboard' && whiteboard !== '');
}

function withdrawalIn({ at, kind, detail }: LedgerLine): readonly AuditedWithdrawal[] {
  if (kind !== 'withdraw' && kind !== 'restore') return [];
  const words = (name: string): string | null => (typeof detail[name] === 'string' ? detail[name] : null);
  const count = (name: string): number => (typeof detail[name] === 'number' ? detail[name] : 0);
  const counts = { comments: count('comments'), files: count('files') };
  return [{ at, kind, why: words('why'), isIssue: detail['isIssue'] === true, ...counts, left: words('left') }];
}
