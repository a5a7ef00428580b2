import { describe, expect, test } from 'vitest';
import { issueNumber } from '../../../src/model/ids.ts';
import type { StoreUnderTest } from './store.ts';

export function dashboardsContract(subject: StoreUnderTest): void {
  describe('dashboards', () => {
    test('of each route, the issue and what it shows are kept as last saved', () => {
      const { dashboards } = subject.store;
      expect(dashboards.of('kettle')).toBeNull();
      dashboards.save('kettle', { issue: null, digest: '', sentAt: 5 });
      dashboards.save('pot', { issue: null, digest: '', sentAt: 6 });
      dashboards.save('kettle', { issue: issueNumber(7), digest: 'abc', sentAt: 9 });
      expect([dashboards.of('kettle'), dashboards.of('pot')]).toStrictEqual([
        { issue: 7, digest: 'abc', sentAt: 9 },
        { issue: null, digest: '', sentAt: 6 },
      ]);
    });
  });
}
