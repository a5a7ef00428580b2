import { describe, expect, test } from 'vitest';
import type { LinkId } from '../../../src/model/ids.ts';
import type { Farewell } from '../../../src/model/migration.ts';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const sampleFarewell = (link: LinkId, change: Partial<Farewell> = {}): Farewell => ({
  link,
  was: 'IN_PROGRESS',
  status: 'RESOLVED',
  resolution: 'MOVED',
  isDone: false,
  ...change,
});

export function farewellsContract(subject: StoreUnderTest): void {
  describe('farewells', () => {
    test('a farewell comes back as it was saved, and a later one takes its place', () => {
      const { links, farewells } = subject.store;
      const { id } = links.add(halfLink(1));
      expect(farewells.get(id)).toBeNull();
      farewells.save(sampleFarewell(id));
      expect(farewells.get(id)).toStrictEqual(sampleFarewell(id));
      const later = sampleFarewell(id, { was: 'NEW', status: 'CLOSED', resolution: '', isDone: true });
      farewells.save(later);
      expect(farewells.get(id)).toStrictEqual(later);
      expect(farewells.ofRoute('kettle')).toStrictEqual([later]);
    });

    test('they are listed route by route in the order of their links', () => {
      const { links, farewells } = subject.store;
      const [one, two, pot] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id, links.add(halfLink(3, { route: 'pot' })).id];
      for (const id of [pot, two, one]) farewells.save(sampleFarewell(id));
      expect(farewells.ofRoute('kettle').map(({ link }) => link)).toStrictEqual([one, two]);
      expect(farewells.ofRoute('pot').map(({ link }) => link)).toStrictEqual([pot]);
      expect(farewells.ofRoute('none')).toStrictEqual([]);
    });

    test('one that is removed is gone, and removing it again does no harm', () => {
      const { links, farewells } = subject.store;
      const [one, two] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id];
      farewells.save(sampleFarewell(one));
      farewells.save(sampleFarewell(two));
      farewells.remove(one);
      farewells.remove(one);
      expect([farewells.get(one), farewells.get(two)]).toStrictEqual([null, sampleFarewell(two)]);
    });

    test('a link that is removed takes its farewell along, and none is kept of a link that is not there', () => {
      const { links, farewells } = subject.store;
      const { id } = links.add(halfLink(1));
      farewells.save(sampleFarewell(id));
      links.remove(id);
      expect([farewells.get(id), farewells.ofRoute('kettle')]).toStrictEqual([null, []]);
      expect(() => farewells.save(sampleFarewell(id))).toThrow();
    });

    test('what was saved in a transaction that failed is not there', () => {
      const { store } = subject;
      const { id } = store.links.add(halfLink(1));
      const failing = () =>
        store.transaction(() => {
          store.farewells.save(sampleFarewell(id));
          throw new Error('in the middle');
        });
      expect(failing).toThrow('in the middle');
      expect(store.farewells.get(id)).toBeNull();
    });
  });
}
