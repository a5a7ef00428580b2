import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/model/store.ts';
import { scrubOf } from '../../../src/runtime/scrub.ts';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { openStore } from '../../../src/store/open.ts';
import { type House, openHouse } from '../../support/bugferry.ts';
import { closeIdleConnections } from '../../support/idle-connections.ts';

/** Two servers with the content of a real tracker, and the command as people run it. */
let house: House;

beforeAll(async () => {
  house = await openHouse(loadTrackerWorld);
  house.configure((config) => {
    config.routes[0].attachments = { store: 'branch' };
    config.routes[0].dependencies = true;
  });
  for (let count = 0; count < 8; count += 1) if ((await house.run('once')).out.includes('in step')) break;
});

afterAll(() => house.close());

interface Document {
  readonly routes: readonly {
    readonly totals: {
      readonly pairs: number;
      readonly differences: number;
      readonly compared: Record<string, number>;
    };
    readonly pairs: readonly { readonly differences: readonly { readonly aspect: string }[] }[];
  }[];
}

test('a mirror of real content has no difference, over HTTP, and nothing is written', async () => {
  const [writes, before] = [house.writes(), house.github.requests.length];
  const { code, out, err } = await house.run('verify');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('no differences');
  expect(out).toContain('the tracker wrote it');
  expect(house.writes()).toBe(writes);
  const files = house.github.files('acme/widget', 'attachments').size;
  const pairs = house.github.issues('acme/widget').length;
  // Lists of issues and comments, and what blocks some; the branch, its folders and one request for each file.
  expect(house.github.requests.length - before).toBeLessThan(12 + pairs * 0.3 + files * 3);
});

test('a bridge that is writing at the same time does not disturb it', async () => {
  const inState = (change: (store: Store) => void): void => {
    const store = openStore(house.state, { mode: 'write', now: Date.now, scrub: scrubOf([]), warn: () => {} });
    change(store);
    store.close();
  };
  const key = 'under way';
  inState(({ links, outbox }) => {
    const [link] = links.after('widget', null, 1);
    if (link === undefined) throw new Error('There is no pair.');
    outbox.replace(
      'widget',
      [link.id],
      [{ kind: 'lock', key, link: link.id, about: 'bug 1', on: 'github', act: 'lock' }],
    );
    outbox.mark(key, { state: 'sent', sentAt: Date.now(), attempts: 1 });
  });
  const { code, err } = await house.run('verify');
  inState(({ outbox }) => outbox.remove(key));
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('the whole report is written for programs and for people', async () => {
  const [json, html] = [join(house.folder, 'report.json'), join(house.folder, 'report.html')];
  expect((await house.run('verify', '--route', 'widget', '--json', json, '--html', html)).code).toBe(0);
  const document: Document = JSON.parse(readFileSync(json, 'utf8'));
  expect(document.routes[0]?.totals.differences).toBe(0);
  expect(document.routes[0]?.totals.pairs).toBeGreaterThan(10);
  expect(document.routes[0]?.totals.compared['texts']).toBeGreaterThan(20);
  expect(readFileSync(html, 'utf8')).toContain('Nothing differs');
  const [printed] = (await house.run('verify', '--json')).json<Document>();
  expect(printed?.routes[0]?.totals).toEqual(document.routes[0]?.totals);
});

test('a sample takes a few pairs, and says what it cannot tell', async () => {
  const { code, out } = await house.run('verify', '--sample', '3');
  expect(code).toBe(0);
  expect(out).toContain('a sample of 3 pairs compared, no differences');
  expect(out).toContain('only a sample was compared');
});

test('it ends right against servers that close idle connections between requests', async () => {
  const before = house.writes();
  const closing = closeIdleConnections();
  onTestFinished(() => closing.stop());
  const { code, out, err } = await house.run('verify');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('no differences');
  expect(house.writes()).toBe(before);
  // Any of these would have ended it, if it had not been asked again.
  expect(closing.lost()).toBeGreaterThan(10);
});

test('a difference is shown with both values, and ends in exit code 1', async () => {
  const [issue] = house.github.issues('acme/widget');
  house.github.as('mona').edit('acme/widget', issue?.number ?? 0, { title: 'Something else' });
  const { code, out } = await house.run('verify');
  expect(code).toBe(1);
  expect(out).toContain('1 difference in 1 pair');
  expect(out).toMatch(/title differs\n\s+tracker {2}.+\n\s+GitHub {3}Something else/u);
});

test.each([
  ['a route that is not there', ['verify', '--route', 'gone'], 'There is no route gone;'],
  ['a sample of nothing', ['verify', '--sample', '0'], 'It must be a whole number, 1 or greater'],
])('%s is wrong usage', async (_name, args, words) => {
  const { code, err } = await house.run(...args);
  expect(code).toBe(2);
  expect(err).toContain(words);
});

test('names a file that cannot be written', async () => {
  const { code, err } = await house.run('verify', '--html', join(house.folder, 'none', 'report.html'));
  expect(code).toBe(2);
  expect(err).toContain('cannot write the report');
});

test('a status that the map lacks is not judged: nobody knows whether both sides agree', async () => {
  const own = await openHouse((tracker) => {
    for (const summary of ['It fails', 'It hangs', 'It burns']) tracker.as('alice').file({ summary });
  });
  onTestFinished(() => own.close());
  const mapOf = (more: object) =>
    own.configure((config) => {
      config.routes[0].status = {
        toGithub: { UNCONFIRMED: 'open', RESOLVED: { FIXED: 'completed', '*': 'not_planned' }, ...more },
      };
    });
  mapOf({ CONFIRMED: 'open', IN_PROGRESS: 'open' });
  await own.run('once');
  for (const bug of [2, 3]) own.tracker.as('admin').change(bug, { status: 'IN_PROGRESS' });
  await own.run('once');
  expect(await own.run('verify')).toMatchObject({ code: 0, out: expect.stringContaining('no differences') });
  mapOf({ CONFIRMED: 'open' });
  const words = 'Not judged: bug 2 and 1 more: status.toGithub of route widget does not name IN_PROGRESS; add it there';
  const page = join(own.folder, 'report.html');
  const whole = await own.run('verify', '--html', page);
  expect(whole).toMatchObject({ code: 2, out: expect.stringContaining(words) });
  expect(whole.out.match(/IN_PROGRESS/gu)).toHaveLength(1);
  expect(readFileSync(page, 'utf8')).toContain('1 not judged');
  expect(await own.run('verify', '--sample', '3')).toMatchObject({ code: 2, out: expect.stringContaining(words) });
});
