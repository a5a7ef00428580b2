import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mostMemoryIn, mostMemoryModule } from '../support/most-memory.ts';
import { nowVariable } from './agreed.ts';
import { repo, type Sides } from './sides.ts';

/** The built program on the virtual clock, as a process of its own. */
export interface Program {
  run(...args: readonly string[]): Running;
  readonly state: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  kill(): void;
  /** As an operator ends it. */
  stop(): void;
}

export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The most memory that it had at a time. */
  readonly mostMb: number;
}

const built = resolve(import.meta.dirname, '../../../dist/main.js');
const preload = resolve(import.meta.dirname, 'virtual-time.ts');
/** Of what it says, only the end is kept: progress is millions of lines. */
const keptMax = 200_000;

export function programFor(sides: Sides, folder: string): Program {
  const [file, state] = [join(folder, 'bridge.json'), join(folder, 'state.db')];
  writeFileSync(file, JSON.stringify(configFor(sides, state)));
  return {
    state,
    run(...args) {
      const env = { ...process.env, [nowVariable]: String(sides.now()) };
      const child = spawn(
        process.execPath,
        ['--import', preload, '--import', mostMemoryModule, built, ...args, '--config', file],
        {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let [out, err, killedMb] = ['', '', 0];
      child.stdout.on('data', (data) => {
        out = `${out}${data}`.slice(-keptMax);
      });
      child.stderr.on('data', (data) => {
        err = `${err}${data}`.slice(-keptMax);
      });
      const ended = new Promise<Ended>((resolved) =>
        child.on('close', (code) => {
          const mostMb = killedMb > 0 ? killedMb : mostMemoryIn(err) / 1000;
          resolved({ code, out, err, mostMb });
        }),
      );
      return {
        ended,
        kill() {
          killedMb = Math.max(killedMb, mostOf(child));
          child.kill('SIGKILL');
        },
        stop: () => void child.kill('SIGTERM'),
      };
    },
  };
}

/** Linux tells it of a process that cannot tell it any more. */
function mostOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** As an operator would write it, with every limit as it is unless told. The schedule is sparse, as nobody watches. */
const configFor = ({ tracker, servers }: Sides, state: string) => ({
  instance: 'size',
  tracker: { url: servers.tracker.url, apiKey: tracker.user('bridge').apiKey, login: 'bridge@example.test' },
  github: { url: servers.github.url, token: 'token-of-bugferry-bot' },
  state,
  schedule: { poll: '7 * * * *', sweep: '17 3 1 * *' },
  routes: [
    {
      name: 'widget',
      tracker: { product: 'Widget' },
      github: { repo },
      create: { component: 'Core' },
      labels: [
        { from: 'component', as: 'component: {value}', both: false },
        { from: 'severity', as: 'severity: {value}', both: true },
        { from: 'keywords', as: '{value}', both: true },
      ],
      dependencies: true,
      attachments: { store: 'branch' },
    },
  ],
});
