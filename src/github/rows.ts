/** What one issue of an answer costs no other, whether we fail on it or do not finish with it. */

import { whyUnmapped } from '../model/answers/fault.ts';
import type { AnsweredRow, RowReader } from '../model/runtime.ts';

type Part = Omit<AnsweredRow, 'side'>;

/** The name of a row about what has no number, and what tells its versions apart. */
export const namedPart = (name: string, ...version: readonly unknown[]): Part => ({
  ref: 0,
  name,
  of: 'item',
  version,
});

/** What a row is about, whatever else is wrong with it: an issue or a pull request, or a comment on one. */
export function partIn(raw: unknown): Part | null {
  const { number, id, html_url: page, issue_url: url, updated_at, title, body } = Object(raw);
  if (Number.isSafeInteger(number)) return { ref: number, of: 'item', version: [updated_at, title, body] };
  const ref = Number(/\/(?:issues|pull)\/(\d+)\/?(?:[?#]|$)/u.exec(String(url ?? page))?.[1]);
  return Number.isSafeInteger(ref) ? { ref, of: 'thread', version: [id, updated_at, body] } : null;
}

export type RowRead<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'failed'; readonly why: string };

/** Reads one row of an answer, whatever becomes of it. */
export function readRow<T>(rows: RowReader, part: Part | null, read: () => T): RowRead<T> {
  try {
    return { kind: 'read', value: part === null ? read() : rows.read({ side: 'github', ...part }, read) };
  } catch (error) {
    return { kind: 'failed', why: whyUnmapped(inWords(part), error) };
  }
}

function inWords(part: Part | null): string {
  if (part === null) return "a row of GitHub's answer";
  if (part.name !== undefined) return part.name;
  return `${part.of === 'thread' ? 'a comment on ' : ''}issue ${part.ref}`;
}
