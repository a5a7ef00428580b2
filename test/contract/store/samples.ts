import { bugId, issueNumber, type LinkId } from '../../../src/model/ids.ts';
import type { Bug, Fields, Issue } from '../../../src/model/item.ts';
import type {
  CommentLink,
  CommentOrigin,
  CommentStatus,
  LinkStatus,
  NewCommentLink,
  NewLink,
} from '../../../src/model/link.ts';
import type {
  CommentOperation,
  Conflict,
  CreateOperation,
  Skip,
  UpdateOperation,
} from '../../../src/model/plan/operation.ts';
import type { LedgerLine } from '../../../src/model/store.ts';

const ada = { login: 'ada', name: 'Ada Ångström' };

export const sampleBug: Bug = {
  kind: 'bug',
  id: bugId(12),
  url: 'https://tracker.example/show_bug.cgi?id=12',
  product: 'Kettle',
  summary: 'Lid “sticks” 🫖\u0000 when hot',
  status: 'CONFIRMED',
  resolution: '',
  dupeOf: null,
  values: { component: 'Lid', severity: '' },
  keywords: ['regression'],
  assignee: ada,
  milestone: '2.0 “soon”',
  seeAlso: [],
  isPrivate: false,
  creator: ada,
  createdAt: 1_700_000_000_000,
  changedAt: 1_700_000_001_000,
};

export const sampleIssue: Issue = {
  kind: 'issue',
  number: issueNumber(5),
  id: 9_007_199_254_740_991,
  url: 'https://github.example/tea/kettle/issues/5',
  title: 'Lid sticks',
  body: 'Line one\r\nline two',
  state: 'closed',
  reason: 'not_planned',
  labels: ['severity/minor'],
  assignees: ['ada', 'grace'],
  milestone: '2.0 “soon”',
  author: ada,
  commentCount: 0,
  isLocked: false,
  createdAt: 1_700_000_000_000,
  changedAt: 1_700_000_001_000,
};

const fields: Fields = { title: 'Lid sticks', status: 'open', severity: null, keywords: ['regression'] };

type LinkDraft = NewLink;
/** Whatever of a link is told apart from how it stands, and that as a whole. */
type LinkChange = Partial<Omit<NewLink, keyof LinkStatus>> & (LinkStatus | { readonly state?: never });

export const frozen = { state: 'frozen', reason: 'the bug is hidden', frozenBy: 'tracker' } as const;
export const buried = { state: 'tombstone', reason: 'deleted', frozenBy: null } as const;

/** A link whose bug exists and whose issue does not. */
export const halfLink = (bug: number, change: LinkChange = {}): LinkDraft => ({
  route: 'kettle',
  repo: 'tea/kettle',
  origin: 'tracker',
  bug: bugId(bug),
  issue: null,
  state: 'live',
  reason: null,
  frozenBy: null,
  base: null,
  tracker: null,
  github: null,
  urgency: 'none',
  threadReadAt: null,
  claim: null,
  pointed: { tracker: false, github: false },
  visibility: null,
  isWithdrawn: false,
  movedTo: null,
  takenFrom: null,
  formerly: [],
  ...change,
});

/** A link whose issue exists and whose bug does not. */
export const halfLinkOfIssue = (issue: number, change: LinkChange = {}): LinkDraft =>
  halfLink(0, { origin: 'github', bug: null, issue: issueNumber(issue), ...change });

export const wholeLink = (bug: number, issue: number, change: LinkChange = {}): LinkDraft =>
  halfLink(bug, { issue: issueNumber(issue), ...change });

/** A link with nothing left empty, to see that every part is kept. */
export const fullLink: LinkDraft = {
  route: 'kettle',
  repo: 'tea/kettle',
  origin: 'github',
  bug: bugId(12),
  issue: issueNumber(5),
  state: 'frozen',
  reason: 'the issue was transferred',
  frozenBy: 'github',
  base: { tracker: fields, github: { ...fields, title: 'Lid sticks ' } },
  tracker: sampleBug,
  github: sampleIssue,
  urgency: 'live',
  threadReadAt: 1_700_000_002_000,
  claim: 77,
  pointed: { tracker: true, github: false },
  visibility: { isShown: true, at: 7_000, of: 'd0', details: { cf_notes: ['“hot”'] }, labels: ['whiteboard'] },
  isWithdrawn: true,
  movedTo: 'Gadget',
  takenFrom: 'Gizmo',
  formerly: [{ url: 'https://github.com/acme/gizmo/issues/3', comments: { 9: 77 } }],
};

type CommentChange = Partial<Omit<NewCommentLink, keyof CommentStatus | keyof CommentOrigin>> &
  (CommentStatus | { readonly state?: never }) & { readonly origin?: 'tracker' | 'github' };

export const sampleCommentLink = (
  link: LinkId,
  source: number,
  { origin = 'tracker', ...change }: CommentChange = {},
): NewCommentLink => ({
  ...{ origin, checkedDigest: null, attachment: null, minimize: null },
  link,
  source,
  count: 3,
  copy: null,
  state: 'pending',
  reason: null,
  author: ada,
  url: `https://tracker.example/show_bug.cgi?id=12#c${source}`,
  text: 'It\u0000 is still “stuck” 🫖\r\n',
  digest: 'd1',
  mirrored: null,
  part: 1,
  parts: 3,
  before: 'It is stuck 🫖',
  wrote: null,
  isStale: false,
  createdAt: 1_700_000_000_000,
  ...change,
});

export const updateOf = (link: LinkId, name: string, title: string): UpdateOperation => ({
  key: `${link}:${name}`,
  link,
  about: 'tea/kettle#5',
  kind: 'update',
  on: 'github',
  duplicateOf: null,
  via: ['open', 'completed'],
  replaces: {},
  overruled: [],
  target: { title, severity: null },
  source: { title },
});

export const commentOn = (link: LinkId, commentLink: CommentLink): CommentOperation => ({
  key: `${link}:comment:${commentLink.id}`,
  link,
  about: 'bug 12',
  kind: 'comment',
  on: 'tracker',
  commentLink: commentLink.id,
  digest: commentLink.digest,
  tells: 'copy',
  part: 1,
  parts: 1,
});

export const createFor = (link: LinkId): CreateOperation => ({
  key: `${link}:create`,
  link,
  about: 'bug 12',
  kind: 'create',
  on: 'github',
  commentLink: null,
  parts: 1,
  draft: { title: 'Lid sticks', body: 'as of bug 12', labels: [] },
  target: fields,
  source: fields,
});

export const conflictOf = (link: LinkId, kept: Conflict['kept'], github: string): Conflict => ({
  link,
  field: 'title',
  tracker: 'Lid sticks',
  github,
  kept,
});

export const skipOf = (link: LinkId, reason: string, needsPerson = false): Skip => ({
  link,
  about: 'bug 12',
  reason,
  needsPerson,
});

export const lineOf = (link: LinkId, at: number, change: Partial<LedgerLine> = {}): LedgerLine => ({
  at,
  route: 'kettle',
  link,
  bug: bugId(12),
  issue: null,
  on: 'github',
  kind: 'update',
  outcome: 'applied',
  detail: { title: { from: 'a', to: null }, tries: [1, 2] },
  ...change,
});
