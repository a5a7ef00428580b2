/** What texts refer to: what may be linked leads where it is meant to, and nothing else leads anywhere. */

import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import { bugId, commentLinkId } from '../../src/model/ids.ts';
import { bodyId, type CommentLink, type Link } from '../../src/model/link.ts';
import { issueReferencesOf, referencesOf, referredIn } from '../../src/rules/links/targets.ts';
import { publicTarget } from '../../src/rules/privacy/gate.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import {
  aBug,
  aCommentLink,
  aLink,
  anIssue,
  bugEnd,
  buried,
  copyAt,
  frozen,
  issueEnd,
  onGithub,
} from '../planner/samples.ts';
import { url } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const description: CommentLink = { ...aCommentLink, id: commentLinkId(2), source: 100, count: 0, copy: copyAt(bodyId) };
const pending: CommentLink = {
  ...aCommentLink,
  id: commentLinkId(3),
  source: 102,
  count: 2,
  copy: null,
  state: 'pending',
};
const fromGithub: CommentLink = {
  ...aCommentLink,
  id: commentLinkId(4),
  ...onGithub,
  source: 800,
  count: 3,
  copy: copyAt(103),
};
const uncounted: CommentLink = { ...fromGithub, id: commentLinkId(5), source: 801, count: null };
const part: CommentLink = { ...aCommentLink, id: commentLinkId(6), part: 2, parts: 2, copy: copyAt(777) };
const commentLinks = [description, aCommentLink, pending, fromGithub, uncounted, part];

const file = (id: number, change: Partial<AttachmentLink>) =>
  ({
    origin: 'tracker',
    source: String(id),
    url: `https://tracker.test/attachment.cgi?id=${id}`,
    copy: null,
    ...change,
  }) as AttachmentLink;
const files: readonly AttachmentLink[] = [
  file(9, {
    state: 'mirrored',
    copy: { url: 'https://github.com/acme/widget/raw/attachments/9', sha256: null, excerpt: null },
  }),
  file(10, { state: 'linked' }),
  file(11, { state: 'withdrawn' }),
];

const whole = publicTarget(widgetRoute, aLink, commentLinks, files);
const half = publicTarget(
  widgetRoute,
  bugEnd({ bug: bugId(13), tracker: { ...aBug, id: bugId(13), url: `${url.tracker}13` } }),
  [],
  [],
);
const targets = [whole, half].filter((target) => target !== null);
const issue = anIssue.url;
const copyOfFile = 'https://github.com/acme/widget/raw/attachments/9';
/** A route of a tracker that had another address before. */
const moved = { formerUrls: ['https://old.test/bugzilla'] };

describe('what may be referred to', () => {
  test.each<[string, Link]>([
    ['a frozen link', { ...aLink, ...frozen }],
    ['a buried link', { ...aLink, ...buried }],
    ['a private bug', { ...aLink, tracker: { ...aBug, isPrivate: true } }],
  ])('%s may not', (_name, link) => {
    expect(publicTarget(widgetRoute, link, commentLinks, files)).toBeNull();
  });

  test('an issue without a bug has no comments that people could number', () => {
    expect(publicTarget(widgetRoute, issueEnd(), [fromGithub], [])?.comments).toEqual([]);
  });
});

/** The page of bug 12, with this behind the host. */
const withHost = (more: string): string => `${url.tracker}12`.replace(/^https:\/\/[^/]+/u, `$&${more}`);

describe('words of the tracker', () => {
  const linkIn = (text: string) =>
    /\]\((.*)\)$/u.exec(toMarkdown(text, referencesOf(moved, aBug.id, targets)))?.[1] ?? null;
  test.each([
    ['a mirrored bug', 'bug 12', issue],
    ['a bug that is not mirrored yet', 'bug 13', `${url.tracker}13`],
    ['an unknown bug', 'bug 14', null],
    ['the description', 'comment 0', issue],
    ['a mirrored comment', 'comment 1', `${issue}#issuecomment-700`],
    ['a comment of a bug that is named', 'bug 12 comment 1', `${issue}#issuecomment-700`],
    ['a comment that waits for its copy', 'comment 2', `${url.tracker}12#c2`],
    ['a comment that began on GitHub', 'comment 3', `${issue}#issuecomment-800`],
    ['a comment that is unknown, or private', 'comment 4', null],
    ['a comment of another bug', 'bug 13 comment 1', null],
    ['an attachment with a copy', 'attachment 9', 'https://github.com/acme/widget/raw/attachments/9'],
    ['an attachment that stays on the tracker', 'attachment 10', 'https://tracker.test/attachment.cgi?id=10'],
    ['an attachment that is hidden', 'attachment 11', null],
    ['an unknown attachment', 'attachment 12', null],
    [
      'a page of an attachment',
      'https://tracker.test/attachment.cgi?id=9',
      'https://github.com/acme/widget/raw/attachments/9',
    ],
    ['a bug with a colon', 'bug:12', issue],
    ['a bug without a space', 'bug#12', issue],
    ['a comment behind a comma alone', 'bug 12,comment 1', `${issue}#issuecomment-700`],
    ['a page of the tracker', `${url.tracker}12`, issue],
    ['a page of the tracker, at a comment', `${url.tracker}12#c1`, `${issue}#issuecomment-700`],
    ['a page of the tracker, at an unknown comment', `${url.tracker}12#c9`, null],
    ['a page of the tracker with its former scheme', `${url.tracker}12`.replace('https:', 'http:'), issue],
    ['a page of its former host', 'http://old.test/bugzilla/show_bug.cgi?id=12', issue],
    ['a comment of its former host', 'https://OLD.test/bugzilla/show_bug.cgi?id=12#c1', `${issue}#issuecomment-700`],
    ['a page with the port of its scheme', withHost(':443'), issue],
    ['a page of its former host with its port', 'http://old.test:80/bugzilla/show_bug.cgi?id=12#c0', issue],
    ['a page with slashes too many', withHost('//'), issue],
    ['a page of its former host with more slashes', 'http://old.test//bugzilla///show_bug.cgi?id=12', issue],
    ['a file with the port of its scheme', 'https://tracker.test:443//attachment.cgi?id=9', copyOfFile],
    ['a page at another port', withHost(':80'), null],
    ['a page at a longer port', withHost(':4430'), null],
    ['a page of a longer host', withHost(':443.other.test'), null],
    ['a page beside it on its former host', 'http://old.test/show_bug.cgi?id=12', null],
    ['a file of its former host', 'http://old.test/bugzilla/attachment.cgi?id=9', copyOfFile],
    ['a file of another tracker', 'https://other.test/attachment.cgi?id=9', null],
    ['a page of another tracker', 'https://other.test/show_bug.cgi?id=12', null],
    ['a mirrored issue', issue, issue],
    ['an issue of somebody else', 'https://github.com/acme/other/issues/5', null],
  ])('%s', (_name, text, page) => {
    expect(linkIn(text)).toBe(page);
  });
});

