import { describe, expect, test } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import type { Link } from '../../../src/model/link.ts';
import { frozen, halfLink, sampleBug, wholeLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const shown = { isShown: true, at: 7_000, of: 'd0', details: {}, labels: [] };

export function looksContract(subject: StoreUnderTest): void {
  describe('looks', () => {
    /** A mirrored public bug, with what a test changes. */
    const mirror = (bug: number, change: Parameters<typeof wholeLink>[2] = {}): Link =>
      subject.store.links.add(
        wholeLink(bug, bug + 100, { tracker: { ...sampleBug, id: bugId(bug), changedAt: 100 - bug }, ...change }),
      );
    const next = (most: number, routes = ['kettle']) =>
      subject.store.looks.inTurn('anonymous', routes, most).map(({ bug }) => bug);
    const go = (most: number, at: number): readonly number[] => {
      const bugs = next(most);
      subject.store.looks.moveOn('anonymous', bugs.length < most ? null : bugId(bugs.at(-1) ?? 0), at);
      return bugs;
    };

    test('take bugs that are live and count as public, of these routes, and say where they were seen last', () => {
      const { links, looks } = subject.store;
      const { id } = mirror(1);
      mirror(2, { visibility: shown });
      mirror(3, { visibility: { ...shown, isShown: false } });
      mirror(4, { tracker: { ...sampleBug, id: bugId(4), isPrivate: true } });
      mirror(5, frozen);
      links.add(halfLink(6, { tracker: { ...sampleBug, id: bugId(6) } }));
      links.add(halfLink(8, { tracker: { ...sampleBug, id: bugId(8), changedAt: 91 }, urgency: 'backfill' }));
      mirror(7, { route: 'pot', repo: 'tea/pot' });
      expect([next(9), next(9, ['kettle', 'pot'])]).toStrictEqual([
        [1, 2, 6, 8],
        [1, 2, 6, 7, 8],
      ]);
      expect(looks.inTurn('anonymous', ['kettle'], 1)).toStrictEqual([
        { id, route: 'kettle', bug: 1, product: 'Kettle' },
      ]);
      expect(looks.fresh(['pot', 'kettle'], 3).map(({ bug }) => bug)).toStrictEqual([6, 1, 2]);
      expect(looks.newest(['pot', 'kettle'], 2).map(({ bug }) => bug)).toStrictEqual([8, 7]);
      expect(looks.newest(['kettle'], 5).map(({ bug }) => bug)).toStrictEqual([8, 6, 2, 1]);
    });

    test('go on and on, so that each bug has its turn again after as many looks as all take', () => {
      for (let bug = 1; bug <= 5; bug += 1) mirror(bug);
      expect([go(2, 1), go(2, 2), go(2, 3), go(2, 4), go(2, 5)]).toStrictEqual([
        [1, 2],
        [3, 4],
        [5, 1],
        [2, 3],
        [4, 5],
      ]);
    });

    test('know since when all were looked at, once a lap is over', () => {
      for (let bug = 1; bug <= 5; bug += 1) mirror(bug);
      const ages = [10, 20, 30, 40, 50].map((at) => {
        go(2, at);
        return subject.store.looks.oldestAt('anonymous');
      });
      expect(ages).toStrictEqual([null, null, 10, 20, 30]);
      expect(subject.store.looks.oldestAt('account')).toBeNull();
      go(9, 60);
      expect(subject.store.looks.oldestAt('anonymous')).toBe(60);
    });

    test('go on though the clock was ahead once', () => {
      for (let bug = 1; bug <= 4; bug += 1) mirror(bug);
      go(2, 9_000_000);
      expect([go(2, 2), go(2, 3)]).toStrictEqual([
        [3, 4],
        [1, 2],
      ]);
    });

    test('remember a missed link, once, until it is settled or gone', () => {
      const { links, looks } = subject.store;
      const [one, other] = [mirror(1), mirror(2)];
      for (const each of [one, other, one]) looks.miss(each);
      expect([looks.missed('kettle'), looks.missed('pot')]).toStrictEqual([[one.id, other.id], []]);
      looks.settle(one.id);
      links.remove(other.id);
      expect(looks.missed('kettle')).toStrictEqual([]);
    });
  });
}
