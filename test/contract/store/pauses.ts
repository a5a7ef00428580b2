import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function pausesContract(subject: StoreUnderTest): void {
  describe('pauses', () => {
    test('a route is paused from when it was first asked for, with the last words, until it is resumed', () => {
      const { pauses } = subject.store;
      expect(pauses.of('kettle')).toBeNull();
      pauses.save('kettle', { at: 5, why: null });
      pauses.save('kettle', { at: 9, why: 'the tracker moves' });
      pauses.save('pot', { at: 7, why: null });
      expect([pauses.of('kettle'), pauses.of('pot')]).toStrictEqual([
        { at: 5, why: 'the tracker moves' },
        { at: 7, why: null },
      ]);
      pauses.remove('kettle');
      pauses.remove('kettle');
      expect([pauses.of('kettle'), pauses.of('pot')]).toStrictEqual([null, { at: 7, why: null }]);
    });
  });
}
