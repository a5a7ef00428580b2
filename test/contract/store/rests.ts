import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function restsContract(subject: StoreUnderTest): void {
  describe('rests', () => {
    test('a route rests from when it was first asked for, with the last words, until that is ended', () => {
      const { rests } = subject.store;
      expect(rests.of('kettle')).toBeNull();
      rests.save('kettle', { at: 5, why: null });
      rests.save('kettle', { at: 9, why: 'the tracker moves' });
      rests.save('pot', { at: 7, why: null });
      expect([rests.of('kettle'), rests.of('pot')]).toStrictEqual([
        { at: 5, why: 'the tracker moves' },
        { at: 7, why: null },
      ]);
      rests.remove('kettle');
      rests.remove('kettle');
      expect([rests.of('kettle'), rests.of('pot')]).toStrictEqual([null, { at: 7, why: null }]);
    });
  });
}
