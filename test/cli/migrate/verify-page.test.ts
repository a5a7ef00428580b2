import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewPage } from '../../../src/cli/migrate/preview.ts';
import type { JudgedReport } from '../../../src/cli/verify/judged.ts';
import { reportPage } from '../../../src/cli/verify/page.ts';
import { bugId, issueNumber } from '../../../src/model/ids.ts';
import { type Difference, nothingCompared, type PairReport } from '../../../src/model/reports/verification.ts';
import { archiveAssets } from '../../../src/wire/archive.ts';
import { chromiumPath, openViewer, skipped, type Viewer, type Window } from '../../support/browser.ts';
import { perTier } from '../../tiers/depth.ts';

/** A browser takes its time over thousands. Every tenth of the pairs has something to tell. */
const pairs = perTier({ check: 500, test: 500, deep: 5_000 });
const step = pairs / 10;
const inWords = (count: number): string => count.toLocaleString('en');

/** The report as people see it. SCREENSHOTS names a folder for pictures of it. */
const report: JudgedReport = {
  route: 'widget',
  product: 'Widget',
  direction: 'both',
  repo: 'acme/widget',
  startedAt: Date.UTC(2026, 0, 5, 8),
  endedAt: Date.UTC(2026, 0, 5, 8, 12),
  sample: null,
  pairs: Array.from({ length: pairs }, (_, index) => pair(index + 1)),
  leftOut: [{ why: 'the bug is private', count: 8, examples: ['bug 9001', 'bug 9002'] }],
  notJudged: [],
  reads: { tracker: 230, github: 310 },
  verdict: {
    standing: 'catching up',
    tone: 'neutral',
    headline: 'Catching up',
    counts: '8 of 11 mirrored, 7 writes to go, done about 07:10 UTC',
    facts: '',
    todo: null,
    sinceAt: null,
  },
};

function pair(id: number): PairReport {
  const differs = id % step === 0;
  return {
    bug: bugId(id),
    issue: issueNumber(id + 3),
    title:
      id === 2 * step
        ? '<img src="https://evil.example/x.png"> & "quotes"'
        : `The ${id}th thing that somebody found to be wrong with it`,
    bugUrl: `https://bugs.example.org/show_bug.cgi?id=${id}`,
    issueUrl: id === 4 * step ? 'javascript:alert(1)' : `https://github.com/acme/widget/issues/${id + 3}`,
    waiting: [],
    known: differs ? ['given up: GitHub refused it'] : [],
    differences: differs
      ? [
          {
            aspect: 'comment',
            about: 'comment 3',
            words: 'reads differently on GitHub',
            tracker: 'It always crashes.',
            github: 'It never crashes.',
          },
          {
            aspect: 'label',
            about: 'label',
            words: '"severity: major" is missing on GitHub',
            tracker: 'severity: major',
            github: 'crash',
          },
        ]
      : [],
    leftOut: id % 90 === 1 ? [{ about: 'comment 2', why: 'it is private' }] : [],
    compared: { ...nothingCompared, fields: 8, texts: 5 },
  };
}

/** One cause that damaged all, and two that damaged some. */
const damaged: JudgedReport = {
  ...report,
  pairs: Array.from({ length: pairs }, (_, index): PairReport => {
    const id = index + 1;
    const severity = `severity: ${['major', 'minor', 'normal'][id % 3]}`;
    const label: Difference = {
      aspect: 'label',
      about: 'label',
      words: `"${severity}" is missing on GitHub`,
      tracker: severity,
      github: null,
    };
    const [said, shown] = ['It always crashes.', 'It never crashes.'];
    const comment: Difference = {
      aspect: 'comment',
      about: 'comment 3',
      words: 'reads differently on GitHub',
      tracker: said,
      github: shown,
    };
    const title: Difference = {
      aspect: 'title',
      about: 'title',
      words: 'differs',
      tracker: `Thing ${id}`,
      github: `Thing ${id} (edited)`,
    };
    const differences = [label, ...(id % 4 === 0 ? [comment] : []), ...(id % 50 === 0 ? [title] : [])];
    return { ...pair(id), known: [], leftOut: [], differences };
  }),
};

