import { describe, expect, test } from 'vitest';
import { commentLinkId, type Side } from '../../src/model/ids.ts';
import type { Comment } from '../../src/model/item.ts';
import { bodyId, type CommentCopy, type CommentLink, type Link } from '../../src/model/link.ts';
import type { Account } from '../../src/model/people.ts';
import { bodyDigest, readBody } from '../../src/rules/comments/body.ts';
import { expectedCommentCount } from '../../src/rules/comments/missing.ts';
import { readThread } from '../../src/rules/comments/thread.ts';
import { canonicalText, digestOf } from '../../src/text/canonical.ts';
import {
  aBug,
  aCommentLink,
  aLink,
  anIssue,
  bugEnd,
  copyAt,
  issueComment,
  onGithub,
  ourMarker,
  ours,
  trackerComment,
} from '../planner/samples.ts';
import { us } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const digest = (text: string): string => digestOf(canonicalText(text));
const fromGithub: CommentLink = {
  ...aCommentLink,
  ...onGithub,
  source: 700,
  count: null,
  copy: copyAt(101),
  text: 'Me too.',
  digest: digest('Me too.'),
};
const pendingTracker: CommentLink = {
  ...aCommentLink,
  copy: null,
  state: 'pending',
  text: 'Same here.',
  digest: digest('Same here.'),
  mirrored: null,
};
const pendingGithub: CommentLink = { ...fromGithub, copy: null, state: 'pending', reason: null, mirrored: null };
const copyOnGithub = `**carol** wrote:\n\nSame here.\n\n<!-- bugferry:1 acme bug=12 comment=101 -->`;
const copyOnTracker = `GitHub user mona wrote (${anIssue.url}#issuecomment-700):\n\nMe too.`;
const ourCopy = issueComment(700, copyOnGithub, { author: ours.github });
/** Our copy, as it is remembered. */
const existing = { ...aCommentLink, copy: copyAt(700, { digest: digest(copyOnGithub) }), wrote: digest(copyOnGithub) };
const ourTrackerCopy = trackerComment(101, copyOnTracker, { author: ours.tracker });

type Expected = Partial<Omit<CommentLink, 'copy'>> & { readonly copy?: Partial<CommentCopy> | null };

interface Case {
  readonly name: string;
  readonly side: Side;
  readonly comments: readonly Comment[];
  readonly commentLinks?: readonly CommentLink[];
  readonly link?: Link;
  readonly isWhole?: boolean;
  readonly own?: Account | null;
  readonly add?: readonly Expected[];
  readonly save?: readonly Expected[];
  readonly isPointed?: boolean;
  readonly claim?: number | null;
}

const filedFrom = `GitHub user mona wrote (${anIssue.url}):\n\nIt crashes.`;
const bodyEdited = `GitHub user mona edited (${anIssue.url}, revision abc123):\n\nIt hangs.`;

