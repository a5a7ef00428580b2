import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark, Measured } from './benchmark.ts';
import { bridged } from './bridge.ts';
import { fillState } from './filled-state.ts';

const about = `A state database of so many pairs with three comments each: its size, and a fresh process that opens it and makes its first cycle, in
which nothing has happened: how long that takes, and how much memory the process then has.`;

export const state: Benchmark = {
  name: 'state',
  about,
  async run({ links, tell }) {
    const measured: Measured[] = [];
    for (const size of [1, ...links])
      measured.push({ name: `${size.toLocaleString('en')} links`, numbers: await stateNumbers(size, tell) });
    return measured;
  },
};

export async function stateNumbers(links: number, tell: (progress: string) => void): Promise<Measured['numbers']> {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-bench-'));
  try {
    const file = join(folder, 'bugferry.db');
    const bridge = await bridged({ file });
    bridge.tracker.as('alice').file({ summary: 'A model', description: 'Of all others.' });
    await bridge.settle();
    fillState(bridge.store, links - 1, (done) => tell(`${done} links`));
    await bridge.settle();
    await bridge.close();
    const started = await start(file);
    return { links, bytesPerLink: statSync(file).size / links, ...started };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Started {
  readonly readyMs: number;
  readonly rssMb: number;
}

/** Measured in a process of its own, which holds nothing else. */
async function start(file: string): Promise<Started> {
  const script = join(import.meta.dirname, 'start.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, file]);
  return JSON.parse(stdout) as Started;
}
