import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { keepsBasicOnly } from '../../src/bugzilla/map.ts';
import { trackerServer } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openLane, type Reply, type TrackerRequest } from './api/fake-tracker.ts';
import { replicaOf, wireBug } from './api/small-tracker.ts';

const spelled = '[U+1F41B] in 日本語 [U+10FFFF]';
const meant = '🐛 in 日本語 \u{10ffff}';

/**
 * A tracker of this version, on which bug 5 has a summary; PUT answers that it was changed from that to what was sent.
 */
function tracker(version: string, summary: string, before = summary) {
  const bug = { ...wireBug({ id: 5 }), summary };
  return replicaOf({
    bugs: [{ id: 5 }],
    meddle({ method, path, body }: TrackerRequest): Reply | null {
      if (path === '/version') return { body: { version } };
      if (method === 'POST') return { body: { id: 5 } };
      if (method === 'PUT')
        return { body: { bugs: [{ id: 5, changes: { summary: { removed: before, added: body['summary'] } } }] } };
      return path === '/bug/5' || path === '/bug' ? { body: { bugs: [bug] } } : null;
    },
  });
}

async function seenOn(version: string, summary: string, before = summary) {
  const { replica, asked } = tracker(version, summary, before);
  await replica.hello();
  const found = await replica.probe(5);
  if (found.kind !== 'there') throw new Error('not there');
  const sent = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body['summary']);
  return { replica, seen: found.item, sent };
}

describe('a tracker that keeps three bytes of a character', () => {
  test.each(['4.4.13', '5.0', '5.0.6', '5.3', '5.3.3+'])('is recognised by its version: %s', (version) => {
    expect(keepsBasicOnly(version)).toBe(true);
  });

  test.each(['5.2', '5.2+', '5.1.2', '5.9.1', '20260820.1', '5.30'])('is none with version %s', (version) => {
    expect(keepsBasicOnly(version)).toBe(false);
  });

  test('gets characters beyond the first plane spelled out, and shows them as they were meant', async () => {
    const { replica, seen, sent } = await seenOn('5.0.6', spelled);
    expect(seen.summary).toBe(meant);
    const outcome = await replica.update({ ...seen, summary: meant }, { summary: `${meant} 🫖` });
    expect(outcome).toMatchObject({ kind: 'applied', item: { summary: `${meant} 🫖` } });
    expect(outcome).not.toHaveProperty('lost');
    expect(sent()).toEqual([`${spelled} [U+1FAD6]`]);
    expect((await replica.list(null)).items.map(({ summary }) => summary)).toEqual([meant]);
  });

  test('still reports values that a write replaced unseen', async () => {
    const { replica, seen } = await seenOn('5.0.6', 'old', 'somebody else wrote this');
    expect(await replica.update(seen, { summary: '🐛' })).toMatchObject({
      lost: [{ field: 'summary', value: 'somebody else wrote this' }],
    });
  });

  test('gets no more than it accepts, and no half of a character', async () => {
    const { replica, seen, sent } = await seenOn('5.3', 'x');
    for (let filling = 240; filling <= 256; filling += 1)
      await replica.update(seen, { summary: `${'a'.repeat(filling)}🐛` });
    expect(sent()).toHaveLength(17);
    for (const summary of sent()) expect(summary).toMatch(/^a+(?:\[U\+1F41B\]|…)$/u);
    expect(sent().every((summary) => String(summary).length <= 255)).toBe(true);
  });

  test('gets new bugs and whiteboards so', async () => {
    const { replica, asked } = tracker('5.0.4', 'x');
    await replica.hello();
    const draft = { product: 'Widget', summary: 'a 🐛', description: '🐛', values: {}, keywords: [], seeAlso: null };
    await replica.create({ ...draft, whiteboard: '[🐛 x]' });
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({
      summary: 'a [U+1F41B]',
      whiteboard: '[[U+1F41B] x]',
      // It spells those of comments out by itself.
      description: '🐛',
    });
  });
});

test('a tracker that keeps all characters gets and shows them unchanged', async () => {
  const { replica, seen, sent } = await seenOn('5.2', spelled);
  expect(seen.summary).toBe(spelled);
  await replica.update(seen, { summary: meant });
  expect(sent()).toEqual([meant]);
});

const words = 'ünï 中 🦊';

/** A bug of a tracker like 5.3, which reads the bytes of a body as Latin-1, after words of GitHub came. */
async function stored(): Promise<readonly string[]> {
  const world = createTrackerWorld({ now: () => Date.now(), url: 'http://tracker.invalid', version: '5.3' });
  const id = world.as('alice').file({ summary: 'A bug' });
  const app = trackerServer(world);
  const client = createTrackerClient({
    ...{ url: world.url, apiKey: world.user('bridge').apiKey, auth: 'query', lane: openLane(), timeoutMs: 5_000 },
    fetch: async (input, init) => app.request(new Request(String(input), init)),
  });
  await client.edit(['bug', id], { whiteboard: words, comment: { body: words } }, z.unknown());
  return [world.bug(id)?.whiteboard ?? '', world.commentsOf(id).at(-1)?.text ?? ''];
}

test('a tracker that reads bodies as Latin-1 stores the right text', async () => {
  const [whiteboard, comment] = await stored();
  expect(whiteboard).toContain('ünï 中');
  expect(comment).toBe(words);
});
