import type { BugVisibility } from '../../model/anonymous-reader.ts';
import type { Attachment, AttachmentLink } from '../../model/attachment.ts';
import { type Bug, shortName } from '../../model/item.ts';
import { type CommentLink, isFormer, type Link } from '../../model/link.ts';
import type { TextInput } from '../../model/plan/plan-input.ts';
import type { Passed, Public, PublicBug, PublicNeighbour, PublicTarget } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import type { LookReader } from '../../model/survey.ts';
import { digestOf } from '../../text/canonical.ts';
import { neighbourOf } from '../fields/relations.ts';
import { onTracker, targetOf } from '../links/targets.ts';

type Gated<Input extends TextInput> =
  | { readonly kind: 'open'; readonly input: Public<Input> }
  | { readonly kind: 'waiting'; readonly why: string }
  | { readonly kind: 'hidden'; readonly why: string };

/**
 * The one place that decides what may leave the tracker (I9). Default deny: a value of a public type
 * (`model/plan/public.ts`) can be made here and nowhere else, and whatever plans a text, a field or a file for GitHub
 * takes only those types.
 *
 *   the bug is in a group, or hidden                        hidden: nothing passes, and published content is withdrawn
 *   the anonymous reader cannot see the bug                 hidden
 *   the bug is of another product                           what is published stays; rules/plan/moves.ts lets nothing
 *                                                           else pass
 *   it is not checked yet, or has changed since             waiting: nothing passes, and nothing is withdrawn
 *   a comment is private, or its file is                    left out
 *   a comment or file is not checked yet                    left out until it is
 *   a field that only some users may see                    left out of table and labels
 *   time tracking, always                                   left out of the table
 *   another bug that is hidden                              no link to it and no relation
 *   a name that the anonymous reader was not shown          the beginning of the login
 */
export function gate<Input extends TextInput>(route: Route, input: Input): Gated<Input> {
  const { link, commentLinks, attachmentLinks } = input;
  const hidden = whyHidden(route, link);
  if (hidden !== null) return { kind: 'hidden', why: hidden };
  const waiting = whyUnchecked(route, input);
  if (waiting !== null) return { kind: 'waiting', why: waiting };
  const files = attachmentLinks.filter((file) => isPublicFile(route, file)).map((file) => pass(file));
  const passing = commentLinks
    .filter((commentLink) => isPublicCommentLink(route, commentLink, attachmentLinks))
    .map((commentLink) => pass(commentLink));
  return {
    kind: 'open',
    input: {
      ...input,
      link: { ...link, tracker: publicBug(route, link) },
      commentLinks: passing,
      attachmentLinks: files,
    },
  };
}

/**
 * Content from GitHub reveals nothing of the tracker: a bug that we filed or changed a moment ago need not be checked
 * for it.
 */
export function fromGithub<Input extends TextInput>(input: Input): Public<Input> {
  const ofGithub = <T extends { readonly origin: string }>(list: readonly T[]) =>
    list.filter(({ origin }) => origin === 'github').map((each) => pass(each));
  const { link, commentLinks, attachmentLinks } = input;
  return {
    ...input,
    link: { ...link, tracker: null },
    commentLinks: ofGithub(commentLinks),
    attachmentLinks: ofGithub(attachmentLinks),
  };
}

/** Why nothing of a bug may be visible on GitHub; null if there is no known reason. */
export function whyHidden({ visibilityCheck, direction }: Route, link: Link): string | null {
  const { state, frozenBy, reason, tracker, visibility } = link;
  if (tracker?.isPrivate) return 'the bug is private';
  if (isFormer(link)) return visibility?.isShown === false ? 'the bug is no longer public where it moved to' : null;
  // Also if nothing is known of the bug but that it is hidden.
  if (state === 'frozen' && frozenBy === 'tracker') return reason ?? 'the tracker no longer shows the bug';
  if (tracker === null) return null;
  // A route to the tracker publishes nothing, so there is nothing to check.
  if (direction === 'to-tracker') return null;
  if (visibilityCheck === 'anonymous' && visibility?.isShown === false)
    return 'a reader without an account cannot see the bug';
  return null;
}

/** Whether a bug was found to be hidden since `before`. */
export const isHiddenSince = (route: Route, before: Link, now: Link | null): boolean =>
  now !== null && whyHidden(route, before) === null && whyHidden(route, now) !== null;

