import { describe, expect, test } from 'vitest';
import { bugId, issueNumber, type LinkId } from '../../../src/model/ids.ts';
import type { PairFilter } from '../../../src/model/link.ts';
import { buried, conflictOf, frozen, halfLink, sampleBug, skipOf, updateOf } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

export function pairsContract(subject: StoreUnderTest): void {
  describe('pairs', () => {
    const add = (bug: number, summary: string, change: object = {}) =>
      subject.store.links.add({
        ...halfLink(bug),
        urgency: 'none',
        tracker: { ...sampleBug, id: bugId(bug), summary },
        github: null,
        ...change,
      });
    const list = (filter: PairFilter, words = '', before: LinkId | null = null, limit = 10) =>
      subject.store.pairs.list({ route: 'kettle', filter, words, before }, limit).map(({ bug }) => bug);

    test('are listed a page at a time, the newest first, and only those of the route', () => {
      const links = [1, 2, 3, 4, 5].map((bug) => add(bug, `Bug ${bug}`));
      add(6, 'Another', { route: 'pot' });
      expect(list('all', '', null, 2)).toEqual([5, 4]);
      expect(list('all', '', links[3]?.id ?? null, 2)).toEqual([3, 2]);
      expect(list('all', '', links[1]?.id ?? null, 2)).toEqual([1]);
    });

    test('are found by the beginnings of words in either title, in any case and without accents', () => {
      const crash = add(1, 'Crash when the Toolbar opens');
      add(2, 'The dialog crashes: Ångström');
      add(3, 'Undo forgets', { github: { title: 'Rückgängig forgets the crash' }, issue: issueNumber(9) });
      expect(list('all', 'crash')).toEqual([3, 2, 1]);
      expect(list('all', 'CRASH tool')).toEqual([1]);
      expect(list('all', 'angst')).toEqual([2]);
      expect(list('all', 'ruckg undo')).toEqual([3]);
      expect(list('all', 'bar')).toEqual([]);
      expect(list('all', 'crash', crash.id)).toEqual([]);
      expect(list('all', '"\' * OR :')).toEqual([]);
      expect(list('all', '*"')).toEqual([3, 2, 1]);
      expect(list('frozen', 'crash')).toEqual([]);
    });

    test('are found by what they are called now, and no longer when they are gone', () => {
      const link = add(1, 'Crash');
      subject.store.links.save({ ...link, tracker: { ...sampleBug, id: bugId(1), summary: 'Freeze' } });
      expect([list('all', 'crash'), list('all', 'freeze')]).toEqual([[], [1]]);
      subject.store.links.remove(link.id);
      expect(list('all', 'freeze')).toEqual([]);
    });

    test('need a person where an item is set aside, which the page counts so', () => {
      const { setAside } = subject.store;
      add(1, 'Same bug');
      add(2, 'Same issue', { issue: issueNumber(20) });
      add(3, 'Same comment');
      add(4, 'Same in step', { issue: issueNumber(1) });
      add(5, 'Same route', { route: 'pot' });
      const row = { route: 'kettle', stage: 'read', cause: 'side', why: 'HTTP 500', at: 1, retryAt: null } as const;
      const failed = { ...row, content: 'item', version: '1' };
      setAside.put({ ...failed, side: 'tracker', ref: 1 });
      setAside.put({ ...failed, side: 'github', ref: 20 });
      setAside.put({ ...failed, side: 'tracker', ref: 3, comment: 77 });
      setAside.put({ ...failed, side: 'tracker', ref: 3, comment: 78 });
      setAside.put({ ...failed, side: 'tracker', ref: 5 });
      // A bug that was never mirrored has no pair.
      setAside.put({ ...failed, side: 'tracker', ref: 99 });
      for (const words of ['', 'same']) expect([words, list('person', words)]).toEqual([words, [3, 2, 1]]);
      setAside.remove('kettle', 'tracker', 1);
      for (const words of ['', 'same']) expect([words, list('person', words)]).toEqual([words, [3, 2]]);
    });

    test('are filtered by what becomes of them, with and without a search', () => {
      const { store } = subject;
      add(1, 'Same in step');
      add(2, 'Same live', { urgency: 'live' });
      add(3, 'Same backfill', { urgency: 'backfill' });
      add(4, 'Same frozen', frozen);
      add(5, 'Same buried', buried);
      add(6, 'Same withdrawn', { isWithdrawn: true });
      const [parked, conflict, skip, planned] = [7, 8, 9, 10].map((bug) => add(bug, 'Same here').id);
      if (parked === undefined || conflict === undefined || skip === undefined || planned === undefined)
        throw new Error('unreachable');
      const operation = updateOf(parked, 'one', 'A');
      store.outbox.replace('kettle', [parked], [operation]);
      store.outbox.mark(operation.key, { state: 'parked' });
      store.outbox.replace('kettle', [planned], [updateOf(planned, 'two', 'A'), updateOf(planned, 'three', 'B')]);
      store.findings.replace(conflict, [conflictOf(conflict, null, 'B')], [], 1);
      store.findings.replace(skip, [], [skipOf(skip, 'why')], 1);
      for (const words of ['', 'same']) {
        expect(list('waiting', words)).toEqual([10, 3, 2]);
        expect(list('waiting', words, planned, 1)).toEqual([3]);
        expect(list('person', words)).toEqual([8, 7]);
        expect(list('parked', words)).toEqual([7]);
        expect(list('frozen', words)).toEqual([4]);
        expect(list('gone', words)).toEqual([5]);
        expect(list('withdrawn', words)).toEqual([6]);
        expect(list('all', words)).toHaveLength(10);
      }
      expect(store.links.count('kettle').waiting).toBe(3);
    });
  });
}
