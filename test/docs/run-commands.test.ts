/**
 * Runs every command line of this program in README.md and docs/ where its page has its reader: in a folder with
 * config/bridge.yaml, between two servers with twelve mirrored bugs. What a page takes for granted, or what ends that
 * world, has a world of its own.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { commandsIn, documents, ownArguments, read } from './documents.ts';

const ours = ['npx bugferry', 'npm run demo', 'npm run bugferry --', 'bugferry', 'node dist/main.js'];
const programs = [...ours, 'docker build', 'docker run', 'docker exec', 'docker compose', 'kubectl'];
const pages = documents.filter((document) => document === 'README.md' || document.startsWith('docs/'));
const typed = pages.flatMap((page) => commandsIn(read(page), programs));

/**
 * What each line gives to the program; null if it runs something else. The image has arguments for when there are none.
 */
const [, ofImage = ''] = /^CMD (\[.*\])$/mu.exec(read('Dockerfile')) ?? [];
const given = typed.map((line) => {
  const own = ownArguments(line);
  return { line, own: own === '' && line.startsWith('docker run') ? JSON.parse(ofImage).join(' ') : own };
});

/**
 * Within a sentence, a command that needs more goes by its name; a line with the rest is run. COMMAND stands for any of
 * them.
 */
const names = [
  '',
  'archive',
  'explain',
  'pair',
  'pause',
  'rehearse',
  'resume',
  'resync',
  'retry',
  'sandbox --data',
  'state backup',
  'state restore',
];
const run = [...new Set(given.flatMap(({ own }) => own ?? []))].filter(
  (own) => own !== 'COMMAND' && !names.includes(own),
);

/** What runs another program, and why it is left out. */
const leftOut: Readonly<Record<string, string>> = {
  'docker build -t bugferry .': 'needs Docker; test/deploy/image.test.ts runs the image',
  'docker exec -it try bash': 'a shell, in which a person pastes',
};

test('every line that is not run is a name or left out, and a name has a line with the rest', () => {
  expect(given.flatMap(({ line, own }) => (own === null ? line : []))).toEqual(Object.keys(leftOut));
  expect(names.filter((name) => !run.some((own) => own.startsWith(name)))).toEqual([]);
  expect(run.length).toBeGreaterThan(60);
});

const home = process.cwd();

async function openWorld(): Promise<House> {
  const house = await openHouse((tracker) => {
    for (let number = 1; number <= 12; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
  });
  for (const repo of ['acme/widget', 'acme/scratch', 'acme/scratch-2', 'acme/trial'])
    house.github.addRepo(repo, { permissions: { 'bugferry-bot': 'admin', mona: 'admin' } });
  process.chdir(house.folder);
  for (const folder of ['config', 'secrets']) mkdirSync(folder);
  writeFileSync('secrets/tracker-key', house.apiKey);
  writeFileSync('secrets/token', house.token);
  vi.stubEnv('TRACKER_API_KEY', house.apiKey);
  vi.stubEnv('GITHUB_TOKEN', house.token);
  const port = await freePort();
  const file = house.configure((config) => {
    config.http = { port };
    config.routes[0].conflicts = 'ask';
  });
  renameSync(file, 'config/bridge.yaml');
  return house;
}

async function closeWorld(house: House): Promise<void> {
  vi.unstubAllEnvs();
  process.chdir(home);
  await house.close();
}

interface Typed {
  readonly code: number;
  readonly said: string;
}

/**
 * What says that it is at work, and goes on until somebody stops it; how a stop ends it. A rehearsal is resumed by the
 * same command.
 */
const untilStopped: Readonly<Record<string, { readonly says: RegExp; readonly code: number }>> = {
  run: { says: /\bstarted\b/u, code: 0 },
  demo: { says: /Both servers run/u, code: 0 },
  sandbox: { says: /Press Ctrl-C|"url"/u, code: 0 },
  rehearse: { says: /^ +ok /mu, code: 1 },
};

/** Types a command at a terminal, and gives the answers that its page does. */
function type(
  house: House,
  args: readonly string[],
): { readonly ready: Promise<void>; stop(): Promise<Typed>; ended: Promise<Typed> } {
  const abort = new AbortController();
  const ready = Promise.withResolvers<void>();
  const unanswered = Promise.withResolvers<never>();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const answers: readonly (readonly [RegExp, string])[] = [
    [/yes or no/u, 'yes'],
    [/^Product/u, 'Widget'],
    [/^Address|^Tracker/iu, house.trackerUrl],
    [/^Repository/iu, 'acme/widget'],
    [/^Login/u, 'bridge@example.test'],
    // The usual answer.
    [/\]: $/u, ''],
  ];
  let said = '';
  const output = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      const text = chunk.toString();
      said += text;
      if (untilStopped[args[0] ?? '']?.says.test(said) === true) ready.resolve();
      if (/: $/u.test(text)) {
        const [, answer] = answers.find(([question]) => question.test(text)) ?? [];
        if (answer === undefined) unanswered.reject(new Error(`Nobody answers: ${text}`));
        setImmediate(() => stdin.write(`${answer ?? ''}\n`));
      }
      done();
    },
  });
  const surroundings = { stdout: output, stderr: output, stdin, signal: abort.signal };
  const ended = Promise.race([runCommand(args, surroundings), unanswered.promise]).then((code) => {
    ready.resolve();
    return { code, said };
  });
  const stop = (): Promise<Typed> => {
    abort.abort();
    return ended;
  };
  return { ready: ready.promise, ended, stop };
}

