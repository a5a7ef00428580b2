import { describe, expect, test } from 'vitest';
import { commentLinkId } from '../../src/model/ids.ts';
import type { CommentLink } from '../../src/model/link.ts';
import { joinedCommentLinks } from '../../src/rules/comments/join.ts';
import { joinedLinks, withPointers } from '../../src/rules/links/match.ts';
import {
  aBug,
  aCommentLink,
  aLink,
  anIssue,
  bugEnd,
  copyAt,
  issueEnd,
  onGithub,
  ourMarker,
  ours,
} from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

test.each([
  ['a bug and an issue', bugEnd({ claim: 5, urgency: 'backfill' }), issueEnd({ urgency: 'live' })],
  ['an issue and a bug', issueEnd({ urgency: 'live', threadReadAt: null }), bugEnd({ urgency: 'backfill' })],
])('%s become one whole link that waits for nobody', (_name, keep, absorb) => {
  const whole = {
    id: keep.id,
    bug: 12,
    issue: 5,
    tracker: aBug,
    github: anIssue,
    claim: null,
    urgency: 'live',
    threadReadAt: 3000,
  };
  expect(joinedLinks(keep, absorb)).toMatchObject(whole);
});

describe('the comment links of two halves', () => {
  const said = {
    ...aCommentLink,
    id: commentLinkId(7),
    text: 'Same here.',
    digest: 'real',
    copy: null,
    state: 'pending',
    mirrored: null,
    reason: null,
  } as const;
  const original: CommentLink = said;
  const recovered: CommentLink = {
    ...aCommentLink,
    id: commentLinkId(8),
    text: null,
    digest: '',
    mirrored: '',
    copy: copyAt(700, { digest: 'c9' }),
    author: ours.github,
  };

  test.each([
    ['the original stays', [original], [recovered]],
    ['the copy stays', [recovered], [original]],
  ] as const)('are one where each knew one end, when %s', (_name, keep, absorb) => {
    const { save, add } = joinedCommentLinks(keep, absorb, aLink);
    const pair = {
      id: keep[0].id,
      author: original.author,
      digest: 'real',
      text: 'Same here.',
      copy: copyAt(700, { digest: 'c9' }),
      state: 'mirrored',
      mirrored: 'real',
    };
    expect(save).toMatchObject([pair]);
    expect(add).toEqual([]);
  });

  test('keep an edit that has not travelled yet', () => {
    const { save } = joinedCommentLinks([original], [{ ...recovered, mirrored: 'older' }], aLink);
    expect(save).toMatchObject([{ digest: 'real', mirrored: 'older' }]);
  });

  test('move to the link that stays', () => {
    const { save, add } = joinedCommentLinks([], [{ ...original, link: issueEnd().id }], aLink);
    expect(save).toEqual([]);
    expect(add).toMatchObject([{ link: aLink.id, source: original.source }]);
    expect(add[0]).not.toHaveProperty('id');
  });

  test('with the same number on different sides are two', () => {
    expect(joinedCommentLinks([original], [{ ...said, ...onGithub }], aLink).add).toHaveLength(1);
  });
});

test.each([
  ['neither', {}, {}, { tracker: false, github: false }],
  ['the bug', { seeAlso: [anIssue.url] }, {}, { tracker: true, github: false }],
  ['the issue', {}, { body: `It crashes.\n\n${ourMarker}` }, { tracker: false, github: true }],
  [
    'neither, for each names another',
    { seeAlso: [`${anIssue.url}0`] },
    { body: ourMarker.replace('12', '13') },
    { tracker: false, github: false },
  ],
])('who names the other: %s', (_name, bug, issue, expected) => {
  const link = {
    ...aLink,
    tracker: { ...aBug, ...bug },
    github: { ...anIssue, ...issue },
    pointed: { tracker: false, github: false },
  };
  expect(withPointers(widgetRoute, link).pointed).toEqual(expected);
});

test('what was written down once is not forgotten when it no longer shows', () => {
  expect(withPointers(widgetRoute, aLink).pointed).toEqual({ tracker: true, github: true });
});
