import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import type { GithubPerson } from '../../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import type { Fault } from '../../../src/sandbox/server/faults.ts';
import { handClock, smallGithubWorld } from '../../contract/github/replica.ts';

export const base = '/repos/acme/widget';
export const minuteMs = 60_000;

export interface GithubAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Asking {
  readonly login?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The small world, its clock and one of its people, as the latest `start` made them. */
export let clock: ReturnType<typeof handClock>;
export let world: GithubWorld;
export let mona: GithubPerson;
let fault: Fault;
/** Both versions of the interface, in turn. */
const versions = ['2022-11-28', '2026-03-10'];
let asked = 0;

/** To be called before each test. */
export function start(listLagMs = 0): void {
  fault = { kind: 'none' };
  clock = handClock();
  world = smallGithubWorld({ now: clock.now, listLagMs });
  mona = world.as('mona');
}

/** What happens to every request from now on. */
export function setFault(next: Fault): void {
  fault = next;
}

export const faults = (): Fault => fault;

/** Asks without a socket. */
export async function ask(
  method: string,
  address: string,
  { login = 'bugferry', body, headers = {} }: Asking = {},
): Promise<GithubAnswer> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const app = githubServer(world, { faults, sleep: async (ms) => clock.advance(ms) });
  asked += 1;
  const version = versions[asked % 2] ?? '';
  const response = await app.request(address, {
    method,
    headers: { authorization: `Bearer token-of-${login}`, 'x-github-api-version': version, ...headers },
    ...(body === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null };
}

export const get = (address: string, asking: Asking = {}): Promise<GithubAnswer> => ask('GET', address, asking);
export const entries = ({ body }: GithubAnswer): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(body) ? body : [];
export const numbers = (said: GithubAnswer): unknown[] => entries(said).map((issue) => issue['number']);
export const linkOf = (said: GithubAnswer, rel: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(said.headers.get('link') ?? '')?.[1];
