import type { TrackerBug, TrackerState } from '../../../src/sandbox/tracker/world/state.ts';
import type { FuzzAnswer } from './answer.ts';
import type { FuzzRequest } from './request.ts';
import { type Difference, inWords, type Snapshot } from './state.ts';

/** One request, what came of it, and what it changed. */
export interface Effect {
  readonly request: FuzzRequest;
  readonly answer: FuzzAnswer;
  readonly state: TrackerState;
  readonly before: Snapshot;
  readonly changed: Difference;
}

/** What a request changed that it should not have; null when all is well. */
export function wrongEffect(effect: Effect): string | null {
  const { request, answer, changed, state } = effect;
  const rest = inWords(changed).filter((what) => !isOfLogin(request, what));
  if (rest.length === 0) return null;
  const isMail = answer.code === 68_000 && answer.text.includes('There was an error sending mail');
  if (isMail) return state.settings.mail_delivery_method === 'None' ? 'mail failed where none is sent' : null;
  if (!['POST', 'PUT'].includes(request.method) || request.route === '/jsonrpc.cgi')
    return `a read changed ${rest.join(', ')}`;
  if (answer.code !== null || answer.body === undefined) {
    const changes = rest.filter((what) => !isBurnt(effect, what));
    return changes.length === 0 ? null : `an error changed ${changes.join(', ')}`;
  }
  return wrongSuccess(effect);
}

/** Logins leave tokens and failures behind, whether or not what they asked for came about. */
const isOfLogin = ({ route, path, body }: FuzzRequest, what: string): boolean =>
  /^(?:tokens |loginFailures$|nextToken$)/.test(what) &&
  (route === '/logout' ||
    /passw|token|login/i.test(path) ||
    (typeof body === 'string' && /passw|token|login/i.test(body)) ||
    body instanceof Uint8Array);

/** A number that was given out to a bug or an attachment which was refused in the end (facts 8). */
function isBurnt({ request: { method, route }, before, state }: Effect, what: string): boolean {
  if (method !== 'POST') return false;
  if (what === 'nextBug') return route === '/bug' && state.nextBug === Number(before.rest.get('nextBug')) + 1;
  return what === 'nextAttachment' && route === '/bug/:name/attachment';
}

type Rows = Readonly<Record<string, unknown>>;

/** A success changes the things that its answer names, and at most the other end of what links them. */
function wrongSuccess(effect: Effect): string | null {
  const { request, answer, changed } = effect;
  const named = namedIn(effect);
  const near = new Set([...named, ...named.flatMap((id) => neighbours(effect, id))]);
  for (const table of ['bugs', 'comments', 'history'] as const) {
    const strange = changed.rows[table].filter((id) => !near.has(Number(id)));
    if (strange.length > 0) return `${table} ${strange.join(', ')} changed, but the answer names ${named.join(', ')}`;
  }
  if (changed.rest.some((name) => !/^(?:next\w+|past)$/.test(name) && !isOfLogin(request, name)))
    return `${changed.rest.join(', ')} changed`;
  const lost = changed.rows.comments.find((id) => !areKept(effect, Number(id)));
  if (lost !== undefined) return `comments of bug ${String(lost)} are not what they were`;
  if (request.route.endsWith('/tags') && changed.rows.bugs.length + changed.rows.history.length > 0)
    return 'tagging changed a bug';
  const attachments = changed.rows.attachments.map(Number);
  const answered = idsIn(answer.body, 'attachments', 'ids');
  if (attachments.some((id) => !answered.includes(id)))
    return `attachments ${attachments.join()} changed, but not as answered`;
  return request.route === '/bug/:name' ? untold(effect) : null;
}

/** The bugs that an answer speaks of. */
function namedIn({ answer, state, request: { route } }: Effect): readonly number[] {
  const body = answer.body as Rows;
  if (route === '/bug') return [Number(body['id'])];
  if (route === '/bug/:name') return idsIn(body, 'bugs');
  if (route.endsWith('/tags')) return [...state.comments.keys()];
  if (route === '/bug/:name/comment')
    return [...state.comments].filter(([, all]) => all.some(({ id }) => id === body['id'])).map(([id]) => id);
  return idsIn(body, 'attachments', 'ids').flatMap((id) => state.attachments.get(id)?.bug ?? []);
}

function idsIn(body: unknown, ...names: readonly string[]): readonly number[] {
  const rows = names.flatMap((name) => (body as Rows)[name] ?? []);
  return rows.map((row) => Number(typeof row === 'object' && row !== null ? (row as Rows)['id'] : row));
}

function neighbours({ before, state }: Effect, id: number): readonly number[] {
  return [before.bugs.get(id), state.bugs.get(id)].flatMap((bug) => {
    if (bug === undefined) return [];
    const linked = bug.see_also.flatMap((url) => /show_bug\.cgi\?id=(\d+)$/.exec(url)?.[1] ?? []).map(Number);
    return [...bug.depends_on, ...bug.blocks, ...linked, ...(bug.dupe_of === null ? [] : [bug.dupe_of])];
  });
}

/**
 * Comments are added; those that are there change their privacy by an update and their tags by tagging, and nothing
 * else ever.
 */
function areKept({ before, state, request: { route } }: Effect, bug: number): boolean {
  const now = new Map((state.comments.get(bug) ?? []).map((comment) => [comment.id, comment]));
  const old = (before.tables.comments.get(bug) ?? []) as readonly NonNullable<ReturnType<typeof now.get>>[];
  const isTagging = route.endsWith('/tags');
  if (isTagging && now.size !== old.length) return false;
  return old.every((comment) => {
    const { isPrivate, tags, ...rest } = now.get(comment.id) ?? {};
    const { isPrivate: wasPrivate, tags: oldTags, ...oldRest } = comment;
    const isSame = JSON.stringify(rest) === JSON.stringify(oldRest);
    return isSame && (isTagging || tags === oldTags) && (route === '/bug/:name' || isPrivate === wasPrivate);
  });
}

/**
 * Fields of a bug by their names in the answer to an update; those without a name appear under other names, or never.
 */
const answerNames: Readonly<Record<string, string | null>> = {
  flags: 'flagtypes.name',
  changedAt: null,
  hours: null,
  custom: null,
};

/** A field that an update changed without saying so. */
function untold({ answer, before, state }: Effect): string | null {
  for (const row of (answer.body as { bugs: readonly { id: number; changes: Rows }[] }).bugs) {
    const [old, now] = [before.bugs.get(row.id), state.bugs.get(row.id)];
    if (old === undefined || now === undefined || old === now) continue;
    const fields = (Object.keys(now) as (keyof TrackerBug)[]).filter(
      (name) => JSON.stringify(now[name]) !== JSON.stringify(old[name]),
    );
    const names = fields.flatMap((name) => (name in answerNames ? (answerNames[name] ?? []) : name));
    const customs = Object.keys(now.custom).filter(
      (name) => JSON.stringify(now.custom[name]) !== JSON.stringify(old.custom[name]),
    );
    const silent = [...names, ...customs].filter((name) => !(name in row.changes));
    if (silent.length > 0) return `bug ${row.id} changed its ${silent.join(', ')} without saying so`;
  }
  return null;
}
