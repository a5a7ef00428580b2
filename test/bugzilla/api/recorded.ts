import { readdirSync, readFileSync } from 'node:fs';
import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';

/** Where the recordings of a version are, below `test/recordings`. */
const folders: Readonly<Record<TrackerVersion, string>> = {
  '5.0': '5.0.6/',
  '5.2': '',
  '5.3': '5.3.3/',
  harmony: 'harmony/',
};
const folderOf = (version: TrackerVersion): URL => new URL(`../../recordings/${folders[version]}`, import.meta.url);

/** One exchange with a real Bugzilla; the key reads KEY. */
export interface Recorded {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string | null>;
    readonly body: unknown;
  };
}

export const recorded = (name: string, version: TrackerVersion = '5.2'): Recorded =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folderOf(version)), 'utf8'));

export const allRecorded = (version: TrackerVersion = '5.2'): readonly Recorded[] =>
  readdirSync(folderOf(version))
    .filter((file) => file.endsWith('.json'))
    .map((file) => recorded(file.slice(0, -5), version));

/** The recorded answer as it came over the wire. */
export function rawAnswer({ response }: Recorded) {
  const headers = Object.entries(response.headers).filter((pair): pair is [string, string] => pair[1] !== null);
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
  return { status: response.status, headers: new Headers(headers), text };
}
