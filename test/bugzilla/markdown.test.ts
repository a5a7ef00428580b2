import { describe, expect, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { fakeTracker, openLane, type Reply, type TrackerRequest } from './api/fake-tracker.ts';

interface Kind {
  readonly version: string;
  /** What it shows of a word with emphasis; null where it has no such resource. */
  readonly html: string | null;
  /** Whether it takes Markdown of ours. */
  readonly takes: boolean;
}

const reply = (kind: Kind, { method, path, body }: TrackerRequest): Reply => {
  if (path === '/whoami') return { body: { id: 1, name: 'bridge@example.test' } };
  if (path === '/version') return { body: { version: kind.version } };
  if (path === '/bug/comment/render') {
    if (kind.html === null) return { status: 404, body: { error: true, code: 32614, message: 'no such resource' } };
    return { body: { html: kind.html } };
  }
  if (method === 'POST' && body['is_markdown'] === true && !kind.takes)
    return { status: 400, body: { error: true, code: 140, message: 'Markdown is disabled.' } };
  if (method === 'POST') return { status: 201, body: { id: 9 } };
  const comment = { id: 7, count: 1, text: '*x*', creator: 'eve', is_private: false, time: '2026-01-05T08:00:00Z' };
  if (path.endsWith('/comment')) {
    const said = kind.version.startsWith('5.3')
      ? [
          { ...comment, is_markdown: true },
          { ...comment, id: 8, is_markdown: false },
        ]
      : [comment];
    return { body: { bugs: { '1': { comments: said } } } };
  }
  if (path === '/time') return { body: { db_time: '2026-01-05T08:00:00Z' } };
  return { body: path === '/field/bug' ? { fields: [] } : { products: [] } };
};

async function open(kind: Kind) {
  const { asked, fetch } = fakeTracker((one) => reply(kind, one));
  const client = createTrackerClient({
    url: 'https://bugs.example.test',
    apiKey: 'secret',
    login: 'bridge@example.test',
    auth: 'header',
    lane: openLane(),
    timeoutMs: 1_000,
    now: () => 0,
    fetch,
  });
  const replica = bugzillaReplica({
    client,
    product: 'Widget',
    url: 'https://bugs.example.test',
    pageSize: 10,
    warn: () => {},
  });
  await replica.hello();
  return { asked, replica };
}

const em = '<p>so <em>it</em> is</p>';
const kinds: readonly (readonly [name: string, kind: Kind, takesMarkdown: boolean, comments: readonly boolean[]])[] = [
  ['5.2 is not asked', { version: '5.2', html: em, takes: true }, false, [false]],
  ['5.0 is not asked', { version: '5.0.6', html: em, takes: true }, false, [false]],
  [
    '5.3 says it of each comment, and cannot be asked',
    { version: '5.3.3+', html: null, takes: true },
    true,
    [true, false],
  ],
  ['BMO reads all comments so', { version: '20260820.1', html: em, takes: true }, true, [true]],
  ['harmony has it switched off', { version: '5.9.1+', html: 'so *it* is', takes: true }, false, [false]],
  ['another one without that resource', { version: '6.0', html: null, takes: true }, false, [false]],
];

describe('whether a tracker reads Markdown', () => {
  test.each(kinds)('%s', async (_name, kind, takesMarkdown, comments) => {
    const { asked, replica } = await open(kind);
    const isAsked = asked.some(({ path }) => path === '/bug/comment/render');
    expect(isAsked).toBe(!/^5\.[0-3]/u.test(kind.version));
    const vocabulary = await replica.vocabulary();
    expect(vocabulary.takesMarkdown === true).toBe(takesMarkdown);
    expect(vocabulary.readsAllMarkdown === true).toBe(takesMarkdown && !comments.includes(false));
    const [thread] = await replica.threads([{ ref: 1, sinceAt: null }]);
    expect(thread?.comments.map(({ isMarkdown }) => isMarkdown === true)).toEqual(comments);
  });

  test('a tracker that refuses Markdown gets the text unchanged, and is not asked again', async () => {
    const { asked, replica } = await open({ version: '5.3.3+', html: em, takes: false });
    for (let time = 0; time < 2; time += 1) {
      const outcome = await replica.comment(1, '*x*', true);
      expect(outcome).toMatchObject({ kind: 'applied', item: { text: '*x*' } });
    }
    const sent = asked
      .filter(({ method, path }) => method === 'POST' && path === '/bug/1/comment')
      .map(({ body }) => body['is_markdown']);
    expect(sent).toEqual([true, undefined, undefined]);
  });
});
