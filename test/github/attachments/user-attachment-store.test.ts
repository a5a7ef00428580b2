import { describe, expect, onTestFinished, test } from 'vitest';
import { uploadStore } from '../../../src/github/attachments/user-attachment-store.ts';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import type { AttachmentStore } from '../../../src/model/attachment.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../../src/sandbox/server/faults.ts';
import { attachmentStoreWorld, upload } from '../../contract/github/attachment-store.ts';

interface Scenario {
  readonly world: GithubWorld;
  readonly attachmentStore: (login: string) => AttachmentStore;
  faults: FaultSource;
}

async function served(): Promise<Scenario> {
  const world = attachmentStoreWorld();
  const scenario: { faults: FaultSource } = { faults: noFaults };
  const server = await serveGithub(world, { port: 0, faults: (side, cost) => scenario.faults(side, cost) });
  onTestFinished(() => server.close());
  const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
  const clientOf = (login: string) =>
    createGithubClient({ url: server.url, token: `token-of-${login}`, lane, timeoutMs: 5_000, now: world.state.now });
  return Object.assign(scenario, {
    world,
    attachmentStore: (login: string) => uploadStore({ client: clientOf(login), owner: 'acme', repo: 'widget' }),
  });
}

const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255, 128, 10);

describe('uploads', () => {
  test('stand byte for byte at the address that GitHub gives', async () => {
    const { world, attachmentStore } = await served();
    const outcomes = await attachmentStore('bot').put([
      upload('0-999/1/2-Bild ä.png', picture, 'image/png'),
      upload('0-999/1/3-film.mov', 'film', 'video/quicktime'),
    ]);
    const urls = outcomes.map((outcome) => (outcome.kind === 'applied' ? outcome.item.url : outcome.kind));
    expect(urls).toEqual(Array(2).fill(expect.stringMatching(/^https:\/\/github\.com\/user-attachments\/assets\/[0-9a-f-]{36}$/u)));
    expect(world.state.uploads.get(urls[0] ?? '')).toEqual({ name: '2-Bild ä.png', type: 'image/png', bytes: picture });
  });

  test.each([
    ['a text', '0-999/1/2-a.log', 'text/plain'],
    ['a name of another kind', '0-999/1/2-a.jpg', 'image/png'],
  ])('of %s are refused, and keep no other from its place', async (_what, path, type) => {
    const { attachmentStore } = await served();
    const outcomes = await attachmentStore('bot').put([upload(path, 'x', type), upload('0-999/1/3-b.gif', 'GIF89a', 'image/gif')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'applied']);
  });

  test('are refused where the account may not write', async () => {
    const { attachmentStore, world } = await served();
    expect(await attachmentStore('reader').put([upload('1-a.png', picture, 'image/png')])).toMatchObject([{ kind: 'refused' }]);
    expect(world.state.uploads.size).toBe(0);
  });

  test('are in doubt when the answer is lost, and done again; the file that no text shows stays', async () => {
    const scenario = await served();
    const attachmentStore = scenario.attachmentStore('bot');
    scenario.faults = (_side, cost) => (cost === 'read' ? { kind: 'none' } : { kind: 'drop', after: true });
    expect(await attachmentStore.put([upload('1-a.png', picture, 'image/png')])).toMatchObject([{ kind: 'unknown' }]);
    scenario.faults = noFaults;
    expect(await attachmentStore.put([upload('1-a.png', picture, 'image/png')])).toMatchObject([{ kind: 'applied' }]);
    expect(scenario.world.state.uploads.size).toBe(2);
  });

  test('cannot be taken away, and whoever wants to is told', async () => {
    const { attachmentStore, world } = await served();
    await attachmentStore('bot').put([upload('1-a.png', picture, 'image/png')]);
    expect(await attachmentStore('bot').remove(['1-a.png'])).toEqual({ kind: 'applied', item: { left: expect.any(String) } });
    expect(world.state.uploads.size).toBe(1);
  });
});

test('a refusal says what an operator can do', async () => {
  const { attachmentStore } = await served();
  expect(await attachmentStore('reader').put([upload('1-a.png', picture, 'image/png')])).toMatchObject([
    { kind: 'refused', why: expect.stringContaining('store: branch') },
  ]);
});
