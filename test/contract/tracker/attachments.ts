import { describe, expect, test } from 'vitest';
import type { AttachmentClient, AttachmentDraft } from '../../../src/model/attachment.ts';
import type { FaultSource } from '../../../src/sandbox/server/faults.ts';
import { type TrackerVersion, trackerVersions } from '../../../src/sandbox/tracker/installation/versions.ts';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

export interface AttachmentClientScenario {
  readonly world: TrackerWorld;
  /** The attachment client of an account. */
  readonly attachmentClient: (user: string) => AttachmentClient;
  /** What happens to every request from now on. */
  fail(faults: FaultSource): void;
}

const bytes = Uint8Array.of(0, 1, 2, 253, 254, 255);
const draft: AttachmentDraft = {
  name: 'a b.bin',
  summary: 'Ä file',
  type: 'application/x-thing',
  isPatch: false,
  comment: 'Look.',
  bytes,
};

/** What every attachment client must do. */
export function attachmentClientContract(
  name: string,
  open: (options?: { readonly version?: TrackerVersion }) => Promise<AttachmentClientScenario>,
): void {
  describe(`the contract of an attachment client, kept by ${name}`, () => {
    test('files are listed without contents, for many bugs at once, and hidden bugs are left out', async () => {
      const { world, attachmentClient } = await open();
      const alice = world.as('alice');
      const [one, other, hidden] = [1, 2, 3].map((index) => alice.file({ summary: `${index}` }));
      const id = alice.attach(one ?? 0, { bytes, file_name: 'a.bin', summary: 'S', content_type: 'image/png' });
      world.hide(hidden ?? 0);
      const found = await attachmentClient('bridge').list([one ?? 0, other ?? 0, hidden ?? 0]);
      expect([...found.keys()]).toEqual([one, other]);
      const [file, ...more] = found.get(one ?? 0) ?? [];
      expect([more, found.get(other ?? 0)]).toEqual([[], []]);
      expect(file).toMatchObject({
        id,
        bug: one,
        name: 'a.bin',
        summary: 'S',
        type: 'image/png',
        size: 6,
        isPrivate: false,
        isObsolete: false,
        flags: [],
      });
      world
        .as('alice')
        .changeAttachment(id, { flags: [{ name: 'review', status: '?', requestee: 'bob@example.test' }] });
      expect((await attachmentClient('bridge').list([one ?? 0])).get(one ?? 0)).toMatchObject([{ flags: ['review?'] }]);
      expect(file).toMatchObject({
        isPatch: false,
        author: { login: 'alice@example.test', name: 'alice' },
        url: `${world.url}/attachment.cgi?id=${id}`,
      });
    });

    test('a private file is marked as such where it is shown at all, and its content is never given', async () => {
      const { world, attachmentClient } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      const id = world.as('bridge-insider').attach(bug, { bytes, is_private: true });
      expect((await attachmentClient('bridge').list([bug])).get(bug)).toEqual([]);
      expect((await attachmentClient('bridge-insider').list([bug])).get(bug)).toMatchObject([{ id, isPrivate: true }]);
      for (const user of ['bridge', 'bridge-insider'])
        expect((await attachmentClient(user).content(id)).kind, user).not.toBe('applied');
    });

    test('a content comes byte for byte', async () => {
      const { world, attachmentClient } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      expect(await attachmentClient('bridge').content(world.as('alice').attach(bug, { bytes }))).toEqual({
        kind: 'applied',
        item: bytes,
      });
    });

    test('a content that was deleted has no size, and is refused', async () => {
      const { world, attachmentClient } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      const id = world.as('alice').attach(bug, { bytes });
      const row = world.state.attachments.get(id);
      if (row) world.state.attachments.set(id, { ...row, content: null, size: 0 });
      expect((await attachmentClient('bridge').list([bug])).get(bug)).toMatchObject([{ size: null }]);
      expect(await attachmentClient('bridge').content(id)).toMatchObject({ kind: 'refused' });
    });

    test('an attachment keeps its content', async () => {
      const { world, attachmentClient } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      const outcome = await attachmentClient('bridge').attach(bug, draft);
      expect(outcome).toMatchObject({
        kind: 'applied',
        item: { bug, name: 'a b.bin', summary: 'Ä file', size: 6, isPrivate: false },
      });
      const [stored] = [...world.state.attachments.values()];
      expect(stored).toMatchObject({
        fileName: 'a b.bin',
        summary: 'Ä file',
        contentType: 'application/x-thing',
        size: 6,
      });
      expect(stored?.content).toBe(Buffer.from(bytes).toString('base64'));
      expect(world.commentsOf(bug).at(-1)?.text).toBe(`Created attachment ${stored?.id}\nÄ file\n\nLook.`);
    });

    test.each(trackerVersions)('every character of its name and its words is kept on %s', async (version) => {
      const { world, attachmentClient } = await open({ version });
      const bug = world.as('alice').file({ summary: 'a' });
      const words = 'ünï 中';
      const outcome = await attachmentClient('bridge').attach(bug, {
        ...draft,
        name: `${words}.bin`,
        summary: words,
        comment: `${words} 🦊`,
      });
      expect(outcome).toMatchObject({ kind: 'applied', item: { name: `${words}.bin`, summary: words } });
      expect([...world.state.attachments.values()]).toMatchObject([{ fileName: `${words}.bin`, summary: words }]);
      expect(world.commentsOf(bug).at(-1)?.text).toContain(`\n${words}\n\n${words} 🦊`);
    });

    test('a file that is too large is refused, with the limit', async () => {
      const { world, attachmentClient } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      expect(await attachmentClient('bridge').bytesMax()).toBe(1_024_000);
      expect(
        await attachmentClient('bridge').attach(bug, { ...draft, bytes: new Uint8Array(1_024_001) }),
      ).toMatchObject({
        kind: 'refused',
      });
      expect(
        await attachmentClient('bridge').attach(bug, { ...draft, bytes: new Uint8Array(1_024_000) }),
      ).toMatchObject({
        kind: 'applied',
      });
    });

    test('a lost answer leaves attaching in doubt, and a reading to be done again', async () => {
      const { world, attachmentClient, fail } = await open();
      const bug = world.as('alice').file({ summary: 'a' });
      const id = world.as('alice').attach(bug, { bytes });
      const bridge = attachmentClient('bridge');
      await bridge.list([bug]);
      fail(() => ({ kind: 'drop', after: true }));
      expect(await bridge.attach(bug, draft)).toMatchObject({ kind: 'unknown' });
      expect(await bridge.content(id)).toMatchObject({ kind: 'later' });
      await expect(bridge.list([bug])).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
      expect(world.state.attachments.size).toBe(2);
    });
  });
}
