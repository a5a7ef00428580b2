import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { branchRule as rule, testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = { ...widgetRoute, attachments: rule };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function cycles(world: Stage, count = 4, on: Route = route): Promise<void> {
  const context = contextOn(world, on, { limits: testLimits });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

const attachmentStore = (world: Stage): readonly string[] => [...world.github.files(repo, 'attachments').keys()];
const textsOn = (world: Stage, issue: number): string =>
  [world.github.issue(repo, issue)?.body ?? '', ...world.github.commentsOf(repo, issue).map(({ body }) => body)].join(
    '\n=====\n',
  );
/** Requests that write, by method and place. */
const writes = (world: Stage): number => world.github.requests.filter(({ method }) => method !== 'GET').length;

function filed(): { world: Stage; bug: number } {
  const world = stage();
  return { world, bug: world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }) };
}

describe('a file on a bug', () => {
  test('is in the attachment store byte for byte, and its comment shows it once', async () => {
    const { world, bug } = filed();
    const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256);
    world.tracker.as('alice').attach(bug, {
      bytes,
      file_name: 'crash.png',
      summary: 'What I *see*',
      content_type: 'image/png',
      comment: 'Look.',
    });
    await cycles(world);
    const [[path, content] = []] = world.github.files(repo, 'attachments');
    expect(path).toBe(`0-999/${bug}/1-crash.png`);
    expect(content).toEqual(bytes);
    const url = `https://github.com/acme/widget/raw/attachments/0-999/${bug}/1-crash.png`;
    const [comment, ...more] = world.github.commentsOf(repo, 1);
    expect(more).toEqual([]);
    expect(comment?.body).toContain(
      `Attachment 1, [crash.png](<${url}>) (image/png, 3 kB): What I \\*see\\*\n\n![crash.png](<${url}>)\n\nLook.`,
    );
    expect(comment?.body).not.toContain('Created attachment');
    expect(
      world.store.attachmentLinks.ofLink(world.store.links.after('widget', null, 1)[0]?.id ?? (0 as never))[0],
    ).toMatchObject({
      state: 'mirrored',
      copy: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) },
    });
  });

  test('is shown in full where it is a short text, in a fence that it cannot leave', async () => {
    const { world, bug } = filed();
    const text = '--- a\n+++ b\n@@ -1 +1 @@\n-@mona\n+```\n+![](x) mail me@example.test\n';
    world.tracker
      .as('alice')
      .attach(bug, { bytes: bytesOf(text), file_name: 'a.patch', is_patch: true, content_type: 'text/plain' });
    await cycles(world);
    expect(textsOn(world, 1)).toContain('````diff\n--- a\n+++ b\n@@ -1 +1 @@\n-@mona\n+```\n+![](x) mail me@…\n````');
  });

  test('holds back the comments behind its own, which would stand before it for good', async () => {
    const { world, bug } = filed();
    const alice = world.tracker.as('alice');
    alice.comment(bug, 'Before.');
    world.clock.advance(1_000);
    alice.attach(bug, { bytes: bytesOf('x'), file_name: 'crash.log', comment: 'The log.' });
    world.clock.advance(1_000);
    alice.comment(bug, 'A reply.');
    await cycles(world);
    const copies = world.github.commentsOf(repo, 1).map(({ body }) => /Before\.|The log\.|A reply\./u.exec(body)?.[0]);
    expect(copies).toEqual(['Before.', 'The log.', 'A reply.']);
  });

  test('asks for nothing more once it has crossed', async () => {
    const { world, bug } = filed();
    world.tracker.as('alice').attach(bug, { bytes: bytesOf('x') });
    await cycles(world, 5);
    const [before, calls] = [writes(world), world.calls.length];
    await cycles(world, 1);
    expect(writes(world)).toBe(before);
    expect(world.calls.slice(calls).map(({ method }) => method)).toEqual(['changes', 'changes', 'lookAt']);
  });

  test('many files are one change of the branch', async () => {
    const { world, bug } = filed();
    for (let index = 0; index < 40; index += 1)
      world.tracker.as('alice').attach(bug, { bytes: bytesOf(`${index}`), file_name: 'same name.txt' });
    await cycles(world);
    expect(new Set(attachmentStore(world)).size).toBe(40);
    expect(
      world.github.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/git/refs')),
    ).toHaveLength(1);
  });

  test('opens the issue only when the file of the description stands', async () => {
    const { world, bug } = filed();
    const [description] = world.tracker.state.comments.get(bug) ?? [];
    world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'first.bin' });
    const computed = world.tracker.state.comments.get(bug)?.[1];
    if (description === undefined || computed === undefined) throw new Error('no comments');
    world.tracker.state.comments.set(bug, [{ ...description, attachment: 1, attachmentEvent: 'created' }]);
    await cycles(world);
    expect(world.github.issue(repo, 1)?.body).toContain(
      'Attachment 1, [first.bin](<https://github.com/acme/widget/raw/',
    );
    expect(world.github.issue(repo, 1)?.body).toContain('Always.');
  });

  test.each([
    ['larger than the rule allows', { bytes: new Uint8Array(100_001) }, 'on the tracker, larger than 100 kB'],
    [
      'deleted by an administrator',
      { bytes: bytesOf('x'), isDeleted: true },
      'on the tracker, its content was deleted',
    ],
  ])(
    'that is %s is only linked to, and says so',
    async (_what, { bytes, isDeleted = false }: { bytes: Uint8Array; isDeleted?: boolean }, words) => {
      const { world, bug } = filed();
      const id = world.tracker.as('alice').attach(bug, { bytes, file_name: 'big.bin' });
      const row = world.tracker.state.attachments.get(id);
      if (isDeleted && row) world.tracker.state.attachments.set(id, { ...row, content: null, size: 0 });
      await cycles(world);
      expect(textsOn(world, 1)).toContain(`[big.bin](<https://bugs.example.test/attachment.cgi?id=${id}>)`);
      expect(textsOn(world, 1)).toContain(words);
      expect(attachmentStore(world)).toEqual([]);
    },
  );

  test('stays on the tracker where the route only links', async () => {
    const { world, bug } = filed();
    world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await cycles(world, 4, { ...route, attachments: { ...rule, store: 'link' } });
    expect(textsOn(world, 1)).toContain(
      '[a.bin](<https://bugs.example.test/attachment.cgi?id=1>) (application/octet-stream, 1 byte, on the tracker)',
    );
    expect(attachmentStore(world)).toEqual([]);
  });

  test('goes to another repository where the route says so', async () => {
    const { world, bug } = filed();
    world.github.addRepo('acme/files', { permissions: { 'bugferry-bot': 'write' } });
    world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await cycles(world, 4, { ...route, attachments: { ...rule, store: 'repo', repo: 'files' } });
    expect([...world.github.files('acme/files', 'attachments').keys()]).toEqual([`0-999/${bug}/1-a.bin`]);
    expect(textsOn(world, 1)).toContain('https://github.com/acme/files/raw/attachments/');
  });

  test('that the attachment store refuses is linked to, and holds back no comment', async () => {
    const { world, bug } = filed();
    world.github.addRepo('acme/empty', { isEmpty: true, permissions: { 'bugferry-bot': 'write' } });
    world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin', comment: 'Look.' });
    await cycles(world, 4, { ...route, attachments: { ...rule, store: 'repo', repo: 'empty' } });
    expect(textsOn(world, 1)).toContain('on the tracker, it could not be carried over');
    expect(textsOn(world, 1)).toContain('Look.');
    expect(world.store.outbox.parked('widget').map(({ why }) => why)).toEqual([
      expect.stringContaining('Git Repository is empty.'),
    ]);
  });
});

