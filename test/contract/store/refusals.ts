import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function refusalsContract(subject: StoreUnderTest): void {
  describe('refusals', () => {
    test('one of each kind is kept for each route, until it is removed', () => {
      const { refusals } = subject.store;
      const plan = { of: 'plan', at: 2, why: 'too much' } as const;
      const tracker = { of: 'tracker', at: 1, why: 'too little' } as const;
      for (const each of [{ ...plan, at: 1 }, plan, tracker]) refusals.save('kettle', each);
      refusals.save('pot', plan);
      expect(refusals.ofRoute('kettle')).toStrictEqual([tracker, plan]);
      refusals.remove('kettle', 'plan');
      refusals.remove('kettle', 'github');
      expect([refusals.ofRoute('kettle'), refusals.ofRoute('pot')]).toStrictEqual([[tracker], [plan]]);
    });
  });

  describe('retirements', () => {
    test('the last one of each side is kept, until the side announces none', () => {
      const { retirements } = subject.store;
      expect(retirements.ofSide('github')).toBeNull();
      retirements.save('github', { sinceAt: 1, endsAt: 2 });
      retirements.save('github', { sinceAt: null, endsAt: 3 });
      retirements.save('tracker', { sinceAt: null, endsAt: null });
      expect(retirements.ofSide('github')).toStrictEqual({ sinceAt: null, endsAt: 3 });
      retirements.save('github', null);
      expect([retirements.ofSide('github'), retirements.ofSide('tracker')]).toStrictEqual([
        null,
        { sinceAt: null, endsAt: null },
      ]);
    });
  });
}
