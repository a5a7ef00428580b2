import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause, type Running, start } from '../e2e/process.ts';
import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, repo } from './support/bridge.ts';
import { fillFile } from './support/filled-file.ts';

const about = `A state file with three comments for each pair, and the built program started with it: the wall-clock
time to the end of its first, empty cycle, the data it has read from files by then (mostly its own code), and its memory
after some more such cycles.`;

export const state: Benchmark = {
  name: 'state',
  about,
  bugsOnPage: [],
  async run({ links, report }) {
    const measured: Measured[] = [];
    for (const size of [1, ...links])
      measured.push({ name: `${size.toLocaleString('en')} links`, numbers: await stateNumbers(size, report) });
    return measured;
  },
};

export async function stateNumbers(links: number, report: (progress: string) => void): Promise<Measured['numbers']> {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-bench-'));
  const file = join(folder, 'bugferry.db');
  const bridge = await bridged({ file, showsAll: true });
  try {
    bridge.tracker.as('alice').file({ summary: 'A model', description: 'Of all others.' });
    await bridge.settle();
    bridge.store.close();
    report(`${links} links`);
    fillFile(file, links - 1);
    const bytesPerLink = statSync(file).size / links;
    const configFile = join(folder, 'bridge.json');
    writeFileSync(configFile, JSON.stringify(configOf(bridge, file)));
    report('started');
    return { links, bytesPerLink, ...(await started(configFile)) };
  } finally {
    await bridge.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf({ tracker, servers }: Bridged, state: string) {
  const { apiKey, login } = tracker.user('bridge');
  return {
    instance: 'acme',
    tracker: { url: servers.tracker.url, apiKey, login },
    github: { url: servers.github.url, token: 'token-of-bugferry-bot' },
    state,
    schedule: { poll: '* * * * * *', sweep: '0 0 1 1 *' },
    limits: { tracker: { requestsPerSecond: 500 } },
    routes: [{ name: 'widget', tracker: { product: 'Widget' }, github: { repo }, create: { component: 'Core' } }],
  };
}

const quietCycles = 12;
const giveUpMs = 600_000;

/** A fresh process, from its start until it rests. */
async function started(configFile: string): Promise<Measured['numbers']> {
  const startedMs = performance.now();
  const running = start(['run', '--json', '--config', configFile]);
  try {
    await cyclesOf(running, 1, startedMs);
    const readyMs = performance.now() - startedMs;
    const readMb = bytesReadBy(running) / 1e6;
    await cyclesOf(running, quietCycles, startedMs);
    return { readyMs, readMb, rssMb: memoryOf(running.child) / 1e6 };
  } finally {
    await running.end('SIGTERM');
  }
}

/** Waits for this many cycles that planned nothing. */
async function cyclesOf(running: Running, count: number, sinceMs: number): Promise<void> {
  const planned = (): readonly string[] => running.output().match(/"kind":"planned"/gu) ?? [];
  while (planned().length < count) {
    const { exitCode } = running.child;
    if (exitCode !== null || performance.now() - sinceMs > giveUpMs)
      throw new Error(`It does not come to rest: ${running.output()}`);
    await pause(5);
  }
}

/** What a process read by calls of the system; told by Linux alone. */
const bytesReadBy = ({ child }: Running): number =>
  Number(/^rchar: (\d+)$/mu.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1]);

/** Of a process, in bytes. */
export const memoryOf = ({ pid }: Pick<ChildProcess, 'pid'>): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
