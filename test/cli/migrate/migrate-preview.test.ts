import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { chromiumPath, openViewer, skipped, type Viewer } from '../../support/browser.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

/** What `migrate --dry-run` shows of the real content, in a browser. */
describe.skipIf(chromiumPath === null)(`the preview of a migration${skipped}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-preview-'));
  const file = join(folder, 'preview.html');
  let house: House;
  let viewer: Viewer;

  beforeAll(async () => {
    house = await openHouse((tracker) => loadTrackerWorld(tracker));
    house.configure((config) => {
      config.routes[0].table = ['alias', 'url'];
    });
    expect(await house.run('migrate', '--dry-run', '--samples', '60', '--preview', file)).toMatchObject({ code: 0 });
    viewer = await openViewer();
  });
  afterAll(async () => {
    await viewer.close();
    await house.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    [1200, 'light'],
    [390, 'dark'],
  ] as const)('fits a window of %i, in %s, and asks the network for nothing', async (width, scheme) => {
    const { page, asked } = await viewer.open({ width, height: 900, scheme });
    await page.goto(pathToFileURL(file).href);
    expect(await page.locator('section.issue').count()).toBeGreaterThan(40);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const [inside, shown] = await page.evaluate<[number, number]>(
      '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector(".index"))',
    );
    expect(inside, 'the list of bugs goes on below, and not beside').toBe(shown);
    expect(await page.locator('script').count()).toBe(0);
    const style = (name: string) => page.evaluate<string>(`getComputedStyle(document.body).${name}`);
    const [background, colour] = [await style('backgroundColor'), await style('color')];
    expect(background).not.toBe(colour);
    expect(asked).toEqual([]);
  });

  test('HTML in a bug is shown as written, and the collapsed table collapses', async () => {
    const { page } = await viewer.open({ width: 1200, height: 900, scheme: 'light' });
    await page.goto(pathToFileURL(file).href);
    expect(await page.locator('section.issue').getByText('<script>alert(1)</script>').count()).toBeGreaterThan(0);
    const table = page.locator('details').first();
    expect(await table.locator('table').isVisible()).toBe(false);
    await table.locator('summary').click();
    expect(await table.locator('table').isVisible()).toBe(true);
  });
});
