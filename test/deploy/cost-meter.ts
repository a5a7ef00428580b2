import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mostMemoryIn, tellsMostMemory } from '../bench/support/most-memory.ts';

/** What a process took from its start to its end. */
export interface Measured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Processor time in hundredths of a second, that of the system included: short processes are to be added up. */
  readonly cpu: number;
  /** The most memory at a time, in kilobytes. */
  readonly memory: number;
}

export interface CostMeter {
  /** A folder of its own. */
  readonly folder: string;
  /** The file of a configuration in it. */
  readonly config: string;
  /** Writes that file: one route, with changes. */
  configure(change: Readonly<Record<string, unknown>>): void;
  /** Runs Node.js with these arguments in the folder of the project, without what it kept of an earlier start. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Measured>;
  close(): void;
}

const ordinary = {
  instance: 'acme',
  tracker: { url: 'https://bugs.example.org', apiKey: 'key-of-a-test' },
  github: { token: 'token-of-a-test' },
  routes: [
    { name: 'widget', tracker: { product: 'Widget' }, github: { repo: 'acme/widget' }, create: { component: 'Core' } },
  ],
};

const root = resolve(import.meta.dirname, '../..');

/**
 * The processor time of all children of this process that have ended, in hundredths of a second, with what they took
 * after their last line ran: Linux counts it.
 */
export function spentByChildren(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13);
  return Number(user) + Number(system);
}

export function openCostMeter(): CostMeter {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-cost-'));
  const [config, meter] = [join(folder, 'bridge.yaml'), join(folder, 'meter.cjs')];
  writeFileSync(meter, tellsMostMemory);
  return {
    folder,
    config,
    configure: (change) => writeFileSync(config, JSON.stringify({ ...ordinary, ...change })),
    run: (args, env = {}) =>
      new Promise((done) => {
        const options = { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env } };
        const before = spentByChildren();
        execFile(process.execPath, ['--require', meter, ...args], options, (error, out, err) => {
          done({
            code: error === null ? 0 : Number(error.code),
            out,
            err,
            cpu: spentByChildren() - before,
            memory: mostMemoryIn(err),
          });
        });
      }),
    close: () => rmSync(folder, { recursive: true }),
  };
}
