import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { programAt } from './program.ts';

/** Where Debian and Ubuntu, Fedora and Google's own packages put it. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/**
 * The browser that tests look at pages with; null where there is none, and then those tests are skipped. CHROMIUM names
 * another one.
 */
export const chromiumPath: string | null = programAt('CHROMIUM', places);

/** Why tests in a browser are skipped, for their names; empty where they run. */
export const skipped =
  chromiumPath === null ? ' (skipped: there is no Chromium here; install it, or name it in CHROMIUM)' : '';

export interface Window {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

export interface Viewer {
  /**
   * A page of its own in a window of this size, until the running test ends. Whatever it asks of the network is refused
   * and noted in `asked`.
   */
  open(
    window: Window,
    options?: { readonly isOnline?: boolean },
  ): Promise<{ readonly page: Page; readonly asked: readonly string[] }>;
  close(): Promise<void>;
}

export async function openViewer(): Promise<Viewer> {
  if (chromiumPath === null) throw new Error('there is no Chromium here');
  // Its sandbox needs rights that containers do not give; it only sees pages of our own.
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return {
    async open({ width, height, scheme }, { isOnline = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      });
      // A busy machine may be ten times as slow as a free one.
      context.setDefaultTimeout(90_000);
      // A page that is left open goes on: it asks, and draws what it hears.
      onTestFinished(() => context.close());
      const asked: string[] = [];
      if (!isOnline) {
        await context.route('**/*', (route) => {
          const url = route.request().url();
          if (/^(?:file|data|about|blob):/u.test(url)) return route.continue();
          asked.push(url);
          return route.abort();
        });
      }
      return { page: await context.newPage(), asked };
    },
    close: () => browser.close(),
  };
}
