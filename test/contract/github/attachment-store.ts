import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttachmentStore, Upload } from '../../../src/model/attachment.ts';
import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import type { FaultSource } from '../../../src/sandbox/server/faults.ts';

export interface StoreLocation {
  readonly login: string;
  readonly repo: string;
}

export interface AttachmentStoreScenario {
  readonly world: GithubWorld;
  /** A fresh attachment store, as after a restart. */
  readonly attachmentStore: (place: StoreLocation) => AttachmentStore;
  /** What happens to every request from now on. */
  fail(faults: FaultSource): void;
}

export const storeRepo = 'acme/widget';

export function attachmentStoreWorld(): GithubWorld {
  const world = createGithubWorld({
    now: () => Date.UTC(2026, 0, 5),
    url: 'http://github.invalid',
    webUrl: 'https://github.com',
  });
  for (const login of ['bot', 'reader']) world.addUser(login);
  world.addRepo(storeRepo, { permissions: { bot: 'write' } });
  world.addRepo('acme/empty', { isEmpty: true, permissions: { bot: 'write' } });
  return world;
}

export const upload = (path: string, content: string | Uint8Array, type = 'text/plain'): Upload => ({
  path,
  type,
  open: async () => ({
    kind: 'applied',
    item: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  }),
});

/** What every place for files must do. */
export function attachmentStoreContract(name: string, open: () => Promise<AttachmentStoreScenario>): void {
  const begin = async () => {
    const scenario = await open();
    const pages = githubServer(scenario.world);
    const read = async (url: string): Promise<string | null> => {
      const page = await pages.request(new URL(url).pathname);
      return page.status === 200 ? Buffer.from(await page.arrayBuffer()).toString('latin1') : null;
    };
    /** The addresses of the uploads; fails if one of them has none. */
    const put = async (attachmentStore: AttachmentStore, ...uploads: readonly Upload[]): Promise<readonly string[]> =>
      (await attachmentStore.put(uploads)).map((outcome) =>
        outcome.kind === 'applied' ? outcome.item.url : expect.fail(JSON.stringify(outcome)),
      );
    const writes = (): number =>
      scenario.world.requests.filter(({ method, status }) => method !== 'GET' && status < 300).length;
    return {
      ...scenario,
      attachmentStore: scenario.attachmentStore({ login: 'bot', repo: storeRepo }),
      again: scenario.attachmentStore,
      read,
      put,
      writes,
    };
  };
  const mine = { login: 'bot', repo: storeRepo };

  describe(`the contract of an attachment store, kept by ${name}`, () => {
    test.each([
      ['a text', 'Hello\n'],
      ['bytes of all kinds', Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256)],
      ['nothing', ''],
      ['what looks like JSON', '{"a": [1, "\\u0000"]}'],
    ])('%s stands byte for byte where it is said to stand', async (_what, content) => {
      const { attachmentStore, read } = await begin();
      const bytes = Buffer.from(content);
      const [outcome] = await attachmentStore.put([upload('0-999/12/34-a.bin', content)]);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(outcome).toMatchObject({ kind: 'applied', item: { sha256 } });
      if (outcome?.kind !== 'applied') return;
      expect(Buffer.from(outcome.item.head).equals(bytes.subarray(0, 8_192))).toBe(true);
      expect(await read(outcome.item.url)).toBe(bytes.toString('latin1'));
    });

    test('names that are the same, foreign, or mean something elsewhere, are kept apart', async () => {
      const { attachmentStore, read, put } = await begin();
      const names = [
        'same.log',
        'same.log',
        'Übersicht 日本語 🫖.png',
        '日本語',
        '日本誌',
        '#?%&+ .txt',
        'a..b',
        '.git',
        'CON',
        'x'.repeat(110),
        'a b',
        'a_b',
      ];
      const uploads = names.map((each, index) => upload(`0-999/1/${index + 1}-${each}`, `content ${index}`));
      const urls = await put(attachmentStore, ...uploads);
      expect(await Promise.all(urls.map(read))).toEqual(names.map((_, index) => `content ${index}`));
      expect(new Set(urls).size).toBe(names.length);
    });

    test('a stored file is not written again, not even by a new process', async () => {
      const { attachmentStore, again, put, writes } = await begin();
      const uploads = [upload('0-999/1/1-a', 'one'), upload('0-999/1/2-ä b', 'two')];
      const urls = await put(attachmentStore, ...uploads);
      const before = writes();
      expect(await put(attachmentStore, ...uploads)).toEqual(urls);
      expect(await put(again(mine), ...uploads)).toEqual(urls);
      expect(writes()).toBe(before);
    });

    test('new content replaces a stored file', async () => {
      const { attachmentStore, read, put } = await begin();
      await put(attachmentStore, upload('0-999/1/1-a', 'one'), upload('0-999/1/2-b', 'other'));
      const [url = ''] = await put(attachmentStore, upload('0-999/1/1-a', 'two'));
      expect(await read(url)).toBe('two');
    });

    test('a stored file can be read, and a missing file is null', async () => {
      const { again, put, attachmentStore } = await begin();
      const bytes = Uint8Array.from({ length: 2_000 }, (_, index) => (index * 7) % 256);
      await put(attachmentStore, upload('0-999/1/1-a', 'one'), upload('0-999/1/2-ä', bytes, 'text/html'));
      const shown = new Map<string, Uint8Array | null>();
      const paths = ['0-999/1/1-a', '0-999/1/2-ä', '0-999/9/9-none'];
      const outcome = await again(mine).read(paths, (path, content) =>
        shown.set(path, content === null ? null : new Uint8Array(content)),
      );
      expect(outcome).toEqual({ kind: 'applied', item: null });
      expect([...shown.values()]).toEqual([new TextEncoder().encode('one'), bytes, null]);
    });

    test('a file that cannot be had keeps no other from its place', async () => {
      const { attachmentStore, read } = await begin();
      const missing: Upload = {
        ...upload('0-999/1/2-b', ''),
        open: async () => ({ kind: 'refused', why: 'it is private' }),
      };
      const outcomes = await attachmentStore.put([
        upload('0-999/1/1-a', 'one'),
        missing,
        upload('0-999/1/3-c', 'three'),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'refused', 'applied']);
      for (const outcome of outcomes)
        if (outcome.kind === 'applied') expect(await read(outcome.item.url)).not.toBeNull();
    });

    test('what is taken away is gone, and the rest stays', async () => {
      const { attachmentStore, again, read, put, writes } = await begin();
      const [first = '', second = ''] = await put(
        attachmentStore,
        upload('0-999/1/1-a', 'one'),
        upload('0-999/1/2-b', 'two'),
      );
      expect(await again(mine).remove(['0-999/1/1-a', '0-999/9/9-none'])).toMatchObject({ kind: 'applied' });
      expect([await read(first), await read(second)]).toEqual([null, 'two']);
      const before = writes();
      expect(await attachmentStore.remove(['0-999/1/1-a', '0-999/9/9-none'])).toEqual({
        kind: 'applied',
        item: { left: null },
      });
      expect(writes()).toBe(before);
    });

    test('what was taken away may come back', async () => {
      const { attachmentStore, read, put } = await begin();
      await put(attachmentStore, upload('0-999/1/1-a', 'one'));
      await attachmentStore.remove(['0-999/1/1-a']);
      const [url = ''] = await put(attachmentStore, upload('0-999/1/1-a', 'one'));
      expect(await read(url)).toBe('one');
    });

    test('repeating a request settles a lost answer, in any process', async () => {
      for (const isRestarted of [false, true]) {
        const { world, attachmentStore, again, fail, read, put } = await begin();
        let losses = 0;
        fail((_side, cost) => {
          if (cost === 'read' || losses >= 6) return { kind: 'none' };
          losses += 1;
          return { kind: 'drop', after: true };
        });
        const one = isRestarted ? () => again(mine) : () => attachmentStore;
        for (let tries = 0; tries < 8; tries += 1) {
          const [outcome] = await one().put([upload('0-999/1/1-a', 'one')]);
          if (outcome?.kind === 'applied') break;
          expect(['unknown', 'later']).toContain(outcome?.kind);
        }
        const before = world.requests.filter(({ method }) => method !== 'GET').length;
        const [url = ''] = await put(one(), upload('0-999/1/1-a', 'one'));
        expect(await read(url)).toBe('one');
        expect(world.requests.filter(({ method }) => method !== 'GET').length).toBe(before);
        expect([...world.files(storeRepo, 'attachments').values(), ...world.assets(storeRepo).values()]).toHaveLength(
          1,
        );
      }
    });

    test('GitHub asking for a pause is passed on', async () => {
      const { attachmentStore, fail } = await begin();
      fail(() => ({ kind: 'limited', status: 429, retryAfterSeconds: 60 }));
      const outcomes = await attachmentStore.put([upload('0-999/1/1-a', 'one'), upload('0-999/1/2-b', 'two')]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
    });

    test.each([
      ['an account that may not write', { login: 'reader', repo: storeRepo }],
      ['a repository without a commit', { login: 'bot', repo: 'acme/empty' }],
    ])('%s is refused', async (_what, place) => {
      const { again, world } = await begin();
      expect(await again(place).put([upload('0-999/1/1-a', 'one')])).toMatchObject([{ kind: 'refused' }]);
      expect([...world.files(place.repo, 'attachments'), ...world.assets(place.repo)]).toEqual([]);
    });

    test('rejected credentials are distinguished from other failures', async () => {
      const { attachmentStore, world } = await begin();
      world.setToken('bot', null);
      expect(await attachmentStore.put([upload('0-999/1/1-a', 'one')])).toMatchObject([{ kind: 'unauthorized' }]);
    });
  });
}
