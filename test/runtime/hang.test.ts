/** A step without an end costs its item one restart, and everything else goes on. */

import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { start } from '../e2e/process.ts';
import { type Served, serve } from '../e2e/world.ts';
import { repo } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';

let served: Served | null = null;
afterEach(() => served?.close());

const endless = 'if (JSON.stringify(ITEM).includes("Poison")) { process._rawDebug("in the loop"); for (;;); }';

const built = 'the built program';

/** Each plants a loop on the bug "Poison" in a stage of its way to GitHub. */
const stages: readonly (readonly [stage: string, file: string, from: string, loop: string])[] = [
  ['map', 'bugzilla/map.ts', 'function valuesOf(wire: WireBug): BugValues {', 'wire'],
  ['read', 'sync/observe/observe-items.ts', '  const side = sideOf(item);\n  const ref = refOf(item);', 'item'],
  ['plan', 'rules/plan/create.ts', '  const { status, ...expressed } = source;', 'bug'],
  ['plan, built', built, 'const { status, ...expressed } = source;', 'bug'],
  ['record', 'sync/perform/operations/create.ts', '  const { store } = context;\n  store.transaction(() => {', 'item'],
];

/** The built program, with the loop in the part that holds this piece of code. */
function plantInBuilt(from: string, to: string): string {
  const folder = resolve('.planted', randomUUID());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  const parts = join(folder, 'dist/parts');
  const found = readdirSync(parts).filter((name) => readFileSync(join(parts, name), 'utf8').includes(from));
  expect(found).toHaveLength(1);
  const part = join(parts, String(found[0]));
  writeFileSync(part, readFileSync(part, 'utf8').replace(from, to));
  return join(folder, 'dist/main.js');
}

test.each(stages)(
  'an endless loop (%s) costs one restart, and all other bugs cross',
  { timeout: 240_000 },
  async (_stage, file, from, item) => {
    served = await serve();
    const { tracker, github } = served.stage();
    const alice = tracker.as('alice');
    for (const summary of ['One', 'Poison', 'Three']) alice.file({ summary, description: `About ${summary}` });
    const to = `${from}\n${endless.replace('ITEM', item)}`;
    const main = file === built ? plantInBuilt(from, to) : join(plant({ file, from, to }), 'main.ts');
    const runs: { readonly code: number | null; readonly output: string }[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const once = start(['once', '--config', served.configFile], undefined, main);
      // A blocked process obeys SIGTERM, too, if not at once.
      if (turn === 0)
        once.child.stderr?.on('data', (part: Buffer) => {
          if (part.toString().includes('in the loop')) once.child.kill('SIGTERM');
        });
      runs.push({ code: await once.ended, output: once.output() });
    }
    expect(runs[0]).toMatchObject({ code: null, output: expect.stringContaining('more than 20 s of processor time') });
    expect(runs[1]?.output).toContain('that item is set aside');
    expect(runs.slice(1).map(({ code }) => code)).not.toContain(null);
    const titles = github.issues(repo).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['One', 'Three']));
    const status = start(['status', '--config', served.configFile]);
    await status.ended;
    // What was made before the loop is found by its marker, and is no longer set aside.
    expect(status.output()).toMatch(/bug 2|in step: 3 pairs/u);
  },
);

const inArchives: readonly Fault[] = [
  {
    file: 'archive/bug-record.ts',
    from: '  const files = new Set(thread.files.map(({ id }) => id));',
    to: `${endless.replace('ITEM', 'bug')}\n  const files = new Set(thread.files.map(({ id }) => id));`,
  },
  {
    file: 'bugzilla/public-reader.ts',
    from: '  // Trackers send the values of a bug in any order, another one each time.',
    to: endless.replace('ITEM', 'bug'),
  },
  {
    file: 'bugzilla/public-reader.ts',
    from: 'const thread = apart(id, () => ({',
    to: `const endlessIn = (each: unknown): void => { ${endless.replace('ITEM', 'each')} };
      const thread = apart(id, () => ({ ...(endlessIn(said) as unknown as object),`,
  },
];

test.each(inArchives)('an endless loop in $file costs an archive that bug', { timeout: 240_000 }, async (fault) => {
  served = await serve();
  const alice = served.stage().tracker.as('alice');
  for (const summary of ['One', 'Poison', 'Three']) alice.file({ summary, description: `About ${summary}` });
  const main = join(plant(fault), 'main.ts');
  const folder = `${served.configFile}.archive`;
  const turn = async (): Promise<{ readonly code: number | null; readonly output: string }> => {
    const run = start(['archive', folder, '--config', served?.configFile ?? ''], undefined, main);
    return { code: await run.ended, output: run.output() };
  };
  expect(await turn()).toMatchObject({ code: null, output: expect.stringContaining('more than 20 s of processor') });
  for (let again = 0; again < 2; again += 1)
    expect(await turn()).toMatchObject({ code: 1, output: expect.stringContaining('bug 2 is left out') });
  expect(readdirSync(join(folder, 'bugs'))).toEqual(expect.arrayContaining(['1.html', '3.html']));
});