describe.skipIf(chromiumPath === null)(`the page of a report${skipped}`, () => {
  let viewer: Viewer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bugferry-page-'));
    writeFileSync(join(folder, 'report.html'), reportPage([report]));
    viewer = await openViewer();
  });

  afterAll(async () => {
    await viewer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(window: Window): Promise<{ page: Page; asked: readonly string[] }> {
    const { page, asked } = await viewer.open(window);
    await page.goto(`file://${join(folder, 'report.html')}`);
    return { page, asked };
  }

  const desktop: Window = { width: 1280, height: 900, scheme: 'light' };
  const windows: readonly Window[] = [
    desktop,
    { ...desktop, scheme: 'dark' },
    { width: 390, height: 844, scheme: 'light' },
    { width: 390, height: 844, scheme: 'dark' },
  ];
  const shown = (page: Page) => page.locator('.pair:not([hidden])').count();

  test.each(windows)('fits a window of $width by $height, $scheme, and asks nothing of the network', async (window) => {
    const { page, asked } = await opened(window);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(window.width);
    expect(await page.locator('h1').innerText()).toContain('20 differences in 10 pairs');
    const colours = await page.evaluate(
      '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
    );
    expect(colours).toEqual(
      window.scheme === 'light' ? ['rgb(246, 247, 246)', 'rgb(28, 36, 34)'] : ['rgb(20, 24, 26)', 'rgb(228, 234, 232)'],
    );
    expect(asked).toEqual([]);
    const pictures = process.env['SCREENSHOTS'];
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `verify-${window.width}-${window.scheme}.png`) });
  });

  test('shows differences first, with both values and what the bridge knows', async () => {
    const { page } = await opened(desktop);
    const first = page.locator('.pair').first();
    expect(await first.locator('.names').innerText()).toBe(`bug ${step} = widget#${step + 3}`);
    expect(await first.locator('.values').first().innerText()).toMatch(
      /Tracker\s+It always crashes\.\s+GitHub\s+It never crashes\./u,
    );
    expect(await first.locator('mark').allInnerTexts()).toEqual(['always', 'never']);
    expect(await first.innerText()).toContain('The bridge knows: given up: GitHub refused it');
  });

  test('filters by result, by kind of difference and by words', async () => {
    const { page } = await opened(desktop);
    expect(await shown(page)).toBe(pairs);
    await page.locator('[data-show=differs]').click();
    expect(await shown(page)).toBe(10);
    await page.locator('[data-aspect=comment]').click();
    expect(await shown(page)).toBe(10);
    await page.locator('input').fill(`bug ${5 * step}`);
    expect(await shown(page)).toBe(1);
    expect(await page.locator('output').innerText()).toBe(`1 of ${inWords(pairs)} shown`);
    await page.locator('input').fill('nothing like that');
    expect(await page.locator('.none').isVisible()).toBe(true);
    await page.locator('input').fill('');
    await page.locator('[data-aspect=comment]').click();
    await page.locator('[data-show=left]').click();
    expect(await shown(page)).toBe(Math.ceil(pairs / 90));
    // A pair of which something was left out is equal, too: the tile and the filter count the same.
    const equal = await page.locator('[data-show=equal] b').innerText();
    expect(await page.locator('.tiles').innerText()).toMatch(new RegExp(`${equal}\\s+pairs equal`, 'u'));
    await page.locator('[data-show=equal]').click();
    expect(inWords(await shown(page))).toBe(equal);
  });

  test('groups differing pairs by kind of difference, and filters by it', async () => {
    writeFileSync(join(folder, 'damaged.html'), reportPage([damaged]));
    const { page, asked } = await viewer.open(desktop);
    await page.goto(`file://${join(folder, 'damaged.html')}`);
    expect((await page.locator('.kind').allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' '))).toEqual([
      `${inWords(pairs)} label "…" is missing on GitHub bug 1, bug 2, bug 3, bug 4, …`,
      `${inWords(pairs / 4)} comment reads differently on GitHub bug 4, bug 8, bug 12, bug 16, …`,
      `${inWords(pairs / 50)} title differs bug 50, bug 100, bug 150, bug 200, …`,
    ]);
    await page.locator('.kind').nth(1).click();
    expect(await page.locator('output').innerText()).toBe(`${inWords(pairs / 4)} of ${inWords(pairs)} shown`);
    await page.locator('.kind').nth(2).click();
    expect(await page.locator('output').innerText()).toBe(
      `${inWords(pairs / 4 + pairs / 100)} of ${inWords(pairs)} shown`,
    );
    expect(asked).toEqual([]);
    const pictures = process.env['SCREENSHOTS'];
    if (pictures === undefined) return;
    await page.screenshot({ path: join(pictures, 'verify-many.png') });
    const phone = await viewer.open({ width: 390, height: 844, scheme: 'dark' });
    await phone.page.goto(`file://${join(folder, 'damaged.html')}`);
    await phone.page.screenshot({ path: join(pictures, 'verify-many-phone.png') });
  });

  test('marks what differs where a long beginning does not, and reads a title in its own direction', async () => {
    const [title, begin] = ['שלום עולם (v2)', 'It happens.\n'.repeat(40)];
    const [tracker, github] = [`${begin}Always.`, `${begin}Never.`];
    const comment: Difference = { aspect: 'comment', about: 'comment 3', words: 'differs', tracker, github };
    const alone: Difference = {
      aspect: 'counterpart',
      about: 'bug 7',
      words: 'has no issue',
      tracker: title,
      github: null,
    };
    const lone = { ...pair(7), title, issue: null, differences: [alone], known: [] };
    const pairs = [{ ...pair(6), differences: [comment] }, lone];
    writeFileSync(join(folder, 'long.html'), reportPage([{ ...report, pairs }]));
    const { page } = await viewer.open(desktop);
    await page.goto(`file://${join(folder, 'long.html')}`);
    expect(await page.locator('[data-show=""]').getAttribute('aria-pressed')).toBe('true');
    const [box, mark] = [page.locator('.values dd').first(), page.locator('mark').first()];
    const bottomOf = async (part: typeof box) => (await part.boundingBox())?.y ?? Number.NaN;
    expect((await bottomOf(mark)) - (await bottomOf(box))).toBeLessThan(200);
    // The title says all that is known of a bug without an issue.
    expect(await page.locator('.pair').last().innerText()).toMatch(
      /^bug 7 · no issue\s+שלום עולם \(v2\)\s+counterpart bug 7 has no issue$/u,
    );
    expect(await page.locator('.values').count()).toBe(1);
    // Where the first and the last letter are.
    const places = `[0, 13].map((at) => {
      const range = document.createRange();
      const text = [...document.querySelectorAll('.title')].at(-1).firstChild;
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    })`;
    const [first = 0, last = 0] = (await page.evaluate(places)) as readonly number[];
    expect(last).toBeLessThan(first);
  });

  test('shows the first pairs that wait, and the others on demand; on a phone no filter is cut off', async () => {
    const waiting = [
      { aspect: 'comment', about: 'comment 3', words: 'is missing', tracker: '', github: null },
    ] as const;
    const pairs = Array.from({ length: 9 }, (_, index) => ({ ...pair(index + 1), waiting }));
    writeFileSync(join(folder, 'waits.html'), reportPage([{ ...report, pairs: [...pairs, pair(10)] }]));
    const { page } = await viewer.open({ width: 390, height: 844, scheme: 'light' });
    await page.goto(`file://${join(folder, 'waits.html')}`);
    const shown = () => page.locator('.pair:visible').count();
    expect(await shown()).toBe(6);
    const ends = await page
      .locator('.tabs button')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(390);
    await page.getByRole('button', { name: 'Show 4 more pairs that wait' }).click();
    expect(await shown()).toBe(9);
    await page.locator('[data-show=""]').click();
    expect(await shown()).toBe(6);
    await page.locator('input[type="search"]').fill('8th');
    expect(await shown()).toBe(1);
  });

  test('shows foreign text as text', async () => {
    const { page } = await opened(desktop);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByText('<img src="https://evil.example/x.png"> & "quotes"').count()).toBe(1);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });
});

