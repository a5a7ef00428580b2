/** What `bugferry audit` says of one pair, case by case: what is on GitHub, on what ground, and what was withdrawn. */

import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import { commentLinkId } from '../../src/model/ids.ts';
import { bodyId, type CommentLink, type Link } from '../../src/model/link.ts';
import type { AuditedPair } from '../../src/model/reports/audit.ts';
import type { Route } from '../../src/model/route.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { auditOf, comparedWithView } from '../../src/rules/privacy/audit.ts';
import { fileDigest } from '../../src/rules/privacy/gate.ts';
import { neutralBody, neutralTitle } from '../../src/rules/privacy/neutral.ts';
import {
  aBug,
  aCommentLink,
  aFile,
  aLine,
  aLink,
  anIssue,
  buried,
  copyAt,
  frozen,
  onGithub,
} from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const trusting: Route = widgetRoute;
const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const visibility = { isShown: true, at: 5_000, of: 'x', details: { alias: ['oven'] }, labels: ['cf_area'] };
const checked: Link = { ...aLink, visibility };
const hidden: Link = { ...checked, tracker: { ...aBug, isPrivate: true } };
const outOfReach: Link = { ...checked, ...frozen, frozenBy: 'github', reason: 'transferred' };

const body: CommentLink = { ...aCommentLink, ...onGithub, id: commentLinkId(3), source: bodyId };
const remark: CommentLink = { ...body, id: commentLinkId(5), source: 705, remark: 'label' };
const withdrawn = { state: 'withdrawn', reason: 'private' } as const;

interface Parts {
  readonly comments?: readonly CommentLink[];
  readonly files?: readonly AttachmentLink[];
  readonly ledger?: readonly LedgerLine[];
}
const audited = (route: Route, link: Link, { comments = [], files = [], ledger = [] }: Parts = {}) =>
  auditOf(route, { link, commentLinks: comments, attachmentLinks: files }, ledger);
/** `comment comment 1: shown` */
const linesOf = (pair: AuditedPair | null): readonly string[] =>
  (pair?.published ?? []).map(({ what, name, ground }) => `${what} ${name}: ${ground}`);

describe('a pair', () => {
  test('has its ends, its check and its origin', () => {
    expect(audited(checking, checked)).toMatchObject({
      ...{ bug: 12, issue: 'acme/widget#5', origin: 'tracker', checkedAt: 5_000, why: null, isWithdrawn: false },
      withdrawals: [],
    });
  });

  test.each<[string, Link, string | null, number | null]>([
    ['that is hidden', hidden, 'the bug is private', 5_000],
    ['whose issue is out of reach', outOfReach, 'transferred', 5_000],
    ['that was given up', { ...checked, ...buried }, 'deleted', 5_000],
    ['that was never checked', aLink, null, null],
    [
      'that was checked and not shown',
      { ...aLink, visibility: { ...visibility, isShown: false } },
      'a reader without an account cannot see the bug',
      null,
    ],
  ])('%s: why, and since when', (_what, link, why, checkedAt) => {
    expect(audited(checking, link)).toMatchObject({ why, checkedAt });
  });

  test.each<[string, Link, Route, Parts]>([
    ['has no bug', { ...aLink, bug: null, tracker: null }, trusting, {}],
    ['has no issue', { ...aLink, issue: null, github: null }, trusting, {}],
    ['is of a route to the tracker', aLink, { ...trusting, direction: 'to-tracker' }, {}],
    [
      'shows nothing of the tracker',
      { ...aLink, pointed: { tracker: true, github: false } },
      trusting,
      { comments: [body] },
    ],
  ])('that %s is not in the report', (_what, link, route, parts) => {
    expect(audited(route, link, parts)).toBeNull();
  });

  test.each<[string, Route, Link, string]>([
    ['was shown to the anonymous reader', checking, checked, 'shown'],
    ['was never checked', checking, aLink, 'unproved'],
    ['is trusted', trusting, aLink, 'trusted'],
    ['is private', checking, hidden, 'to-go'],
    ['is private, on a route that trusts', trusting, hidden, 'to-go'],
    ['is out of reach', checking, outOfReach, 'given-up'],
    ['was given up', checking, { ...hidden, ...buried }, 'given-up'],
    ['is no longer shown by the tracker', checking, { ...checked, ...frozen }, 'to-go'],
  ])('that %s: the ground of its issue, its fields and our explanations', (_what, route, link, ground) => {
    const fields = link.visibility === null ? [] : ['field alias', 'field cf_area'];
    expect(linesOf(audited(route, link, { comments: [remark] }))).toEqual(
      ['issue title, status and labels', ...fields, "remark the bridge's own comment 705"].map(
        (name) => `${name}: ${ground}`,
      ),
    );
  });

  test('whose issue people opened shows the status, the labels and the title of the tracker', () => {
    expect(linesOf(audited(trusting, aLink, { comments: [body] }))).toEqual([
      'issue status, labels and title: trusted',
    ]);
  });

  const neutral = { ...anIssue, title: neutralTitle(12), body: neutralBody('acme', 12) };
  test.each<[string, Partial<Link>, readonly CommentLink[], boolean]>([
    ['is neutral', { github: neutral }, [], false],
    ['has a neutral title only', { github: { ...neutral, body: 'Text' } }, [], true],
    ['has a neutral body only', { github: { ...neutral, title: 'Text' } }, [], true],
    ['is not known', { github: null }, [], true],
    ['was opened by people', { github: anIssue }, [body], false],
    ['is neutral, but not withdrawn', { github: neutral, isWithdrawn: false }, [], true],
  ])('that was withdrawn, and whose issue %s: whether the issue counts', (_what, change, comments, counts) => {
    const pair = audited(checking, { ...hidden, isWithdrawn: true, ...change } as Link, { comments });
    expect(linesOf(pair).some((line) => line.startsWith('issue'))).toBe(counts);
  });
});

