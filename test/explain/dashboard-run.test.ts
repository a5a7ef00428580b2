import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start } from '../e2e/process.ts';
import { type Served, serve } from '../e2e/world.ts';

/** The issue that lists what needs a person, as an operator switches it on. */
let served: Served;

beforeAll(async () => {
  served = await serve();
  const config = JSON.parse(readFileSync(served.configFile, 'utf8'));
  const [route] = config.routes;
  writeFileSync(
    served.configFile,
    JSON.stringify({ ...config, routes: [{ ...route, dashboard: true, conflicts: 'ask' }] }),
  );
});
afterAll(() => served.close());

async function bugferry(...args: readonly string[]): Promise<string> {
  const running = start([...args, '--config', served.configFile]);
  await running.ended;
  return running.output();
}

test('a route keeps one dashboard issue, which never becomes a bug or a difference', async () => {
  const { tracker, github } = served.stage();
  const bug = tracker
    .as('alice')
    .file({ product: 'Widget', component: 'Core', summary: 'It fails', description: 'Always.' });
  await bugferry('once');
  const lists = () => [...github.issues('acme/widget')].filter(({ title }) => title === 'What needs a person (widget)');
  expect(lists().map(({ body }) => body)).toEqual([expect.stringContaining('Nothing public needs a person.')]);
  const bugs = tracker.bugs().length;

  tracker.as('alice').change(bug, { summary: 'It fails on Mondays' });
  github
    .as('mona')
    .edit('acme/widget', github.issues('acme/widget').find(({ title }) => title === 'It fails')?.number ?? 0, {
      title: 'It fails on Tuesdays',
    });
  expect(await bugferry('once')).toContain('needs you');
  // An hour has not passed.
  expect(lists().map(({ body }) => body)).toEqual([expect.stringContaining('Nothing public needs a person.')]);

  await bugferry('once', '--sweep');
  expect(lists()).toHaveLength(1);
  expect(tracker.bugs()).toHaveLength(bugs);
  expect(await bugferry('verify')).not.toContain('What needs a person');
  expect(await bugferry('explain', 'issue', `acme/widget#${lists()[0]?.number}`)).toContain(
    'it is the dashboard of the bridge',
  );
});
