import { describe, expect, test } from 'vitest';
import { commentLinkId, type LinkId } from '../../../src/model/ids.ts';
import type { Receipt } from '../../../src/model/receipt.ts';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

export const sampleReceipt = (link: LinkId, change: Partial<Receipt> = {}): Receipt => ({
  link,
  answeredAt: 5_000,
  isRead: false,
  fields: [
    {
      field: 'title',
      key: '1:tracker:update',
      at: 4_000,
      expected: 'Lid “sticks” 🫖',
      before: { tracker: 'Lid' },
      replaced: ['Lid', 'Pot'],
    },
    { field: 'assignee', key: '1:tracker:update', at: 4_000, before: { tracker: null, github: null }, replaced: [] },
  ],
  pointer: { key: '1:tracker:point', at: 4_000 },
  comments: [
    {
      key: '1:c',
      at: 0,
      id: 7,
      answeredAt: 5_000,
      looks: 1,
      tells: 'copy',
      commentLink: commentLinkId(3),
      part: 1,
      digest: 'd',
      was: null,
    },
  ],
  files: [],
  pulls: [
    {
      key: '1:tracker:pull:14',
      at: 0,
      answeredAt: 5_000,
      pull: 14,
      attachment: 9,
      expected: { title: 'Lid', isObsolete: true },
      replaced: [{ title: 'Lod', isObsolete: true }],
    },
  ],
  vain: { '1:tracker:update': 2 },
  ...change,
});

export function receiptsContract(subject: StoreUnderTest): void {
  describe('receipts', () => {
    test('a receipt comes back as it was saved, and a later one takes its place', () => {
      const { links, receipts } = subject.store;
      const { id } = links.add(halfLink(1));
      expect(receipts.get(id)).toBeNull();
      receipts.save(sampleReceipt(id));
      expect(receipts.get(id)).toStrictEqual(sampleReceipt(id));
      const later = sampleReceipt(id, { isRead: true, fields: [], pointer: null });
      receipts.save(later);
      expect(receipts.ofRoute('kettle')).toStrictEqual([later]);
    });

    test('a receipt of an earlier version has no pull requests', () => {
      const { links, receipts } = subject.store;
      const { id } = links.add(halfLink(1));
      const { pulls: _unknown, ...earlier } = sampleReceipt(id);
      receipts.save(earlier as Receipt);
      expect(receipts.get(id)).toStrictEqual(sampleReceipt(id, { pulls: [] }));
      expect(receipts.ofRoute('kettle')).toStrictEqual([sampleReceipt(id, { pulls: [] })]);
    });

    test('they are listed route by route in the order of their links', () => {
      const { links, receipts } = subject.store;
      const [one, two, pot] = [
        links.add(halfLink(1)).id,
        links.add(halfLink(2)).id,
        links.add(halfLink(3, { route: 'pot' })).id,
      ];
      for (const id of [pot, two, one]) receipts.save(sampleReceipt(id));
      expect(receipts.ofRoute('kettle').map(({ link }) => link)).toStrictEqual([one, two]);
      expect(receipts.ofRoute('pot').map(({ link }) => link)).toStrictEqual([pot]);
    });

    test('one that is removed is gone, and a link that is removed takes its own along', () => {
      const { links, receipts } = subject.store;
      const [one, two] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id];
      for (const id of [one, two]) receipts.save(sampleReceipt(id));
      receipts.remove(one);
      receipts.remove(one);
      links.remove(two);
      expect([receipts.get(one), receipts.ofRoute('kettle')]).toStrictEqual([null, []]);
      expect(() => receipts.save(sampleReceipt(two))).toThrow();
    });
  });
}
