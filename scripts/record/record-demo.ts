/**
 * Records the moving picture of the README: plays the demo, with the real bridge between both sandbox servers, and
 * photographs the pages of both sides in a browser. Each pass of the bridge runs between two photographs, so nothing
 * depends on the speed of the machine.
 */

import { writeFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { demoConfig } from '../../src/cli/demo/page.ts';
import { ownVersion } from '../../src/config/version.ts';
import { demoBugs } from '../../src/sandbox/demo/bugs.ts';
import { openBridge, passOf } from '../../src/wire/bridge.ts';
import { openObserver } from '../../src/wire/http.ts';
import { openDemo } from '../../src/wire/sandbox.ts';
import { chromiumPath } from '../../test/support/browser.ts';
import { type Frame, writeGif } from './write-gif.ts';

const file = 'docs/demo.gif';
const size = { width: 960, height: 540 };
const { signal } = new AbortController();

const bar = 46;
const zoom = 0.6;
const half = { width: (size.width - 18) / 2, height: size.height - bar - 30 };
const whole = { ...half, width: size.width - 12 };

/** Both sides below a caption. They are pictures, because the pages refuse to be framed. */
const stagePage = `<!doctype html><style>
  body { margin: 0; background: #24292f; font: 15px/1 system-ui, sans-serif; color: #fff; overflow: hidden }
  #words { height: ${bar}px; display: flex; align-items: center; justify-content: center; font-size: 19px; font-weight: 600 }
  #sides { display: flex; gap: 6px; padding: 0 6px }
  .name { height: 24px; line-height: 24px; padding-left: 8px; background: #57606a; font-size: 13px; border-radius: 6px 6px 0 0 }
  img { display: block }
</style><div id="words"></div><div id="sides"></div>`;

interface View {
  readonly name: string;
  readonly url: string;
}

async function record(): Promise<readonly Frame[]> {
  if (chromiumPath === null) throw new Error('This needs Chromium: install it, or name it in CHROMIUM.');
  const show = await openDemo();
  const config = demoConfig(show, ':memory:');
  const observer = openObserver(config, { version: ownVersion(), failed: console.error, warned: console.error });
  // With few writes in a pass, viewers see the first issues arrive.
  const limits = { ...config.limits, writesPerCycle: 12 };
  const bridge = openBridge({ ...config, limits }, { mode: 'write', signal, warn: console.error, tell: observer.tell });
  const dashboard = await observer.open(bridge, () => null);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
  const open = async (view: { width: number; height: number }, scale = 1): Promise<Page> => {
    const viewport = { width: Math.round(view.width / scale), height: Math.round(view.height / scale) };
    const page = await browser.newPage({
      viewport,
      deviceScaleFactor: scale,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(90_000);
    return page;
  };
  const [outer, inner] = [await open(size), await open(half, zoom)];
  try {
    await outer.setContent(stagePage);
    const { trackerUrl, githubUrl } = show.stage;
    const frames: Frame[] = [];
    const photograph = async (words: string, showMs: number, views: readonly View[]) => {
      const sides: string[] = [];
      for (const { name, url } of views) {
        const { width, height } = views.length === 1 ? whole : half;
        await inner.setViewportSize({ width: Math.round(width / zoom), height: Math.round(height / zoom) });
        // The browser would not load the same address with another fragment again.
        await inner.goto('about:blank');
        await inner.goto(url, { waitUntil: 'load' });
        const picture = (await inner.screenshot()).toString('base64');
        sides.push(`<div><div class="name">${name}</div><img src="data:image/png;base64,${picture}"></div>`);
      }
      await outer.locator('#words').evaluate((line, text) => {
        line.textContent = text;
      }, words);
      await outer.locator('#sides').evaluate((line, html) => {
        line.innerHTML = html;
      }, sides.join(''));
      frames.push({ png: await outer.screenshot(), showMs });
    };
    const take = (words: string, showMs: number, left: string, right: string) =>
      photograph(words, showMs, [
        { name: 'your tracker', url: `${trackerUrl}/${left}` },
        { name: 'GitHub', url: `${githubUrl}/acme/widget/issues${right}` },
      ]);
    const bug = (id: number, comment = ''): string => `show_bug.cgi?id=${id}${comment}`;
    /** Runs passes until one writes nothing. */
    const settle = async (between = async () => {}): Promise<void> => {
      for (let pass = 0; pass < 30; pass += 1) {
        const before = show.stage.writes();
        observer.ran(await passOf(bridge, { isForced: () => false, signal }));
        if (show.stage.writes() === before) return;
        await between();
      }
      throw new Error('The bridge does not come to rest.');
    };
    const [news, talk, edits, conflicts] = show.steps;

    await take('A tracker with bugs, and an empty repository', 2600, '', '');
    await settle(() => take('bugferry opens an issue for each public bug', 450, '', ''));
    await take('Text, labels, status and comments cross; what is private does not', 4000, bug(1), '/1');

    news?.play();
    const issue = Math.max(...show.stage.github.issues('acme/widget').map(({ number }) => number));
    await take('mona opens an issue on GitHub ...', 2600, '', `/${issue}`);
    await settle();
    const copy = Math.max(...show.stage.tracker.bugs().map(({ id }) => id));
    await take('... and the tracker has a bug', 3200, bug(copy), `/${issue}`);

    talk?.play();
    await take('alice answers on the tracker ...', 2600, bug(copy, '#c1'), `/${issue}`);
    await settle();
    await take('... and mona reads it on GitHub', 3200, bug(copy, '#c1'), `/${issue}`);

    edits?.play();
    await take('mona merges a pull request that fixes an issue ...', 2600, bug(demoBugs.theme), `/${demoBugs.theme}`);
    await settle();
    const last = show.stage.tracker.commentsOf(demoBugs.theme).length - 1;
    await take('... and the bug is resolved ...', 2600, bug(demoBugs.theme), `/${demoBugs.theme}`);
    await take('... and says what fixed it', 3200, bug(demoBugs.theme, `#c${last}`), `/${demoBugs.theme}`);

    conflicts?.play();
    await take('Both sides change a title at the same time ...', 2600, bug(demoBugs.font), `/${demoBugs.font}`);
    await settle();
    await take('... the newer one wins, and the other is kept', 3200, bug(demoBugs.font), `/${demoBugs.font}`);

    await photograph('The dashboard shows what was done, and what needs you', 4500, [
      { name: 'dashboard', url: `${dashboard?.url}/` },
    ]);
    return frames;
  } finally {
    await browser.close();
    await dashboard?.close();
    bridge.close();
    await show.stage.close();
  }
}

const frames = await record();
const gif = writeGif(frames);
writeFileSync(file, gif);
console.log(`${file}: ${frames.length} frames, ${Math.round(gif.length / 1000)} kB`);
