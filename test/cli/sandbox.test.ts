import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { trackerVersions } from '../../src/sandbox/tracker/installation/versions.ts';
import { runHere } from '../support/bugferry.ts';

interface Announced {
  readonly url: string;
  readonly file: string | null;
  readonly isResumed: boolean;
  readonly bugs: number;
  readonly users: readonly { readonly login: string; readonly apiKey: string; readonly isDisabled: boolean }[];
}

interface Started {
  readonly text: string;
  readonly notes: () => string;
  end(): Promise<number>;
}

let folder: string;
const started: Started[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-sandbox-'));
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command in this process until it has printed everything about itself. */
async function start(...args: readonly string[]): Promise<Started> {
  const stop = new AbortController();
  let text = '';
  let notes = '';
  const announced = Promise.withResolvers<void>();
  const stdout = sink((part) => {
    text += part;
    if (text.includes('Ctrl-C') || text.startsWith('{')) announced.resolve();
  });
  const stderr = sink((part) => {
    notes += part;
  });
  const ended = runCommand(['sandbox', '--port', '0', ...args], { stdout, stderr, signal: stop.signal });
  await Promise.race([announced.promise, ended]);
  const result: Started = {
    text,
    notes: () => notes,
    end() {
      stop.abort();
      return ended;
    },
  };
  started.push(result);
  return result;
}

const sink = (take: (part: string) => void): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });

async function announced(...args: readonly string[]): Promise<Announced & Started> {
  const running = await start('--json', ...args);
  return { ...JSON.parse(running.text), ...running };
}

async function ask(sandbox: Announced, path: string, body?: unknown): Promise<unknown> {
  const key = sandbox.users.find(({ login }) => login === 'alice@example.test')?.apiKey;
  const address = `${sandbox.url}/rest${path}${path.includes('?') ? '&' : '?'}api_key=${key}`;
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await fetch(address, body === undefined ? {} : init)).json();
}

const newBug = { product: 'Widget', component: 'Core', version: '1.0', summary: 'New' };