/**
 * Whether an issue may name this one. One of another route has to be shown to readers without an account, whatever its
 * route says.
 */
export function isNameable(route: Route, link: Link): boolean {
  if (link.route === route.name) return whyHidden(route, link) === null;
  const isPublic = link.tracker?.isPrivate === false && link.visibility?.isShown === true;
  return isPublic && link.state === 'live' && !link.isWithdrawn;
}

/**
 * A link as a target for texts; null if it is hidden or given up, or must not be linked to.
 * @param isShut whether its issue is in a repository that readers of the text may not be able to open
 */
export function publicTarget(
  route: Route,
  link: Link,
  commentLinks: readonly CommentLink[],
  files: readonly AttachmentLink[],
  isShut = false,
): PublicTarget | null {
  if (link.state !== 'live' || whyHidden(route, link) !== null) return null;
  const open = commentLinks.filter(
    (commentLink) => commentLink.state !== 'withdrawn' && !namesHidden(commentLink, files),
  );
  const target = targetOf(
    link,
    open,
    files.filter((file) => isPublicFile(route, file)),
  );
  return pass(isShut ? onTracker(target) : target);
}

/** A link as the neighbour of other links, with its permission to be named; null until both sides can name it. */
export function publicNeighbour(route: Route, link: Link): PublicNeighbour | null {
  const isShown = link.state === 'live' && link.tracker !== null && whyHidden(route, link) === null;
  const neighbour = neighbourOf(link, isShown);
  return neighbour === null ? null : pass(neighbour);
}

/** Whether this comment is public, and the file that it names. */
function isPublicCommentLink(
  route: Route,
  commentLink: CommentLink,
  attachmentLinks: readonly AttachmentLink[],
): boolean {
  if (commentLink.origin === 'github') return true;
  if (commentLink.state === 'withdrawn' || namesHidden(commentLink, attachmentLinks)) return false;
  if (!checksVisibility(route) || commentLink.text === null) return true;
  const file = fileOf(commentLink, attachmentLinks);
  return commentLink.checkedDigest === commentLink.digest && (file === null || isPublicFile(route, file));
}

/**
 * Whether the comment names a file that is not public: then its name is not public either, although the tracker still
 * shows it.
 */
export const namesHidden = (commentLink: CommentLink, attachmentLinks: readonly AttachmentLink[]): boolean =>
  fileOf(commentLink, attachmentLinks)?.state === 'withdrawn';

function isPublicFile(route: Route, file: AttachmentLink): boolean {
  if (file.origin === 'github') return true;
  if (file.state === 'withdrawn') return false;
  return !checksVisibility(route) || file.checkedDigest === fileDigest(file);
}

const fileOf = (
  { attachment, origin }: CommentLink,
  attachmentLinks: readonly AttachmentLink[],
): AttachmentLink | null =>
  (attachment !== null &&
    origin === 'tracker' &&
    attachmentLinks.find((file) => file.origin === 'tracker' && file.source === String(attachment))) ||
  null;

/** Time tracking is for its users only, whatever a route lists. */
const neverShown: readonly string[] = [
  'estimated_time',
  'remaining_time',
  'actual_time',
  'work_time',
  'percentage_complete',
];

/** The bug with the fields that everyone may see. */
export function publicBug(route: Route, { tracker, visibility }: Link): PublicBug | null {
  if (tracker === null) return null;
  const { details, customs, whiteboard, creator, ...rest } = tracker;
  const visible: Vouched = checksVisibility(route)
    ? (visibility ?? { details: {}, labels: [] })
    : publicFieldsOf(tracker);
  const only = <T>(fields: Readonly<Record<string, T>>, may: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => may(name) && !neverShown.includes(name)));
  return pass({
    ...rest,
    creator: { ...creator, name: visible.creator || shortName(creator) },
    ...(details === undefined ? {} : { details: only(visible.details, (name) => name in details) }),
    ...(customs === undefined ? {} : { customs: only(customs, (name) => visible.labels.includes(name)) }),
    ...(whiteboard === undefined || !visible.labels.includes('whiteboard') ? {} : { whiteboard }),
  });
}

