import type { TrackerBug, TrackerState, User } from '../../../src/sandbox/tracker/world/state.ts';
import type { FuzzAnswer } from './answer.ts';
import type { FuzzRequest } from './request.ts';

/** The rules of who sees what, told once more, so that the tracker's own may be wrong. */
export const isIn = (user: User | null, group: string): boolean =>
  user !== null && (user.groups.includes(group) || user.groups.includes('admin'));

export function seesBug(user: User | null, bug: TrackerBug): boolean {
  if (bug.groups.every((group) => isIn(user, group))) return true;
  if (user === null) return false;
  const own = [bug.assigned_to, bug.qa_contact];
  if (bug.is_creator_accessible) own.push(bug.creator);
  if (bug.is_cc_accessible) own.push(...bug.cc);
  return own.includes(user.login);
}

type Row = Readonly<Record<string, unknown>>;

/**
 * What a read shows of bugs, comments and attachments that none of those whom the caller may be can see; null when
 * nothing.
 */
export function unseen(
  { body }: FuzzAnswer,
  { callers, method, route }: FuzzRequest,
  state: TrackerState,
): string | null {
  if (method !== 'GET' && route !== '/jsonrpc.cgi') return null;
  const { result } = rowOf(body);
  const { bugs, comments, attachments } = rowOf(result ?? body);
  const byBug = Object.entries(Array.isArray(bugs) ? {} : rowOf(bugs));
  const ids = [...rowsIn(Array.isArray(bugs) ? bugs : []).map(({ id }) => id), ...byBug.map(([id]) => id)];
  const hidden = ids.filter((id) => {
    const bug = state.bugs.get(Number(id));
    return bug !== undefined && !callers.some((user) => seesBug(user, bug));
  });
  if (hidden.length > 0) return `shows the hidden bugs ${hidden.join(', ')}`;
  const shown = [
    ...Object.values(rowOf(comments)),
    ...Object.values(rowOf(attachments)),
    ...byBug.flatMap(([, rows]) => rowOf(rows)['comments'] ?? rows),
  ];
  const { insidergroup } = state.settings;
  const secret = rowsIn(shown).filter(
    ({ is_private: isPrivate, creator }) =>
      [true, 1].some((truth) => truth === isPrivate) &&
      !callers.some((user) => isIn(user, insidergroup) || isNamed(user, creator)),
  );
  return secret.length > 0 ? `shows what is private: ${secret.map(({ id }) => id).join(', ')}` : null;
}

/** Attachments are shown to whoever made them. An installation may cut addresses short. */
const isNamed = (user: User | null, name: unknown): boolean =>
  user !== null && typeof name === 'string' && user.login.split('@')[0] === name.split('@')[0];

const rowOf = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {});
const rowsIn = (values: readonly unknown[]): readonly Row[] => values.map(rowOf);

/** Who was told by mail of what they may not see; null when nobody was. */
export function wrongMail(state: TrackerState, events: readonly unknown[]): string | null {
  for (const id of events) {
    const event = state.events.get(Number(id));
    const bug = state.bugs.get(event?.bug ?? 0);
    if (event === undefined || bug === undefined) return `event ${String(id)} is about nothing`;
    const isPrivate = (state.comments.get(bug.id) ?? []).some(
      (comment) => comment.id === event.comment && comment.isPrivate,
    );
    const anonymous = event.recipients.filter((login) => {
      const user = state.users.find((candidate) => candidate.login === login) ?? null;
      return !seesBug(user, bug) || (isPrivate && !isIn(user, state.settings.insidergroup));
    });
    if (anonymous.length > 0) return `told ${anonymous.join(', ')} of bug ${bug.id}`;
  }
  return null;
}
