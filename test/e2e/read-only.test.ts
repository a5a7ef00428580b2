import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../docs/documents.ts';
import { type ReadOnlyRoot, readOnlyRoot, whyNoReadOnlyRoot } from '../support/read-only-root.ts';
import { pause, start } from './process.ts';
import { type Served, serve } from './world.ts';

/** The documents prescribe a root that is read-only, and no place for temporary files. */
let served: Served;
let folder: string;
let root: ReadOnlyRoot;
let whyNot: string | null;

beforeAll(async () => {
  served = await serve();
  folder = dirname(served.configFile);
  root = readOnlyRoot(folder);
  whyNot = whyNoReadOnlyRoot(folder);
});
afterAll(() => served.close());

const canTouch = (place: string): boolean => {
  const [program, args] = root.command('touch', [place]);
  return spawnSync(program, args).status === 0;
};

/** Runs a command there to its end. */
async function bugferry(...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> {
  const running = start([...args, '--config', served.configFile], root);
  return { code: await running.ended, out: running.output() };
}

async function until(isSo: () => boolean, output: () => string): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`It did not come to that in 240 s. It said: ${output()}`);
    await pause(100);
  }
}

// More than a dozen programs are started one after the other, and the machine may be busy.
describe('on a root that is read-only', () => {
  test('nothing but the folder of the state can be written to', ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const places = ['/tmp', '/var/tmp', '/', process.cwd()].map((each) => join(each, 'bugferry-was-here'));
    for (const place of places) expect([place, canTouch(place)]).toEqual([place, false]);
    expect(places.filter((place) => existsSync(place))).toEqual([]);
    expect(canTouch(join(folder, 'here'))).toBe(true);
  });

  test('the daemon carries over what changes, cycle after cycle, and stops in order', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const { tracker, github } = served.stage();
    const file = (summary: string) =>
      tracker.as('alice').file({ product: 'Widget', component: 'Core', summary, description: 'Always.' });
    const titles = () => [...github.issues('acme/widget')].map(({ title }) => title);
    for (let count = 1; count <= 20; count += 1) file(`first ${count}`);
    const daemon = start(['run', '--config', served.configFile], root);
    await until(() => titles().length === 20, daemon.output);
    for (let turn = 1; turn <= 4; turn += 1) {
      for (let bug = 1; bug <= 20; bug += 1) tracker.as('alice').change(bug, { summary: `turn ${turn} of ${bug}` });
      for (let bug = 1; bug <= 5; bug += 1) tracker.as('alice').comment(bug, `Seen in turn ${turn}.`);
      await until(() => titles().filter((title) => title.startsWith(`turn ${turn} `)).length === 20, daemon.output);
    }
    await served.untilQuiet(3_000, daemon);
    expect(await daemon.end('SIGTERM')).toBe(0);
    expect(daemon.output()).not.toMatch(/SQLITE|"level":"(?:error|fatal|warn)"|failed/u);
  });

  test('every command that reads or copies the state works', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    expect(await bugferry('once')).toMatchObject({ code: 0 });
    expect(await bugferry('once', '--sweep')).toMatchObject({ code: 0 });
    expect(await bugferry('status')).toMatchObject({ code: 0, out: expect.stringContaining('in step') });
    expect(await bugferry('plan')).toMatchObject({ code: 0 });
    expect(await bugferry('explain', 'bug', '1')).toMatchObject({ code: 0 });
    expect(await bugferry('audit')).toMatchObject({ code: 0 });
    expect(await bugferry('migrate', '--dry-run', '--preview', join(folder, 'preview.html'))).toMatchObject({
      code: 0,
    });
    expect(await bugferry('migrate', '--dry-run')).toMatchObject({
      code: 2,
      out: expect.stringContaining('Choose another file with --preview'),
    });
    expect(await bugferry('verify', '--html', join(folder, 'report.html'))).toMatchObject({ code: 0 });
    expect(await bugferry('state', 'backup', join(folder, 'backup.db'))).toMatchObject({ code: 0 });
    expect(await bugferry('state', 'restore', join(folder, 'backup.db'))).toMatchObject({ code: 0 });
    expect(await bugferry('status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('not all mirrored bugs were confirmed public'),
    });
  });

  test('the demo plays', async ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const demo = start(['demo'], root);
    // Without the tracker as pages, which need a place.
    await until(() => demo.output().includes('Press Ctrl-C'), demo.output);
    expect(demo.output()).not.toContain('file:');
    expect(await demo.end('SIGTERM')).toBe(0);
  });
});

test('no example of a deployment has a place for temporary files', () => {
  for (const name of ['compose.yaml', 'kubernetes.yaml']) {
    const text = read(`docs/deploy/${name}`);
    expect(text).toMatch(/read_?only.*: true/iu);
    expect(text).not.toMatch(/tmpfs|emptyDir|TMPDIR|\/tmp/u);
  }
});
