import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bugId, issueNumber, linkId } from '../../src/model/ids.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { openStore } from '../../src/store/open.ts';
import { chromiumPath, openViewer, skipped, type Viewer, type Window } from '../support/browser.ts';
import { type House, openHouse, type Started } from '../support/bugferry.ts';
import { openGate } from '../support/gate.ts';
import { scrub } from '../support/scrub.ts';
import { pause } from './process.ts';

/**
 * The pages as people use them: a daemon of its own, both sandbox servers, and Chromium. With SCREENSHOTS=1 what it
 * looks like on the way is written to docs/screenshots; a program such as pngquant makes it as small as it has to be.
 */
const repo = 'acme/widget';
const [token, trackerSecret] = ['token-of-the-operator', 'secret-of-the-tracker'];
const desktop: Window = { width: 1100, height: 900, scheme: 'light' };
const phone: Window = { width: 390, height: 844, scheme: 'light' };
const summaries = [
  'Toolbar icons are blurred on a 4k screen',
  'Crash when the file is empty',
  'Search finds nothing after an update',
  'Undo forgets the last step',
  'Printing cuts off the right margin',
  'The dialog opens behind the window',
  'Umlauts in file names are lost',
  'Scrolling stutters with many tabs',
];
const gate = openGate();
let house: House;
let daemon: Started;
let viewer: Viewer;
let server: string;

beforeAll(async () => {
  if (chromiumPath === null) return;
  house = await openHouse((tracker) => {
    for (const summary of summaries) tracker.as('alice').file({ summary, description: 'It happens always.' });
  }, gate);
  const port = await freePort();
  house.configure((config) => {
    config.http = { port, token, trackerSecret };
    config.routes[0].conflicts = 'ask';
    config.schedule = { poll: '0 0 1 1 *', sweep: '0 0 1 1 *' };
    config.limits.github.createsPerHour = 120;
  });
  await house.run('once');
  await house.run('once', '--sweep');
  fillDay();
  server = `http://127.0.0.1:${port}`;
  daemon = house.start('run');
  await until(async () => (await fetch(`${server}/readyz`).catch(() => null))?.status === 200);
  viewer = await openViewer();
});

afterAll(async () => {
  if (chromiumPath === null) return;
  await viewer.close();
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  await house.close();
});

/** A day of work, so that the charts have something to show. */
function fillDay(): void {
  const store = openStore(house.state, { mode: 'write', now: Date.now, scrub });
  const now = Date.now();
  for (let slot = 143; slot > 0; slot -= 1) {
    const busy = Math.round(6 * Math.max(0, Math.sin(slot / 17)) + 2 * Math.max(0, Math.sin(slot / 5)));
    for (let count = 0; count < busy; count += 1) {
      const on = (slot + count) % 3 === 0 ? 'tracker' : 'github';
      const number = 5 + ((slot + count) % 4);
      const place = {
        route: 'widget',
        link: linkId(number),
        bug: bugId(number),
        issue: issueNumber(number),
        on,
      } as const;
      const ends = on === 'github' ? [`bug ${number}`, `${repo}#${number}`] : [`${repo}#${number}`, `bug ${number}`];
      const comment = { of: ends[0], made: ends[1] };
      const update = { before: { severity: 'normal' }, after: { severity: 'major' } };
      const [kind, detail] = count % 2 === 0 ? (['comment', comment] as const) : (['update', update] as const);
      store.ledger.add({ ...place, at: now - slot * 600_000, kind, outcome: 'applied', detail });
    }
  }
  store.close();
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let count = 0; !(await isSo()); count += 1) {
    if (count > 2_400) throw new Error('it did not come to that');
    await pause(50);
  }
}

interface Session {
  readonly page: Page;
  /** What the browser complained of. */
  readonly complaints: string[];
  /** Hosts that were asked for something. */
  readonly hosts: Set<string>;
}

async function openSession(window: Window): Promise<Session> {
  const { page } = await viewer.open(window, { isOnline: true });
  const [complaints, hosts] = [[] as string[], new Set<string>()];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(server);
  await page.fill('#token', token);
  await page.press('#token', 'Enter');
  await page.waitForSelector('.verdict');
  return { page, complaints, hosts };
}

async function shot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  await page.waitForTimeout(300);
  await page.evaluate('document.activeElement?.blur()');
  writeFileSync(join(import.meta.dirname, '../../docs/screenshots', `${name}.png`), await page.screenshot());
}

