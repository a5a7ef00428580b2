/** What may leave the tracker, case by case (I9): the table of src/rules/privacy/gate.ts. */

import { describe, expect, test } from 'vitest';
import type { BugVisibility } from '../../src/model/anonymous-reader.ts';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import { attachmentLinkId, bugId, commentLinkId } from '../../src/model/ids.ts';
import type { Bug } from '../../src/model/item.ts';
import type { CommentLink, Link, TrackerCommentLink } from '../../src/model/link.ts';
import type { PlanInput } from '../../src/model/plan/plan-input.ts';
import type { Route } from '../../src/model/route.ts';
import {
  type Audience,
  bugDigest,
  fileDigest,
  fromGithub,
  gate,
  isNameable,
  isSameBug,
  lookReaderOf,
  publicBug,
  publicNeighbour,
  publicTarget,
  whyHidden,
  whyRefused,
} from '../../src/rules/privacy/gate.ts';
import { aBug, aCommentLink, aFile, aLink, buried, copyAt, frozen, onGithub } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const trusting: Route = widgetRoute;
const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const toTracker: Route = { ...checking, direction: 'to-tracker' };

const seen = (bug: Bug, change: Partial<BugVisibility> = {}): BugVisibility => ({
  ...{ isShown: true, at: 5_000, of: bugDigest(bug), details: {}, labels: [] },
  ...change,
});
const checked: Link = { ...aLink, visibility: seen(aBug) };
const ofPeople = { ...aCommentLink, ...onGithub };
const inputOf = (
  link: Link,
  commentLinks: readonly CommentLink[] = [],
  attachmentLinks: readonly AttachmentLink[] = [],
): PlanInput => ({ link, commentLinks, attachmentLinks, targets: [], duplicateOf: null, refused: {}, neighbours: [] });

const hiddenBug = { ...aBug, isPrivate: true };
const former: Link = { ...aLink, ...frozen, bug: null, tracker: null, claim: 12, movedTo: 'Gadget' };
const unshown = seen(aBug, { isShown: false });

describe('a bug', () => {
  test.each<[string, Link, Route, string | null]>([
    ['that is public', checked, checking, null],
    ['that nobody checked, on a route that trusts the tracker', aLink, trusting, null],
    ['in a group', { ...checked, tracker: hiddenBug }, checking, 'the bug is private'],
    [
      'in a group, on a route that trusts the tracker',
      { ...aLink, tracker: hiddenBug },
      trusting,
      'the bug is private',
    ],
    ['in a group, on a route to the tracker', { ...aLink, tracker: hiddenBug }, toTracker, 'the bug is private'],
    ['that the anonymous reader cannot see', { ...aLink, visibility: unshown }, checking, 'without an account'],
    ['that the anonymous reader cannot see, where nobody asks', { ...aLink, visibility: unshown }, trusting, null],
    ['that the anonymous reader cannot see, to the tracker', { ...aLink, visibility: unshown }, toTracker, null],
    ['that the tracker no longer shows', { ...checked, ...frozen }, checking, 'the bug is hidden'],
    ['of which only that is known', { ...aLink, ...frozen, tracker: null }, checking, 'the bug is hidden'],
    ['whose issue is out of reach', { ...checked, ...frozen, frozenBy: 'github' }, checking, null],
    ['that was deleted', { ...checked, ...buried }, checking, null],
    ['that is not known yet', { ...aLink, tracker: null }, checking, null],
    ['that another route took', former, checking, null],
    ['that another route took, and that was checked there', { ...former, visibility: seen(aBug) }, checking, null],
    [
      'that another route took, and that is hidden now',
      { ...former, visibility: unshown },
      checking,
      'where it moved to',
    ],
  ])('%s: whether it is hidden, and why', (_what, link, route, why) => {
    expect(whyHidden(route, link)).toEqual(why === null ? null : expect.stringContaining(why));
    expect(gate(route, inputOf(link)).kind === 'hidden', 'the gate says the same').toBe(why !== null);
  });

  test.each<[string, Link, Route, string]>([
    ['was checked as it is now', checked, checking, 'open'],
    ['was never checked', aLink, checking, 'waiting'],
    ['has changed since its check', { ...checked, tracker: { ...aBug, summary: 'Another' } }, checking, 'waiting'],
    ['was never checked, and nobody asks', aLink, trusting, 'open'],
    ['was never checked, on a route to the tracker', aLink, toTracker, 'open'],
    ['is not known, so that only the issue is', { ...aLink, tracker: null }, checking, 'open'],
  ])('%s: it passes, or waits for its check', (_what, link, route, kind) => {
    const gated = gate(route, inputOf(link));
    expect(gated).toMatchObject({ kind, ...(kind === 'waiting' ? { why: expect.stringContaining('bug 12') } : {}) });
  });

  const description: TrackerCommentLink = { ...aCommentLink, count: 0, state: 'pending', copy: null, text: 'Text' };
  const unmirrored: Link = { ...checked, issue: null, github: null };
  test.each<[string, Link, readonly CommentLink[], readonly AttachmentLink[], string]>([
    ['not checked', unmirrored, [description], [], 'waiting'],
    ['checked', unmirrored, [{ ...description, checkedDigest: 'd1' }], [], 'open'],
    ['checked in another version', unmirrored, [{ ...description, checkedDigest: 'd0' }], [], 'waiting'],
    ['not checked, of a bug that has its issue', checked, [description], [], 'open'],
    ['private', unmirrored, [{ ...description, state: 'withdrawn', reason: 'private' }], [], 'open'],
    ['about a hidden file', unmirrored, [{ ...description, attachment: 9 }], [{ ...aFile, ...withdrawn() }], 'open'],
    ['not read yet', unmirrored, [], [], 'open'],
    ['checked, with a comment that is not', unmirrored, [{ ...description, count: 1 }], [], 'open'],
    ['not checked, whose further part is', unmirrored, [{ ...description, part: 2 }], [], 'open'],
    ['of an issue', unmirrored, [ofPeople], [], 'open'],
  ])('gets no issue before its description is checked: one that is %s', (_what, link, comments, files, kind) => {
    expect(gate(checking, inputOf(link, comments, files)).kind).toBe(kind);
  });
});

