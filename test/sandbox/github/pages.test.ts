import { beforeEach, describe, expect, it } from 'vitest';
import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import { mona, start, world } from './setup.ts';

beforeEach(() => start());

describe('pages for people', () => {
  const page = async (address: string): Promise<{ status: number; text: string }> => {
    const response = await githubServer(world).request(address);
    return { status: response.status, text: await response.text() };
  };

  it('show an issue with its texts escaped and its markers hidden', async () => {
    const number = mona.open('acme/widget', {
      title: '<b>Crash</b>',
      body: 'A & B\n  <script>alert(1)</script><!-- bugferry:1 -->',
      labels: ['a<b'],
    });
    const id = mona.comment('acme/widget', number, 'Me too');
    mona.close('acme/widget', number, 'not_planned');
    const { status, text } = await page(`/acme/widget/issues/${number}`);
    expect(status).toBe(200);
    expect(text).toContain('&lt;b&gt;Crash&lt;/b&gt;');
    expect(text).toContain('A &amp; B</p>\n  &lt;script&gt;');
    expect(text).toContain('a&lt;b');
    expect(text).toContain('Closed: not planned');
    expect(text).toContain(`id="issuecomment-${id}"`);
    expect(text).not.toContain('bugferry:1');
    expect(text).not.toContain('<script');
  });

  it('list what is there', async () => {
    mona.comment('acme/widget', mona.open('acme/widget', { title: 'One' }), 'Me too');
    mona.openPull('acme/widget', { title: 'Two' });
    const { text } = await page('/acme/widget/issues');
    expect([...text.matchAll(/, ([^,<]+)<\/time>/gu)].map(([, words]) => words)).toEqual(['0 comments', '1 comment']);
    expect(text).toContain('href="/acme/widget/issues/1"');
    expect(text).toContain('href="/acme/widget/pull/2"');
  });

  it('lead from the shortest address to the repositories that everyone sees, and leave programs their answer', async () => {
    const { request } = githubServer(world);
    const ask = (accept: string) => request('/', { headers: { accept } });
    const text = await (await ask('text/html,*/*')).text();
    expect(text).toContain('href="/acme/widget/issues"');
    expect(text).not.toContain('acme/secret');
    expect((await ask('application/json')).status).toBe(404);
  });

  it('show a commit', async () => {
    const sha = mona.push('acme/widget', 'Free <b>it</b>\n\nAnd more');
    const { text } = await page(`/acme/widget/commit/${sha}`);
    expect(text).toContain(`<h1>Free &lt;b&gt;it&lt;/b&gt; <small>${sha.slice(0, 7)}</small></h1>`);
    expect(text).toContain('And more');
  });

  it.each(['/acme/widget/commit/abc', '/acme/secret/issues', '/acme/nothing/issues', '/acme/widget/issues/9'])(
    'do not show %s',
    async (address) => {
      expect((await page(address)).status).toBe(404);
    },
  );

  it('cost nothing and are no requests to the API', async () => {
    await page('/acme/widget/issues');
    expect(world.requests).toEqual([]);
  });
});
