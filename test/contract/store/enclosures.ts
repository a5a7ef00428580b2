import { describe, expect, test } from 'vitest';
import type { Enclosure } from '../../../src/model/attachment.ts';
import { enclosureId, type LinkId } from '../../../src/model/ids.ts';
import { halfLink, halfLinkOfIssue } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

export const sampleEnclosure = (link: LinkId, source: string, change: Partial<Enclosure> = {}): Omit<Enclosure, 'id'> => ({
  link,
  origin: 'tracker',
  source,
  url: 'https://tracker.example/attachment.cgi?id=9',
  name: 'Lid “open” 🫖.png',
  summary: 'It sticks',
  type: 'image/png',
  size: 1_200,
  isPatch: false,
  isObsolete: true,
  flags: ['review+'],
  state: 'pending',
  reason: null,
  path: '0-999/1/9-lid.png',
  copyUrl: null,
  copy: null,
  sha256: null,
  excerpt: null,
  proven: null,
  createdAt: 1_700_000_000_000,
  ...change,
});

export function enclosuresContract(subject: StoreUnderTest): void {
  describe('enclosures', () => {
    test('an attachment of the tracker is found by its id, and a file of an issue is not taken for one', () => {
      const { links, enclosures } = subject.store;
      const { id } = links.add(halfLink(1));
      enclosures.add(sampleEnclosure(id, '9', { origin: 'github' }));
      expect(enclosures.byAttachment(9)).toBeNull();
      const added = enclosures.add(sampleEnclosure(id, '9'));
      expect(enclosures.byAttachment(9)).toStrictEqual(added);
      expect(enclosures.byAttachment(90)).toBeNull();
    });

    test('an enclosure comes back as it was added, and as it was saved', () => {
      const { links, enclosures } = subject.store;
      const { id } = links.add(halfLink(1));
      const added = enclosures.add(sampleEnclosure(id, '9'));
      expect(enclosures.byId(added.id)).toStrictEqual(added);
      const copied = { copyUrl: 'https://github.example/raw', copy: 5, sha256: 'ab', excerpt: 'text', path: null };
      const saved: Enclosure = { ...added, ...copied, state: 'mirrored', reason: 'r', size: null, isPatch: true, isObsolete: false };
      enclosures.save(saved);
      expect(enclosures.byId(added.id)).toStrictEqual(saved);
      expect(enclosures.byId(enclosureId(999))).toBeNull();
      expect(() => enclosures.save({ ...saved, id: enclosureId(999) })).toThrow(/removed/);
    });

    test('a file has one enclosure in a link, whatever stands under the same name on the other side', () => {
      const { links, enclosures } = subject.store;
      const { id } = links.add(halfLink(1));
      enclosures.add(sampleEnclosure(id, '9'));
      enclosures.add(sampleEnclosure(id, '9', { origin: 'github' }));
      enclosures.add(sampleEnclosure(links.add(halfLink(2)).id, '9'));
      expect(() => enclosures.add(sampleEnclosure(id, '9', { name: 'other' }))).toThrow(/the file 9/);
      expect(enclosures.ofLink(id)).toHaveLength(2);
    });

    test('when two half links become one, a file that both know keeps its copy', () => {
      const { links, enclosures } = subject.store;
      const keep = links.add(halfLink(1)).id;
      const absorb = links.add(halfLinkOfIssue(5)).id;
      enclosures.add(sampleEnclosure(keep, 'a', { copy: 7 }));
      enclosures.add(sampleEnclosure(keep, 'b'));
      enclosures.add(sampleEnclosure(absorb, 'a'));
      enclosures.add(sampleEnclosure(absorb, 'b', { copy: 8 }));
      enclosures.add(sampleEnclosure(absorb, 'c'));
      enclosures.move(absorb, keep);
      links.remove(absorb);
      const found = enclosures.ofLink(keep).map(({ source, copy, link }) => [source, copy, link]);
      expect(found.sort()).toStrictEqual([
        ['a', 7, keep],
        ['b', 8, keep],
        ['c', null, keep],
      ]);
    });

    test('what was taken off GitHub is counted, route by route', () => {
      const { links, enclosures } = subject.store;
      const one = links.add(halfLink(1, { isWithdrawn: true }));
      const pot = links.add(halfLink(2, { route: 'pot', isWithdrawn: true }));
      links.add(halfLink(3));
      enclosures.add(sampleEnclosure(one.id, 'a', { state: 'withdrawn' }));
      enclosures.add(sampleEnclosure(one.id, 'b', { state: 'withdrawn' }));
      enclosures.add(sampleEnclosure(one.id, 'c', { state: 'mirrored' }));
      enclosures.add(sampleEnclosure(pot.id, 'a', { state: 'withdrawn' }));
      expect([links.withdrawn('kettle'), enclosures.withdrawn('kettle')]).toStrictEqual([1, 2]);
      expect([links.withdrawn('pot'), enclosures.withdrawn('pot')]).toStrictEqual([1, 1]);
      expect([links.withdrawn('none'), enclosures.withdrawn('none')]).toStrictEqual([0, 0]);
    });

    test('a link that is removed takes its enclosures along, and when they were read', () => {
      const { links, enclosures } = subject.store;
      const { id } = links.add(halfLink(1));
      const { id: file } = enclosures.add(sampleEnclosure(id, '9'));
      expect(enclosures.readAt(id)).toBeNull();
      enclosures.markRead(id, 5);
      enclosures.markRead(id, 7);
      expect(enclosures.readAt(id)).toBe(7);
      links.remove(id);
      expect([enclosures.byId(file), enclosures.readAt(id)]).toStrictEqual([null, null]);
    });
  });
}