function withdrawn() {
  return { state: 'withdrawn', reason: null, copy: null } as const;
}

const asSeen = { checkedDigest: fileDigest(aFile) };
const shownFile: AttachmentLink = { ...aFile, ...asSeen };
/** It stands before the file of each case, and must never speak for it. */
const other: AttachmentLink = { ...shownFile, id: attachmentLinkId(2), source: '8' };
const ofIssue: AttachmentLink = {
  ...aFile,
  ...{ origin: 'github', path: null, checkedDigest: null, state: 'pending', reason: null, copy: null },
};

const openedBy = (route: Route, comments: readonly CommentLink[], files: readonly AttachmentLink[]) => {
  const gated = gate(route, inputOf(checked, comments, files));
  return gated.kind === 'open' ? gated.input : null;
};

const fileCases: readonly (readonly [string, AttachmentLink, checking: boolean, trusting: boolean])[] = [
  ['that was checked', shownFile, true, true],
  ['that was never checked', aFile, false, true],
  [
    'that was checked under another name',
    { ...aFile, checkedDigest: fileDigest({ ...aFile, name: 'b' }) },
    false,
    true,
  ],
  ['that waits, and was checked', { ...shownFile, state: 'pending', reason: null, copy: null }, true, true],
  ['that waits, and was never checked', { ...aFile, state: 'pending', reason: null, copy: null }, false, true],
  ['that is only linked to, and was checked', { ...shownFile, state: 'linked', reason: 'x', copy: null }, true, true],
  ['that is hidden', { ...aFile, ...withdrawn() }, false, false],
  ['that is hidden, although it was checked', { ...shownFile, ...withdrawn() }, false, false],
  ['of an issue', ofIssue, true, true],
  ['of an issue, that was withdrawn', { ...ofIssue, ...withdrawn() }, true, true],
];

describe.each([
  ['checks', checking, 2],
  ['trusts the tracker', trusting, 3],
] as const)('on a route that %s', (_how, route, column) => {
  test.each(fileCases)('a file %s: whether it passes', (...row) => {
    const [, file] = row;
    const passing = openedBy(route, [], [other, file])?.attachmentLinks.map(({ id }) => id);
    expect(passing).toEqual(row[column] ? [2, 1] : [2]);
  });

  const about: CommentLink = { ...aCommentLink, attachment: 9, text: 'See it.', checkedDigest: 'd1' };
  const aboutOther: CommentLink = { ...about, id: commentLinkId(2), source: 102, attachment: 8 };
  // A file of an issue is no file of the tracker, even if the numbers are equal.
  test.each(fileCases.map((row) => [row[0], row[1], row[1].origin === 'github' || row[column]] as const))(
    'a comment about a file %s: whether it passes, while one about another file does',
    (_what, file, isPassing) => {
      const passing = openedBy(route, [aboutOther, about], [other, file])?.commentLinks.map(({ id }) => id);
      expect(passing).toEqual(isPassing ? [2, 1] : [2]);
    },
  );
});

