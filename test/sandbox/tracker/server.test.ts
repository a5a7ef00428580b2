import { describe, expect, it } from 'vitest';
import type { Fault, FaultSource } from '../../../src/sandbox/server/faults.ts';
import { serveTracker, trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

const now = Date.UTC(2026, 10, 21, 12);
const newWorld = (): TrackerWorld => createTrackerWorld({ now: () => now, url: 'http://tracker.invalid' });
const failing =
  (fault: Fault): FaultSource =>
  () =>
    fault;

interface Posting {
  readonly method?: string;
  readonly type?: string | null;
  readonly faults?: FaultSource;
}

/** Sends a comment as alice; a body of bytes has no content type unless it is given one. */
async function send(
  world: TrackerWorld,
  path: string,
  body: unknown,
  { method = 'POST', type = 'application/json', faults }: Posting = {},
) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers: Record<string, string> = type === null ? {} : { 'Content-Type': type };
  const app = trackerServer(world, faults === undefined ? {} : { faults });
  return app.request(`http://tracker.invalid${path}?api_key=${world.user('alice').apiKey}`, {
    method,
    headers,
    body: bytes,
  });
}

describe('the tracker’s HTTP server', () => {
  it.each(['/rest/version', '/rest/bug/1', '/rest/nonsense', '/', '/show_bug.cgi?id=7'])(
    'tells the world’s own time at %s',
    async (path) => {
      const answer = await trackerServer(newWorld()).request(path);
      expect(answer.headers.get('Date')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
    },
  );

  it.each(['HEAD', 'DELETE', 'PATCH'])('knows no %s', async (method) => {
    const world = newWorld();
    world.as('bob').file({ summary: 'a' });
    expect((await trackerServer(world).request('/rest/bug/1', { method })).status).toBe(404);
  });

  it('turns away addresses that are too long, with a page and not in JSON', async () => {
    const answer = await trackerServer(newWorld()).request(`/rest/bug?id=${'1,'.repeat(5000)}`);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([414, expect.stringContaining('text/html')]);
  });

  it('does not read a body without a content type', async () => {
    const world = newWorld();
    const bug = world.as('bob').file({ summary: 'a' });
    const comment = await send(world, `/rest/bug/${bug}/comment`, { comment: 'x' }, { type: null });
    expect([comment.status, await comment.json()]).toMatchObject([400, { code: 50 }]);
    const update = await send(world, `/rest/bug/${bug}`, { summary: 'x' }, { type: null, method: 'PUT' });
    expect([update.status, await update.json()]).toMatchObject([200, { error: true, code: 100500 }]);
    expect([world.commentsOf(bug).length, world.bug(bug)?.summary]).toEqual([1, 'a']);
  });

  it('takes the body’s bug before the path’s, and the query’s text before the body’s', async () => {
    const world = newWorld();
    for (const summary of ['a', 'b']) world.as('bob').file({ summary });
    const path = `/rest/bug/1/comment?comment=query&api_key=${world.user('alice').apiKey}`;
    const body = JSON.stringify({ id: 2, comment: 'body' });
    await trackerServer(world).request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect([1, 2].map((bug) => world.commentsOf(bug).map(({ text }) => text))).toEqual([[''], ['', 'query']]);
  });

  it('cuts long lists without a word, and forgets the offset of an unlimited one', async () => {
    const world = createTrackerWorld({ now: () => now, url: 'http://tracker.invalid', maxSearchResults: 2 });
    for (const summary of ['a', 'b', 'c', 'd', 'e']) world.as('bob').file({ summary });
    const ids = async (query: string): Promise<unknown> =>
      (await trackerServer(world).request(`/rest/bug?include_fields=id&${query}`)).json();
    expect(await ids('limit=20')).toEqual({ bugs: [{ id: 1 }, { id: 2 }] });
    expect(await ids('limit=20&offset=4')).toEqual({ bugs: [{ id: 5 }] });
    expect(await ids('limit=0&offset=4')).toEqual({ bugs: [{ id: 1 }, { id: 2 }] });
  });

  it('lets a wrong key read nothing, not even what is public, except the version', async () => {
    const world = newWorld();
    world.as('bob').file({ summary: 'a' });
    expect((await trackerServer(world).request('/rest/bug/1?api_key=wrong')).status).toBe(400);
    expect((await trackerServer(world).request('/rest/version?api_key=wrong')).status).toBe(200);
  });
});

describe('faults at the HTTP server', () => {
  it.each([
    [false, 0],
    [true, 1],
  ])('a connection dropped with after=%s leaves %i comments', async (after, count) => {
    const world = newWorld();
    const bug = world.as('bob').file({ summary: 'a' });
    const { url, close } = await serveTracker(world, { port: 0, faults: failing({ kind: 'drop', after }) });
    const body = JSON.stringify({ comment: 'x', api_key: world.user('alice').apiKey });
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    await expect(fetch(`${url}/rest/bug/${bug}/comment`, request)).rejects.toThrow();
    await close();
    expect(world.commentsOf(bug)).toHaveLength(1 + count);
  });

  it.each<readonly [string, Fault, number, number, string]>([
    ['a failure inside, before', { kind: 'error-body', after: false }, 0, 200, 'application/json; charset=UTF-8'],
    ['a failure inside, after', { kind: 'error-body', after: true }, 1, 201, 'application/json; charset=UTF-8'],
    [
      'a server’s error, before',
      { kind: 'status', status: 500, isHtml: false, after: false },
      0,
      500,
      'application/json; charset=UTF-8',
    ],
    ['a proxy’s error, after', { kind: 'status', status: 502, isHtml: true, after: true }, 1, 502, 'text/html'],
    ['a pause', { kind: 'limited', status: 429, retryAfterSeconds: 7 }, 0, 429, 'text/plain'],
  ])('%s', async (_name, fault, count, status, type) => {
    const world = newWorld();
    const bug = world.as('bob').file({ summary: 'a' });
    const answer = await send(world, `/rest/bug/${bug}/comment`, { comment: 'x' }, { faults: failing(fault) });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([status, type]);
    expect(answer.headers.get('Retry-After')).toBe(fault.kind === 'limited' ? '7' : null);
    if (fault.kind === 'error-body') expect(await answer.json()).toMatchObject({ error: true, code: 100500 });
    expect(world.commentsOf(bug)).toHaveLength(1 + count);
  });

  it('a slow answer waits, and is right', async () => {
    const waits: number[] = [];
    const clock = { sleep: async (ms: number): Promise<void> => void waits.push(ms) };
    const answer = await trackerServer(newWorld(), { faults: failing({ kind: 'slow', delayMs: 30 }), clock }).request(
      '/rest/version',
    );
    expect([await answer.json(), waits]).toEqual([{ version: '5.2' }, [30]]);
  });

  it('asks for a fault once a request, with its cost', async () => {
    const world = newWorld();
    const costs: string[] = [];
    const faults: FaultSource = (side, cost) => {
      costs.push(`${side} ${cost}`);
      return { kind: 'none' };
    };
    await trackerServer(world, { faults }).request('/rest.cgi/version');
    await send(world, '/rest/bug', { product: 'Widget', component: 'UI', version: '1.0', summary: 's' }, { faults });
    await send(world, '/rest/bug/1', { summary: 't' }, { method: 'PUT', faults });
    expect(costs).toEqual(['tracker read', 'tracker create', 'tracker edit']);
    expect(world.bug(1)?.summary).toBe('t');
  });
});

describe('the tracker’s pages', () => {
  it('show what is public, and what people wrote stays text', async () => {
    const world = newWorld();
    const bug = world
      .as('bob')
      .file({ summary: '<script>alert(1)</script> & co', description: '<img src=x onerror=alert(2)>' });
    world.as('alice').comment(bug, 'the customer is ACME', { isPrivate: true });
    for (const path of ['/', `/show_bug.cgi?id=${bug}`]) {
      const page = await (await trackerServer(world).request(path)).text();
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; co');
      expect(page).not.toMatch(/<script|<img|ACME|@example/);
    }
  });

  it('link addresses and bugs in comments, as the real pages do', async () => {
    const world = newWorld();
    const bug = world
      .as('bob')
      .file({ summary: 'It fails', description: 'As in bug 7, see http://x.example/a?b=<i>.' });
    const page = await (await trackerServer(world).request(`/show_bug.cgi?id=${bug}`)).text();
    expect(page).toContain(
      'As in <a href="/show_bug.cgi?id=7">bug 7</a>, see <a href="http://x.example/a?b=">http://x.example/a?b=</a>&lt;i&gt;.',
    );
  });

  it('lists the bugs of a product, and who changed what in one, as anyone may see it', async () => {
    const world = newWorld();
    const bug = world.as('bob').file({ summary: 'In Widget' });
    world.as('alice').change(bug, { priority: 'High' });
    world.as('alice').change(bug, { estimated_time: 3 });
    const read = async (path: string) => (await trackerServer(world).request(path)).text();
    expect(await read('/buglist.cgi?product=Widget')).toContain('In Widget');
    expect(await read('/buglist.cgi?product=Gadget')).not.toContain('In Widget');
    const activity = await read(`/show_activity.cgi?id=${bug}`);
    expect(activity).toMatch(
      /<tr><td>Alice[^<]*<\/td><td>[^<]*<\/td><td>priority<\/td><td>---<\/td><td>High<\/td><\/tr>/u,
    );
    expect(activity).not.toContain('estimated_time');
    world.hide(bug);
    expect((await trackerServer(world).request(`/show_activity.cgi?id=${bug}`)).status).toBe(404);
  });

  it('do not show hidden bugs, nor that they exist', async () => {
    const world = newWorld();
    const bug = world.as('bob').file({ summary: 'the customer is ACME' });
    world.hide(bug);
    const hidden = await trackerServer(world).request(`/show_bug.cgi?id=${bug}`);
    const missing = await trackerServer(world).request('/show_bug.cgi?id=4242');
    expect([hidden.status, await hidden.text()]).toEqual([missing.status, await missing.text()]);
    expect(await (await trackerServer(world).request('/')).text()).not.toContain('ACME');
  });
});