describe('lists of the tracker', () => {
  const linked = (text: string) =>
    toMarkdown(text, referencesOf(moved, aBug.id, targets))
      .replaceAll(issue, '…')
      .replaceAll(url.tracker, '?');
  test.each([
    ['bugs', 'See bugs 12, 13, 14.', 'See bugs [12](…), [13](?13), 14.'],
    ['bugs with signs', 'Bugs #12,#13', 'Bugs [#12](…),[#13](?13)'],
    ['bugs in two lines', 'bugs 12,\n13', 'bugs 12,\n13'],
    ['comments', 'comments 0, 1 and 2', 'comments [0](…), [1](…#issuecomment-700) and 2'],
    ['comments of another bug', 'bug 13 comments 0, 1', '[bug 13](?13) comments 0, 1'],
    ['a single number', 'the bugs 12 of us', 'the bugs 12 of us'],
    [
      'the original of a duplicate, as old trackers wrote it',
      '*** This bug has been marked as a duplicate of 12 ***',
      '\\*\\*\\* This bug has been marked as a duplicate of [12](…) \\*\\*\\*',
    ],
  ])('%s', (_name, text, markdown) => {
    expect(linked(text)).toBe(markdown);
  });
});

describe('what may look different one day', () => {
  test.each([
    ['bug 12 and comment 1', ['bug 12', 'bug 12 comment 1']],
    ['bug 13, bug 14 comment 7', ['bug 13', 'bug 14 comment 7']],
    ['comment 2', ['bug 12 comment 2']],
    ['attachment 9', ['attachment 9']],
    ['bugs 13, 15 and comments 2, 1', ['bug 13', 'bug 15', 'bug 12 comment 2', 'bug 12 comment 1']],
    [`${url.tracker}13 and ${url.tracker}12#c9`, ['bug 13', 'bug 12 comment 9']],
  ])('%s', (text, wanted) => {
    const mentions: string[] = [];
    toMarkdown(
      text,
      referencesOf(moved, aBug.id, targets, (what) => mentions.push(what)),
    );
    expect([...new Set(mentions)]).toEqual(wanted);
  });
});

describe('words of GitHub', () => {
  test.each([
    ['a number', 'see #5', 'see bug 12'],
    ['a number of a repository', 'see acme/Widget#5', 'see bug 12'],
    ['a number of another repository', 'see acme/other#5', 'see acme/other#5'],
    ['an unknown number', 'see #6', 'see #6'],
    ['a page of an issue', `see ${issue}`, 'see bug 12'],
    ['a link to an issue', `see [this](${issue})`, 'see this (bug 12)'],
    ['a page of a comment', `see ${issue}#issuecomment-700`, 'see bug 12 comment 1'],
    ['a page of a comment whose number is not known', `see ${issue}#issuecomment-801`, `see ${issue}#issuecomment-801`],
  ])('%s', (_name, markdown, text) => {
    expect(toTrackerText(markdown, issueReferencesOf('acme/widget', targets))).toBe(text);
  });
});

describe('what is looked for in the database', () => {
  test('bugs and pages of a text of the tracker', () => {
    const { bugs, issues } = referredIn(`bug 7, Bug #8, bugs 3, 4, ${url.tracker}9 ${url.github}10 #11`, 'tracker');
    expect([...bugs]).toEqual([7, 8, 3, 4, 9]);
    expect(issues).toEqual([{ repo: 'acme/widget', number: 10 }]);
  });

  test('numbers and pages of a text of GitHub', () => {
    const { bugs, issues } = referredIn(`bug 7 #11 a/b.c#12 ${url.github}10`, 'github');
    expect([...bugs]).toEqual([]);
    expect(issues).toEqual([
      { repo: null, number: 11 },
      { repo: 'a/b.c', number: 12 },
      { repo: 'acme/widget', number: 10 },
    ]);
  });

  test('a long word takes no longer than others', () => {
    const { user } = process.cpuUsage();
    referredIn('y'.repeat(200_000), 'github');
    expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(2_000);
  });
});

test('an issue that a text names thousands of times is one target', () => {
  const text = `${'#1 '.repeat(20_000)} acme/widget#1 https://github.com/acme/widget/issues/1`;
  expect(referredIn(text, 'github').issues).toEqual([
    { repo: null, number: 1 },
    { repo: 'acme/widget', number: 1 },
  ]);
});