test.each<[string, Partial<Link>, readonly string[]]>([
  ['shows it', { github: { ...anIssue, body: 'It fails.' } }, ['comment the description: to-go']],
  ['is not known', { github: null }, ['comment the description: to-go']],
  [
    'is neutral, whatever the state says of the description',
    { github: { ...anIssue, body: neutralBody('acme', 12) } },
    [],
  ],
])('the description of a hidden bug, whose body %s', (_what, change, lines) => {
  const description: CommentLink = { ...aCommentLink, count: 0, copy: copyAt(bodyId), mirrored: aCommentLink.digest };
  const pair = audited(checking, { ...hidden, ...change } as Link, { comments: [description] });
  expect(linesOf(pair).filter((line) => line.startsWith('comment'))).toEqual(lines);
});

describe('a comment', () => {
  test.each<[string, Partial<CommentLink>, string | null]>([
    ['that was checked', { checkedDigest: 'd1' }, 'comment 1: shown'],
    ['that was not', {}, 'comment 1: unproved'],
    ['that is private', { ...withdrawn, checkedDigest: 'd1' }, 'comment 1: to-go'],
    ['whose number is not known', { count: null }, 'comment 101: unproved'],
    ['that is the description', { count: 0 }, 'the description: unproved'],
    ['that is in the body', { copy: copyAt(bodyId) }, 'the description: unproved'],
    ['that is in the body, private and emptied', { ...withdrawn, copy: copyAt(bodyId), mirrored: null }, null],
    ['that is in the body, private and there', { ...withdrawn, copy: copyAt(bodyId) }, 'the description: to-go'],
    ['that is private and has lost its text', { ...withdrawn, mirrored: null }, 'comment 1: to-go'],
    ['that waits', { state: 'pending', copy: null }, null],
    ['that is gone', { state: 'gone', reason: 'x' }, null],
    ['of people', onGithub, null],
    ['of the bridge, deleted', { ...onGithub, remark: 'x', state: 'gone', reason: 'x' }, null],
  ])('%s: how it is listed', (_what, change, line) => {
    const pair = audited(checking, checked, { comments: [{ ...aCommentLink, ...change } as CommentLink] });
    expect(linesOf(pair).slice(3)).toEqual(line === null ? [] : [`comment ${line}`]);
  });

  test.each<[string, Link, string]>([
    ['of a pair that was given up', { ...checked, ...buried }, 'given-up'],
    ['of a mirrored pair', checked, 'to-go'],
  ])('that is private, %s', (_what, link, ground) => {
    const file: AttachmentLink = { ...aFile, state: 'withdrawn', copy: null };
    const comments = [
      { ...aCommentLink, ...withdrawn },
      { ...aCommentLink, attachment: 9 },
    ];
    const lines = linesOf(audited(checking, link, { comments, files: [file] })).slice(3);
    expect(lines).toEqual([
      `comment comment 1: ${ground}`,
      `comment comment 1: ${ground}`,
      `file attachment 9 (a.log): ${ground}`,
    ]);
  });

  test('in parts: each part is named, and was checked with the first', () => {
    const first: CommentLink = { ...aCommentLink, checkedDigest: 'd1' };
    const stranger: CommentLink = { ...aCommentLink, source: 102, count: 2 };
    const comments = [stranger, { ...aCommentLink, part: 2, id: commentLinkId(2) }, first, { ...body, source: 101 }];
    expect(linesOf(audited(checking, checked, { comments })).slice(3)).toEqual([
      'comment comment 2: unproved',
      'comment comment 1, part 2: shown',
      'comment comment 1: shown',
    ]);
  });
});