/** Has a cycle come now. Cycles come no other way here, so that none sees half of what a test does on both sides. */
async function poke(): Promise<void> {
  const headers = { 'x-bugferry-secret': trackerSecret };
  const { status } = await fetch(`${server}/hooks/tracker`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ bug: { id: 1 } }),
  });
  expect(status).toBe(202);
}

/** Until a cycle has nothing to do any more, and the page says so. */
const settled = (page: Page): Promise<void> =>
  until(async () => {
    await poke();
    await pause(500);
    return page.isVisible('.verdict.green');
  });

const verdictOf = (page: Page) => page.textContent('.verdict h1');

const isFitting = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Makes both titles of a bug and its issue differ. */
async function tear(bug: number): Promise<void> {
  house.tracker.as('alice').change(bug, { summary: 'Search finds nothing since 4.2' });
  house.github.as('mona').edit(repo, bug, { title: 'Search is broken after the update to 4.2' });
  await poke();
}

const requireComment = (value: string) =>
  Object.assign(house.tracker.state, {
    settings: { ...house.tracker.state.settings, commentonchange_resolution: value },
  });

describe.skipIf(chromiumPath === null)(`the pages${skipped}`, () => {
  test('ask for the token, and accept no other', async () => {
    const { page } = await viewer.open(desktop, { isOnline: true });
    await page.goto(`${server}/links/3`);
    expect(page.url()).toBe(`${server}/sign-in?to=%2Flinks%2F3`);
    await page.fill('#token', 'a guess that is long enough');
    await page.press('#token', 'Enter');
    expect(await page.textContent('[role=alert]')).toBe('The token is wrong.');
    await page.fill('#token', token);
    await page.press('#token', 'Enter');
    await page.waitForURL(`${server}/links/3`);
    await page.click('text=Sign out');
    await page.waitForURL(`${server}/sign-in`);
    await page.goto(server);
    expect(page.url()).toContain('/sign-in');
  });

  test.each([
    ['quiet', desktop],
    ['dark', { ...desktop, scheme: 'dark' }],
    ['phone', phone],
  ] as const)('show that everything is in step: %s', async (name, window) => {
    const { page, complaints, hosts } = await openSession(window);
    await page.waitForSelector('.chart canvas');
    expect(await verdictOf(page)).toBe('Everything is in step');
    expect(await page.textContent('tbody th')).toContain('widget');
    expect(await isFitting(page)).toBe(true);
    await shot(page, name);
    expect([complaints, [...hosts]]).toEqual([[], [new URL(server).host]]);
  });

  test('show a conflict with both values by themselves, and a key decides it', async () => {
    const { page, complaints } = await openSession(desktop);
    await tear(3);
    await page.waitForSelector('.conflict');
    expect(await verdictOf(page)).toBe('1 item needs you');
    expect(await page.locator('.conflict .value').allTextContents()).toEqual([
      'Search finds nothing since 4.2',
      'Search is broken after the update to 4.2',
    ]);
    await shot(page, 'conflict');
    await page.focus(`button:has-text("Keep GitHub's")`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=status]');
    expect(await page.textContent('[role=status]')).toBe('Decided: GitHub wins. Its value is mirrored now.');
    await until(() => house.tracker.bug(3)?.summary === 'Search is broken after the update to 4.2');
    await settled(page);
    expect(await page.textContent('[role=status]'), 'what was decided, while the page follows').toContain('Decided');
    expect(complaints).toEqual([]);
  });

  test('show what is parked and why, and a button tries it again', async () => {
    const { page } = await openSession(desktop);
    requireComment('1');
    house.github.as('mona').close(repo, 2, 'completed');
    await poke();
    await page.waitForSelector('.parked');
    expect(await page.textContent('.parked')).toMatch(
      /Crash when.*bug 2 = acme\/widget#2.*set status to completed.*comment/su,
    );
    await shot(page, 'parked');
    requireComment('0');
    await page.click("button:has-text('Try again')");
    expect(await page.textContent('[role=status]')).toBe('It is tried again now.');
    await until(() => house.tracker.bug(2)?.resolution === 'FIXED');
    await settled(page);
  });

  test('fit a phone whatever people write', async () => {
    const { page } = await openSession(phone);
    const lengthen = `for (const each of document.querySelectorAll('h1, .verdict p, .routes th, .title, .facts li, .lines span, .timeline span'))
      each.append('x'.repeat(250))`;
    // The tracker that the demo shows beside the dashboard fits, too.
    for (const path of ['/', '/show_bug.cgi?id=1']) {
      await page.goto(`${house.trackerUrl}${path}`);
      expect([path, await isFitting(page)]).toEqual([path, true]);
    }
    for (const path of ['/', '/links/3', '/find?q=bug+4711', '/pairs', '/routes/widget']) {
      await page.goto(`${server}${path}`);
      await page.evaluate(lengthen);
      expect([path, await isFitting(page)]).toEqual([path, true]);
    }
  });

  test('read a title from right to left if its language does', async () => {
    const { page } = await openSession(desktop);
    await page.goto(`${server}/links/3`);
    // Where the first and the last letter are.
    const places = `(() => {
      const heading = document.querySelector('h1');
      heading.textContent = 'שלום עולם (v2)';
      return [0, 13].map((at) => {
        const range = document.createRange();
        range.setStart(heading.firstChild, at);
        range.setEnd(heading.firstChild, at + 1);
        return range.getBoundingClientRect().left;
      });
    })()`;
    const [first = 0, last = 0] = (await page.evaluate(places)) as readonly number[];
    expect(last).toBeLessThan(first);
  });

  test('find a bug or an issue by what people type, and tell its story', async () => {
    const { page } = await openSession(desktop);
    house.tracker.as('alice').comment(3, 'Since last Monday.');
    await poke();
    await until(() => house.github.commentsOf(repo, 3).length > 0);
    await settled(page);
    await page.keyboard.press('/');
    await page.keyboard.type('ACME/widget#3');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.timeline');
    expect(await page.textContent('.timeline')).toMatch(/the issue was opened.*a person decided: title/su);
    await shot(page, 'search');
    const issue = `https://github.com/${repo}/issues/3`;
    const named = page.locator(`.timeline a[href="${issue}"]`);
    expect([await named.first().textContent(), await named.first().getAttribute('rel')]).toEqual([
      `${repo}#3`,
      'noreferrer',
    ]);
    const copied = page.locator('.timeline li', { hasText: 'a comment was copied' });
    expect(await copied.locator('a').allTextContents()).toEqual(['comment 1 on bug 3', 'a comment on acme/widget#3']);
    expect(await page.locator('.verdict a').allTextContents()).toEqual(['bug 3', `${repo}#3`, 'widget']);
    await page.fill('[name=q]', 'bug 4711');
    await page.press('[name=q]', 'Enter');
    await page.waitForSelector('.facts');
    expect(await verdictOf(page)).toBe('Bug 4711 is not mirrored');
    expect(await page.textContent('.facts')).toMatch(/does not exist|no bug/iu);
  });

  test('list the pairs, by words of the title and by what becomes of them', async () => {
    const { page, complaints } = await openSession(desktop);
    await page.fill('[name=q]', 'scroll tab');
    await page.press('[name=q]', 'Enter');
    await page.waitForSelector('.pairs');
    expect(await page.locator('.pairs li').count()).toBe(1);
    expect(await page.textContent('.pairs li')).toMatch(/Scrolling stutters with many tabs.*bug 8 = acme\/widget#8/su);
    await page.click('.filters >> text=Frozen');
    expect(await page.textContent('main')).toContain('No title has all these words');
    await page.fill('.titles [name=q]', '');
    await page.press('.titles [name=q]', 'Enter');
    await page.click('.filters >> text=All');
    await page.waitForSelector('.pairs');
    await shot(page, 'pairs');
    expect(await page.locator('.pairs li').count()).toBe(8);
    await page.click('.pairs li:first-child a');
    await page.waitForSelector('.timeline');
    expect(complaints).toEqual([]);
  });

  test('pause a route, resume it, and have it run now', async () => {
    const { page, complaints } = await openSession(desktop);
    await page.click('.routes th a');
    await page.waitForSelector('#pause');
    await page.fill('[name=why]', 'the tracker moves');
    await page.click('#pause');
    expect(await page.textContent('[role=status]')).toContain('Route widget is paused');
    expect(await page.textContent('h1')).toContain('paused');
    expect(await page.textContent('main')).toContain('the tracker moves');
    house.tracker.as('alice').change(5, { summary: 'Printing cuts off both margins' });
    await poke();
    await page.goto(server);
    expect(await verdictOf(page)).toBe('Paused by a person');
    await shot(page, 'paused');
    await page.click('.routes th a');
    await page.click('#resume');
    await until(() => house.github.issue(repo, 5)?.title === 'Printing cuts off both margins');
    house.tracker.as('alice').change(5, { summary: 'Printing cuts off the right margin' });
    await page.goto(`${server}/routes/widget`);
    await page.click('#run');
    expect(await page.textContent('[role=status]')).toBe('Every route runs now.');
    await until(() => house.github.issue(repo, 5)?.title === 'Printing cuts off the right margin');
    await page.goto(`${server}/routes/widget`);
    await shot(page, 'route');
    expect(await page.textContent('.times')).toMatch(/Next cycle.*Next full comparison.*GitHub's token.*Version/su);
    expect(complaints).toEqual([]);
  });

  test('show the plan that the brake refused, and carry it out at a button', async () => {
    const { page } = await openSession(desktop);
    // The brake needs ten pairs to speak of a share.
    for (const summary of ['One', 'Two']) house.tracker.as('alice').file({ summary, description: 'More.' });
    await poke();
    await until(() => house.github.issue(repo, 10) !== null);
    await settled(page);
    for (const bug of [1, 2, 5, 6, 7, 8, 9]) house.tracker.as('alice').change(bug, { summary: `Renamed ${bug}` });
    await poke();
    await page.waitForSelector('.verdict.red');
    await shot(page, 'brake');
    await page.click('.verdict a >> text=the plan');
    await page.waitForSelector('#plan');
    expect(await page.locator('section:has(#plan) li').count()).toBe(7);
    expect(await page.textContent('section:has(#plan)')).toContain('set title to "Renamed 1"');
    await shot(page, 'refused-plan');
    await page.click('text=Carry it out this once');
    expect(await page.textContent('[role=status]')).toBe('The plan is carried out now.');
    await until(() => house.github.issue(repo, 9)?.title === 'Renamed 9');
    await settled(await openSession(desktop).then((session) => session.page));
  });

  test('work without JavaScript', async () => {
    await tear(4);
    const { page } = await openSession(desktop);
    const context = await page
      .context()
      .browser()
      ?.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
    const plain = await context?.newPage();
    if (plain === undefined) throw new Error('there is no page');
    await until(async () => {
      await plain.goto(server);
      return (await plain.locator('.conflict').count()) === 1;
    });
    await plain.click('summary');
    expect(await plain.locator('#hours tbody tr').count()).toBe(24);
    await plain.click(`button:has-text("Keep the tracker's")`);
    expect(await plain.textContent('[role=status]')).toContain('Decided: the tracker wins');
    await until(() => house.github.issue(repo, 4)?.title === 'Search finds nothing since 4.2');
    await context?.close();
  });

  test('show what moves while much is to do', async () => {
    const { page } = await openSession(desktop);
    for (let count = 0; count < 24; count += 1)
      house.github.as('mona').open(repo, { title: `Report ${count + 1}`, body: 'It fails.' });
    const answered = [...summaries];
    onTestFinished(gate.open);
    const isHeld = gate.shut((side, cost) => side === 'tracker' && cost === 'create' && answered.pop() === undefined);
    await poke();
    await isHeld;
    await page.reload();
    await page.waitForSelector('text=in flight');
    expect(await verdictOf(page)).toBe('Catching up');
    await page.waitForSelector('.chart canvas');
    await shot(page, 'busy');
    gate.open();
    await settled(page);
    expect(await page.textContent('.routes')).toContain('34');
  });
});

test.skipIf(chromiumPath === null)(`a form from elsewhere does nothing${skipped}`, async () => {
  const { page } = await openSession(desktop);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const post = (headers: Record<string, string>, csrf: string) => {
    const body = new URLSearchParams({ csrf, route: 'widget', numbers: '1', to: '/' });
    return fetch(`${server}/retry`, { method: 'POST', headers: { cookie, ...headers }, body, redirect: 'manual' });
  };
  const own = { origin: server, 'sec-fetch-site': 'same-origin' };
  expect((await post(own, 'made up')).status).toBe(403);
  expect((await post({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'made up')).status).toBe(403);
});