test('a report without differences says so in its title, and names no pair as differing', () => {
  const page = reportPage([{ ...report, pairs: report.pairs.slice(0, 3) }]);
  expect(page).toContain('<title>Nothing differs');
  expect(page).not.toContain('class="pair differs"');
});

test('a backlog is no difference: the page says that it waits, and until when', () => {
  const missing: Difference = {
    aspect: 'comment',
    about: 'comment 3',
    words: 'is missing on GitHub',
    tracker: 'A third thought.',
    github: null,
  };
  const pairs = report.pairs.slice(0, 3).map((each, index) => ({ ...each, waiting: index === 0 ? [missing] : [] }));
  const page = reportPage([{ ...report, pairs }]);
  expect(page).toMatch(/<h1 class="neutral">.* Nothing differs, 1 pair waits<\/h1>/u);
  expect(page).toContain('Catching up: 8 of 11 mirrored, 7 writes to go, done about 07:10 UTC.');
  expect(page).toContain('comment 3 is missing on GitHub');
  expect(page).not.toContain('class="pair differs"');
});

test('what lacks its other end was not compared', () => {
  const page = reportPage([{ ...report, pairs: [pair(1), { ...pair(2), issue: null }, { ...pair(3), bug: null }] }]);
  expect(page).toContain('1 pair compared, 2 items without counterpart');
});

test('what was not compared, or could not be judged, is not green', () => {
  const empty = reportPage([{ ...report, pairs: [] }]);
  expect(empty).toContain('<title>Nothing compared');
  expect(empty).toMatch(/<h1 class="neutral">.* Nothing compared<\/h1>/u);
  const notJudged = [{ about: 'bug 12', why: 'the tracker answered 500' }];
  expect(reportPage([{ ...report, pairs: [pair(1)], notJudged }])).toMatch(
    /<h1 class="neutral">.* Nothing differs, 1 not judged<\/h1>/u,
  );
});

test('a page needs nothing but itself', () => {
  const page = reportPage([{ ...report, pairs: [] }]);
  expect(page).not.toMatch(/\bsrc=|@import|url\(|<link\b/u);
});

test('reports, previews and archives have the style sheet of the dashboard, and no colours of their own', () => {
  const family = readFileSync('src/http/assets/family.css', 'utf8');
  for (const page of [reportPage([report]), previewPage([]), archiveAssets().style]) {
    expect(page).toContain(family);
    expect(page.replace(family, '')).not.toMatch(
      /--(?:ground|card|line|ink|dim|accent|green|amber|red): *(?:light-dark|#[^f0])/u,
    );
  }
});