describe('what is not for other eyes (I9)', () => {
  test.each(['bridge', 'bridge-insider'])(
    'a private file never leaves, and neither does its name, whoever looks: %s',
    async (user) => {
      const { world, bug } = filed();
      const file = {
        bytes: bytesOf('secret content'),
        file_name: 'secret-name.txt',
        summary: 'Secret summary',
        content_type: 'text/plain',
      };
      world.tracker.as('bridge-insider').attach(bug, { ...file, is_private: true });
      const id = world.tracker.as('alice').attach(bug, file);
      // The comment that the tracker wrote about it stays public.
      world.tracker.as('bridge-insider').changeAttachment(id, { is_private: true });
      const context = contextOn(world, route, { limits: testLimits, user });
      for (let index = 0; index < 4; index += 1) {
        world.clock.advance(61_000);
        await cycle(context, { isForced: false });
      }
      expect(world.github.issue(repo, 1)).not.toBeNull();
      expect(JSON.stringify([textsOn(world, 1), attachmentStore(world)]).toLowerCase()).not.toContain('secret');
    },
  );

  test('the copy of a file that becomes private is removed from the attachment store, and comes back with it', async () => {
    const { world, bug } = filed();
    const id = world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await cycles(world);
    expect(attachmentStore(world)).toHaveLength(1);
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: true });
    await cycles(world);
    expect(attachmentStore(world)).toEqual([]);
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: false });
    await cycles(world);
    expect(attachmentStore(world)).toHaveLength(1);
  });
});