describe('a comment', () => {
  const waiting: TrackerCommentLink = { ...aCommentLink, state: 'pending', copy: null, text: 'Text' };
  test.each<[string, CommentLink, boolean, boolean]>([
    ['that was checked', { ...waiting, checkedDigest: 'd1' }, true, true],
    ['that was never checked', waiting, false, true],
    ['that was checked before it was edited', { ...waiting, checkedDigest: 'd0' }, false, true],
    ['whose text is no longer needed', aCommentLink, true, true],
    [
      'that is mirrored, and was edited',
      { ...aCommentLink, text: 'New', digest: 'd2', checkedDigest: 'd1' },
      false,
      true,
    ],
    ['that is private', { ...waiting, state: 'withdrawn', reason: 'private', checkedDigest: 'd1' }, false, false],
    ['that is private, without a text', { ...aCommentLink, state: 'withdrawn', reason: 'private' }, false, false],
    ['of GitHub', { ...ofPeople, state: 'pending', copy: null, text: 'Text' }, true, true],
    ['of GitHub, that was withdrawn', { ...ofPeople, state: 'withdrawn', reason: 'x' }, true, true],
  ])('%s: whether it passes where the route checks, and where it trusts', (_what, commentLink, byCheck, byTrust) => {
    const passes = (route: Route) => openedBy(route, [commentLink], [])?.commentLinks.length === 1;
    expect([passes(checking), passes(trusting), passes(toTracker)]).toEqual([byCheck, byTrust, byTrust]);
  });
});

test('while a bug waits for its check, what began on GitHub passes, and nothing else', () => {
  const comments = [aCommentLink, { ...ofPeople, id: commentLinkId(2) }];
  const open = fromGithub(inputOf(aLink, comments, [{ ...other }, ofIssue]));
  expect(open.link).toEqual({ ...aLink, tracker: null });
  expect(open.commentLinks.map(({ origin }) => origin)).toEqual(['github']);
  expect(open.attachmentLinks.map(({ origin }) => origin)).toEqual(['github']);
  expect(open).toMatchObject({ targets: [], duplicateOf: null, neighbours: [] });
});

describe('an issue may be named', () => {
  const ofOther = { route: 'gadget' };
  test.each<[string, Link, Route, boolean]>([
    ['of its own route, without a check', aLink, trusting, true],
    ['of its own route, before its check', aLink, checking, true],
    [
      'of its own route, frozen because its issue is out of reach',
      { ...aLink, ...frozen, frozenBy: 'github' },
      checking,
      true,
    ],
    ['of its own route, whose bug is hidden', { ...aLink, ...frozen }, checking, false],
    ['of its own route, whose bug is private', { ...aLink, tracker: hiddenBug }, checking, false],
    ['of another route, checked', { ...checked, ...ofOther }, trusting, true],
    ['of another route, without a check', { ...aLink, ...ofOther }, trusting, false],
    ['of another route, not shown', { ...aLink, ...ofOther, visibility: unshown }, trusting, false],
    ['of another route, private', { ...checked, ...ofOther, tracker: hiddenBug }, trusting, false],
    ['of another route, whose bug is not known', { ...checked, ...ofOther, tracker: null }, trusting, false],
    ['of another route, frozen', { ...checked, ...ofOther, ...frozen, frozenBy: 'github' }, trusting, false],
    ['of another route, given up', { ...checked, ...ofOther, ...buried }, trusting, false],
    ['of another route, withdrawn', { ...checked, ...ofOther, isWithdrawn: true }, trusting, false],
  ])('%s: yes or no', (_what, link, route, isNamed) => {
    expect(isNameable(route, link)).toBe(isNamed);
  });
});