test('an endless loop over a bug costs an adoption that bug', { timeout: 240_000 }, async () => {
  served = await serve();
  const alice = served.stage().tracker.as('alice');
  for (const summary of ['One', 'Poison', 'Three']) alice.file({ summary, description: `About ${summary}` });
  const run = async (command: string, main?: string) => {
    const child = start([command, '--config', served?.configFile ?? ''], undefined, main);
    return { code: await child.ended, output: child.output() };
  };
  for (let turn = 0; turn < 3; turn += 1) await run('once');
  const { state } = JSON.parse(readFileSync(served.configFile, 'utf8'));
  for (const rest of ['', '-wal', '-shm']) rmSync(`${state}${rest}`, { force: true });
  const from = '  const side = sideOf(item);\n  const ref = refOf(item);';
  const to = `${from}\n${endless.replace('ITEM', 'item')}`;
  const main = join(plant({ file: 'sync/observe/observe-items.ts', from, to }), 'main.ts');
  // The bug and its issue both say so, so there are two items, and one restart for each.
  for (let turn = 0; turn < 2; turn += 1)
    expect(await run('adopt', main)).toMatchObject({ code: null, output: expect.stringContaining('more than 20 s') });
  const adopted = await run('adopt', main);
  expect(adopted.code).toBe(0);
  expect(adopted.output).toContain('2 pairs restored');
  expect((await run('status')).output).toContain('bug 2');
  for (let turn = 0; turn < 2; turn += 1) await run('once', main);
  expect(
    served
      .stage()
      .github.issues(repo)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(['One', 'Poison', 'Three']);
});

const inAudits: readonly (readonly [reader: readonly string[], fault: Fault])[] = [
  [
    [],
    {
      file: 'rules/privacy/audit.ts',
      from: "  const why = whyHidden(route, link) ?? (isGivenUp(link) ? (link.reason ?? 'one end is gone') : null);",
      to: `  const why = whyHidden(route, link) ?? (isGivenUp(link) ? (link.reason ?? 'one end is gone') : null);
        ${endless.replace('ITEM', 'link')}`,
    },
  ],
  [
    ['--against', 'anonymous'],
    {
      file: 'rules/privacy/audit.ts',
      from: '  const visible = shown === null ? null : publicFieldsOf(shown.bug);',
      to: `  const visible = shown === null ? null : publicFieldsOf(shown.bug);
        ${endless.replace('ITEM', 'link')}`,
    },
  ],
];

test.each(inAudits)(
  'an endless loop over a pair costs an audit (%j) that pair',
  { timeout: 240_000 },
  async (reader, fault) => {
    served = await serve();
    const alice = served.stage().tracker.as('alice');
    for (const summary of ['One', 'Poison', 'Three']) alice.file({ summary, description: `About ${summary}` });
    const run = async (command: readonly string[], main?: string) => {
      const child = start([...command, '--config', served?.configFile ?? ''], undefined, main);
      return { code: await child.ended, output: child.output() };
    };
    for (let turn = 0; turn < 3; turn += 1) await run(['once']);
    const main = join(plant(fault), 'main.ts');
    expect(await run(['audit', ...reader], main)).toMatchObject({
      code: null,
      output: expect.stringContaining('more than 20 s'),
    });
    for (let again = 0; again < 2; again += 1) {
      const { code, output } = await run(['audit', ...reader], main);
      expect(code).toBe(1);
      expect(output).toContain('1 pair was not judged, because bugferry itself failed');
      expect(output.match(/^ *bug \d/gmu)).toHaveLength(3);
    }
  },
);

test('an endless loop over a commit costs one restart, names it, and leaves it out', { timeout: 240_000 }, async () => {
  served = await serve();
  const { tracker, github } = served.stage();
  const config = JSON.parse(readFileSync(served.configFile, 'utf8'));
  for (const route of config.routes) route.commits = { patterns: ['bug {bug}'] };
  writeFileSync(served.configFile, JSON.stringify(config));
  tracker.as('alice').file({ summary: 'One', description: 'About one' });
  const run = async (main?: string) => {
    const child = start(['once', '--config', served?.configFile ?? ''], undefined, main);
    return { code: await child.ended, output: child.output() };
  };
  for (let turn = 0; turn < 3; turn += 1) await run();
  const sha = github.as('mona').push(repo, 'Bug 1: Poison').slice(0, 12);
  github.as('mona').push(repo, 'Bug 1: good');
  const from = '  const patterns = [addressPattern(route), ...written.map(asPattern)];';
  const to = `${from}\n${endless.replace('ITEM', 'text')}`;
  const main = join(plant({ file: 'rules/links/pulls.ts', from, to }), 'main.ts');
  expect(await run(main)).toMatchObject({ code: null, output: expect.stringContaining('more than 20 s') });
  expect(await run(main)).toMatchObject({ code: 0, output: expect.stringContaining(`work on commit ${sha} of route`) });
  const { code, output } = await run(main);
  expect([code, output]).toEqual([0, expect.not.stringContaining('did not end')]);
  const said = tracker.commentsOf(1).map(({ text }) => text);
  expect(said.join()).toContain('good');
  expect(said.join()).not.toContain('Poison');
});
