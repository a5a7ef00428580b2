import type { Context } from 'hono';
import { internalFailure, loginRequired, TrackerError } from './errors.ts';
import { type FieldChoice, fieldChoice } from './field-choice.ts';
import type { Request } from './request.ts';
import type { TrackerState, User } from './state.ts';
import { type Viewer, viewerOfKey } from './users.ts';

/** One request to the REST interface, understood as far as all of them have it in common. */
export interface Call {
  readonly state: TrackerState;
  readonly viewer: Viewer;
  readonly query: URLSearchParams;
  /** The arguments of a write: those of the query, which win over those of the body. Empty on reads. */
  readonly request: Request;
  readonly fields: FieldChoice;
  /** The part of the path that names something, decoded; empty when the path has none. */
  readonly name: string;
}

export type Answer = (call: Call) => unknown;

const documentation = 'https://bugzilla.readthedocs.org/en/5.0/api/';

/** Serves one endpoint: `success` is its status when it works, and also when the server fails inside. */
export const endpoint =
  (state: TrackerState, success: 200 | 201, answer: Answer, isOpenToAnyKey = false) =>
  async (context: Context): Promise<Response> => {
    try {
      const body = await readBody(context);
      if (body === null) return new Response(null, { status: 200 });
      const query = new URL(context.req.url).searchParams;
      const key = isOpenToAnyKey ? '' : apiKey(query, body);
      refuseTokens(query, body);
      const request = { ...body, ...(context.req.method === 'GET' ? {} : asRequest(query)) };
      for (const name of credentials) delete request[name];
      const fields = fieldChoice(query.getAll('include_fields'), query.getAll('exclude_fields'));
      const call = { state, viewer: viewerOfKey(state, key), query, request, fields, name: context.req.param('name') ?? '' };
      return json(success, answer(call));
    } catch (error) {
      if (error instanceof TrackerError) return errorAnswer(error, success);
      throw error;
    }
  };

/** The user of a write, which needs a login. */
export function userOf(call: Call): User {
  if (call.viewer === null) throw loginRequired();
  return call.viewer;
}

export function errorAnswer(error: TrackerError, success: number): Response {
  return json(error.status ?? success, { error: true, code: error.code, message: error.message, documentation });
}

export const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json; charset=UTF-8' } });

const credentials = ['api_key', 'Bugzilla_api_key'] as const;

/** Keys are taken from the query or a JSON body; headers are not looked at. */
function apiKey(query: URLSearchParams, body: Request): string {
  for (const name of credentials) {
    const value = query.get(name) ?? body[name];
    if (value !== undefined && value !== null) return String(value);
  }
  return '';
}

/** Tokens of a login are not given out here, so that any is as one that has expired; even an update token passed as `token` is taken for one. */
function refuseTokens(query: URLSearchParams, body: Request): void {
  for (const name of ['token', 'Bugzilla_token']) {
    if ((query.get(name) ?? body[name] ?? '') === '') continue;
    const why = 'The cookies or token provide were not valid or have expired. You may login again to get new cookies or a new token.';
    throw new TrackerError(32000, 400, why);
  }
}

/** The body's arguments; null for JSON that is not an object, which the server answers with nothing at all. */
async function readBody(context: Context): Promise<Record<string, unknown> | null> {
  const { method } = context.req;
  if (method === 'GET') return {};
  const text = await context.req.text();
  const type = context.req.header('Content-Type') ?? '';
  if (text === '') return {};
  if (type === '' && method === 'PUT') {
    throw internalFailure(
      `Can't use string ("${text.slice(0, 32)}") as a HASH ref while "strict refs" in use at bugzilla/Bugzilla/WebService/Server/REST.pm.\n`,
    );
  }
  if (type === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded')) return asRequest(new URLSearchParams(text));
  return parsed(text);
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (cause) {
    throw new TrackerError(
      32000,
      400,
      `Could not parse the 'params' argument as valid JSON. Error: ${cause instanceof Error ? cause.message : 'unknown'}`,
    );
  }
}

function asRequest(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}
