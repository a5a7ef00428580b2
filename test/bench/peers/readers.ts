import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Found } from './found.ts';

/** Each reads the tracker in a process of its own, so that the start counts for all of them. */
export interface Reader {
  readonly name: string;
  /** Null where it is not installed. */
  readonly version: string | null;
  read(url: string, apiKey: string): Promise<Found>;
}

const run = promisify(execFile);
const here = import.meta.dirname;

async function readWith(program: string, args: readonly string[], apiKey: string): Promise<Found> {
  const env = { ...process.env, TRACKER_API_KEY: apiKey };
  const { stdout } = await run(program, args, { env, maxBuffer: 2 ** 30 });
  return JSON.parse(stdout);
}

const ownVersion: string = JSON.parse(readFileSync(resolve(here, '../../../package.json'), 'utf8')).version;

export const ownReader: Reader = {
  name: 'bugferry',
  version: ownVersion,
  read: (url, apiKey) => readWith(process.execPath, [join(here, 'read-own.js'), url], apiKey),
};

/** The peer by this name, of the `python3` that the shell would start. */
export async function peer(name: 'perceval' | 'python-bugzilla'): Promise<Reader> {
  const program = join(here, 'read-peer.py');
  const version = await run('python3', [program, name]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
  return { name, version, read: (url, apiKey) => readWith('python3', [program, name, url], apiKey) };
}
