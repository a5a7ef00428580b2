import type { Context } from 'hono';
import { way } from '../installation/versions.ts';
import type { TrackerState } from '../world/state.ts';
import { TrackerError } from './errors.ts';
import { guesses } from './guesses.ts';
import { jsonError } from './json-error.ts';
import { messages } from './messages.ts';
import type { Request } from './request.ts';

/** The arguments of a request, from all its parts. */
export interface Arguments {
  readonly query: URLSearchParams;
  /** The query wins over the body. A name that is repeated in the query of a write counts once. */
  readonly values: Record<string, unknown>;
}

/**
 * Reads query and body. Null for JSON that is not an object; the server answers that with an empty body. Throws 32000.
 */
export async function argumentsOf(context: Context, state: Pick<TrackerState, 'version'>): Promise<Arguments | null> {
  const { search } = new URL(context.req.url);
  const query = formOf(search.slice(1));
  if (context.req.method === 'GET') return { query, values: valuesOf(query) };
  const bytes = Buffer.from(await context.req.arrayBuffer());
  const body = bodyValues(bytes, context.req.header('Content-Type') ?? '', { state, hasQuery: query.size > 0 });
  if (body === null) return null;
  return { query, values: { ...body, ...Object.fromEntries(new Map([...query].toReversed())) } };
}

/** A form: pairs, separated by `&` or `;`. A text without pairs counts as search words, as in old HTML pages. */
function formOf(text: string): URLSearchParams {
  if (text === '' || /[&;=]/.test(text)) return new URLSearchParams(text.replaceAll(';', '&'));
  const words = [...new URLSearchParams(`words=${text}`).values()].join(' ').split(/\s+/);
  const form = new URLSearchParams();
  for (const word of words) form.append('keywords', word);
  return form;
}

function valuesOf(form: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

interface Reading {
  readonly state: Pick<TrackerState, 'version'>;
  readonly hasQuery: boolean;
}

/**
 * A body without a content type is read as a form; so JSON without a content type has no effect or makes the server
 * fail.
 */
function bodyValues(bytes: Buffer, contentType: string, { state, hasQuery }: Reading): Record<string, unknown> | null {
  const type = contentType.toLowerCase();
  if (!way(state, 'plainBodies') && !type.startsWith('application/json'))
    throw new TrackerError(32613, 400, messages.badBodyType(contentType));
  if (bytes.length === 0) return {};
  if (type === '' || type.startsWith('application/x-www-form-urlencoded'))
    return valuesOf(formOf(new TextDecoder().decode(bytes)));
  const value = parsedJson(
    way(state, 'bodies') === 'latin-1' ? bytes.toString('latin1') : new TextDecoder().decode(bytes),
  );
  if (value === 0 || (value === null && hasQuery)) return {};
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** Throws 32000 for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => {
      if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError(guesses.json.loneSurrogate);
      return value;
    });
  } catch (cause) {
    throw new TrackerError(32000, 400, messages.badJson(jsonError(text, cause)));
  }
}

/** The database's names of fields; a write may use either name. */
const apiNames: Readonly<Record<string, string>> = {
  short_desc: 'summary',
  bug_status: 'status',
  bug_severity: 'severity',
  rep_platform: 'platform',
  bug_file_loc: 'url',
  status_whiteboard: 'whiteboard',
  dup_id: 'dupe_of',
  dependson: 'depends_on',
  blocked: 'blocks',
  cclist_accessible: 'is_cc_accessible',
  cc_accessible: 'is_cc_accessible',
  reporter_accessible: 'is_creator_accessible',
  commentprivacy: 'comment_is_private',
};

/** A write with every field under its REST name, which wins if both names are given. */
export function withApiNames(request: Request): Request {
  const renamed = Object.entries(request).filter(([name]) => Object.hasOwn(apiNames, name));
  if (renamed.length === 0) return request;
  const plain = Object.entries(request).filter(([name]) => !Object.hasOwn(apiNames, name));
  return {
    ...Object.fromEntries(renamed.map(([name, value]) => [apiNames[name] ?? name, value])),
    ...Object.fromEntries(plain),
  };
}
