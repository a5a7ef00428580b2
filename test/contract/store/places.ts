import { describe, expect, test } from 'vitest';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

export function placesContract(subject: StoreUnderTest): void {
  describe('places', () => {
    test('of a route are kept as a whole', () => {
      const { places } = subject.store;
      const [label, field, type] = [
        { name: 'label', fieldId: null },
        { name: 'field Severity', fieldId: 7 },
        { name: 'type', fieldId: 0 },
      ];
      places.save('kettle', { severity: label, keywords: label });
      places.save('kettle', { severity: field });
      places.save('pot', { cf_impact: type });
      expect([places.ofRoute('kettle'), places.ofRoute('pot')]).toStrictEqual([
        { severity: field },
        { cf_impact: type },
      ]);
      expect(places.ofRoute('pan')).toStrictEqual({});
    });

    test('what was agreed on in a field is forgotten for one route, and its links that rest are woken', () => {
      const { links } = subject.store;
      const base = { tracker: { title: 'A', cf_impact: 'high' }, github: { title: 'A', cf_impact: 'high' } };
      const one = links.add(halfLink(1, { base, urgency: 'none' }));
      const live = links.add(halfLink(2, { base: null, urgency: 'live' }));
      const other = links.add(halfLink(3, { base, urgency: 'none', route: 'other' }));
      links.forget(one.route, ['cf_impact', 'severity']);
      links.markDirty(one.route);
      expect(links.byId(one.id)).toMatchObject({
        base: { tracker: { title: 'A' }, github: { title: 'A' } },
        urgency: 'backfill',
      });
      expect(links.byId(one.id)?.base?.github).toStrictEqual({ title: 'A' });
      expect(links.byId(live.id)).toMatchObject({ base: null, urgency: 'live' });
      expect(links.byId(other.id)).toMatchObject({ base, urgency: 'none' });
    });
  });
}
