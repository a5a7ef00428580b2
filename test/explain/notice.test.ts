/** When a receiver is told of a route: once for each change, with a pause, and again within bounds if it did not listen. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needOf, nextStep, noticeOf, retryAtOf } from '../../src/explain/notice.ts';
import { linkId } from '../../src/model/ids.ts';
import { type Need, needs, type Told } from '../../src/model/reports/notice.ts';
import type { RouteStatus } from '../../src/model/route-status.ts';
import { failing, statusWith } from '../http/status.ts';

const minute = 60_000;
const pauseMs = 60 * minute;
const nothing: Told = { need: 'none', at: 0, attempts: 0, retryAt: 0, why: null };

interface Sent {
  readonly at: number;
  readonly need: Need;
}

/** A minute for each need: what is sent, and how often it was tried, if the receiver listens in the minutes that `isUp` says. */
function played(course: readonly Need[], isUp: (minutes: number) => boolean) {
  const sent: Sent[] = [];
  let [told, tries] = [nothing, 0];
  for (const [index, need] of course.entries()) {
    const now = 1_000_000_000_000 + index * minute;
    const step = nextStep(told, need, now, pauseMs);
    if (step === 'note') told = { ...told, need, attempts: 0, retryAt: 0, why: null };
    if (step !== 'tell') continue;
    tries += 1;
    if (isUp(index)) {
      told = { need, at: now, attempts: 0, retryAt: 0, why: null };
      sent.push({ at: now, need });
    } else told = { ...told, attempts: told.attempts + 1, retryAt: retryAtOf(told.attempts + 1, now), why: 'down' };
  }
  return { sent: sent.map(({ at, need }) => [(at - 1_000_000_000_000) / minute, need]), tries, told };
}

const course = (...parts: readonly (readonly [minutes: number, need: Need])[]): readonly Need[] =>
  parts.flatMap(([minutes, need]) => Array<Need>(minutes).fill(need));
const always = () => true;

describe('a receiver is told', () => {
  test.each<readonly [string, readonly Need[], readonly (readonly [number, Need])[]]>([
    ['nothing while all is well', course([500, 'none']), []],
    [
      'once when a route begins to need somebody, and once when it is well',
      course([5, 'none'], [300, 'items'], [300, 'none']),
      [
        [5, 'items'],
        [305, 'none'],
      ],
    ],
    [
      'of the next trouble after a pause, if it lasts',
      course([1, 'items'], [1, 'none'], [90, 'items']),
      [
        [0, 'items'],
        [1, 'none'],
        [61, 'items'],
      ],
    ],
    [
      'nothing of trouble that is over before the pause is',
      course([1, 'items'], [1, 'none'], [20, 'items'], [200, 'none']),
      [
        [0, 'items'],
        [1, 'none'],
      ],
    ],
    [
      'twice an hour of a route that flaps',
      Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? 'items' : 'none')),
      [
        [0, 'items'],
        [1, 'none'],
        [62, 'items'],
        [63, 'none'],
      ],
    ],
    [
      'once more when it stops entirely',
      course([100, 'items'], [100, 'stopped']),
      [
        [0, 'items'],
        [100, 'stopped'],
      ],
    ],
    [
      'not that it needs less',
      course([100, 'stopped'], [100, 'items'], [5, 'none']),
      [
        [0, 'stopped'],
        [200, 'none'],
      ],
    ],
    [
      'of a second stop, though it never was well between',
      course([100, 'stopped'], [100, 'items'], [100, 'stopped']),
      [
        [0, 'stopped'],
        [200, 'stopped'],
      ],
    ],
  ])('%s', (_name, needed, sent) => {
    expect(played(needed, always).sent).toEqual(sent);
  });

  test('again after 1, 2, 4 and so on minutes, at most an hour, if it does not listen', () => {
    expect(played(course([40, 'stopped']), (minutes) => minutes >= 10).sent).toEqual([[15, 'stopped']]);
    expect(played(course([663, 'stopped']), () => false).tries).toBe(16);
    expect(Array.from({ length: 8 }, (_, index) => retryAtOf(index + 1, 0) / minute)).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60,
    ]);
  });

  test('of more trouble after the pause, though it did not hear that all was well', () => {
    const needed = course([10, 'items'], [20, 'none'], [60, 'stopped']);
    expect(played(needed, (minutes) => minutes < 10 || minutes >= 30).sent).toEqual([
      [0, 'items'],
      [60, 'stopped'],
    ]);
  });

  test('of the trouble after one that it never heard of', () => {
    const [first, calm, second] = [2_000, 10, 200];
    const needed = course([first, 'stopped'], [calm, 'none'], [second, 'items']);
    expect(played(needed, (minutes) => minutes > first).sent).toEqual([[first + calm, 'items']]);
  });

  test('whatever happens: never the same twice in a row, never two troubles within a pause, and in the end the truth', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom(...needs));
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }),
        fc.array(fc.boolean()),
        fc.constantFrom(...needs),
        (parts, ups, last) => {
          const needed = course(...parts, [200, last]);
          const isUp = (minutes: number) => minutes >= needed.length - 150 || ups[minutes % ups.length] !== false;
          const { sent, told } = played(needed, isUp);
          for (const [index, [at = 0, need]] of sent.entries()) {
            const [before = Number.NEGATIVE_INFINITY, was] = sent[index - 1] ?? [];
            if (need === 'none') expect(was).not.toBe('none');
            else expect(Number(at) - Number(before)).toBeGreaterThanOrEqual(60);
          }
          expect(told.need).toBe(last);
        },
      ),
    );
  });
});

