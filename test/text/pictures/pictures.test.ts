/**
 * Five long bugs as a reader of GitHub sees them: GitHub's own parser renders their copies, and Chromium shows them.
 * With SCREENSHOTS=1 the pictures of docs/reading-texts.md are written again; look at them then.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toMarkdown } from '../../../src/text/to-markdown.ts';
import { chromiumPath, openViewer, skipped, type Viewer } from '../../support/browser.ts';
import { cmarkPath, htmlOf, skipped as unparsed } from '../parsers/cmark-gfm.ts';

const isPossible = chromiumPath !== null && cmarkPath !== null;
const window = { width: 860, height: 400, scheme: 'light' } as const;
const docs = join(import.meta.dirname, '../../../docs');

/** About what GitHub's own pages look like. */
const style = `
body { margin: 16px; font: 14px/1.5 'Liberation Sans', Arial, sans-serif; color: #1f2328; }
article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px; overflow-wrap: break-word; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; line-height: 1.45; }
pre, code { font: 12px/1.45 'Liberation Mono', monospace; }
blockquote { margin: 0 0 16px; padding: 0 1em; color: #59636e; border-left: .25em solid #d1d9e0; }
p, pre, ul, ol { margin: 0 0 16px; } ul, ol { padding-left: 2em; } article > :last-child { margin-bottom: 0; }`;

let viewer: Viewer;
beforeAll(async () => {
  if (isPossible) viewer = await openViewer();
});
afterAll(async () => {
  if (isPossible) await viewer.close();
});

test.skipIf(!isPossible).each([
  ['syslog', 3],
  ['valgrind', 2],
  ['thread', 2],
  ['patch', 3],
  ['versions', 3],
])(`%s has its lines in %i blocks, and words around them${skipped}${unparsed}`, async (name, count) => {
  const text = readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8');
  const { page } = await viewer.open(window);
  await page.setContent(`<!doctype html><style>${style}</style><article>${htmlOf(toMarkdown(text))}</article>`);
  expect(await page.locator('pre').count()).toBe(count);
  // Lines of programs in a paragraph would have lost their columns.
  const prose = await page.locator('article > p, article > blockquote').allInnerTexts();
  expect(prose.filter((words) => /^Mar {1,2}4|^==|\u00a0{3}|[{};]$|^[-+ ]\s*list_/mu.test(words))).toEqual([]);
  expect((await page.locator('article').innerText()).match(/[\p{L}\p{N}]/gu)?.join('')).toContain(
    text
      .match(/[\p{L}\p{N}]/gu)
      ?.slice(0, 60)
      .join(''),
  );
  if (process.env['SCREENSHOTS'] === '1')
    writeFileSync(join(docs, 'texts', `${name}.png`), await page.screenshot({ fullPage: true }));
  expect(readFileSync(join(docs, 'texts', `${name}.png`)).length).toBeLessThan(150_000);
});
