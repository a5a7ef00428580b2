import { describe, expect, test } from 'vitest';
import { issueNumber, type LinkId } from '../../../src/model/ids.ts';
import { createFor, halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

export function importsContract(subject: StoreUnderTest): void {
  describe('imports', () => {
    /** A link whose creation is marked as sent, and the number of that row. */
    function sent(
      bug: number,
      route = 'kettle',
    ): { readonly id: LinkId; readonly number: number; readonly key: string } {
      const { links, outbox } = subject.store;
      const { id } = links.add(halfLink(bug, { route }));
      const { key } = createFor(id);
      outbox.replace(route, [id], [createFor(id)]);
      outbox.mark(key, { state: 'sent', sentAt: 5 });
      return { id, number: outbox.get(key)?.number ?? 0, key };
    }

    test('what GitHub accepted is kept with the issue that it became, route by route, in the order of the plan', () => {
      const { imports } = subject.store;
      const [one, other, pot] = [sent(1), sent(2), sent(3, 'pot')];
      for (const [{ number }, job] of [
        [pot, 30],
        [other, 20],
        [one, 10],
      ] as const)
        imports.take(number, job);
      imports.land(other.number, issueNumber(7));
      const kept = [
        { number: one.number, link: one.id, job: 10, issue: null },
        { number: other.number, link: other.id, job: 20, issue: issueNumber(7) },
      ];
      expect(imports.ofRoute('kettle')).toStrictEqual(kept);
      expect(imports.ofLink(other.id)).toStrictEqual(kept[1]);
      expect(imports.ofLink(pot.id)).toMatchObject({ job: 30 });
      expect(imports.ofRoute('none')).toStrictEqual([]);
    });

    test('a later import of the same operation takes its place, and knows no issue', () => {
      const { imports } = subject.store;
      const { id, number } = sent(1);
      imports.take(number, 10);
      imports.land(number, issueNumber(7));
      imports.take(number, 11);
      expect(imports.ofLink(id)).toStrictEqual({ number, link: id, job: 11, issue: null });
      imports.forget(number);
      imports.forget(number);
      expect([imports.ofLink(id), imports.ofRoute('kettle')]).toStrictEqual([null, []]);
    });

    test('it counts while its operation is marked as sent, and goes with it', () => {
      const { imports, outbox } = subject.store;
      const { id, number, key } = sent(1);
      imports.take(number, 10);
      outbox.mark(key, { state: 'planned' });
      expect([imports.ofLink(id), imports.ofRoute('kettle')]).toStrictEqual([null, []]);
      outbox.mark(key, { state: 'sent' });
      outbox.remove(key);
      expect([imports.ofLink(id), imports.ofRoute('kettle')]).toStrictEqual([null, []]);
      expect(() => imports.take(number, 10)).toThrow();
    });
  });
}
