import { describe, expect, test } from 'vitest';
import type {
  AttachmentLink,
  AttachmentStatus,
  NewAttachmentLink,
  NewTrackerAttachmentLink,
  StoredCopy,
} from '../../../src/model/attachment.ts';
import { attachmentLinkId, type LinkId } from '../../../src/model/ids.ts';
import { halfLink, halfLinkOfIssue } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

type FileChange = Partial<Omit<NewTrackerAttachmentLink, keyof AttachmentStatus<StoredCopy> | 'origin'>> &
  (AttachmentStatus<StoredCopy> | { readonly state?: never });

export const sampleAttachmentLink = (link: LinkId, source: string, change: FileChange = {}): NewAttachmentLink => ({
  ...facts(link, source),
  ...{ origin: 'tracker', state: 'pending', reason: null, path: '0-999/1/9-lid.png', copy: null, checkedDigest: null },
  ...change,
});

const sampleIssueFile = (link: LinkId, source: string, copy: number | null = null): NewAttachmentLink => ({
  ...facts(link, source),
  ...{ origin: 'github', path: null, checkedDigest: null, reason: null },
  ...(copy === null ? { state: 'pending', copy } : { state: 'mirrored', copy: { id: copy, url: null } }),
});

const facts = (link: LinkId, source: string) => ({
  link,
  source,
  url: 'https://tracker.example/attachment.cgi?id=9',
  name: 'Lid “open” 🫖.png',
  summary: 'It sticks',
  type: 'image/png',
  size: 1_200,
  isPatch: false,
  isObsolete: true,
  flags: ['review+'],
  createdAt: 1_700_000_000_000,
});

const withdrawn = { state: 'withdrawn', reason: null, copy: null } as const;
const stored = {
  state: 'mirrored',
  reason: null,
  copy: { url: 'https://github.example/raw', sha256: 'ab', excerpt: 'text' },
} as const;

export function attachmentLinksContract(subject: StoreUnderTest): void {
  describe('attachmentLinks', () => {
    test('an attachment of the tracker is found by its id, and a file of an issue is not taken for one', () => {
      const { links, attachmentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      attachmentLinks.add(sampleIssueFile(id, '9'));
      expect(attachmentLinks.byAttachment(9)).toBeNull();
      const added = attachmentLinks.add(sampleAttachmentLink(id, '9'));
      expect(attachmentLinks.byAttachment(9)).toStrictEqual(added);
      expect(attachmentLinks.byAttachment(90)).toBeNull();
    });

    test('an attachment link comes back as it was added, and as it was saved', () => {
      const { links, attachmentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const added = attachmentLinks.add(sampleAttachmentLink(id, '9'));
      expect(attachmentLinks.byId(added.id)).toStrictEqual(added);
      const ofTracker = { origin: 'tracker', path: null, checkedDigest: 'd' } as const;
      const saved: AttachmentLink = { ...added, ...ofTracker, ...stored, size: null, isPatch: true, isObsolete: false };
      attachmentLinks.save(saved);
      expect(attachmentLinks.byId(added.id)).toStrictEqual(saved);
      expect(attachmentLinks.byId(attachmentLinkId(999))).toBeNull();
      expect(() => attachmentLinks.save({ ...saved, id: attachmentLinkId(999) })).toThrow(/removed/);
    });

    test('a file has one attachment link in a link, whatever has the same name on the other side', () => {
      const { links, attachmentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      attachmentLinks.add(sampleAttachmentLink(id, '9'));
      attachmentLinks.add(sampleIssueFile(id, '9'));
      attachmentLinks.add(sampleAttachmentLink(links.add(halfLink(2)).id, '9'));
      expect(() => attachmentLinks.add(sampleAttachmentLink(id, '9', { name: 'other' }))).toThrow(/the file 9/);
      expect(attachmentLinks.ofLink(id)).toHaveLength(2);
    });

    test('when two half links become one, a file that both know keeps its copy', () => {
      const { links, attachmentLinks } = subject.store;
      const keep = links.add(halfLink(1)).id;
      const absorb = links.add(halfLinkOfIssue(5)).id;
      attachmentLinks.add(sampleIssueFile(keep, 'a', 7));
      attachmentLinks.add(sampleIssueFile(keep, 'b'));
      attachmentLinks.add(sampleIssueFile(absorb, 'a'));
      attachmentLinks.add(sampleIssueFile(absorb, 'b', 8));
      attachmentLinks.add(sampleIssueFile(absorb, 'c'));
      attachmentLinks.move(absorb, keep);
      links.remove(absorb);
      const found = attachmentLinks
        .ofLink(keep)
        .map(({ source, copy, link }) => [source, copy !== null && 'id' in copy ? copy.id : null, link]);
      expect(found.sort()).toStrictEqual([
        ['a', 7, keep],
        ['b', 8, keep],
        ['c', null, keep],
      ]);
    });

    test('what was taken off GitHub is counted, route by route', () => {
      const { links, attachmentLinks } = subject.store;
      const one = links.add(halfLink(1, { isWithdrawn: true }));
      const pot = links.add(halfLink(2, { route: 'pot', isWithdrawn: true }));
      links.add(halfLink(3));
      attachmentLinks.add(sampleAttachmentLink(one.id, 'a', withdrawn));
      attachmentLinks.add(sampleAttachmentLink(one.id, 'b', withdrawn));
      attachmentLinks.add(sampleAttachmentLink(one.id, 'c', stored));
      attachmentLinks.add(sampleAttachmentLink(pot.id, 'a', withdrawn));
      expect([links.withdrawn('kettle'), attachmentLinks.withdrawn('kettle')]).toStrictEqual([1, 2]);
      expect([links.withdrawn('pot'), attachmentLinks.withdrawn('pot')]).toStrictEqual([1, 1]);
      expect([links.withdrawn('none'), attachmentLinks.withdrawn('none')]).toStrictEqual([0, 0]);
    });

    test('a link that is removed takes its attachment links along, and when they were read', () => {
      const { links, attachmentLinks } = subject.store;
      const { id } = links.add(halfLink(1));
      const { id: file } = attachmentLinks.add(sampleAttachmentLink(id, '9'));
      expect(attachmentLinks.readAt(id)).toBeNull();
      attachmentLinks.markRead(id, 5);
      attachmentLinks.markRead(id, 7);
      expect(attachmentLinks.readAt(id)).toBe(7);
      links.remove(id);
      expect([attachmentLinks.byId(file), attachmentLinks.readAt(id)]).toStrictEqual([null, null]);
    });
  });
}
