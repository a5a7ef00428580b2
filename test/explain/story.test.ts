import { describe, expect, test } from 'vitest';
import { type LinkRecord, storyOf } from '../../src/explain/story.ts';
import { commentLinkId, linkId } from '../../src/model/ids.ts';
import type { CommentLink, Link } from '../../src/model/link.ts';
import type { OutboxRow } from '../../src/model/plan/outbox.ts';
import type { SetAsideItem } from '../../src/model/route-status.ts';
import { wholeLink } from '../contract/store/samples.ts';
import { failing, statusWith } from '../http/status.ts';

const link: Link = {
  id: linkId(1),
  ...wholeLink(12, 5, { route: 'widget', repo: 'acme/widget', pointed: { tracker: true, github: true } }),
};
const row: OutboxRow = {
  number: 1,
  operation: { kind: 'point', key: 'k', link: link.id, about: '', on: 'tracker' },
  route: 'widget',
  state: 'planned',
  attempts: 2,
  waitingSince: null,
  notBeforeAt: Date.UTC(2026, 0, 1),
  sentAt: null,
  why: 'busy',
};
const comment: OutboxRow['operation'] = {
  ...({ kind: 'comment', key: 'k', link: link.id, about: '', on: 'github', commentLink: commentLinkId(1) } as const),
  ...({ digest: '', tells: 'copy', part: 1, parts: 1 } as const),
};
const commentLink: Extract<CommentLink, { origin: 'tracker'; state: 'mirrored' }> = {
  id: commentLinkId(1),
  link: link.id,
  origin: 'tracker',
  source: 7,
  part: 1,
  parts: 1,
  before: null,
  count: 1,
  copy: { id: 9, digest: null, isEdited: false, minimize: null },
  state: 'mirrored',
  reason: null,
  author: { login: 'a', name: 'A' },
  url: '',
  text: null,
  digest: '',
  mirrored: '',
  wrote: null,
  isStale: false,
  checkedDigest: null,
  attachment: null,
  minimize: null,
  createdAt: 0,
};
const calm: LinkRecord = {
  link,
  commentLinks: [],
  rows: [],
  conflicts: [],
  skips: [],
  setAside: [],
  ledger: [],
  ahead: 0,
  writesAhead: 0,
  isComplete: { tracker: true, github: true },
  now: 100_000,
  status: null,
  isStray: false,
};
const skip = { link: link.id, about: 'bug 12', reason: 'the map does not name WAITING', needsPerson: true };

const none = { tracker: 0, github: 0 };
const wanting = {
  byState: { live: 2, frozen: 0, tombstone: 0 },
  whole: 0,
  wanting: 1,
  waiting: 1,
  alone: none,
  halves: none,
};
const aside: SetAsideItem = {
  ...({
    route: 'widget',
    side: 'tracker',
    ref: 12,
    stage: 'read',
    cause: 'side',
    why: 'HTTP 500',
    sinceAt: 0,
  } as const),
  ...{ count: 1, retryAt: null, content: '', version: '', link: link.id, about: 'bug 12', advice: 'Try again.' },
};