describe('a file', () => {
  const gone = { state: 'withdrawn', copy: null } as const;
  test.each<[string, Partial<AttachmentLink>, string | null]>([
    ['that was checked', { checkedDigest: fileDigest(aFile) }, '9 (a.log): shown'],
    ['that was checked in another version', { checkedDigest: 'x' }, '9 (a.log): unproved'],
    ['of which the name is shown', { state: 'linked', reason: 'x', copy: null }, '9 (a.log, by its name): unproved'],
    ['that is hidden, and may still be there', { ...gone, path: 'p' }, '9 (a.log): to-go'],
    ['that is hidden, and cannot be there', { ...gone, path: null }, null],
    ['that waits', { state: 'pending', copy: null }, null],
    ['of people', { origin: 'github', path: null }, null],
    ['of people, withdrawn', { origin: 'github', ...gone }, null],
  ])('%s: how it is listed', (_what, change, line) => {
    const pair = audited(checking, checked, { files: [{ ...aFile, ...change } as AttachmentLink] });
    expect(linesOf(pair).slice(3)).toEqual(line === null ? [] : [`file attachment ${line}`]);
    expect(pair?.published.slice(3).map(({ source }) => source)).toEqual(line === null ? [] : [9]);
  });
});

describe('withdrawals', () => {
  test('are listed with what they took, also of a pair that shows nothing any more', () => {
    const ledger = [
      aLine('withdraw', { why: 'private', isIssue: true, comments: 2, files: 1, left: 'in the history' }),
      aLine('update', { why: 'no' }),
      aLine('restore', { why: 5, isIssue: 'yes', comments: '2', files: null }),
    ];
    const link: Link = { ...aLink, pointed: { tracker: true, github: false } };
    const pair = audited(trusting, link, { comments: [body], ledger });
    expect(pair?.published).toEqual([]);
    expect(pair?.withdrawals).toEqual([
      { at: 7, kind: 'withdraw', why: 'private', isIssue: true, comments: 2, files: 1, left: 'in the history' },
      { at: 7, kind: 'restore', why: null, isIssue: false, comments: 0, files: 0, left: null },
    ]);
  });
});

describe('compared with what the anonymous reader sees now', () => {
  const shown = {
    bug: { ...aBug, details: { alias: ['x'] }, customs: { cf_area: 'a' } },
    comments: new Set([101]),
    files: new Set([9]),
  };
  const filled: Link = {
    ...checked,
    visibility: { ...visibility, details: { alias: ['oven'], cf_list: ['a'] }, labels: ['cf_area', 'whiteboard'] },
    tracker: {
      ...aBug,
      details: { alias: ['oven'], cf_list: ['a'] },
      customs: { cf_area: ['a'] },
      whiteboard: '[tag]',
    },
  };
  const comments = [aCommentLink, remark];
  const refuted = (link: Link, sight: Parameters<typeof comparedWithView>[2]): readonly string[] => {
    const pair = audited(checking, link, { comments, files: [aFile] });
    return linesOf(pair && comparedWithView(pair, link, sight)).filter((each) => each.endsWith(': refuted'));
  };

  test.each<[string, Partial<typeof shown>, readonly string[]]>([
    [
      'everything',
      { bug: { ...shown.bug, details: { alias: ['x'], cf_list: ['a'] }, whiteboard: '' } as typeof shown.bug },
      [],
    ],
    ['all but some fields', {}, ['field cf_list', 'field whiteboard']],
    ['no comment', { comments: new Set<number>() }, ['field cf_list', 'field whiteboard', 'comment comment 1']],
    ['no file', { files: new Set<number>() }, ['field cf_list', 'field whiteboard', 'file attachment 9 (a.log)']],
  ])('%s is shown', (_what, change, names) => {
    expect(refuted(filled, { ...shown, ...change })).toEqual(names.map((name) => `${name}: refuted`));
  });

  test('a field that was emptied meanwhile refutes nothing', () => {
    const tracker = { ...aBug, details: { cf_list: [''] }, customs: { cf_area: '' } };
    expect(refuted({ ...filled, tracker }, { ...shown, bug: aBug })).toEqual([]);
    expect(refuted({ ...filled, tracker: null }, { ...shown, bug: aBug })).toEqual([]);
    const kept = { ...aBug, customs: { cf_area: ['', 'a'], cf_other: 'b' } };
    expect(refuted({ ...filled, tracker: kept }, { ...shown, bug: aBug })).toEqual(['field cf_area: refuted']);
  });

  test('a bug that is not visible refutes all of it, but not of a pair that was given up', () => {
    expect(refuted(filled, null)).toHaveLength(8);
    expect(refuted({ ...filled, ...buried } as Link, null)).toEqual([]);
  });

  test('the rest of the pair stays as it is', () => {
    const pair = audited(checking, checked) as AuditedPair;
    expect(comparedWithView(pair, checked, null)).toMatchObject({ bug: 12, issue: 'acme/widget#5', withdrawals: [] });
  });
});
