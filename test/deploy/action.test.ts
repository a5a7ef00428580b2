/**
 * The action for projects without a server: its steps, run one after the other as GitHub runs them, with a repository
 * on this disk for the branch of the state, and both sandbox servers.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { read, root } from '../docs/documents.ts';
import { type House, openHouse } from '../support/bugferry.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action: {
  branding: unknown;
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { using: string; steps: readonly Step[] };
} = parse(read('action.yml'));
const key = 'a-key-for-the-state-of-more-than-32-characters';
let folder: string;
let house: House;

interface Job {
  readonly failed: readonly string[];
  readonly log: string;
}

const shell = (
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', script], { cwd, env });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk));
    child.on('close', (code) => resolve({ code, out }));
  });

/** Runs the steps of a job as GitHub does: after a failure, only those that say `always()`. */
async function job(
  given: Readonly<Record<string, string>> = {},
  only: (step: Step) => boolean = () => true,
): Promise<Job> {
  const cwd = mkdtempSync(join(folder, 'job-'));
  mkdirSync(join(cwd, 'temp'));
  writeFileSync(
    join(cwd, 'bridge.yaml'),
    JSON.stringify(JSON.parse(execFileSync('cat', [join(house.folder, 'bridge.yaml')], { encoding: 'utf8' }))),
  );
  const inputs = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])),
    'state-key': key,
    ...given,
  };
  const filled = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/gu,
      (_, name: string) => Object.entries(inputs).find(([each]) => each === name)?.[1] ?? 'missing',
    );
  const failed: string[] = [];
  let log = '';
  // The packages are installed here already.
  for (const step of action.runs.steps.filter(({ run = '' }) => run !== '' && !run.startsWith('npm ci'))) {
    if (!only(step) || (failed.length > 0 && step.if !== 'always()')) continue;
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const env = {
      PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: cwd,
      RUNNER_TEMP: join(cwd, 'temp'),
      GITHUB_ACTION_PATH: root,
      STATE_REMOTE: join(folder, 'remote.git'),
      ...own,
    };
    const { code, out } = await shell(step.run ?? '', cwd, env);
    log += out;
    if (code !== 0) failed.push(step.name ?? '');
  }
  return { failed, log };
}

const inRemote = (...args: readonly string[]) =>
  execFileSync('git', ['--git-dir', join(folder, 'remote.git'), ...args], { encoding: 'utf8' }).trim();
const titles = () => [...house.github.issues('acme/widget')].map(({ title }) => title);

beforeAll(async () => {
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  house.configure((config) => {
    config.state = 'state/bugferry.db';
  });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-action-'));
  execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'remote.git')]);
});
afterAll(() => house.close());

describe('the action', () => {
  test('pins what it uses, gives each secret only to steps that need it, and keeps the state even after a failure', () => {
    for (const { uses } of action.runs.steps)
      expect(uses ?? 'x/y@0000000000000000000000000000000000000000').toMatch(/@[\da-f]{40}$/u);
    expect(action.inputs['state-key']?.required).toBe(true);
    expect(action.branding).toEqual({ icon: expect.any(String), color: expect.any(String) });
    expect(action.runs.steps.at(-1)).toMatchObject({ name: 'Keep the state', if: 'always()' });
    expect(action.runs.steps.find(({ name }) => name === 'Mirror')?.env).toEqual({
      CONFIG: expect.any(String),
      SWEEP: expect.any(String),
    });
  });

  test('mirrors at each run, and knows at the next one what it did', async () => {
    const first = await job();
    expect(first).toMatchObject({ failed: [], log: expect.stringContaining('created "It fails"') });
    house.tracker.as('alice').change(1, { summary: 'It fails at night' });
    const second = await job({ sweep: 'true' });
    expect(second).toMatchObject({ failed: [] });
    expect(titles()).toEqual(['It fails at night']);
    expect((await job()).log).not.toMatch(/created|set to/u);
    // One commit, whose one file is encrypted.
    expect(inRemote('rev-list', '--count', 'bugferry-state')).toBe('1');
    expect(inRemote('ls-tree', '--name-only', 'bugferry-state')).toBe('state');
    expect(
      execFileSync('git', ['--git-dir', join(folder, 'remote.git'), 'show', 'bugferry-state:state'])
        .subarray(0, 8)
        .toString(),
    ).toBe('Salted__');
    rmSync(folder, { recursive: true });
  });

  test('does not run beside another run, and leaves its state alone', async () => {
    expect(await job({}, ({ name }) => name === 'Take the state')).toMatchObject({ failed: [] });
    const held = inRemote('rev-parse', 'bugferry-state');
    expect(await job()).toMatchObject({
      failed: ['Take the state'],
      log: expect.stringContaining('Another run has the state'),
    });
    expect(inRemote('rev-parse', 'bugferry-state')).toBe(held);
    rmSync(folder, { recursive: true });
  });

  test('refuses another key that happens to decrypt the state, to nonsense', async () => {
    expect(await job()).toMatchObject({ failed: [] });
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '--quiet', '--branch', 'bugferry-state', join(folder, 'remote.git'), clone]);
    const cipher = [
      'enc',
      '-aes-256-cbc',
      '-pbkdf2',
      '-iter',
      '200000',
      '-pass',
      'env:STATE_KEY',
      '-out',
      join(clone, 'state'),
    ];
    execFileSync('openssl', cipher, { input: 'nonsense'.repeat(100), env: { ...process.env, STATE_KEY: key } });
    const commit = [
      '-c',
      'user.name=mona',
      '-c',
      'user.email=mona@example.test',
      'commit',
      '--quiet',
      '--amend',
      '--all',
      '--message',
      'other',
    ];
    for (const args of [commit, ['push', '--quiet', '--force']]) execFileSync('git', ['-C', clone, ...args]);
    const kept = inRemote('rev-parse', 'bugferry-state');
    expect(await job()).toMatchObject({
      failed: ['Take the state'],
      log: expect.stringContaining('cannot be decrypted'),
    });
    expect(inRemote('rev-parse', 'bugferry-state')).toBe(kept);
    rmSync(folder, { recursive: true });
  });

  test('refuses another key and a short one, and a cycle that fails keeps the state and fails the job', async () => {
    expect(await job()).toMatchObject({ failed: [] });
    expect(await job({ 'state-key': `${key}x` })).toMatchObject({
      failed: ['Take the state'],
      log: expect.stringContaining('cannot be decrypted'),
    });
    expect(await job({ 'state-key': 'short' })).toMatchObject({
      failed: ['Take the state'],
      log: expect.stringContaining('32 characters'),
    });
    expect(await job({ config: 'missing.yaml' })).toMatchObject({ failed: ['Mirror'] });
    expect(await job()).toMatchObject({ failed: [] });
    rmSync(folder, { recursive: true });
  });
});
