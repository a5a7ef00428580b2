import type { Clock, Cost } from '../../model/runtime.ts';
import type { FaultSource, HalfDone } from '../server/faults.ts';
import { badCredentials, limitAs, Refusal } from './server/errors.ts';
import { checkCreation, checkRequest, countRequest } from './server/limits.ts';
import { runImports } from './world/imports.ts';
import type { User } from './world/records.ts';
import type { CreationLine, GithubState } from './world/state.ts';

/** The connection died, or a proxy answered: whether the request took effect cannot be told from this. */
export class NoAnswer extends Error {
  /** Until when a server that broke down wants to be left alone, epoch milliseconds; null where it did not say. */
  readonly at: number | null;

  constructor(message: string, at: number | null = null) {
    super(message);
    this.name = 'NoAnswer';
    this.at = at;
  }
}

export interface DirectRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** What it creates, which counts against the content limits. */
  readonly creates?: CreationLine['kind'];
}

/** What came of it: a client that finds its patch stale has read and does not send the write. */
export interface Done<T> {
  readonly answer: T;
  readonly isReadOnly?: boolean;
}

export interface DirectDoor {
  readonly state: GithubState;
  readonly user: User;
  readonly faults: FaultSource;
  readonly clock: Clock;
}

/** One request, in the order in which the real server works: faults, credentials, limits, effect. Throws Refusal or NoAnswer. */
export async function direct<T>(door: DirectDoor, request: DirectRequest, work: (halfDone: HalfDone | null) => Done<T>): Promise<T> {
  const fault = door.faults('github', costOf(request));
  switch (fault.kind) {
    case 'none':
    case 'lost':
      return logged(door, request, () => work(null));
    case 'half-done':
      return logged(door, request, () => work(fault.why));
    case 'slow':
      await door.clock.sleep(fault.delayMs);
      return logged(door, request, () => work(null));
    case 'limited':
      log(door, request, fault.status);
      throw limitAs(fault);
    case 'drop':
    case 'status':
    case 'error-body':
      if (fault.after) performQuietly(door, request, () => work(null));
      log(door, request, fault.kind === 'status' ? fault.status : 0);
      if (fault.kind !== 'status') throw new NoAnswer('the connection to GitHub died without an answer');
      throw new NoAnswer(`GitHub answered ${fault.status}`, pauseAt(door, fault.retryAfterSeconds));
  }
}

const pauseAt = ({ state }: DirectDoor, seconds: number | undefined): number | null =>
  seconds === undefined ? null : state.now() + seconds * 1000;

function costOf(request: DirectRequest): Cost {
  if (request.method === 'GET') return 'read';
  return request.creates === undefined ? 'edit' : 'create';
}

function logged<T>(door: DirectDoor, request: DirectRequest, work: () => Done<T>): T {
  try {
    const { answer, isReadOnly = false } = perform(door, request, work);
    log(door, isReadOnly ? { ...request, method: 'GET' } : request, request.method === 'POST' ? 201 : 200);
    return answer;
  } catch (error) {
    if (error instanceof Refusal) log(door, request, error.status);
    throw error;
  }
}

/** The effect of a request whose answer gets lost, a refusal included. */
function performQuietly(door: DirectDoor, request: DirectRequest, work: () => Done<unknown>): void {
  try {
    perform(door, request, work);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function perform<T>({ state, user }: DirectDoor, request: DirectRequest, work: () => Done<T>): Done<T> {
  runImports(state);
  if (user.token === null) throw badCredentials();
  checkRequest(state, user);
  countRequest(state, user);
  if (request.creates === undefined) return work();
  checkCreation(state, user);
  const made = work();
  state.creations.push({ at: state.now(), login: user.login, kind: request.creates });
  return made;
}

function log({ state, user }: DirectDoor, { method, path }: DirectRequest, status: number): void {
  state.requests.push({ at: state.now(), login: user.login, method, path, query: '', status });
}