const cases: readonly Case[] = [
  {
    name: 'the description of a bug that we filed is ours, whatever name the tracker shows',
    side: 'tracker',
    link: { ...aLink, origin: 'github' },
    comments: [trackerComment(100, filedFrom)],
    add: [{ origin: 'github', source: bodyId, copy: { id: 100 }, state: 'mirrored' }],
    claim: 5,
  },
  {
    name: 'the description of a bug that a person filed is not',
    side: 'tracker',
    comments: [trackerComment(100, filedFrom)],
    add: [{ origin: 'tracker', source: 100, state: 'pending' }],
  },
  {
    name: 'a copy that an issue of a hidden bug lacks was taken back by us, also if an older state does not know that',
    side: 'github',
    isWhole: true,
    link: { ...aLink, isWithdrawn: true },
    comments: [],
    commentLinks: [existing],
    save: [{ state: 'pending', copy: null }],
  },
  {
    name: 'a later comment like it is not',
    side: 'tracker',
    link: { ...aLink, origin: 'github' },
    comments: [trackerComment(102, filedFrom)],
    add: [{ origin: 'tracker', source: 102, state: 'pending' }],
  },
  {
    name: 'the description of a bug without an issue is not',
    side: 'tracker',
    link: bugEnd({ origin: 'github' }),
    comments: [trackerComment(100, filedFrom)],
    add: [{ origin: 'tracker', source: 100, state: 'pending' }],
  },
  {
    name: 'a report about the body of an issue that mirrors a bug belongs to the description',
    side: 'tracker',
    comments: [trackerComment(102, bodyEdited, { author: ours.tracker })],
    commentLinks: [
      aCommentLink,
      { ...aCommentLink, id: commentLinkId(2), source: 100, count: 0, copy: copyAt(bodyId) },
    ],
    add: [{ source: 102, state: 'skipped' }],
    save: [{ id: commentLinkId(2), copy: copyAt(bodyId, { digest: 'abc123', isEdited: true }) }],
  },
  {
    name: 'a report about a comment does not belong to the description',
    side: 'tracker',
    comments: [trackerComment(102, bodyEdited.replace(',', '#issuecomment-9,'), { author: ours.tracker })],
    commentLinks: [{ ...aCommentLink, source: 100, count: 0, copy: copyAt(bodyId) }],
    add: [{ source: 102, state: 'skipped' }],
  },
  {
    name: 'a copy of the body does not belong to the description',
    side: 'tracker',
    comments: [trackerComment(102, filedFrom, { author: ours.tracker })],
    commentLinks: [{ ...aCommentLink, source: 100, count: 0, copy: copyAt(bodyId) }],
    add: [{ origin: 'github', source: bodyId, copy: { id: 102 } }],
  },
  {
    name: 'a new comment waits to be mirrored',
    side: 'tracker',
    comments: [trackerComment(102, 'Hello')],
    add: [{ origin: 'tracker', source: 102, state: 'pending', text: 'Hello' }],
  },
  {
    name: 'a new comment on GitHub waits too',
    side: 'github',
    comments: [issueComment(800, 'Hi\r\n')],
    add: [{ origin: 'github', source: 800, state: 'pending', text: 'Hi' }],
  },
  {
    name: 'a private comment is not even remembered',
    side: 'tracker',
    comments: [trackerComment(102, 'Hello', { isPrivate: true })],
  },
  {
    name: 'a copy that people hid before it was known to have arrived is a copy',
    side: 'tracker',
    comments: [{ ...ourTrackerCopy, isPrivate: true }],
    commentLinks: [pendingGithub],
    save: [{ state: 'mirrored', copy: { id: 101 } }],
  },
  {
    name: 'a lost database learns a copy that people hid',
    side: 'tracker',
    comments: [{ ...ourTrackerCopy, isPrivate: true }],
    add: [{ source: 700, copy: { id: 101 }, state: 'mirrored' }],
  },
  {
    name: 'a copy that people hid stays known',
    side: 'tracker',
    comments: [{ ...ourTrackerCopy, isPrivate: true }],
    commentLinks: [fromGithub],
  },
  {
    name: 'what people wrote in private with our account is not even remembered',
    side: 'tracker',
    comments: [trackerComment(102, 'Hello', { isPrivate: true, author: ours.tracker })],
  },
  {
    name: 'an empty comment is skipped',
    side: 'tracker',
    comments: [trackerComment(102, ' \n')],
    add: [{ state: 'skipped', reason: 'it has no text', text: null }],
  },
  {
    name: 'a comment on GitHub that shows nothing is skipped',
    side: 'github',
    comments: [issueComment(800, '<!-- Please fill in -->\r\n\r\n<!-- and this -->'), issueComment(801, ' ')],
    add: [
      { source: 800, state: 'skipped', reason: 'it has no text', text: null },
      { source: 801, state: 'skipped', reason: 'it has no text', text: null },
    ],
  },
  {
    name: 'one that shows a comment of HTML is not',
    side: 'github',
    comments: [
      issueComment(800, '    <!-- Please fill in -->'),
      issueComment(801, '<!--> this'),
      issueComment(802, '<!-- open'),
    ],
    add: [{ state: 'pending' }, { state: 'pending' }, { state: 'pending' }],
  },
  {
    name: 'words that somebody writes into it are mirrored',
    side: 'github',
    comments: [issueComment(700, '<!-- Please fill in -->\nMe too.')],
    commentLinks: [
      {
        ...pendingGithub,
        state: 'skipped',
        reason: 'it has no text',
        text: null,
        digest: digest('<!-- Please fill in -->'),
      },
    ],
    save: [
      { id: fromGithub.id, state: 'pending', reason: null, text: '<!-- Please fill in -->\nMe too.', before: null },
    ],
  },
  {
    name: 'another nothing is nothing',
    side: 'github',
    comments: [issueComment(700, '<!-- -->')],
    commentLinks: [{ ...pendingGithub, state: 'skipped', reason: 'it has no text', text: null, digest: digest('') }],
    save: [{ state: 'skipped', text: null, digest: digest('<!-- -->') }],
  },
  {
    name: 'what is emptied before it was mirrored is not mirrored',
    side: 'github',
    comments: [issueComment(700, '<!-- never mind -->')],
    commentLinks: [pendingGithub],
    save: [{ state: 'skipped', reason: 'it has no text' }],
  },
  {
    name: 'what is emptied after that is told like any edit',
    side: 'github',
    comments: [issueComment(700, '<!-- never mind -->')],
    commentLinks: [{ ...fromGithub, mirrored: digest('Me too.') }],
    save: [{ state: 'mirrored', text: '<!-- never mind -->', before: 'Me too.' }],
  },
  {
    name: 'an empty description is a description',
    side: 'tracker',
    comments: [trackerComment(100, '')],
    add: [{ state: 'pending', count: 0 }],
  },
  {
    name: 'what the tracker writes about duplicates is skipped',
    side: 'tracker',
    comments: [
      trackerComment(102, '*** This bug has been marked as a duplicate of bug 7 ***'),
      trackerComment(103, '*** Bug 8 has been marked as a duplicate of this bug. ***'),
    ],
    add: [{ state: 'skipped' }, { state: 'skipped' }],
  },
  {
    name: 'a person may quote what the tracker writes',
    side: 'tracker',
    comments: [trackerComment(102, 'Why?\n*** This bug has been marked as a duplicate of bug 7 ***')],
    add: [{ state: 'pending' }],
  },
  { name: 'the echo of a copy is nothing new', side: 'github', comments: [ourCopy], commentLinks: [existing] },
  {
    name: 'a known comment is nothing new',
    side: 'tracker',
    comments: [trackerComment(101, 'anything')],
    commentLinks: [{ ...aCommentLink, digest: digest('anything') }],
  },
  {
    name: 'a comment edited on GitHub is remembered anew',
    side: 'github',
    comments: [issueComment(700, 'Me not.')],
    commentLinks: [fromGithub],
    save: [{ id: fromGithub.id, text: 'Me not.', digest: digest('Me not.') }],
  },
  {
    name: 'what was mirrored is kept while its edit waits to be reported',
    side: 'github',
    comments: [issueComment(700, 'Me not.')],
    commentLinks: [{ ...fromGithub, mirrored: digest('Me too.') }],
    save: [{ text: 'Me not.', before: 'Me too.' }],
  },
  {
    name: 'of several edits the text before the first is kept',
    side: 'github',
    comments: [issueComment(700, 'Me neither.')],
    commentLinks: [
      { ...fromGithub, text: 'Me not.', digest: digest('Me not.'), mirrored: digest('Me too.'), before: 'Me too.' },
    ],
    save: [{ text: 'Me neither.', before: 'Me too.' }],
  },
  {
    name: 'an edit that was taken back needs no report',
    side: 'github',
    comments: [issueComment(700, 'Me too.')],
    commentLinks: [
      { ...fromGithub, text: 'Me not.', digest: digest('Me not.'), mirrored: digest('Me too.'), before: 'Me too.' },
    ],
    save: [{ text: 'Me too.', digest: digest('Me too.'), before: null }],
  },
  {
    name: 'line ends are no edit',
    side: 'github',
    comments: [issueComment(700, 'Me too.\r\n', { createdAt: fromGithub.createdAt })],
    commentLinks: [fromGithub],
  },
  {
    name: 'a copy edited by hand is known to be',
    side: 'github',
    comments: [issueComment(700, 'defaced', { author: ours.github })],
    commentLinks: [existing],
    save: [{ copy: { ...existing.copy, isEdited: true }, isStale: false }],
  },
  {
    name: 'a copy that was edited by hand and put back is ours again, and compared, as something may have been missed',
    side: 'github',
    comments: [ourCopy],
    commentLinks: [{ ...existing, copy: { ...existing.copy, isEdited: true } }],
    save: [{ copy: existing.copy, isStale: true }],
  },
  {
    name: 'a copy edited once more is kept with its version',
    side: 'github',
    comments: [issueComment(700, 'defaced again', { author: ours.github })],
    commentLinks: [{ ...existing, copy: { ...existing.copy, isEdited: true } }],
    save: [{ copy: { ...existing.copy, isEdited: true }, changedAt: 7_000 }],
  },
  {
    name: 'a version of a copy that was seen before is nothing new',
    side: 'github',
    comments: [issueComment(700, 'defaced again', { author: ours.github })],
    commentLinks: [{ ...existing, changedAt: 7_000, copy: { ...existing.copy, isEdited: true } }],
  },
  {
    name: 'what a lost answer carried is no edit by hand',
    side: 'github',
    comments: [ourCopy],
    commentLinks: [{ ...existing, copy: { ...existing.copy, digest: digest('before') }, wrote: existing.copy.digest }],
    save: [{ copy: existing.copy }],
  },
  {
    name: 'a tracker comment that was edited makes its copy stale',
    side: 'tracker',
    comments: [trackerComment(101, 'Other words')],
    commentLinks: [{ ...aCommentLink, digest: digest('anything') }],
    save: [{ text: 'Other words', digest: digest('Other words'), mirrored: 'd1', isStale: true }],
  },
  {
    name: 'a tracker comment that was edited before it had a copy is copied as it is',
    side: 'tracker',
    comments: [trackerComment(101, 'Other words')],
    commentLinks: [pendingTracker],
    save: [{ text: 'Other words', state: 'pending', isStale: false }],
  },
  {
    name: 'the text of a stale copy is read again',
    side: 'tracker',
    comments: [trackerComment(101, 'anything')],
    commentLinks: [{ ...aCommentLink, digest: digest('anything'), isStale: true }],
    save: [{ text: 'anything', digest: digest('anything'), isStale: true }],
  },

  {
    name: 'a copy in doubt is paired with its source on the tracker',
    side: 'github',
    comments: [ourCopy],
    commentLinks: [pendingTracker],
    save: [{ state: 'mirrored', copy: { id: 700 }, mirrored: pendingTracker.digest }],
  },
  {
    name: 'a copy in doubt is paired with its source on GitHub',
    side: 'tracker',
    comments: [ourTrackerCopy],
    commentLinks: [pendingGithub],
    save: [{ state: 'mirrored', copy: { id: 101 }, mirrored: pendingGithub.digest }],
  },
  {
    name: 'a copy of an older text is paired, and the edit still travels',
    side: 'tracker',
    comments: [ourTrackerCopy],
    commentLinks: [{ ...pendingGithub, text: 'Me not.', digest: digest('Me not.') }],
    save: [{ state: 'mirrored', copy: { id: 101 }, digest: digest('Me not.'), mirrored: digest('Me too.') }],
  },
  {
    name: 'a second copy does not replace the first',
    side: 'github',
    comments: [{ ...ourCopy, id: 701 }],
    commentLinks: [aCommentLink],
    save: [{ copy: { id: 700 }, state: 'mirrored' }],
  },
  {
    name: 'what was deleted is not revived by a copy',
    side: 'github',
    comments: [{ ...ourCopy, id: 701 }],
    commentLinks: [{ ...aCommentLink, state: 'gone', reason: 'deleted', copy: null }],
    save: [{ state: 'gone', copy: null }],
  },
  {
    name: 'a marker that a person forged is text',
    side: 'github',
    comments: [issueComment(700, copyOnGithub)],
    commentLinks: [pendingTracker],
    add: [{ origin: 'github', source: 700, state: 'pending' }],
  },
  {
    name: 'a line that a person forged on the tracker is text',
    side: 'tracker',
    comments: [trackerComment(102, copyOnTracker)],
    add: [{ state: 'pending', source: 102 }],
  },
  {
    name: 'our copy of a comment of another bug is no word of a person',
    side: 'github',
    comments: [{ ...ourCopy, text: copyOnGithub.replace('bug=12', 'bug=13') }],
    commentLinks: [pendingTracker],
    add: [{ state: 'skipped', reason: 'the bridge wrote it' }],
  },
  {
    name: 'where we do not know ourselves, a marker of another bug is text',
    side: 'github',
    own: null,
    comments: [{ ...ourCopy, text: copyOnGithub.replace('bug=12', 'bug=13') }],
    commentLinks: [pendingTracker],
    add: [{ state: 'pending' }],
  },
  {
    name: 'where we do not know ourselves, the marker decides',
    side: 'github',
    own: null,
    comments: [issueComment(700, copyOnGithub)],
    commentLinks: [pendingTracker],
    save: [{ copy: { id: 700 } }],
  },

  {
    name: 'a lost database learns a copy on the tracker',
    side: 'tracker',
    comments: [ourTrackerCopy],
    add: [
      {
        origin: 'github',
        source: 700,
        copy: { id: 101 },
        state: 'mirrored',
        digest: digest('Me too.'),
        mirrored: digest('Me too.'),
      },
    ],
  },
  {
    name: 'a lost database learns the copy of an empty text',
    side: 'tracker',
    comments: [{ ...ourTrackerCopy, text: copyOnTracker.split('\n')[0] ?? '' }],
    add: [{ source: 700, mirrored: digest('') }],
  },
  {
    name: 'a lost database learns that an edit was reported',
    side: 'tracker',
    comments: [
      ourTrackerCopy,
      trackerComment(102, `GitHub user mona edited (${anIssue.url}#issuecomment-700, revision abc123):\n\nMe not.`, {
        author: ours.tracker,
      }),
    ],
    add: [
      { source: 700, copy: { id: 101 }, mirrored: 'abc123' },
      { origin: 'tracker', source: 102, state: 'skipped' },
    ],
  },
  {
    name: 'a report in doubt is taken note of',
    side: 'tracker',
    comments: [
      trackerComment(102, `GitHub user mona edited (${anIssue.url}#issuecomment-700, revision abc123):\n\nMe not.`, {
        author: ours.tracker,
      }),
    ],
    commentLinks: [fromGithub],
    add: [{ source: 102, state: 'skipped' }],
    save: [{ id: fromGithub.id, mirrored: 'abc123' }],
  },
  {
    name: 'a pointer is seen and not mirrored',
    side: 'tracker',
    comments: [trackerComment(102, `This bug is mirrored on GitHub (${anIssue.url}).`, { author: ours.tracker })],
    add: [{ state: 'skipped' }],
    isPointed: true,
  },
  {
    name: 'a description that was filed from an issue claims it',
    side: 'tracker',
    link: bugEnd(),
    comments: [
      trackerComment(100, `GitHub user mona wrote (${anIssue.url}):\n\nIt crashes.`, { author: ours.tracker }),
    ],
    add: [{ origin: 'github', source: bodyId, copy: { id: 100 }, state: 'mirrored' }],
    claim: 5,
  },

  {
    name: 'a comment that is no longer there is gone',
    side: 'github',
    isWhole: true,
    comments: [],
    commentLinks: [fromGithub],
    save: [{ state: 'gone', text: null, copy: { id: 101 }, reason: 'deleted or hidden on GitHub' }],
  },
  {
    name: 'a copy that is no longer there is gone',
    side: 'github',
    isWhole: true,
    comments: [],
    commentLinks: [aCommentLink],
    save: [{ state: 'gone', copy: null }],
  },
  {
    name: 'a comment that was not asked for is not gone',
    side: 'github',
    isWhole: false,
    comments: [],
    commentLinks: [fromGithub],
  },
  {
    name: 'a comment that is private now is to be withdrawn, and its copy known until then',
    side: 'tracker',
    isWhole: true,
    comments: [trackerComment(101, 'Secret', { isPrivate: true })],
    commentLinks: [{ ...aCommentLink, text: 'Said' }],
    save: [{ state: 'withdrawn', text: null, copy: { id: 700 }, reason: 'it is private' }],
  },
  {
    name: 'a comment that the tracker no longer shows is to be withdrawn, with the further parts of its text',
    side: 'tracker',
    isWhole: true,
    comments: [],
    commentLinks: [aCommentLink, { ...aCommentLink, id: commentLinkId(9), part: 2, copy: copyAt(701) }],
    save: [
      { state: 'withdrawn', copy: { id: 700 } },
      { state: 'withdrawn', copy: { id: 701 } },
    ],
  },
  {
    name: 'a comment that is public again waits to be copied',
    side: 'tracker',
    comments: [trackerComment(101, 'Said')],
    commentLinks: [{ ...aCommentLink, state: 'withdrawn', reason: 'hidden', copy: null }],
    save: [{ state: 'pending', text: 'Said', checkedDigest: null }],
  },
  {
    name: 'a copy that was in doubt is known to stand, and is still to be erased',
    side: 'github',
    comments: [ourCopy],
    commentLinks: [{ ...aCommentLink, state: 'withdrawn', reason: 'hidden', copy: null }],
    save: [{ state: 'withdrawn', copy: { id: 700 } }],
  },
  {
    name: 'a body has no comment that could be gone',
    side: 'github',
    isWhole: true,
    comments: [],
    commentLinks: [{ ...aCommentLink, copy: copyAt(bodyId) }],
  },
  {
    name: 'what is gone stays as it is',
    side: 'github',
    isWhole: true,
    comments: [],
    commentLinks: [{ ...fromGithub, state: 'gone', reason: 'deleted' }],
  },
  {
    name: 'what waits for its copy is not gone on the other side',
    side: 'github',
    isWhole: true,
    comments: [],
    commentLinks: [pendingTracker],
  },
];