describe('bugferry sandbox', () => {
  test('prints its address, its users with keys and groups, commands to try, and that it keeps nothing', async () => {
    const { text, end } = await start();
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/rest$/m);
    expect(text).toMatch(/^ +bugs +57$/m);
    expect(text).toContain('in memory only');
    expect(text).toMatch(/alice@example\.test +aliceSandboxKey0+ +editbugs canconfirm insider/);
    expect(text).toContain('curl -X POST');
    expect(await end()).toBe(0);
  });

  test.each([[], ...trackerVersions.map((version) => ['--plays', version])])(
    'prints commands that work as they stand: %s %s',
    async (...plays) => {
      const { text } = await start('--empty', ...plays);
      const commands = [...text.matchAll(/^ +curl (?:-X (\w+) )?'([^']+)'(?:.* -d '([^']+)')?$/gm)];
      const answers: unknown[] = [];
      for (const [, method = 'GET', address = '', body] of commands) {
        const init =
          body === undefined ? { method } : { method, body, headers: { 'content-type': 'application/json' } };
        answers.push(await (await fetch(address, init)).json());
      }
      expect(answers).toEqual([{ bugs: [] }, { id: 1 }, { bugs: [expect.objectContaining({ id: 1 })] }]);
      expect(text).toContain(`  plays     Bugzilla ${plays[1] ?? '5.2'}\n`);
    },
  );

  test('stays with the version of its data, and knows no other ones', async () => {
    const first = await start('--data', folder, '--plays', '5.3', '--json');
    expect(JSON.parse(first.text)).toMatchObject({ plays: '5.3' });
    await first.end();
    expect(JSON.parse((await start('--data', folder, '--json')).text)).toMatchObject({ plays: '5.3' });
    expect((await runHere(['sandbox', '--plays', '4.4'])).code).toBe(2);
  });

  test('prints the same as one JSON line for programs', async () => {
    const sandbox = await announced();
    expect(sandbox.text.trim().split('\n').length).toBe(1);
    expect(sandbox).toMatchObject({ file: null, isResumed: false, bugs: 57 });
    expect(sandbox.users.filter(({ isDisabled }) => isDisabled).length).toBe(1);
    for (const { login, apiKey } of sandbox.users.filter(({ isDisabled }) => !isDisabled)) {
      const answer = await fetch(`${sandbox.url}/rest/valid_login?login=${login}&api_key=${apiKey}`);
      expect(await answer.json()).toEqual({ result: true });
    }
  });

  test('keeps what was written to it until the next start', async () => {
    const first = await announced('--data', join(folder, 'deep', 'data'));
    expect(first).toMatchObject({ isResumed: false, bugs: 57, file: join(folder, 'deep', 'data', 'tracker.jsonl') });
    expect(await ask(first, '/bug', newBug)).toEqual({ id: 58 });
    expect(await first.end()).toBe(0);
    const second = await announced('--data', join(folder, 'deep', 'data'), '--empty');
    expect(second).toMatchObject({ isResumed: true, bugs: 58 });
    expect(await ask(second, '/bug/58')).toMatchObject({ bugs: [{ summary: 'New' }] });
    expect(await ask(second, '/bug', newBug)).toEqual({ id: 59 });
  });

  test('begins without bugs when it is asked to, and has people and products all the same', async () => {
    const sandbox = await announced('--empty');
    expect([sandbox.bugs, sandbox.users.length > 3]).toEqual([0, true]);
    expect(await ask(sandbox, '/bug', newBug)).toEqual({ id: 1 });
  });

  test('is refused the data of another that runs, which goes on', async () => {
    const first = await announced('--data', folder);
    const { code, err } = await runHere(['sandbox', '--port', '0', '--data', folder]);
    expect([code, err]).toEqual([2, expect.stringContaining('Another bugferry sandbox keeps its data in')]);
    expect(await ask(first, '/bug', newBug)).toEqual({ id: 58 });
    await first.end();
    expect(await announced('--data', folder)).toMatchObject({ bugs: 58 });
  });

  test('says that it drops an unfinished last line', async () => {
    const file = join(folder, 'tracker.jsonl');
    const first = await announced('--data', folder);
    await ask(first, '/bug', newBug);
    await first.end();
    truncateSync(file, readFileSync(file).length - 3);
    const second = await announced('--data', folder);
    expect(second.bugs).toBe(57);
    expect(second.notes()).toMatch(/^The last line of .* was incomplete and is dropped: \d+ bytes/);
  });

  test('names a damaged line, and leaves the file alone', async () => {
    await (await announced('--data', folder)).end();
    const file = join(folder, 'tracker.jsonl');
    appendFileSync(file, '[{"table":"bugs"\n[]\n');
    const text = readFileSync(file, 'utf8');
    const { code, err } = await runHere(['sandbox', '--port', '0', '--data', folder]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`Line ${text.split('\n').length - 2} of ${file} is damaged`),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('says why a folder cannot be used', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    for (const data of [file, join(file, 'below')]) {
      const { code, err } = await runHere(['sandbox', '--port', '0', '--data', data]);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/cannot make the folder .*: (there is a file|a part of the path).*--data/),
      ]);
    }
  });

  test('says that a port is in use, and lets go of the data', async () => {
    const server = createServer();
    const port = await new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => done(Object(server.address()).port));
    });
    const { code, err } = await runHere(['sandbox', '--data', folder, '--port', String(port)]);
    server.close();
    expect([code, err]).toEqual([2, expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`)]);
    expect(await announced('--data', folder)).toMatchObject({ isResumed: true, bugs: 57 });
  });

  test.each(['-1', '65536', 'http', '', '80.5'])('takes no port "%s"', async (port) => {
    const { code, err } = await runHere(['sandbox', '--port', port]);
    expect([code, err]).toEqual([2, expect.stringContaining('from 0 to 65535')]);
  });
});
