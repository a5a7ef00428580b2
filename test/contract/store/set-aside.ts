import { describe, expect, test } from 'vitest';
import type { StoreUnderTest } from './store.ts';

export function setAsideContract(subject: StoreUnderTest): void {
  describe('setAside', () => {
    const bug = { route: 'kettle', side: 'tracker', ref: 12 } as const;
    const fault = {
      stage: 'plan',
      cause: 'fault',
      why: 'RangeError',
      retryAt: null,
      content: 'd1',
      version: '0.1.0',
    } as const;
    const hang = {
      stage: 'read',
      cause: 'hang',
      why: 'it did not end',
      retryAt: 90,
      content: 'd2',
      version: '0.2.0',
    } as const;

    test('an item that fails again keeps since when, and the rest is of the last failure', () => {
      const { setAside } = subject.store;
      setAside.put({ ...bug, ...fault, at: 10 });
      expect(setAside.get('kettle', 'tracker', 12)).toStrictEqual({ ...bug, ...fault, sinceAt: 10, count: 1 });
      setAside.put({ ...bug, ...hang, at: 20 });
      expect(setAside.ofRoute('kettle')).toStrictEqual([{ ...bug, ...hang, sinceAt: 10, count: 2 }]);
    });

    test('what is known of an item changes without another failure, and only while it is set aside', () => {
      const { setAside } = subject.store;
      setAside.put({ ...bug, ...fault, at: 10 });
      const revised = { ...bug, ...hang, stage: fault.stage, sinceAt: 10, count: 1 };
      setAside.revise(revised);
      expect(setAside.get('kettle', 'tracker', 12)).toStrictEqual(revised);
      setAside.remove('kettle', 'tracker', 12);
      setAside.revise(revised);
      expect(setAside.get('kettle', 'tracker', 12)).toBeNull();
    });

    test('a bug, an issue of the same number and another route are three items, the oldest first', () => {
      const { setAside } = subject.store;
      setAside.put({ ...bug, ...fault, at: 20 });
      setAside.put({ ...bug, ...fault, side: 'github', at: 10 });
      setAside.put({ ...bug, ...fault, route: 'pot', at: 5 });
      expect(setAside.ofRoute('kettle').map(({ side }) => side)).toStrictEqual(['github', 'tracker']);
      setAside.remove('kettle', 'github', 12);
      setAside.remove('kettle', 'github', 12);
      expect(setAside.get('kettle', 'github', 12)).toBeNull();
      expect([setAside.ofRoute('kettle').length, setAside.ofRoute('pot').length]).toStrictEqual([1, 1]);
    });

    test('its comments are set aside beside it, the body of an issue too, and end by themselves', () => {
      const { setAside } = subject.store;
      const [body, comment] = [
        { ...bug, comment: 0 },
        { ...bug, comment: 7 },
      ];
      for (const item of [bug, body, comment]) setAside.put({ ...item, ...fault, at: 10 });
      setAside.put({ ...comment, ...hang, at: 20 });
      expect(setAside.get('kettle', 'tracker', 12)).toStrictEqual({ ...bug, ...fault, sinceAt: 10, count: 1 });
      const shown = { ...comment, ...hang, sinceAt: 10, count: 2 };
      expect(setAside.get('kettle', 'tracker', 12, 7)).toStrictEqual(shown);
      expect(setAside.comments('kettle', 'tracker', 12).map((row) => row.comment)).toStrictEqual([0, 7]);
      expect(setAside.ofRoute('kettle').map((row) => row.comment)).toStrictEqual([undefined, 0, 7]);
      setAside.revise({ ...shown, content: 'd3' });
      setAside.remove('kettle', 'tracker', 12);
      setAside.remove('kettle', 'tracker', 12, 0);
      expect(setAside.ofRoute('kettle')).toStrictEqual([{ ...shown, content: 'd3' }]);
      expect(setAside.comments('kettle', 'github', 12)).toStrictEqual([]);
    });

    test('an item that is tried without failing counts from one when it fails later', () => {
      const { setAside } = subject.store;
      setAside.put({ ...bug, ...fault, at: 10 });
      setAside.remove('kettle', 'tracker', 12);
      setAside.put({ ...bug, ...fault, at: 30 });
      expect(setAside.get('kettle', 'tracker', 12)).toMatchObject({ sinceAt: 30, count: 1 });
    });

    test('a row on which a process was blocked is known to its version, until its item is read again', () => {
      const { setAside } = subject.store;
      const [row, other] = ['r1', 'r2'].map((each) => ({ ...bug, row: each, version: '0.1.0' }));
      if (row === undefined || other === undefined) throw new Error('two rows');
      setAside.block(row);
      setAside.block(other);
      const isEachBlocked = () => [row, other, { ...row, version: '0.2.0' }].map(setAside.isBlocked);
      expect(isEachBlocked()).toStrictEqual([true, true, false]);
      expect(setAside.isBlocked({ ...row, ref: 13 })).toBe(false);
      setAside.unblock('kettle', 'tracker', 12);
      expect(isEachBlocked()).toStrictEqual([false, false, false]);
    });

    test('what was undone with its transaction, the removal of the last one or the first, is as it was before', () => {
      const { setAside, transaction } = subject.store;
      const row = { ...bug, row: 'r1', version: '0.1.0' };
      const undo = (work: () => void) => {
        expect(() =>
          transaction(() => {
            work();
            setAside.get('kettle', 'tracker', 12);
            setAside.isBlocked(row);
            throw new Error('undone');
          }),
        ).toThrow('undone');
        return [setAside.get('kettle', 'tracker', 12) !== null, setAside.isBlocked(row)];
      };
      const add = () => {
        setAside.put({ ...bug, ...fault, at: 10 });
        setAside.block(row);
      };
      expect(undo(add)).toStrictEqual([false, false]);
      add();
      const remove = () => {
        setAside.remove('kettle', 'tracker', 12);
        setAside.unblock('kettle', 'tracker', 12);
      };
      expect(undo(remove)).toStrictEqual([true, true]);
      remove();
      expect(undo(() => undefined)).toStrictEqual([false, false]);
      transaction(add);
      expect(undo(() => undefined)).toStrictEqual([true, true]);
    });

    test('secrets in the reason are not kept', () => {
      subject.store.setAside.put({ ...bug, ...fault, why: 'it does not know ghp_0123456789abcdefghij', at: 1 });
      expect(subject.store.setAside.get('kettle', 'tracker', 12)?.why).toBe('it does not know [secret]');
    });
  });
}