export const checksVisibility = ({ visibilityCheck, direction }: Route): boolean =>
  visibilityCheck === 'anonymous' && direction !== 'to-tracker';

/** Who is asked whether mirrored bugs are still shown; null for a route that publishes nothing. */
export function lookReaderOf(route: Route): LookReader | null {
  if (route.direction === 'to-tracker') return null;
  return checksVisibility(route) ? 'anonymous' : 'account';
}

/** Why a bug has to wait for its visibility check; a new issue also waits for the check of the bug's description. */
function whyUnchecked(route: Route, { link, commentLinks, attachmentLinks }: TextInput): string | null {
  const { tracker, visibility, bug, github } = link;
  if (tracker === null || !checksVisibility(route)) return null;
  if (visibility?.of !== bugDigest(tracker)) return `whether bug ${bug} is public has not been checked yet`;
  const description = commentLinks.find(
    ({ origin, count, part, state }) => origin === 'tracker' && count === 0 && part === 1 && state === 'pending',
  );
  if (github !== null || description === undefined || namesHidden(description, attachmentLinks)) return null;
  const isPublic = isPublicCommentLink(route, description, attachmentLinks);
  return isPublic ? null : `whether the description of bug ${bug} is public has not been checked yet`;
}

const pass = <T>(value: T): Passed<T> => value as Passed<T>;

/** The readers of both sides; null if a side does not say. */
export interface Audience {
  /** Whether the repository is private. */
  readonly isPrivate: boolean | null;
  /** Whether the tracker shows anything to readers without an account. */
  readonly isServed: boolean | null;
}

/** Why a route must not run at all, with the operator's options; null if there is no known reason. */
export function whyRefused(route: Route, { isPrivate, isServed }: Audience): string | null {
  const { name, owner, repo, direction, privateRepository } = route;
  if (isPrivate === true && direction !== 'to-github' && privateRepository === 'refuse') {
    const what = `${owner}/${repo} is private, and route ${name} would copy its content to the tracker, where others may read it`;
    return `${what}. Set private: mirror on the route if you want that, or direction: to-github.`;
  }
  if (isServed === false && checksVisibility(route)) {
    const what = `the tracker shows nothing to readers without an account, so no content of route ${name} can be shown to be public`;
    return `${what}. Set visibilityCheck: none on the route to publish everything that the tracker does not mark private.`;
  }
  return null;
}

/** Whether the route stops as soon as the repository becomes private. */
export const needsPublicRepository = (route: Route): boolean =>
  whyRefused(route, { isPrivate: true, isServed: null }) !== null;

/** Digest of all publishable values of a bug: the visibility check of one version says nothing about another. */
export function bugDigest(bug: Bug): string {
  const { dupeOf, seeAlso, dependsOn = [], details = {}, customs = {}, whiteboard = '' } = bug;
  const further = [Object.entries(details), Object.entries(customs), whiteboard];
  return digestOf(JSON.stringify([coreOf(bug), dupeOf, seeAlso, dependsOn, further]));
}

/**
 * Whether the anonymous reader saw the same bug: compares the values that are public in any bug, without people, whose
 * names the anonymous reader may not see.
 */
export const isSameBug = (ours: Bug, theirs: Bug): boolean =>
  JSON.stringify(coreOf(ours)) === JSON.stringify(coreOf(theirs));

type Vouched = Pick<BugVisibility, 'details' | 'labels' | 'creator'>;

/** The fields that the anonymous reader could see in this bug, and the name of who filed it. */
export const publicFieldsOf = ({ details = {}, customs = {}, whiteboard, creator }: Bug): Vouched => ({
  creator: creator.name,
  details,
  labels: [...Object.keys(customs), ...(whiteboard === undefined ? [] : ['whiteboard'])],
});

const coreOf = ({ product, summary, status, resolution, values, keywords, milestone }: Bug) => [
  ...[product, summary, status, resolution, milestone],
  Object.entries(values).sort(),
  [...keywords].sort(),
];

/** Digest of the published facts about a file, except its content, which never changes. */
export const fileDigest = ({
  name,
  summary,
  type,
  size,
  flags,
}: Pick<AttachmentLink | Attachment, 'name' | 'summary' | 'type' | 'size' | 'flags'>): string =>
  digestOf(JSON.stringify([name, summary, type, size, ...flags]));