describe('of a public bug', () => {
  const rich: Bug = {
    ...aBug,
    creator: { login: 'bob@example.test', name: 'Bob of the Secret Team' },
    details: { alias: ['oven'], cf_secret: ['x'], estimated_time: ['3'], cc: ['ours'] },
    customs: { cf_area: ['a'], cf_inner: 'b' },
    whiteboard: '[tag]',
  };
  const visibility = seen(rich, {
    details: { alias: ['stove'], cc: ['theirs'], work_time: ['4'], estimated_time: ['3'], cf_new: ['n'] },
    labels: ['cf_area'],
  });

  test('the fields that the anonymous reader saw pass, as that reader saw them, and time tracking never does', () => {
    const shown = publicBug(checking, { ...aLink, tracker: rich, visibility });
    expect(shown).toEqual({
      ...aBug,
      creator: { login: 'bob@example.test', name: 'bob' },
      details: { alias: ['stove'], cc: ['theirs'] },
      customs: { cf_area: ['a'] },
    });
  });

  test('the whiteboard and the name of who filed it pass where that reader saw them', () => {
    const full = { ...visibility, labels: ['whiteboard'], creator: 'Bob' };
    const shown = publicBug(checking, { ...aLink, tracker: rich, visibility: full });
    expect(shown).toMatchObject({ whiteboard: '[tag]', creator: { name: 'Bob' }, customs: {} });
  });

  test('no further field passes before a check', () => {
    const shown = publicBug(checking, { ...aLink, tracker: rich, visibility: null });
    expect(shown).toMatchObject({ details: {}, customs: {}, creator: { name: 'bob' } });
    expect(shown).not.toHaveProperty('whiteboard');
  });

  test('all fields but time tracking pass on a route that trusts the tracker', () => {
    const { estimated_time: _estimated, ...details } = rich.details ?? {};
    expect(publicBug(trusting, { ...aLink, tracker: rich })).toEqual({ ...rich, details });
  });

  test.each(['estimated_time', 'remaining_time', 'actual_time', 'work_time', 'percentage_complete'])(
    '%s is left out, whatever a route lists',
    (name) => {
      expect(publicBug(trusting, { ...aLink, tracker: { ...aBug, details: { [name]: ['3'] } } })?.details).toEqual({});
    },
  );

  test('fields that it does not have do not appear, and a bug that is not known is none', () => {
    expect(publicBug(trusting, aLink)).toEqual(aBug);
    expect(publicBug(trusting, { ...aLink, tracker: null })).toBeNull();
  });

  test('the gate lets that bug pass, and no other', () => {
    expect(openedBy(checking, [], [])?.link.tracker).toEqual({ ...aBug, creator: { ...aBug.creator, name: 'bob' } });
  });
});

describe('a target of texts', () => {
  const target = (link: Link, comments: readonly CommentLink[] = [], files: readonly AttachmentLink[] = []) =>
    publicTarget(checking, link, comments, files);

  test.each<[string, Link, boolean]>([
    ['that is mirrored', checked, true],
    ['that is frozen', { ...checked, ...frozen, frozenBy: 'github' }, false],
    ['that is given up', { ...checked, ...buried }, false],
    ['whose bug is private', { ...checked, tracker: hiddenBug }, false],
    ['that the anonymous reader cannot see', { ...aLink, visibility: unshown }, false],
  ])('is a link %s, or not', (_what, link, isTarget) => {
    expect(target(link) !== null).toBe(isTarget);
  });

  test('has no private comment, none about a hidden file, and no file that is not public', () => {
    const about = (id: number, change: Partial<CommentLink>): CommentLink =>
      ({ ...aCommentLink, id: commentLinkId(id), count: id, ...change }) as CommentLink;
    const comments = [
      about(1, { copy: copyAt(701) }),
      about(2, { state: 'withdrawn', reason: 'private' }),
      about(3, { attachment: 9 }),
      about(4, { attachment: 8 }),
    ];
    const unchecked = { ...aFile, id: attachmentLinkId(3), source: '7' };
    const open = target(checked, comments, [other, { ...shownFile, ...withdrawn() }, unchecked]);
    expect(open?.comments.map(({ count }) => count)).toEqual([1, 4]);
    expect(open?.files.map(({ id }) => id)).toEqual([8]);
  });
});

