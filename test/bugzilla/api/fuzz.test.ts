/**
 * Whatever a tracker, a proxy or a cable makes of an answer, the client answers or throws a `TrackerError` with a kind.
 */

import { expect, test } from 'vitest';
import { openTracker, type Tracker, TrackerError } from '../../../src/bugzilla/api/tracker.ts';
import { random as seeded } from '../../support/random.ts';
import { allRecorded, rawAnswer } from './recorded.ts';

const calls: readonly ((tracker: Tracker) => Promise<unknown>)[] = [
  (tracker) => tracker.getBug(1),
  (tracker) => tracker.getBugs([1, 2]),
  (tracker) => tracker.bugHistory([1, 2]),
  (tracker) => tracker.searchBugs({ product: 'Widget' }),
  (tracker) => tracker.createBug({ product: 'Widget', component: 'Core', version: '1.0', summary: 'x' }),
  (tracker) => tracker.updateBug(1, { summary: 'x' }),
  (tracker) => tracker.getAttachments(1, { data: true }),
  (tracker) => tracker.getAttachment(1),
  (tracker) => tracker.createAttachment(1, { data: 'x', file_name: 'x', summary: 'x' }),
  (tracker) => tracker.updateAttachment(1, { summary: 'x' }),
  (tracker) => tracker.getComments(1),
  (tracker) => tracker.getComment(1),
  (tracker) => tracker.createComment(1, { comment: 'x' }),
  (tracker) => tracker.searchCommentTags('x'),
  (tracker) => tracker.updateCommentTags(1, { add: ['xyz'] }),
  (tracker) => tracker.readComments([1, 2]),
  (tracker) => tracker.readAttachments([1, 2]),
  (tracker) => tracker.readHistory([1, 2]),
  (tracker) => tracker.fields(),
  (tracker) => tracker.products(),
  (tracker) => tracker.parameters(),
];

const odd: readonly unknown[] = [
  null,
  true,
  '',
  'x',
  '\0\ud800',
  -1,
  0,
  1e308,
  [],
  {},
  [[]],
  { error: true },
  ['__proto__'],
  '2026-99-99T99:99:99Z',
];
const statuses = [200, 201, 204, 301, 400, 401, 404, 413, 414, 429, 500, 502, 503];
const retries = [null, '60', 'soon', '-1', '99999999999999999999', 'Sat, 21 Nov 2026 10:02:00 GMT'];

const { below, chance, pick } = seeded(20_261_121);

/** Replaces some values anywhere in it, and drops some. */
function mutated(value: unknown): unknown {
  if (chance(0.04)) return pick(odd);
  if (Array.isArray(value)) return value.filter(() => !chance(0.03)).map(mutated);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => !chance(0.03));
  return Object.fromEntries(
    kept.map(([name, inner]) => [chance(0.02) ? pick(['error', 'code', '__proto__', '']) : name, mutated(inner)]),
  );
}

/** Cuts it off, or puts something into it. */
function damaged(text: string): string {
  const at = below(text.length + 1);
  return pick([text.slice(0, at), `${text.slice(0, at)}${pick(['\0', '}', '"', '\n<html>'])}${text.slice(at)}`, text]);
}

test('ten thousand damaged answers are answered or classified', async () => {
  const recordings = allRecorded();
  const kinds = new Map<string, number>();
  for (let turn = 0; turn < 10_000; turn += 1) {
    const recording = pick(recordings);
    const { status } = rawAnswer(recording);
    const text = JSON.stringify(mutated(recording.response.body)) ?? '';
    const retry = pick(retries);
    const answer = {
      status: chance(0.1) ? pick(statuses) : status,
      headers: retry === null ? {} : { 'retry-after': retry },
    };
    const body = chance(0.1) ? damaged(text) : text;
    // The same answer for whatever is asked, and at most a few times: a reading that went on for ever would hang here.
    let left = 40;
    const fetch = async (): Promise<Response> => {
      left -= 1;
      expect(left).toBeGreaterThan(0);
      return new Response(answer.status === 204 ? null : body, answer);
    };
    const come = await pick(calls)(openTracker({ url: 'http://tracker.example.test', fetch })).then(
      () => 'answered',
      kindOf,
    );
    kinds.set(come, (kinds.get(come) ?? 0) + 1);
  }
  expect([...kinds.keys()].filter((kind) => !known.has(kind))).toEqual([]);
  expect(kinds.size).toBeGreaterThan(6);
  expect(kinds.get('answered')).toBeGreaterThan(500);
});

const kindOf = (failure: unknown): string => (failure instanceof TrackerError ? failure.kind : String(failure));
const known: ReadonlySet<string> = new Set([
  ...[
    'answered',
    'credentials',
    'missing',
    'hidden',
    'absent',
    'invalid',
    'refused',
    'limited',
    'unavailable',
    'unknown-outcome',
  ],
]);
