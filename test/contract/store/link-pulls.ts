import { describe, expect, test } from 'vitest';
import type { LinkId } from '../../../src/model/ids.ts';
import type { LinkPull } from '../../../src/model/pulls/pull.ts';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const samplePull = (link: LinkId, change: Partial<LinkPull> = {}): LinkPull => ({
  ...{
    link,
    number: 34,
    url: 'https://github.com/acme/kettle/pull/34',
    title: 'A new lid',
    login: 'mona',
    state: 'open',
    told: [],
  },
  shown: null,
  ...change,
});

export function linkPullsContract(subject: StoreUnderTest): void {
  describe('pulls', () => {
    test('a pull request comes back as it was saved, and a later version takes its place', () => {
      const { links, pulls } = subject.store;
      const { id } = links.add(halfLink(1));
      pulls.save(samplePull(id));
      expect(pulls.ofLink(id)).toStrictEqual([samplePull(id)]);
      const later = samplePull(id, {
        title: 'A lid',
        state: 'closed',
        told: ['open', 'merged', 'closed'],
        shown: { title: 'A lid', isObsolete: true },
      });
      pulls.save(later);
      expect(pulls.ofLink(id)).toStrictEqual([later]);
    });

    test('they are listed by number at a link, and by link for a number, of one route', () => {
      const { links, pulls } = subject.store;
      const [one, two, pot] = [
        links.add(halfLink(1)).id,
        links.add(halfLink(2)).id,
        links.add(halfLink(3, { route: 'pot' })).id,
      ];
      for (const link of [pot, two, one]) pulls.save(samplePull(link));
      pulls.save(samplePull(one, { number: 5 }));
      expect(pulls.ofLink(one).map(({ number }) => number)).toStrictEqual([5, 34]);
      expect(pulls.ofPull('kettle', 34).map(({ link }) => link)).toStrictEqual([one, two]);
      expect(pulls.ofPull('pot', 5)).toStrictEqual([]);
    });

    test('all of one link move to another, which keeps its own version of the same', () => {
      const { links, pulls } = subject.store;
      const [from, to] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id];
      const own = samplePull(to, { told: ['open'] });
      for (const pull of [own, samplePull(from), samplePull(from, { number: 5 })]) pulls.save(pull);
      pulls.move(from, to);
      expect(pulls.ofLink(to)).toStrictEqual([samplePull(to, { number: 5 }), own]);
    });

    test('a link that is removed takes them along, and none is kept of a link that is not there', () => {
      const { links, pulls } = subject.store;
      const { id } = links.add(halfLink(1));
      pulls.save(samplePull(id));
      links.remove(id);
      expect(pulls.ofPull('kettle', 34)).toStrictEqual([]);
      expect(() => pulls.save(samplePull(id))).toThrow();
    });
  });
}