describe('reading a thread', () => {
  test.each(cases)('$name', (given) => {
    const { side, comments, commentLinks = [], link = aLink, isWhole = false, own = us[side] } = given;
    const reading = readThread(
      widgetRoute,
      link,
      commentLinks,
      side,
      { ref: 5, isWhole, comments, readAt: 9000 },
      { own },
    );
    expect(reading.add).toMatchObject(given.add ?? []);
    expect(reading.save).toMatchObject(given.save ?? []);
    expect(reading.add).toHaveLength((given.add ?? []).length);
    expect(reading.save).toHaveLength((given.save ?? []).length);
    expect(reading.isPointed).toBe(given.isPointed ?? false);
    expect(reading.claim).toBe(given.claim ?? null);
  });
});

describe('reading the body of an issue', () => {
  const description: CommentLink = { ...pendingTracker, count: 0 };
  const asSource: CommentLink = { ...fromGithub, source: bodyId, copy: copyAt(100), digest: bodyDigest('It crashes.') };
  test.each([
    {
      name: 'of a person waits to be mirrored',
      body: 'It crashes.',
      commentLinks: [],
      expected: { state: 'pending', origin: 'github', source: bodyId, text: 'It crashes.' },
    },
    { name: 'that did not change says nothing', body: 'It crashes.', commentLinks: [asSource], expected: null },
    {
      name: 'that was edited is remembered anew',
      body: 'It hangs.',
      commentLinks: [asSource],
      expected: { digest: bodyDigest('It hangs.'), text: 'It hangs.' },
    },
    {
      name: 'that only got our footer says nothing',
      body: `It crashes.\n\n---\n*Mirrored as bug 12.*\n\n${ourMarker}`,
      commentLinks: [asSource],
      expected: null,
    },
    {
      name: 'that is a known copy says nothing',
      body: 'defaced',
      commentLinks: [{ ...aCommentLink, copy: copyAt(bodyId) }],
      expected: null,
    },
    {
      name: 'with our marker is paired with the description',
      body: `Same here.\n\n${ourMarker}`,
      commentLinks: [description],
      expected: { id: description.id, copy: { id: bodyId }, state: 'mirrored' },
    },
    {
      name: 'with our marker waits for the description',
      body: `Same here.\n\n${ourMarker}`,
      commentLinks: [],
      expected: null,
    },
    {
      name: 'with our marker is not paired with another comment',
      body: `Same here.\n\n${ourMarker}`,
      commentLinks: [
        pendingTracker,
        { ...description, state: 'gone' as const, reason: 'deleted' },
        { ...fromGithub, source: 9, count: 0 },
      ],
      expected: null,
    },
    {
      name: 'that an earlier version of the bridge withdrew is not paired with the hidden description',
      body: `What stood here was withdrawn, because its original is not public.\n\n${ourMarker}`,
      commentLinks: [{ ...description, state: 'withdrawn' as const, reason: 'it is private', copy: null }],
      expected: null,
    },
    {
      name: 'is not taken for a comment',
      body: 'It crashes.',
      commentLinks: [fromGithub, { ...aCommentLink, source: bodyId }],
      expected: { state: 'pending', source: bodyId },
    },
  ])('one $name', ({ body, commentLinks, expected }) => {
    const read = readBody(widgetRoute, aLink, { ...anIssue, body }, commentLinks, us.github);
    if (expected === null) expect(read).toBeNull();
    else expect(read).toMatchObject(expected);
  });
});

