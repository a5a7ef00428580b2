import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { runCommand } from '../../src/cli/program.ts';
import { type DemoStage, type DemoStageOptions, openDemoStage } from '../../src/sandbox/demo/stage.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { demoEnv } from '../openapi/start.ts';

/** Both sandbox servers, a configuration for them in a folder of its own, and the commands that use it. */
export interface House extends DemoStage {
  readonly folder: string;
  readonly state: string;
  /** Writes the configuration anew with changes, and answers the file's name. */
  configure(change: (config: HouseConfig) => void): string;
  /** Runs a command in this process. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs a command as its own process, from source. */
  start(...args: readonly string[]): Started;
}

// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever it likes in the file.
export type HouseConfig = any;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The lines of `out` as JSON. */
  json<T>(): readonly T[];
}

export interface Started {
  readonly child: ChildProcess;
  /** Resolves once `text` has been written to either stream. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ran>;
}

export const main = new URL('../../src/main.ts', import.meta.url).pathname;

type Trouble = Pick<DemoStageOptions, 'faults' | 'sleep' | 'installation'> & Partial<Pick<DemoStageOptions, 'now'>>;

export async function openHouse(fill: (tracker: TrackerWorld) => void, trouble: Trouble = {}): Promise<House> {
  const stage = await openDemoStage({ now: () => Date.now(), fill, ...trouble });
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-test-'));
  const file = join(folder, 'bridge.yaml');
  const state = join(folder, 'state.db');
  const configure = (change: (config: HouseConfig) => void): string => {
    const config = configFor(stage, state);
    change(config);
    writeFileSync(file, JSON.stringify(config));
    return file;
  };
  configure(() => {});
  const withFile = (args: readonly string[]) => (args.includes('--config') ? [...args] : [...args, '--config', file]);
  return {
    ...stage,
    folder,
    state,
    configure,
    run: (...args) => runHere(withFile(args)),
    start: (...args) => startHere(withFile(args)),
    async close() {
      await stage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param program the program itself; with a fault planted into it, for tests that must see that found out */
export async function runHere(args: readonly string[], program = runCommand): Promise<Ran> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await program(args, { stdout, stderr, signal: new AbortController().signal });
  return ranOf(code, stdout.text, stderr.text);
}

/** @param env beside that of this process */
export function startHere(args: readonly string[], program = main, env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...demoEnv(args), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [new Sink(), new Sink()];
  child.stdout.pipe(out);
  child.stderr.pipe(err);
  const ended = new Promise<Ran>((resolve) =>
    child.on('close', (code) => resolve(ranOf(code ?? -1, out.text, err.text))),
  );
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (`${out.text}${err.text}`.includes(text)) resolve();
      };
      child.stdout.on('data', check);
      child.stderr.on('data', check);
      child.on('close', () => reject(new Error(`It ended without saying "${text}": ${out.text}${err.text}`)));
      check();
    });
  return { child, says, ended };
}

function ranOf(code: number, out: string, err: string): Ran {
  const lines = () => out.split('\n').filter((line) => line !== '');
  return { code, out, err, json: <T>() => lines().map((line): T => JSON.parse(line)) };
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function configFor(stage: DemoStage, state: string): HouseConfig {
  return {
    instance: 'test',
    tracker: { url: stage.trackerUrl, apiKey: stage.apiKey, login: 'bridge@example.test' },
    github: { url: stage.githubUrl, token: stage.token },
    state,
    limits: {
      settleSeconds: 0,
      github: { createsPerMinute: 5000, createsPerHour: 5000, pointsPerMinute: 50_000, pauseBetweenWritesMs: 0 },
      tracker: { requestsPerSecond: 1000 },
    },
    routes: [
      {
        name: 'widget',
        tracker: { product: 'Widget' },
        github: { repo: 'acme/widget' },
        pointer: 'now',
        create: { component: 'Core' },
      },
    ],
  };
}