async function typeLine(world: House, text: string): Promise<Typed> {
  const args = argumentsOf(world, text);
  const running = type(world, args);
  if (untilStopped[args[0] ?? ''] === undefined) return running.ended;
  await running.ready;
  return running.stop();
}

/** The words of a line as a shell passes them on, with what the reader puts in. */
function argumentsOf(house: House, text: string): readonly string[] {
  const table: Readonly<Record<string, string>> = {
    FILE: 'other.backup',
    FOLDER: 'site',
    '/config/bridge.yaml': 'config/bridge.yaml',
    'https://bugs.example.org': house.trackerUrl,
  };
  const args = [...text.matchAll(/"([^"]*)"|\S+/gu)].map(([word, quoted]) => table[word] ?? quoted ?? word);
  // A port may be taken where the tests run, and no test leaves the machine.
  if (args[0] === 'sandbox' && !args.includes('--port')) args.push('--port', '0');
  if (args[0] === 'init' && !args.includes('--github-url')) args.push('--github-url', house.githubUrl);
  return args;
}

/** Success, as docs/operating.md has it, unless it is stopped. */
const codeOf = (line: string): number => untilStopped[line.split(' ')[0] ?? '']?.code ?? 0;

const typeFirst =
  (...lines: readonly string[]) =>
  async (world: House) => {
    for (const line of lines) expect(await typeLine(world, line)).toMatchObject({ code: codeOf(line) });
  };

/** What a page takes for granted, brought about in a world of its own. */
const circumstances: readonly { readonly of: RegExp; readonly prepare: (world: House) => Promise<void> }[] = [
  { of: /^init/u, prepare: async () => rmSync('config/bridge.yaml') },
  { of: /^(?:migrate|rehearse|once --force|run --force)/u, prepare: async () => {} },
  { of: /^cutover(?: --dry-run)?$/u, prepare: typeFirst('once') },
  { of: /^cutover --undo/u, prepare: typeFirst('once', 'cutover') },
  { of: /^people .*--rehearse/u, prepare: typeFirst('migrate --rehearse acme/trial --limit 20') },
  {
    of: /^pairs? /u,
    prepare: async (world) => {
      for (let number = 1; number <= 5; number += 1)
        world.github.as('mona').open('acme/widget', { title: 'Problem 12', body: 'It fails.' });
      writeFileSync('pairs.csv', '12,acme/widget#5\n');
    },
  },
  { of: /^pause/u, prepare: typeFirst('once') },
  { of: /^archive site --verify/u, prepare: typeFirst('once', 'archive site') },
  { of: /^check --measured/u, prepare: typeFirst('rehearse --repo acme/scratch') },
  { of: /^resume/u, prepare: typeFirst('once', 'pause widget') },
  {
    of: /^state (?:restore|verify) ./u,
    prepare: typeFirst('once', 'state backup bugferry.backup', 'state backup FILE'),
  },
  {
    of: /^decide bug/u,
    async prepare(world) {
      await typeFirst('once')(world);
      world.tracker.as('alice').change(12, { summary: 'It fails on Mondays' });
      world.github.as('mona').edit('acme/widget', 12, { title: 'It fails at night' });
      expect(await typeLine(world, 'once')).toMatchObject({ code: 1 });
    },
  },
  {
    of: /^retry/u,
    async prepare(world) {
      await typeFirst('once')(world);
      const { state } = world.tracker;
      const setting = (value: string) =>
        Object.assign(state, { settings: { ...state.settings, commentonchange_resolution: value } });
      setting('1');
      world.github.as('mona').close('acme/widget', 12, 'completed');
      expect(await typeLine(world, 'once')).toMatchObject({ code: 1 });
      setting('0');
    },
  },
];

/** Their keys are those of the sandbox, and open nothing else: they print them for those who try it. */
const showsKeys = /^(?:sandbox|demo)/u;

async function isAsPromised(world: House, own: string): Promise<void> {
  const { code, said } = await typeLine(world, own);
  expect(code, said).toBe(codeOf(own));
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+|unknown (?:option|command)|This is a bug/mu);
  for (const secret of [world.apiKey, world.token]) if (!showsKeys.test(own)) expect(said).not.toContain(secret);
}

const circumstanceOf = (own: string) => circumstances.findLast(({ of }) => of.test(own));

describe('in a world of its own:', () => {
  let world: House;
  afterEach(() => closeWorld(world));

  test.each(run.filter((own) => circumstanceOf(own) !== undefined))('%s', async (own) => {
    world = await openWorld();
    await circumstanceOf(own)?.prepare(world);
    const [, number = ''] = /^retry \d/u.test(own)
      ? (/parked +(\d+)\. /u.exec((await typeLine(world, 'status')).said) ?? [])
      : [];
    await isAsPromised(world, number === '' ? own : `retry ${number}`);
  });
});

describe('in a world in step:', () => {
  let world: House;
  beforeAll(async () => {
    world = await openWorld();
    await typeFirst('once', 'once')(world);
  });
  afterAll(() => closeWorld(world));

  const own = run.filter((each) => circumstanceOf(each) === undefined);
  test.each(own.filter((each) => !each.startsWith('health')))('%s', (each) => isAsPromised(world, each));

  test.each(own.filter((each) => each.startsWith('health')))('%s, while the bridge runs', async (each) => {
    const bridge = type(world, ['run']);
    await bridge.ready;
    // Ready is who has ended a cycle.
    await vi.waitFor(() => isAsPromised(world, each), { timeout: 120_000 }).finally(bridge.stop);
  });

  test.each(['once --bogus', 'bogus', 'explain bug 99999x'])('one that fails would be seen: %s', (each) =>
    expect(isAsPromised(world, each)).rejects.toThrow(),
  );
});
