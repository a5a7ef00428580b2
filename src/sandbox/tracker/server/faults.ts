import type { Context, Next } from 'hono';
import type { Clock, Cost } from '../../../model/runtime.ts';
import { type Fault, type FaultSource, isHarmless, type Trouble } from '../../server/faults.ts';
import type { TrackerState } from '../world/state.ts';
import { errorAnswer, json, markLost, markParallel } from './call.ts';
import { internalFailure } from './errors.ts';

/**
 * Counts the running writes of each account; one that begins meanwhile is rolled back and answered as done.
 * @param writing shared by all requests to a server
 */
export async function withLostParallels(context: Context, next: Next, writing: Writing): Promise<void> {
  const account = { login: '' };
  markParallel(context, (login) => {
    const others = writing.get(login) ?? 0;
    writing.set(login, others + 1);
    account.login = login;
    return others > 0;
  });
  await next();
  writing.set(account.login, (writing.get(account.login) ?? 1) - 1);
}

/** The number of running writes, by login. */
export type Writing = Map<string, number>;

/** Applies the fault that the source chooses, before or after the request takes effect. */
export async function withFaults(
  context: Context,
  next: Next,
  faults: FaultSource,
  { state, clock }: { readonly state: TrackerState; readonly clock: Pick<Clock, 'sleep'> | undefined },
): Promise<Response | undefined> {
  const fault = faults('tracker', costOf(context.req.method));
  if (isHarmless(fault)) {
    if (fault.kind === 'lost') markLost(context);
    await next();
    if (fault.kind === 'misnamed') await misname(context);
    // Only the answer is late: a client that dies meanwhile never sees the effect.
    if (fault.kind === 'slow') await clock?.sleep(fault.delayMs);
    return undefined;
  }
  if (!('after' in fault) || !fault.after) return faultAnswer(context, state, fault, 200);
  await next();
  context.res = faultAnswer(context, state, fault, context.res.status);
  return undefined;
}

/** The number is that of an older comment, on whatever bug. */
async function misname(context: Context): Promise<void> {
  if (context.res.status !== 201 || !context.req.path.endsWith('/comment')) return;
  const answer = (await context.res.json()) as { readonly id: number };
  context.res = json(201, { id: Math.ceil(answer.id / 2) });
}

function faultAnswer(context: Context, state: TrackerState, fault: Trouble, success: number): Response {
  switch (fault.kind) {
    case 'drop':
      return dropped(context);
    case 'error-body':
      return errorAnswer(state, internalFailure(deadlock), success);
    case 'limited':
      return limitedAnswer(fault);
    case 'status':
      return statusAnswer(fault);
  }
}

const deadlock =
  'DBD::MariaDB::db do failed: Deadlock found when trying to get lock; try restarting transaction at bugzilla/Bugzilla/DB.pm line 64.\n';

function limitedAnswer({ status, retryAfterSeconds }: Extract<Fault, { kind: 'limited' }>): Response {
  const headers: Record<string, string> = { 'Content-Type': 'text/plain' };
  if (retryAfterSeconds !== null) headers['Retry-After'] = String(retryAfterSeconds);
  return new Response('Too many requests', { status, headers });
}

function statusAnswer({ status, isHtml }: Extract<Fault, { kind: 'status' }>): Response {
  if (!isHtml) return json(status, { error: true, code: 100500, message: 'The server could not answer.' });
  const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>The proxy got no answer</h1></body></html>`;
  return new Response(page, { status, headers: { 'Content-Type': 'text/html' } });
}

/** Cuts the connection. A call without a network has none, and fails instead. */
function dropped(context: Context): Response {
  const incoming: unknown = context.env?.incoming;
  if (!isConnection(incoming)) throw new Error('The sandbox tracker dropped this request.');
  incoming.socket.destroy();
  return new Response(null);
}

const isConnection = (value: unknown): value is { readonly socket: { destroy(): void } } =>
  typeof value === 'object' && value !== null && 'socket' in value;

function costOf(method: string): Cost {
  if (method === 'GET') return 'read';
  return method === 'POST' ? 'create' : 'edit';
}
