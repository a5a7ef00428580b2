import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { chromiumPath, openViewer, skipped, type Viewer, type Window } from '../support/browser.ts';
import { archiveWorld, bytesOf, run } from './world.ts';

/**
 * The archive as people see it, from a disk and from a server without rules. SCREENSHOTS names a folder for pictures of
 * it.
 */
describe.skipIf(chromiumPath === null)(`the pages of an archive${skipped}`, () => {
  let viewer: Viewer;
  let folder: string;
  let server: Server;
  let address: string;
  let rightToLeft = 0;

  beforeAll(async () => {
    viewer = await openViewer();
    folder = mkdtempSync(join(tmpdir(), 'bugferry-pages-'));
    const world = archiveWorld(folder);
    loadTrackerWorld(world.tracker);
    const alice = world.tracker.as('alice');
    const bug = alice.file({
      summary: 'A zebra in the engine room',
      description: 'It eats the giraffes. See bug 12.',
      alias: 'zebra',
    });
    rightToLeft = alice.file({ summary: 'שלום עולם (v2)', description: 'שלום עולם (v2)' });
    const patch = bytesOf('--- a\n+++ b\n@@ -1 +1 @@\n-horse\n+zebra\n');
    alice.attach(bug, { bytes: patch, file_name: 'fix.patch', summary: 'A fix', is_patch: true });
    await run(world);
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const isFolder = /\.cgi$/u.test(url.pathname);
      if (isFolder) return response.writeHead(301, { location: `${url.pathname}/${url.search}` }).end();
      const file = join(folder, url.pathname.replace(/\/$/u, '/index.html'));
      if (!existsSync(file)) return response.writeHead(404).end();
      const type = /\.js$/u.test(url.pathname)
        ? 'text/javascript'
        : /\.css$/u.test(url.pathname)
          ? 'text/css'
          : 'text/html';
      return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const listening = server.address();
    address = `http://127.0.0.1:${typeof listening === 'object' && listening !== null ? listening.port : 0}`;
  });

  afterAll(async () => {
    await viewer.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(
    window: Window,
    path: string,
  ): Promise<{ page: Page; asked: readonly string[]; errors: readonly string[] }> {
    const { page, asked } = await viewer.open(window);
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`file://${folder}/${path}`);
    return { page, asked, errors };
  }

  const desktop: Window = { width: 1280, height: 900, scheme: 'light' };
  const phone: Window = { width: 390, height: 844, scheme: 'dark' };
  const pages = [
    'index.html',
    'bugs/12.html',
    'bugs/58.html',
    'products/widget/c-core.html',
    'attachments/1.html',
    'search.html',
  ];

  test.each(pages.flatMap((path) => [desktop, phone].map((window) => [path, window] as const)))(
    '%s fits a window, asks nothing of the network and breaks no rule of its own',
    async (path, window) => {
      const { page, asked, errors } = await opened(window, path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(window.width);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        window.scheme === 'light' ? 'rgb(246, 247, 246)' : 'rgb(20, 24, 26)',
      );
      expect([...asked, ...errors]).toEqual([]);
      const pictures = process.env['SCREENSHOTS'];
      if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `archive-${path.replaceAll('/', '-')}-${window.width}.png`) });
    },
  );

  test('a reader goes from the start to a bug, and from there to another', async () => {
    const { page } = await opened(desktop, 'index.html');
    await page.getByRole('link', { name: 'Core', exact: true }).click();
    await page.getByRole('link', { name: 'A zebra in the engine room' }).click();
    expect(await page.locator('h1').innerText()).toContain('A zebra in the engine room');
    expect(await page.locator('.comment').first().innerText()).toContain('It eats the giraffes.');
    await page.getByRole('link', { name: 'bug 12' }).click();
    expect(await page.locator('h1').innerText()).toContain('Bug 12');
  });

  test('a search finds words of titles, and of comments when asked', async () => {
    const { page } = await opened(desktop, 'search.html?q=zebra');
    const titles = page.locator('#results .title');
    await page.locator('#found', { hasText: /^1 bug$/u }).waitFor();
    expect(await titles.allInnerTexts()).toEqual(['A zebra in the engine room']);
    await page.getByRole('searchbox', { name: 'Search bugs' }).last().fill('giraffes');
    await page.locator('#found', { hasText: /^0 bugs$/u }).waitFor();
    await page.getByRole('checkbox').check();
    await page.locator('#found', { hasText: /^1 bug$/u }).waitFor();
    await titles.first().click();
    expect(page.url()).toMatch(/bugs\/\d+\.html$/u);
  });

  test('a number and an alias are found, too', async () => {
    const { page } = await opened(desktop, 'search.html?q=12');
    await page.locator('#results .number', { hasText: /^12$/u }).waitFor();
    await page.goto(`file://${folder}/search.html?q=ZEBRA&state=1`);
    await page.locator('#found', { hasText: /^1 bug$/u }).waitFor();
  });

  test('a long product is not cut off among the results, and a failed reading of comments says so', async () => {
    const { page } = await opened(desktop, 'search.html?q=zebra');
    const place = page.locator('#results .place');
    await place.waitFor();
    expect(await place.innerText()).toBe('Widget › Core');
    const [box, list] = await Promise.all([place, page.locator('#results')].map((part) => part.boundingBox()));
    await page.evaluate(
      "document.querySelector('.place').textContent = 'A product of many words › And a part of many more'",
    );
    const longer = await place.boundingBox();
    expect(longer?.width).toBe(box?.width);
    expect((longer?.x ?? 0) + (longer?.width ?? 0)).toBeLessThan((list?.x ?? 0) + (list?.width ?? 0));
    expect(
      await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.place'))",
      ),
    ).toBe(0);
    await page.route('**/words-*.js', (route) => route.abort());
    await page.getByRole('checkbox').check();
    await page.locator('#found', { hasText: 'The words of comments could not be loaded.' }).waitFor();
  });

  test('a title reads from right to left if its language does', async () => {
    const { page } = await opened(desktop, `bugs/${rightToLeft}.html`);
    // Where the first and the last letter of each are.
    const places = `['h1 bdi', '.text'].map((name) => {
      const whole = document.createTreeWalker(document.querySelector(name), NodeFilter.SHOW_TEXT);
      const text = whole.nextNode();
      return [0, text.length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    })`;
    for (const [first = 0, last = 0] of (await page.evaluate(places)) as readonly (readonly number[])[])
      expect(last).toBeLessThan(first);
  });

  test.each([
    ['show_bug.cgi?id=12#c1', /\/bugs\/12\.html#c1$/u],
    ['show_bug.cgi?id=Zebra', /\/bugs\/\d+\.html$/u],
    ['attachment.cgi?id=1&action=edit', /\/attachments\/1\.html$/u],
  ])('the old link %s leads on without rules of a server', async (path, expected) => {
    const { page } = await viewer.open(desktop, { isOnline: true });
    await page.goto(`${address}/${path}`);
    await page.waitForURL(expected);
  });
});
