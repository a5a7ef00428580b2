import type { AttachmentLink } from '../../src/model/attachment.ts';
import { attachmentLinkId, bugId, commentLinkId, issueNumber, linkId } from '../../src/model/ids.ts';
import type { Bug, Comment, Issue } from '../../src/model/item.ts';
import type { CommentCopy, CommentLink, Link, LinkStatus } from '../../src/model/link.ts';
import type { Passed, PublicBug, PublicFile } from '../../src/model/plan/public.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { person, url, us } from './world.ts';

/** As if it had passed the gate, for tests of what stands behind it. */
export const passed = <T>(value: T): Passed<T> => value as Passed<T>;

export const aBug: PublicBug = passed<Bug>({
  kind: 'bug',
  id: bugId(12),
  url: `${url.tracker}12`,
  product: 'Widget',
  summary: 'Crash on start',
  status: 'CONFIRMED',
  resolution: '',
  dupeOf: null,
  values: { component: 'Core', severity: 'normal' },
  keywords: [],
  assignee: person('alice@example.test'),
  milestone: '---',
  seeAlso: [],
  isPrivate: false,
  creator: person('bob@example.test'),
  createdAt: 1000,
  changedAt: 2000,
});

export const anIssue: Issue = {
  kind: 'issue',
  number: issueNumber(5),
  id: 900,
  url: `${url.github}5`,
  title: 'Crash on start',
  body: 'It crashes.',
  state: 'open',
  reason: null,
  labels: [],
  assignees: [],
  milestone: null,
  author: person('mona'),
  commentCount: 0,
  isLocked: false,
  createdAt: 1000,
  changedAt: 2000,
};

export const aLink: Extract<Link, { state: 'live' }> = {
  id: linkId(1),
  route: 'widget',
  repo: 'acme/widget',
  origin: 'tracker',
  bug: aBug.id,
  issue: anIssue.number,
  state: 'live',
  reason: null,
  frozenBy: null,
  base: null,
  tracker: aBug,
  github: anIssue,
  urgency: 'none',
  threadReadAt: 3000,
  claim: null,
  pointed: { tracker: true, github: true },
  visibility: null,
  isWithdrawn: false,
  movedTo: null,
  takenFrom: null,
  formerly: [],
};

/** Whatever of a link is told apart from how it stands, and that as a whole. */
type LinkChange = Partial<Omit<Link, 'state' | 'reason' | 'frozenBy'>> & (LinkStatus | { readonly state?: never });

export const bugEnd = (link: LinkChange = {}): Link => ({ ...aLink, issue: null, github: null, ...link });
export const issueEnd = (link: LinkChange = {}): Link => ({
  ...aLink,
  id: linkId(2),
  origin: 'github',
  bug: null,
  tracker: null,
  ...link,
});

export const ourMarker = '<!-- bugferry:1 acme bug=12 -->';

export function trackerComment(id: number, text: string, change: Partial<Comment> = {}): Comment {
  const place = { side: 'tracker', id, ref: 12, count: id - 100, url: `${url.tracker}12#c${id - 100}` } as const;
  return {
    ...place,
    author: person('carol@example.test'),
    text,
    isPrivate: false,
    createdAt: id * 10,
    changedAt: id * 10,
    ...change,
  };
}

export function issueComment(id: number, text: string, change: Partial<Comment> = {}): Comment {
  const place = { side: 'github', id, ref: 5, count: null, url: `${url.github}5#issuecomment-${id}` } as const;
  return {
    ...place,
    author: person('mona'),
    text,
    isPrivate: false,
    createdAt: id * 10,
    changedAt: id * 10,
    ...change,
  };
}

export const ours = { tracker: person(us.tracker.login), github: person(us.github.login) };

export const copyAt = (id: number, change: Partial<CommentCopy> = {}): CommentCopy => ({
  ...{ id, digest: 'c1', isEdited: false, minimize: null },
  ...change,
});

/** For comments and files that began on GitHub. */
export const onGithub = { origin: 'github', checkedDigest: null, attachment: null, minimize: null } as const;
export const frozen = { state: 'frozen', reason: 'the bug is hidden', frozenBy: 'tracker' } as const;
export const buried = { state: 'tombstone', reason: 'deleted', frozenBy: null } as const;

type MirroredComment = Omit<Extract<CommentLink, { origin: 'tracker'; state: 'mirrored' }>, 'isMarkdown'>;

/** A tracker comment that is mirrored as comment 700. */
export const aCommentLink = passed<MirroredComment>({
  id: commentLinkId(1),
  link: aLink.id,
  origin: 'tracker',
  source: 101,
  count: 1,
  copy: copyAt(700),
  state: 'mirrored',
  reason: null,
  author: person('carol@example.test'),
  url: `${url.tracker}12#c1`,
  text: null,
  digest: 'd1',
  mirrored: 'd1',
  part: 1,
  parts: 1,
  before: null,
  wrote: 'c1',
  isStale: false,
  checkedDigest: null,
  attachment: null,
  minimize: null,
  createdAt: 1010,
});

type MirroredFile = PublicFile & Extract<AttachmentLink, { origin: 'tracker'; state: 'mirrored' }>;

export const aFile: MirroredFile = passed<Extract<AttachmentLink, { origin: 'tracker'; state: 'mirrored' }>>({
  id: attachmentLinkId(1),
  link: linkId(1),
  origin: 'tracker',
  source: '9',
  url: 'https://bugs.example.test/attachment.cgi?id=9',
  name: 'a.log',
  summary: 'The log',
  type: 'text/plain',
  size: 1200,
  isPatch: false,
  isObsolete: false,
  flags: [],
  state: 'mirrored',
  reason: null,
  path: 'p',
  copy: { url: 'https://github.com/acme/widget/raw/attachments/p', sha256: 'f', excerpt: null },
  checkedDigest: null,
  createdAt: 0,
});

/** A line of the ledger about `aLink`. */
export const aLine = (kind: LedgerLine['kind'], detail: LedgerLine['detail']): LedgerLine => ({
  ...{ at: 7, route: 'widget', link: aLink.id, bug: aLink.bug, issue: aLink.issue, on: 'github', outcome: 'done' },
  ...{ kind, detail },
});