describe('a file in an issue', () => {
  const upload = { name: 'shot.png', type: 'image/png', bytes: bytesOf('not really a picture') };

  test('is attached to the bug once, and its comment does not come back', async () => {
    const { world } = filed();
    await cycles(world);
    const mona = world.github.as('mona');
    const url = mona.upload(upload);
    mona.comment(repo, 1, `See ![shot](${url}) and again ${url}`);
    await cycles(world, 6);
    expect(
      [...world.tracker.state.attachments.values()].map(({ fileName, size, creator }) => [fileName, size, creator]),
    ).toEqual([[expect.stringMatching(/^[0-9a-f]{8}\.txt$/u), upload.bytes.length, 'bridge@example.test']]);
    expect(world.github.commentsOf(repo, 1)).toHaveLength(1);
    const [link] = world.store.links.after('widget', null, 1);
    const waiting =
      link === undefined ? [] : world.store.commentLinks.ofLink(link.id).filter(({ state }) => state === 'pending');
    expect(waiting).toEqual([]);
    const before = writes(world);
    await cycles(world, 3);
    expect(world.tracker.state.attachments.size).toBe(1);
    expect(writes(world)).toBe(before);
  });

  test('of a new issue reaches its bug', async () => {
    const { world } = filed();
    const mona = world.github.as('mona');
    const url = mona.upload({ ...upload, name: 'a.log', type: 'text/plain' });
    mona.open(repo, { title: 'Opened on GitHub', body: `[a.log](${url})` });
    await cycles(world, 6);
    expect([...world.tracker.state.attachments.values()].map(({ fileName, bug }) => [fileName, bug])).toEqual([
      ['a.log', 2],
    ]);
  });

  test('is attached once when the answer was lost, and when the database was', async () => {
    const { world } = filed();
    await cycles(world);
    const mona = world.github.as('mona');
    mona.comment(repo, 1, mona.upload(upload));
    let isLost = false;
    world.faults = (side, cost) => {
      if (side !== 'tracker' || cost !== 'create' || isLost || world.tracker.state.comments.get(1)?.length !== 2)
        return { kind: 'none' };
      isLost = true;
      return { kind: 'drop', after: true };
    };
    await cycles(world, 8);
    expect(isLost).toBe(true);
    expect(world.tracker.state.attachments.size).toBe(1);
    const { store: _forgotten, ...rest } = world;
    const again: Stage = { ...rest, store: stage().store };
    await cycles(again, 6);
    expect(world.tracker.state.attachments.size).toBe(1);
  });

  test('that is too large stays a link, and the findings say why', async () => {
    const { world } = filed();
    await cycles(world);
    const mona = world.github.as('mona');
    mona.comment(repo, 1, mona.upload({ ...upload, bytes: new Uint8Array(100_001) }));
    await cycles(world, 5);
    expect(world.tracker.state.attachments.size).toBe(0);
    expect(world.store.findings.ofRoute('widget', 10).skips.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('larger than the tracker accepts'),
    ]);
  });
});
