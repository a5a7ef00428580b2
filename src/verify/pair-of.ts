import type { RouteState } from '../kernel/context.ts';
import type { Attachment, AttachmentLink } from '../model/attachment.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Bug, Comment, Issue } from '../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import { attachmentPage } from '../model/named.ts';
import { type Account, isBy } from '../model/people.ts';
import { whyHidden } from '../rules/privacy/gate.ts';
import type { KnownComment, KnownFile, Pair, Places, SeenIssue } from './compare/seen-pair.ts';
import { type SeenText, seenText } from './compare/seen-text.ts';

/** One issue, as read from GitHub. */
export interface GithubSeen {
  readonly issue: SeenIssue;
  /** The body, then the comments in the order of their ids. */
  readonly texts: readonly SeenText[];
}

/** One bug, as read from the tracker. */
export interface TrackerSeen {
  readonly bug: Bug;
  readonly thread: readonly Comment[];
  readonly attachments: readonly Attachment[] | null;
}

const knownComment = ({ copy, ...rest }: CommentLink): KnownComment => ({
  ...rest,
  copy: copy?.id ?? null,
  copyMinimized: copy?.minimize ?? null,
});

export function knownFile({ copy, ...rest }: AttachmentLink): KnownFile {
  return { ...rest, copy: copy !== null && 'id' in copy ? copy.id : null };
}

export function pairOf(context: RouteState, link: Link, tracker: TrackerSeen, github: GithubSeen): Pair {
  const { store, route, session } = context;
  const commentLinks = store.commentLinks.ofLink(link.id);
  return {
    route,
    vocabulary: session.vocabulary,
    own: session.own,
    link,
    ...tracker,
    // Content that the anonymous reader cannot see counts as private, even if the tracker does not call it so.
    bug: {
      ...tracker.bug,
      isPrivate: tracker.bug.isPrivate || whyHidden(route, { ...link, tracker: tracker.bug }) !== null,
    },
    ...github,
    commentLinks: commentLinks.map(knownComment),
    files: store.attachmentLinks.ofLink(link.id).map(knownFile),
    places: placesOf(context, link, tracker, github.issue, commentLinks),
    mirrored: mirroredIn(context, tracker.bug, github.issue),
    lookedAt: { tracker: lookedAt(context, 'tracker'), github: lookedAt(context, 'github') },
  };
}

export function lookedAt({ store, route }: RouteState, side: 'tracker' | 'github'): number {
  return store.cursors.get(route.name, side)?.readAt ?? Number.MAX_SAFE_INTEGER;
}

/** The body of an issue as a text. */
export const bodyOf = (context: RouteState, { author, createdAt, body }: Issue, isKept: boolean): SeenText =>
  seenText({ id: bodyId, author, createdAt, body }, seeing(context, isKept));

export const textOf = (
  context: RouteState,
  { id, author, createdAt, text, minimize }: Comment,
  isKept: boolean,
): SeenText =>
  seenText(
    { id, author, createdAt, body: text, ...(minimize === undefined ? {} : { minimize }) },
    seeing(context, isKept),
  );

const seeing = ({ route, session }: RouteState, isKept: boolean) => ({
  instance: route.instance,
  own: session.own.github,
  isKept,
});

export const isOwnOnGithub = ({ session: { own } }: RouteState, person: Account): boolean =>
  own.github === null || isBy(person, own.github);

/** Public bugs with an issue in this repository, among the dependencies of both. */
function mirroredIn(
  { store, route }: RouteState,
  { dependsOn = [] }: Bug,
  { blockedBy = [] }: SeenIssue,
): ReadonlySet<number> {
  const repo = `${route.owner}/${route.repo}`;
  const links = [
    ...dependsOn.map((id) => store.links.byBug(id)),
    ...blockedBy.map((number) => store.links.byIssue(repo, number)),
  ];
  const shown = links.filter(
    (link) => link?.state === 'live' && link.issue !== null && link.repo === repo && link.tracker?.isPrivate === false,
  );
  return new Set(shown.flatMap((link) => link?.bug ?? []));
}