test('a clock that was set back holds no notice back', () => {
  const late = 2_000_000_000_000;
  expect(nextStep({ ...nothing, at: late }, 'items', late - 86_400_000, pauseMs)).toBe('tell');
  expect(nextStep({ ...nothing, attempts: 3, retryAt: late }, 'items', late - 86_400_000, pauseMs)).toBe('tell');
});

test('a notice has an id that its repetitions share, and the next one does not', () => {
  const ids = [nothing, { ...nothing, attempts: 2 }, { ...nothing, at: 7 }].map(
    (told, index) => noticeOf('acme', statusWith({ failures: [failing()] }), told, index).id,
  );
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

describe('a route', () => {
  const refused = { of: 'plan', at: 1, why: 'it would close bug 4711 of the secret product' } as const;
  const skip = { link: linkId(1), about: 'bug 4711', reason: 'a secret', needsPerson: true };

  test.each<readonly [string, RouteStatus, Need, string]>([
    ['in step', statusWith(), 'none', 'is well again'],
    ['that is switched off', statusWith({ isEnabled: false, failures: [failing()] }), 'none', 'is well again'],
    ['that a person paused', statusWith({ rest: { at: 1, why: 'a secret' } }), 'none', 'is well again'],
    [
      'of which one cycle failed',
      statusWith({ failures: [failing({ kind: 'later', needsPerson: false })] }),
      'none',
      '',
    ],
    ['with refused credentials', statusWith({ failures: [failing()] }), 'stopped', 'refuses the credentials'],
    ['that the brake stopped', statusWith({ refusals: [refused] }), 'stopped', 'The brake holds back the work'],
    ['that was not read', statusWith({ isStale: true }), 'stopped', 'Not read'],
    ['with a value without counterpart', statusWith({ skips: [skip] }), 'items', '1 item needs you'],
  ])('%s', (_name, status, need, words) => {
    expect(needOf(status)).toBe(need);
    const { title, text } = noticeOf('acme', status, nothing, 0);
    expect(`${title} ${text}`).toContain(words);
    expect(`${title} ${text}`).not.toMatch(/4711|secret/u);
  });
});
