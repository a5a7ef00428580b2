/** A long thread costs no more per comment than a short one: the comment links are found without a search. */

import { expect, test } from 'vitest';
import { commentLinkId, type Side } from '../../src/model/ids.ts';
import type { Comment } from '../../src/model/item.ts';
import type { CommentLink } from '../../src/model/link.ts';
import { missingOf } from '../../src/rules/comments/missing.ts';
import { readThread } from '../../src/rules/comments/thread.ts';
import { aCommentLink, aLink, copyAt, issueComment, onGithub, ours, trackerComment } from '../planner/samples.ts';
import { us } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

interface Conversation {
  readonly side: Side;
  readonly comments: readonly Comment[];
  readonly commentLinks: readonly CommentLink[];
}

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
const mirrored = (count: number): readonly CommentLink[] =>
  numbers(count).map((index) => ({
    ...aCommentLink,
    id: commentLinkId(index + 1),
    source: 1000 + index,
    copy: copyAt(9000 + index),
  }));
const fromGithub = (count: number): readonly CommentLink[] =>
  numbers(count).map((index) => ({
    ...aCommentLink,
    ...onGithub,
    id: commentLinkId(index + 1),
    source: 9000 + index,
    copy: copyAt(1000 + index),
  }));
const onTracker = (count: number, change: Partial<Comment> = {}): readonly Comment[] =>
  numbers(count).map((index) => trackerComment(1000 + index, 'Other words', change));
const onIssue = (count: number): readonly Comment[] =>
  numbers(count).map((index) => issueComment(9000 + index, 'Other words'));
const marked = (index: number): string => `Said.\n\n<!-- bugferry:1 acme bug=12 comment=${1000 + index} -->`;
const copies = (count: number): readonly Comment[] =>
  numbers(count).map((index) => issueComment(9000 + index, marked(index), { author: ours.github }));
const unpaired = (count: number): readonly CommentLink[] =>
  mirrored(count).map((link) => ({ ...link, state: 'pending', reason: null, copy: null, text: 'Said.' }));

const isPrivate = { isPrivate: true };
const conversations: readonly (readonly [name: string, of: (count: number) => Conversation])[] = [
  ['edited sources', (n) => ({ side: 'tracker', comments: onTracker(n), commentLinks: mirrored(n) })],
  ['edited copies', (n) => ({ side: 'github', comments: onIssue(n), commentLinks: mirrored(n) })],
  ['copies on the tracker', (n) => ({ side: 'tracker', comments: onTracker(n), commentLinks: fromGithub(n) })],
  ['private comments', (n) => ({ side: 'tracker', comments: onTracker(n, isPrivate), commentLinks: mirrored(n) })],
  ['missing sources', (n) => ({ side: 'tracker', comments: [], commentLinks: mirrored(n) })],
  ['missing copies', (n) => ({ side: 'github', comments: [], commentLinks: mirrored(n) })],
  ['copies in doubt', (n) => ({ side: 'github', comments: copies(n), commentLinks: unpaired(n) })],
];

/** Reads of the properties of comment links; the work on the texts does not count. */
function readsIn({ side, comments, commentLinks }: Conversation): number {
  let reads = 0;
  const counted = commentLinks.map(
    (link) =>
      new Proxy(link, {
        get: (target, name) => {
          reads += 1;
          return Reflect.get(target, name) as unknown;
        },
      }),
  );
  const thread = { ref: 5, isWhole: true, comments, readAt: 9000 };
  readThread(widgetRoute, aLink, counted, side, thread, { own: us[side] });
  missingOf(counted, comments);
  return reads;
}

test.each(conversations)('twice as many %s cost twice as much', (_name, of) => {
  const reads = readsIn(of(200));
  expect(reads).toBeGreaterThan(200);
  expect(readsIn(of(400)) / reads).toBeLessThanOrEqual(2.2);
});