function placesOf(
  context: RouteState,
  link: Link,
  { bug, thread }: TrackerSeen,
  issue: SeenIssue,
  commentLinks: readonly CommentLink[],
): Places {
  const { store } = context;
  const pageOf = (id: number): string => bug.url.replace(/(?<!\d)\d+$/u, String(id));
  const issueUrl = (other: Link): string | null => addressOf(other, issue);
  const isHidden = (other: Link | null): boolean =>
    other !== null && (other.state === 'tombstone' || other.tracker?.isPrivate === true);
  return {
    bug(id) {
      const other = store.links.byBug(bugId(id));
      if (isHidden(other)) return [];
      return [...(other === null ? [] : present(issueUrl(other))), pageOf(id)];
    },
    comment(id, count) {
      const other = id === bug.id ? link : store.links.byBug(bugId(id));
      if (other === null || isHidden(other)) return [];
      const known = id === bug.id ? commentLinks : store.commentLinks.ofLink(other.id);
      const comment = id === bug.id ? thread.find((each) => each.count === count) : null;
      if (comment?.isPrivate) return [];
      const commentLink = known.find((each) => (comment ? idOnTracker(each) === comment.id : each.count === count));
      const onGithub =
        commentLink === undefined
          ? null
          : commentLink.origin === 'github'
            ? commentLink.source
            : (commentLink.copy?.id ?? null);
      const url = issueUrl(other);
      const page =
        onGithub === null || url === null ? null : onGithub === bodyId ? url : `${url}#issuecomment-${onGithub}`;
      return [...present(page), `${pageOf(id)}#c${count}`, ...(count === 0 ? [pageOf(id), ...present(url)] : [])];
    },
    attachment(id) {
      const copies = store.attachmentLinks
        .ofLink(link.id)
        .filter(({ source, origin }) => origin === 'tracker' && source === String(id));
      return [...copies.flatMap(({ copy }) => present(copy?.url ?? null)), attachmentPage(bug.url, id)];
    },
    formerly(id, count) {
      const other = id === bug.id ? link : store.links.byBug(bugId(id));
      const url = other === null ? null : issueUrl(other);
      if (other === null || url === null) return [];
      if (count === null || isHidden(other)) return isHidden(other) ? [url] : [];
      const comment = id === bug.id ? thread.find((each) => each.count === count) : undefined;
      const isGone = store.commentLinks
        .ofLink(other.id)
        .some(
          (each) =>
            each.state !== 'mirrored' &&
            (comment === undefined ? each.count === count : idOnTracker(each) === comment.id),
        );
      return isGone || comment?.isPrivate ? [url] : [];
    },
    before(id) {
      const former = store.links.former(bugId(id));
      const now = (id === bug.id ? link : store.links.byBug(bugId(id)))?.formerly ?? [];
      const passed = [...former.flatMap(({ formerly }) => formerly), ...now].map(({ url }) => url);
      return [...former.flatMap((each) => present(issueUrl(each))), ...passed];
    },
    bugOf(repo, number) {
      const other = store.links.byIssue(repo ?? link.repo, issueNumber(number));
      return other?.bug ?? null;
    },
  };
}

const addressOf = ({ repo, issue: number }: Link, { url }: SeenIssue): string | null =>
  number === null ? null : url.replace(placeAtEnd, `${repo}/issues/${number}`);

const placeAtEnd = /(?<![^/])[^/]+\/[^/]+\/issues\/\d+$/u;

const idOnTracker = (commentLink: CommentLink): number | null =>
  commentLink.origin === 'tracker' ? commentLink.source : (commentLink.copy?.id ?? null);
const present = (url: string | null): readonly string[] => (url === null ? [] : [url]);
