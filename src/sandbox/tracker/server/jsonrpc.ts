import type { Context } from 'hono';
import { fieldChoice } from '../installation/field-choice.ts';
import { getBugs, getHistory, search } from '../rest/bugs.ts';
import { getComments } from '../rest/comments.ts';
import { time, version } from '../rest/meta.ts';
import { possibleDuplicates } from '../search/full-text.ts';
import type { TrackerState } from '../world/state.ts';
import { parsedJson } from './arguments.ts';
import { type Answer, addressOf, failure, identified, json } from './call.ts';
import { TrackerError } from './errors.ts';
import { guesses } from './guesses.ts';
import { nameCredentials } from './login.ts';
import { scalarText } from './request.ts';

/** The methods that a reader of bugs needs; all others exist only over REST. */
const methods: ReadonlyMap<string, Answer> = new Map(
  Object.entries({
    'Bugzilla.version': version,
    'Bugzilla.time': time,
    'Bug.get': getBugs,
    'Bug.search': search,
    'Bug.comments': getComments,
    'Bug.history': getHistory,
    'Bug.possible_duplicates': possibleDuplicates,
  }),
);

interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly values: Record<string, unknown>;
}

/**
 * POST /jsonrpc.cgi, JSON-RPC 1.0: the older interface to the same calls. Here reads, too, can keep their key out of
 * the URL.
 */
export const jsonRpc =
  (state: TrackerState) =>
  async (context: Context): Promise<Response> => {
    let id: unknown = null;
    try {
      const request = requestOf(await context.req.text());
      id = request.id;
      return json(200, { id, result: resultOf(state, request, addressOf(context)), error: null });
    } catch (error) {
      const { code, message } = failure(state, error, 200).body;
      return json(200, { id, result: null, error: { code: Number(code), message } });
    }
  };

function resultOf(state: TrackerState, { method, values }: RpcRequest, address: string): unknown {
  const answer = methods.get(method);
  if (answer === undefined) throw new TrackerError(67399, 200, guesses.noMethod(method));
  nameCredentials(values, null);
  const viewer = identified(state, values, address, 'normal');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const element of Array.isArray(value) ? value : [value]) query.append(name, scalarText(element));
  }
  const fields = fieldChoice(query.getAll('include_fields'), query.getAll('exclude_fields'));
  return answer({ state, viewer, address, query, request: {}, fields, name: '', product: '' });
}

function requestOf(text: string): RpcRequest {
  const body = objectOf(parsedJson(text));
  const params = body['params'];
  return {
    id: body['id'] ?? null,
    method: scalarText(body['method']),
    values: objectOf(Array.isArray(params) ? params[0] : params),
  };
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