describe('the other end of a relation', () => {
  test.each<[string, Link, boolean | null]>([
    ['is named', checked, true],
    ['is not named if its bug is private', { ...checked, tracker: hiddenBug }, false],
    ['is not named if it is frozen', { ...checked, ...frozen, frozenBy: 'github' }, false],
    ['is not named if its bug is not known', { ...checked, tracker: null }, false],
    ['is none if it is given up', { ...checked, ...buried }, null],
    ['is none without an issue', { ...checked, github: null, issue: null }, null],
  ])('%s', (_what, link, isShown) => {
    expect(publicNeighbour(checking, link)?.isShown ?? null).toBe(isShown);
  });
});

describe('a route', () => {
  test.each<[string, Partial<Route>, Audience, string | null]>([
    ['of a public repository and an open tracker', {}, { isPrivate: false, isServed: true }, null],
    ['where neither is known', {}, { isPrivate: null, isServed: null }, null],
    ['of a private repository', {}, { isPrivate: true, isServed: true }, 'acme/widget is private'],
    ['of a private repository, to GitHub', { direction: 'to-github' }, { isPrivate: true, isServed: true }, null],
    ['of a private repository that may', { privateRepository: 'mirror' }, { isPrivate: true, isServed: true }, null],
    ['of a closed tracker', {}, { isPrivate: false, isServed: false }, 'shows nothing to readers without an account'],
    ['of a closed tracker, unchecked', { visibilityCheck: 'none' }, { isPrivate: false, isServed: false }, null],
    ['of a closed tracker, to it', { direction: 'to-tracker' }, { isPrivate: false, isServed: false }, null],
  ])('%s: whether it may run', (_what, change, audience, why) => {
    expect(whyRefused({ ...checking, privateRepository: 'refuse', ...change }, audience)).toEqual(
      why && expect.stringContaining(why),
    );
  });

  test.each<[string, Route, string | null]>([
    ['that checks asks without an account', checking, 'anonymous'],
    ['that trusts the tracker asks with the account', trusting, 'account'],
    ['to the tracker asks nobody', toTracker, null],
  ])('%s', (_what, route, reader) => {
    expect(lookReaderOf(route)).toBe(reader);
  });
});

describe('a check says nothing about', () => {
  test.each<[string, Partial<Bug>]>([
    ['another product', { product: 'Gadget' }],
    ['another title', { summary: 'Another' }],
    ['another status', { status: 'IN_PROGRESS' }],
    ['another resolution', { resolution: 'FIXED' }],
    ['another milestone', { milestone: '2.0' }],
    ['another severity', { values: { ...aBug.values, severity: 'major' } }],
    ['another keyword', { keywords: ['crash'] }],
  ])('%s: every reader has to see that one', (_what, change) => {
    expect(bugDigest({ ...aBug, ...change })).not.toBe(bugDigest(aBug));
    expect(isSameBug(aBug, { ...aBug, ...change })).toBe(false);
  });

  test.each<[string, Partial<Bug>]>([
    ['another original', { dupeOf: bugId(3) }],
    ['another address in See Also', { seeAlso: ['https://example.test/1'] }],
    ['another dependency', { dependsOn: [bugId(3)] }],
    ['another detail', { details: { alias: ['oven'] } }],
    ['another custom field', { customs: { cf_area: 'a' } }],
    ['another whiteboard', { whiteboard: '[tag]' }],
  ])('%s, of which two readers may see different things', (_what, change) => {
    expect(bugDigest({ ...aBug, ...change })).not.toBe(bugDigest(aBug));
    expect(isSameBug(aBug, { ...aBug, ...change })).toBe(true);
  });

  test('the order in which values and keywords come, and who did what when, make no other version', () => {
    const one = { ...aBug, values: { component: 'Core', severity: 'major' }, keywords: ['b', 'a'] };
    const same = { ...one, values: { severity: 'major', component: 'Core' }, keywords: ['a', 'b'], changedAt: 9 };
    expect(bugDigest(same)).toBe(bugDigest(one));
    expect(isSameBug(same, one)).toBe(true);
  });

  test.each<[string, Partial<AttachmentLink>]>([
    ['name', { name: 'b.log' }],
    ['summary', { summary: 'Another' }],
    ['type', { type: 'image/png' }],
    ['size', { size: 1 }],
    ['flag', { flags: ['review+'] }],
  ])('a file with another %s', (_what, change) => {
    expect(fileDigest({ ...aFile, ...change } as AttachmentLink)).not.toBe(fileDigest(aFile));
  });
});
