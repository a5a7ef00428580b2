import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function toldReceiversContract(subject: StoreUnderTest): void {
  describe('what receivers were told', () => {
    test('is kept for each route and receiver, as last saved; nothing before that', () => {
      const { toldReceivers } = subject.store;
      const nothing = { need: 'none', at: 0, attempts: 0, retryAt: 0, why: null } as const;
      const failed = { need: 'items', at: 5, attempts: 2, retryAt: 9, why: 'it answered 500' } as const;
      expect(toldReceivers.of('kettle', 'mail')).toStrictEqual(nothing);
      toldReceivers.save('kettle', 'mail', { ...nothing, need: 'stopped', at: 4 });
      toldReceivers.save('kettle', 'mail', failed);
      expect([toldReceivers.of('kettle', 'mail'), toldReceivers.of('kettle', 'webhook')]).toStrictEqual([
        failed,
        nothing,
      ]);
      expect(toldReceivers.of('pot', 'mail')).toStrictEqual(nothing);
    });

    test('names those who did not take the last notice, until the configuration no longer has them', () => {
      const { toldReceivers } = subject.store;
      const told = { need: 'none', at: 4, attempts: 0, retryAt: 0, why: null } as const;
      const failed = { ...told, attempts: 2, retryAt: 9, why: 'it answered 500' };
      toldReceivers.save('kettle', 'webhook', failed);
      // The first attempt is under way.
      toldReceivers.save('kettle', 'command', { ...told, attempts: 1 });
      toldReceivers.save('kettle', 'mail', told);
      toldReceivers.save('pot', 'mail', failed);
      const { attempts, retryAt, why } = failed;
      expect(toldReceivers.unreached('kettle')).toStrictEqual([{ receiver: 'webhook', attempts, retryAt, why }]);
      toldReceivers.keepOnly('kettle', ['mail']);
      expect([toldReceivers.unreached('kettle'), toldReceivers.of('kettle', 'mail')]).toStrictEqual([[], told]);
      expect(toldReceivers.unreached('pot')).toHaveLength(1);
    });
  });
}
