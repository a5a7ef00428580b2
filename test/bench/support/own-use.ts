import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bridged } from './bridge.ts';

/** What the built program uses by itself: the servers that it asks are in another process. */
export interface Use {
  readonly cpuMs: number;
  readonly rssMb: number;
}

export interface Run {
  readonly command: readonly string[];
  readonly routes: readonly object[];
  readonly people: Readonly<Record<string, string>>;
  /** Limits of GitHub other than none. */
  readonly github: object;
  /** What happens after a run that is not measured; without it, the first run is. */
  readonly before?: () => void;
}

/** Runs the program with a state of its own against the servers of `bridge`, and answers what it used. */
export async function ownUse(bridge: Bridged, run: Run): Promise<Use> {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-bench-'));
  try {
    const config = join(folder, 'bridge.json');
    writeFileSync(config, JSON.stringify(configOf(bridge, join(folder, 'bugferry.db'), run)));
    const args = [...run.command, '--config', config];
    if (run.before !== undefined) {
      await runOnce(args);
      run.before();
    }
    return await runOnce(args);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process says at its end what it used. */
const saysUse = `process.on('exit', () => {
  const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8');
  const { user, system } = process.cpuUsage();
  console.error('used', (user + system) / 1000, Number(/VmHWM:\\s+(\\d+)/u.exec(status)[1]) / 1000);
});`;

async function runOnce(command: readonly string[]): Promise<Use> {
  const program = resolve(import.meta.dirname, '../../../dist/main.js');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(saysUse)}`, program, ...command];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (part: Buffer) => {
    told += part.toString();
  });
  await once(child, 'close');
  const [, cpuMs, rssMb] = /^used (\S+) (\S+)$/mu.exec(told) ?? [];
  if (cpuMs === undefined) throw new Error(`The program did not say what it used: ${told}`);
  return { cpuMs: Number(cpuMs), rssMb: Number(rssMb) };
}

/** A route from a product to a repository. */
export const widgetTo = ({ tracker }: Bridged, product: string, repository: string) => ({
  ...{ name: product.toLowerCase().replace(' ', '-'), tracker: { product }, github: { repo: repository } },
  create: { component: tracker.state.products.find(({ name }) => name === product)?.components[0]?.name ?? 'Core' },
});

function configOf({ tracker, servers }: Bridged, state: string, { routes, people, github }: Run) {
  const { apiKey, login } = tracker.user('bridge');
  return {
    instance: 'acme',
    tracker: { url: servers.tracker.url, apiKey, login },
    github: { url: servers.github.url, token: 'token-of-bugferry-bot' },
    ...{ state, people, routes },
    limits: {
      ...{ writesPerCycle: 100_000, brakeShare: 1, tracker: { requestsPerSecond: 500 } },
      github: {
        ...{ createsPerMinute: 80_000, createsPerHour: 500_000, pauseBetweenWritesMs: 0, pointsPerMinute: 1_000_000 },
        ...github,
      },
    },
  };
}
