import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function failuresContract(subject: StoreUnderTest): void {
  describe('failures', () => {
    const down = { of: 'cycle', kind: 'later', side: 'tracker', why: 'it is down', at: 10 } as const;
    const dead = { of: 'cycle', kind: 'unauthorized', side: 'github', why: 'the token is dead', at: 20 } as const;
    const sweep = { of: 'sweep', kind: 'fault', side: null, why: 'a mistake', at: 15 } as const;

    test('one of each kind of work is kept for each route: the last, how many there were in a row, and since when', () => {
      const { failures } = subject.store;
      for (const each of [down, sweep, dead]) failures.save('kettle', each);
      expect(failures.ofRoute('kettle')).toStrictEqual([
        { ...dead, sinceAt: 10, count: 2 },
        { ...sweep, sinceAt: 15, count: 1 },
      ]);
      expect(failures.ofRoute('pot')).toStrictEqual([]);
    });

    test('what succeeds again has failed no more, and is counted from one', () => {
      const { failures } = subject.store;
      for (const each of [down, dead, sweep]) failures.save('kettle', each);
      failures.remove('kettle', 'cycle');
      failures.remove('pot', 'cycle');
      expect(failures.ofRoute('kettle')).toStrictEqual([{ ...sweep, sinceAt: 15, count: 1 }]);
      failures.save('kettle', dead);
      expect(failures.ofRoute('kettle')[0]).toStrictEqual({ ...dead, sinceAt: 20, count: 1 });
    });

    test('secrets in what a side said are not kept', () => {
      subject.store.failures.save('kettle', { ...dead, why: 'it does not know ghp_0123456789abcdefghij' });
      expect(subject.store.failures.ofRoute('kettle')[0]?.why).toBe('it does not know [secret]');
    });
  });
}
