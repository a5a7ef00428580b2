import { describe, expect, test } from 'vitest';
import type { LinkId } from '../../../src/model/ids.ts';
import type { CutoverNotice } from '../../../src/model/migration.ts';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const sampleCutoverNotice = (link: LinkId, change: Partial<CutoverNotice> = {}): CutoverNotice => ({
  link,
  was: 'IN_PROGRESS',
  status: 'RESOLVED',
  resolution: 'MOVED',
  isDone: false,
  ...change,
});

export function cutoverNoticesContract(subject: StoreUnderTest): void {
  describe('cutoverNotices', () => {
    test('a cutover notice comes back as it was saved, and a later one takes its place', () => {
      const { links, cutoverNotices } = subject.store;
      const { id } = links.add(halfLink(1));
      expect(cutoverNotices.get(id)).toBeNull();
      cutoverNotices.save(sampleCutoverNotice(id));
      expect(cutoverNotices.get(id)).toStrictEqual(sampleCutoverNotice(id));
      const later = sampleCutoverNotice(id, { was: 'NEW', status: 'CLOSED', resolution: '', isDone: true });
      cutoverNotices.save(later);
      expect(cutoverNotices.get(id)).toStrictEqual(later);
      expect(cutoverNotices.ofRoute('kettle')).toStrictEqual([later]);
    });

    test('they are listed route by route in the order of their links', () => {
      const { links, cutoverNotices } = subject.store;
      const [one, two, pot] = [
        links.add(halfLink(1)).id,
        links.add(halfLink(2)).id,
        links.add(halfLink(3, { route: 'pot' })).id,
      ];
      for (const id of [pot, two, one]) cutoverNotices.save(sampleCutoverNotice(id));
      expect(cutoverNotices.ofRoute('kettle').map(({ link }) => link)).toStrictEqual([one, two]);
      expect(cutoverNotices.ofRoute('pot').map(({ link }) => link)).toStrictEqual([pot]);
      expect(cutoverNotices.ofRoute('none')).toStrictEqual([]);
    });

    test('one that is removed is gone, and removing it again does no harm', () => {
      const { links, cutoverNotices } = subject.store;
      const [one, two] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id];
      cutoverNotices.save(sampleCutoverNotice(one));
      cutoverNotices.save(sampleCutoverNotice(two));
      cutoverNotices.remove(one);
      cutoverNotices.remove(one);
      expect([cutoverNotices.get(one), cutoverNotices.get(two)]).toStrictEqual([null, sampleCutoverNotice(two)]);
    });

    test('a link that is removed takes its cutover notice along, and none is kept of a link that is not there', () => {
      const { links, cutoverNotices } = subject.store;
      const { id } = links.add(halfLink(1));
      cutoverNotices.save(sampleCutoverNotice(id));
      links.remove(id);
      expect([cutoverNotices.get(id), cutoverNotices.ofRoute('kettle')]).toStrictEqual([null, []]);
      expect(() => cutoverNotices.save(sampleCutoverNotice(id))).toThrow();
    });

    test('what was saved in a transaction that failed is not there', () => {
      const { store } = subject;
      const { id } = store.links.add(halfLink(1));
      const failing = () =>
        store.transaction(() => {
          store.cutoverNotices.save(sampleCutoverNotice(id));
          throw new Error('in the middle');
        });
      expect(failing).toThrow('in the middle');
      expect(store.cutoverNotices.get(id)).toBeNull();
    });
  });
}
