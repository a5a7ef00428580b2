import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockArchive } from '../../src/store/archive-folder.ts';
import { chromiumPath, openViewer, skipped, type Viewer } from '../support/browser.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { bytesOf, filesIn } from './world.ts';

/**
 * I9: the end of a tracker as its maintainer lives it: moved, cut over, archived while private things exist, and
 * switched off. Then readers click old links.
 */
const repo = 'acme/widget';
const canaries = [
  'canarytitle',
  'canarydescription',
  'canaryalias',
  'canarysaid',
  'canaryprivate',
  'canarycontent',
  'canaryname',
  'canarylater',
];

let house: House;
let folder: string;
let address: string;
let server: Server;

beforeAll(async () => {
  house = await openHouse(({ as, hide }) => {
    const [alice, insider] = [as('alice'), as('bridge-insider')];
    const first = alice.file({
      summary: 'The oven burns the bread',
      description: 'It is black on top.',
      alias: 'oven',
    });
    alice.attach(first, {
      bytes: bytesOf('--- a\n+++ b\n@@ -1 +1 @@\n-hot\n+warm\n'),
      file_name: 'fix.patch',
      summary: 'A fix',
      is_patch: true,
    });
    insider.comment(first, 'canaryprivate words', { isPrivate: true });
    insider.attach(first, {
      bytes: bytesOf('canarycontent'),
      file_name: 'canaryname.txt',
      summary: 'canarysaid',
      is_private: true,
    });
    const hidden = alice.file({ summary: 'canarytitle', description: 'canarydescription', alias: 'canaryalias' });
    alice.comment(hidden, 'canarysaid');
    hide(hidden);
    const second = alice.file({
      summary: 'The mixer hums',
      description: `As bug ${first} and bug ${hidden} do.`,
      depends_on: [first, hidden],
    });
    alice.change(second, { status: 'RESOLVED', resolution: 'FIXED' });
    alice.file({ summary: 'canarylater' });
  });
  house.github.allow(repo, 'bugferry-bot', 'admin');
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  folder = join(house.folder, 'site');
});

afterAll(async () => {
  server?.close();
  await house.close();
});

test('it is moved, cut over, archived, compared and switched off; nothing hidden is in any file', async () => {
  expect(await house.run('migrate')).toMatchObject({ code: 0 });
  expect(await house.run('cutover', '--yes', 'comment,close', '--status', 'RESOLVED/INVALID')).toMatchObject({
    code: 0,
  });
  // Between two runs, a bug becomes secret.
  expect(await house.run('archive', folder)).toMatchObject({ code: 0 });
  expect(namesOf(['canarylater'])).not.toEqual([]);
  house.tracker.hide(4);
  expect(await house.run('archive', folder)).toMatchObject({ code: 0 });
  expect(await house.run('archive', folder, '--verify')).toMatchObject({
    code: 0,
    out: expect.stringContaining('no differences'),
  });
  expect(namesOf(canaries)).toEqual([]);
  const release = lockArchive(folder);
  expect(await house.run('archive', folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('another bugferry archive is writing'),
  });
  release?.();
  await house.stopTracker();
  await expect(fetch(`${house.trackerUrl}/show_bug.cgi?id=1`)).rejects.toThrow();
});

const namesOf = (words: readonly string[]): readonly string[] =>
  [...filesIn(folder)].flatMap(([path, text]) =>
    words.filter((word) => path.includes(word) || text.includes(word)).map((word) => `${word} in ${path}`),
  );

describe.skipIf(chromiumPath === null)(`then a reader clicks old links${skipped}`, () => {
  let viewer: Viewer;

  beforeAll(async () => {
    viewer = await openViewer();
    server = staticServer(folder);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const listening = server.address();
    address = `http://127.0.0.1:${typeof listening === 'object' && listening !== null ? listening.port : 0}`;
  });
  afterAll(() => viewer.close());

  const opened = async (path: string): Promise<Page> => {
    const { page } = await viewer.open({ width: 1000, height: 800, scheme: 'light' }, { isOnline: true });
    await page.setContent(`<a href="${address}/${path}">an old link</a>`);
    await page.getByRole('link', { name: 'an old link' }).click();
    return page;
  };

  test('to a bug, whose issue stands on top', async () => {
    const page = await opened('show_bug.cgi?id=1');
    await page.waitForURL(/\/bugs\/1\.html$/u);
    expect(await page.locator('h1').innerText()).toContain('The oven burns the bread');
    const [issue] = house.github.issues(repo).filter(({ title }) => title === 'The oven burns the bread');
    expect(await page.locator('.continues a').getAttribute('href')).toBe(
      `https://github.com/${repo}/issues/${issue?.number}`,
    );
    expect(await page.locator('.comment').first().innerText()).toContain('It is black on top.');
  });

  test('to an attachment, which can be saved byte for byte', async () => {
    const page = await opened('attachment.cgi?id=1');
    await page.waitForURL(/\/attachments\/1\.html$/u);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('fix.patch');
    expect(readFileSync(await download.path(), 'utf8')).toContain('+warm');
  });

  test('by an alias, and to a comment', async () => {
    await (await opened('show_bug.cgi?id=Oven')).waitForURL(/\/bugs\/1\.html$/u);
    await (await opened('show_bug.cgi?id=3#c0')).waitForURL(/\/bugs\/3\.html#c0$/u);
  });

  test('to a hidden bug, and finds nothing there', async () => {
    const page = await opened('show_bug.cgi?id=2');
    await page.waitForURL(/\/bugs\/2\.html$/u);
    expect(await page.locator('body').innerText()).toContain('not here');
  });

  test('and searches, with the tracker switched off', async () => {
    const page = await opened('search.html?q=mixer');
    await page.locator('#found', { hasText: /^1 bug$/u }).waitFor();
    await page.locator('#results .title').first().click();
    await page.waitForURL(/\/bugs\/3\.html$/u);
    expect(await page.locator('.fields').innerText()).toContain('The oven burns the bread');
  });
});

/** As hosts for static pages do: a folder answers with its start page, and no rule leads anywhere. */
function staticServer(root: string): Server {
  return createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (/\.cgi$/u.test(pathname)) return response.writeHead(301, { location: `${pathname}/${search}` }).end();
    const file = join(root, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    if (!existsSync(file)) return response.writeHead(404, { 'content-type': 'text/plain' }).end('It is not here.');
    const type = { js: 'text/javascript', css: 'text/css', html: 'text/html' }[pathname.split('.').at(-1) ?? ''];
    return response
      .writeHead(200, { 'content-type': type ?? (pathname.endsWith('/') ? 'text/html' : 'text/plain') })
      .end(readFileSync(file));
  });
}