describe('a body with our marker, of whose private bug nothing can be read,', () => {
  const footed = (text: string) =>
    `${text}---\n*Mirrored as [bug 12](https://bugs.example.org/show_bug.cgi?id=12).*\n\n${ourMarker}`;
  const copied = `**Alice** opened [bug 12](https://bugs.example.org/show_bug.cgi?id=12) on 2026-01-05 08:00 UTC:\n\nIt fails.\n\n`;
  const hidden: Link = { ...aLink, tracker: { ...aBug, isPrivate: true } };
  const read = (body: string, own: Account | null = us.github, link = hidden) =>
    readBody(widgetRoute, link, { ...anIssue, body, author: { login: 'mona', name: 'mona' } }, [], own);

  test.each([
    ['a link under it', footed('It crashes.\n\n')],
    ['a link under it, and saved on the website', footed('It crashes.\n\n').replaceAll('\n', '\r\n')],
    ['a link under nothing', footed('')],
    ['a plain line under it', `It crashes.\n\n---\n*Mirrored as bug 12, which is not public.*\n\n${ourMarker}`],
    [
      'somebody else quoted in it',
      footed('> **Alice** opened [bug 12](https://b.example) on Monday:\n\nSame here.\n\n'),
    ],
  ])('is of people with %s', (_what, body) => {
    expect(read(body)).toMatchObject({ origin: 'github', source: bodyId, state: 'pending' });
  });

  test.each([
    ['our marker alone', () => read(`It crashes.\n\n${ourMarker}`)],
    ['the words of a copy, which an account opened that was ours', () => read(footed(copied))],
    ['the words of a copy further down', () => read(footed(`Edited by hand.\n\n${copied}`))],
    ['an author who is our account, in any case', () => read(footed('It crashes.\n\n'), { login: 'MONA' })],
    ['an account of ours that nobody knows', () => read(footed('It crashes.\n\n'), null)],
    ['a bug that is public, and will be read', () => read(footed('It crashes.\n\n'), us.github, aLink)],
  ])('counts as a copy with %s', (_what, said) => {
    expect(said()).toBeNull();
  });
});

test('an issue should show the comments that began there, and the copies that stand there', () => {
  const commentLinks: readonly CommentLink[] = [
    aCommentLink,
    fromGithub,
    { ...aCommentLink, id: commentLinkId(3), copy: copyAt(bodyId) },
    { ...fromGithub, id: commentLinkId(4), source: bodyId },
    { ...fromGithub, id: commentLinkId(5), state: 'gone', reason: 'deleted' },
    pendingTracker,
    { ...pendingGithub, state: 'skipped', reason: 'it has no text' },
  ];
  expect(expectedCommentCount(commentLinks)).toBe(3);
});
