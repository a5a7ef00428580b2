import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../recordings/', import.meta.url);

/** One exchange with a real Bugzilla 5.2; the key reads KEY. */
export interface Recorded {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: { readonly status: number; readonly headers: Record<string, string | null>; readonly body: unknown };
}

export const recorded = (name: string): Recorded => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

export const allRecorded = (): readonly Recorded[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => recorded(file.slice(0, -5)));

/** The recorded answer as it came over the wire. */
export function rawAnswer({ response }: Recorded) {
  const headers = Object.entries(response.headers).filter((pair): pair is [string, string] => pair[1] !== null);
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
  return { status: response.status, headers: new Headers(headers), text };
}
