import type { Context } from 'hono';
import { mailed } from '../bugs/events.ts';
import { type FieldChoice, fieldChoice } from '../installation/field-choice.ts';
import { isOn } from '../installation/settings.ts';
import type { Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { rolledBack } from '../world/roll-back.ts';
import type { TrackerState, User } from '../world/state.ts';
import { argumentsOf } from './arguments.ts';
import { withoutAddresses } from './email-filter.ts';
import { internalFailure, loginRequired, TrackerError } from './errors.ts';
import { nameCredentials, viewerOf } from './login.ts';
import { callbackOf, mayCallBack, type Reply, respond } from './negotiation.ts';
import type { Request } from './request.ts';

/** One request to the REST interface: the part that all endpoints have in common. */
export interface Call {
  readonly state: TrackerState;
  readonly viewer: Viewer;
  /** The caller's IP address. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The arguments of a write; the query wins over the body. Empty for reads. */
  readonly request: Request;
  readonly fields: FieldChoice;
  /** The variable part of the path, decoded; empty if the path has none. */
  readonly name: string;
  /** The product that the path also names; empty if it names none. */
  readonly product: string;
}

export type Answer = (call: Call) => unknown;

/** Which callers have to identify themselves: all; all, but optionally; or only those that send a password. */
export type Access = 'normal' | 'optional' | 'exempt';

/** Serves one endpoint: `success` is the status of a success, and also of an internal failure. */
export const endpoint =
  (state: TrackerState, success: 200 | 201, answer: Answer, access: Access = 'normal') =>
  async (context: Context): Promise<Response> => {
    let reply: Reply = { status: success, body: null, callback: null, isAnonymous: true };
    try {
      const given = await argumentsOf(context, state);
      if (given === null) return oddBody(state);
      if (way(state, 'badCallback') === 'empty' && !mayCallBack(given.values))
        return new Response(null, { status: 200 });
      nameCredentials(given.values, way(state, 'headerLogin') ? context.req : null);
      reply = { ...reply, callback: callbackOf(context, given.values) };
      const address = addressOf(context);
      const viewer = identified(state, given.values, address, access);
      reply = { ...reply, isAnonymous: viewer === null };
      const call: Call = {
        state,
        viewer,
        address,
        query: given.query,
        request: context.req.method === 'GET' ? {} : given.values,
        fields: fieldChoice(given.query.getAll('include_fields'), given.query.getAll('exclude_fields')),
        name: context.req.param('name') ?? '',
        product: context.req.param('product') ?? '',
      };
      const write = () => mailed(state, () => answer(call));
      const body =
        context.req.method === 'GET' ? answer(call) : isLost(context, viewer) ? rolledBack(state, write) : write();
      return respond(context, state, { ...reply, body: withoutAddresses(state, viewer, body) });
    } catch (error) {
      return respond(context, state, { ...reply, ...failure(state, error, success) });
    }
  };

/** The answer to JSON that is not an object. */
const oddBody = (state: TrackerState): Response =>
  way(state, 'oddBodies') === 'empty'
    ? new Response(null, { status: 200 })
    : new Response('<!DOCTYPE html><title>Server Error</title>', {
        status: 500,
        headers: { 'Content-Type': 'text/html;charset=UTF-8' },
      });

/** Undoes what this write stores, although it is answered as done. */
export const markLost = (context: Context): void => markParallel(context, () => true);

/** The same, decided by a function of the writer's login. */
export const markParallel = (context: Context, isLostOf: (login: string) => boolean): void =>
  context.set(loss, isLostOf);

function isLost(context: Context, viewer: Viewer): boolean {
  const isLostOf: unknown = context.get(loss);
  return typeof isLostOf === 'function' && isLostOf(viewer?.login ?? '') === true;
}

const loss = 'isLost';

/** The user of a write. Writes need a login. */
export function userOf(call: Call): User {
  if (call.viewer === null) throw loginRequired();
  return call.viewer;
}

interface Failure {
  readonly status: number;
  readonly body: {
    readonly error: true;
    readonly code?: number | string;
    readonly message: string | null;
    readonly documentation: string;
  };
}

/**
 * The body reports all errors. An unexpected one counts as an internal failure, whose status is that of a success in
 * most versions.
 */
export function failure(state: Pick<TrackerState, 'version'>, error: unknown, success: number): Failure {
  const known =
    error instanceof TrackerError ? error : internalFailure(error instanceof Error ? error.message : String(error));
  const message = known.messages[state.version];
  const documentation = way(state, 'documentation');
  if (known.code === internalCode) return internal(state, message, success, documentation);
  const isShifted = known.code > lastCode && known.code < shift && !way(state, 'shiftsCodes');
  const code = isShifted ? known.code - shift : known.code;
  const status = known.code === 51 ? way(state, 'unknownValue') : known.status;
  return {
    status: status ?? success,
    body: { error: true, code: way(state, 'codes') === 'text' ? String(code) : code, message, documentation },
  };
}

const internalCode = 100500;
/** Codes below zero reach the client with the shift added. */
const shift = 100_000;
const lastCode = 60_000;

function internal(
  state: Pick<TrackerState, 'version'>,
  message: string,
  status: number,
  documentation: string,
): Failure {
  switch (way(state, 'failure')) {
    case 'text':
      return { status, body: { error: true, code: internalCode, message, documentation } };
    case 'no-text':
      return { status, body: { error: true, code: internalCode, message: null, documentation } };
    case 'status-500':
      return { status: 500, body: { error: true, message: `Procedure error: ${message}`, documentation } };
  }
}

export function errorAnswer(state: Pick<TrackerState, 'version'>, error: TrackerError, success: number): Response {
  const { status, body } = failure(state, error, success);
  return json(status, body);
}

export const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json; charset=UTF-8' } });

/** The caller, as far as the endpoint needs it. Throws 410 if the installation requires a login. */
export function identified(
  state: TrackerState,
  values: Record<string, unknown>,
  address: string,
  access: Access,
): Viewer {
  if (access === 'exempt' && values['Bugzilla_login'] === undefined) return null;
  const viewer = viewerOf(state, values, address);
  if (viewer === null && access === 'normal' && isOn(state.settings, 'requirelogin')) throw loginRequired();
  return viewer;
}

/** A call without a network comes from an address that is reserved for documentation. */
export function addressOf(context: Context): string {
  const incoming: unknown = context.env?.incoming;
  return isConnected(incoming) ? (incoming.socket.remoteAddress ?? nowhere) : nowhere;
}

const nowhere = '192.0.2.1';

const isConnected = (value: unknown): value is { readonly socket: { readonly remoteAddress?: string } } =>
  typeof value === 'object' && value !== null && 'socket' in value;