describe('the story of a link', () => {
  const rows: readonly (readonly [string, Partial<LinkRecord>, RegExp, boolean])[] = [
    ['in step', {}, /^in step; nothing is waiting$/, false],
    [
      'frozen',
      { link: { ...link, state: 'frozen', frozenBy: 'tracker', reason: 'the bug is private' } },
      /^frozen: the bug is private; nothing is written until the tracker/,
      false,
    ],
    [
      'given up',
      { link: { ...link, state: 'tombstone', reason: 'deleted on GitHub', frozenBy: null } },
      /^given up: deleted on GitHub; /,
      false,
    ],
    ['without an issue', { link: { ...link, issue: null } }, /^it has no counterpart on GitHub yet$/, false],
    [
      'without a bug, early',
      { link: { ...link, bug: null }, isComplete: { tracker: false, github: true } },
      /on the tracker yet; the tracker is still being read for the first time$/,
      false,
    ],
    [
      'on a route that nobody configured',
      { isStray: true },
      /^The state holds pairs of route widget, which the configuration does not have: .*give it the old name again/,
      true,
    ],
    [
      'behind one other',
      { link: { ...link, urgency: 'live' }, ahead: 1 },
      /^it waits; 1 other of its route comes first$/,
      false,
    ],
    [
      'written, and not read back yet',
      { link: { ...link, urgency: 'live' }, ahead: 1, status: statusWith({ links: wanting }) },
      /^everything is written; the next cycle reads it back$/,
      false,
    ],
    ['behind writes of others', { rows: [row], writesAhead: 43 }, /: busy; 43 writes of its route come first$/, false],
    [
      'set aside',
      { setAside: [aside] },
      /^set aside since 1970-01-01 00:00:00 UTC: the tracker failed .*: HTTP 500\. Try again\.$/,
      true,
    ],
    [
      'set aside, with everything of it written that was read',
      { link: { ...link, urgency: 'live' }, setAside: [aside], status: statusWith({ links: wanting }) },
      /^set aside since 1970/,
      true,
    ],
    ['waiting for a cycle', { link: { ...link, urgency: 'live' } }, /^it waits for the next cycle$/, false],
    [
      'waiting for its time',
      { rows: [row] },
      /^waiting \(name the issue in the bug, on the tracker\), not before 2026-01-01 00:00:00 UTC: busy$/,
      false,
    ],
    [
      'in doubt',
      { rows: [{ ...row, state: 'sent' }] },
      /^in doubt \(.*\); the next cycle checks whether it arrived: busy$/,
      false,
    ],
    [
      'in flight',
      { rows: [{ ...row, state: 'sent', sentAt: 40_001 }] },
      /^in flight \(name the issue in the bug, on the tracker\)$/,
      false,
    ],
    [
      'a comment that holds up those behind it',
      { rows: [{ ...row, operation: comment, state: 'parked', waitingSince: 1 }] },
      /: busy; later comments wait for it until 2026-01-01 00:00:00 UTC$/,
      true,
    ],
    [
      'a comment that lost its place',
      { rows: [{ ...row, operation: comment, state: 'parked', waitingSince: 1, notBeforeAt: null }] },
      /: busy; later comments no longer wait for it and will appear before it$/,
      true,
    ],
    ['parked', { rows: [{ ...row, state: 'parked' }] }, /^parked after 2 attempts \(.*\): busy$/, true],
    ['skipped for a person', { skips: [skip] }, /^needs a person: the map does not name WAITING$/, true],
    ['skipped by rule', { skips: [{ ...skip, needsPerson: false }] }, /^left alone: /, false],
    [
      'undecided',
      { conflicts: [{ link: link.id, field: 'title', tracker: 'A', github: 'B', kept: null }] },
      /^conflict: title is "A" on the tracker and "B" on GitHub; bugferry decide bug 12 --keep tracker \(or github\)$/,
      true,
    ],
    [
      'decided by a person a moment ago',
      { conflicts: [{ link: link.id, field: 'title', tracker: 'A', github: 'B', kept: null, decided: 'github' }] },
      /; a person chose GitHub, and the next cycle carries that over$/,
      false,
    ],
    [
      'decided',
      { conflicts: [{ link: link.id, field: 'title', tracker: 'A', github: 'B', kept: 'github' }] },
      /GitHub wins$/,
      false,
    ],
  ];
  test.each(rows)('%s', (_name, change, words, needsPerson) => {
    const story = storyOf({ ...calm, ...change });
    expect(story.present[0]).toMatch(words);
    expect(story.needsPerson).toBe(needsPerson);
  });

  test('counts comments by their state and names those that are not mirrored, without the description', () => {
    const commentLinks = [
      { ...commentLink, count: 0 },
      commentLink,
      commentLink,
      { ...commentLink, count: 7, state: 'skipped', reason: 'it has no text', copy: null } as const,
      { ...commentLink, count: 8, state: 'pending', reason: null, copy: null } as const,
      { ...commentLink, count: 9, state: 'pending', reason: null, copy: null } as const,
      ...[3, 4, 5, 6, 10, 11].map(
        (count) => ({ ...commentLink, count, state: 'withdrawn', reason: 'it is private', copy: null }) as const,
      ),
      { ...commentLink, count: null, state: 'gone', reason: 'people deleted it', copy: null } as const,
    ];
    expect(storyOf({ ...calm, commentLinks }).present.slice(1)).toEqual([
      '2 comments are mirrored',
      '1 comment is not copied (on the bug: 7), because it has no text',
      '2 comments wait to be copied (on the bug: 8, 9)',
      '6 comments were withdrawn (on the bug: 3, 4, 5, 6, 10 ...), because it is private',
      '1 comment was deleted, because people deleted it',
    ]);
  });

  test('names both ends and lists the past in order', () => {
    const line = {
      at: 5,
      route: 'widget',
      link: link.id,
      bug: link.bug,
      issue: link.issue,
      on: null,
      kind: 'bind',
      outcome: 'noted',
      detail: {},
    } as const;
    const story = storyOf({
      ...calm,
      ledger: [line, { ...line, at: 9, kind: 'freeze', detail: { reason: 'hidden' } }],
    });
    expect(story.heading).toContain('bug 12 = acme/widget#5');
    expect(story.past).toEqual([
      { at: 5, words: 'the bug and the issue were linked' },
      { at: 9, words: 'frozen: hidden' },
    ]);
  });
});

test.each([
  ['Paused', { rest: { at: 0, why: null } }],
  ['The brake holds back', { refusals: [{ of: 'plan', at: 0, why: '32 of 50 pairs' }] }],
  ['A side does not answer', { failures: [failing({ kind: 'later', side: null, needsPerson: false })] }],
] as const)('what waits on a route that stopped waits for no cycle: %s', (head, change) => {
  const status = statusWith(change);
  const { present } = storyOf({ ...calm, link: { ...link, urgency: 'live' }, status });
  expect(present).toEqual([expect.stringContaining(`route widget: ${head}`), 'it waits until the route goes on']);
  expect(present[0]?.includes('Failing since 1970-01-01 00:00:00 UTC.')).toBe(status.standing === 'failed');
});
