/** What one bug of an answer costs nobody else, whether we fail on it or do not finish with it. */

import { type ZodType, z } from 'zod';
import { whyUnmapped } from '../../model/answers/fault.ts';
import type { AnsweredRow, RowReader } from '../../model/runtime.ts';
import { TrackerError, unmappedError } from './errors.ts';

type Part = Omit<AnsweredRow, 'side'>;
type Raw = Readonly<Record<string, unknown>>;

/** A bug in any form, also one that was not decoded yet. */
export const bugRow = ({ id, last_change_time, summary }: Raw): Part => ({
  ref: Number(id),
  of: 'item',
  version: [last_change_time, summary],
});

const inThread = (bug: unknown, ...version: readonly unknown[]): Part => ({ ref: Number(bug), of: 'thread', version });

/** A comment, also one of a version that does not say whose it is. */
export const commentRow = ({ id, bug_id: bug, text }: Raw): Part => inThread(bug, id, text);
export const attachmentRow = ({ id, bug_id: bug, file_name, summary }: Raw): Part =>
  inThread(bug, id, file_name, summary);
export const historyRow = ({ id, history }: Raw): Part => inThread(id, history);

/** Makes a bug, or something that belongs to it, of what the tracker answered. Throws `TrackerError`. */
export function mapping<T>(rows: RowReader, part: Part, map: () => T): T {
  try {
    return rows.read({ side: 'tracker', ...part }, map);
  } catch (error) {
    throw error instanceof TrackerError ? error : unmappedError(part.ref, error);
  }
}

/**
 * What says that it is of another bug than the one under which the tracker lists it could be private there: the list is
 * not believed. Throws `TrackerError`.
 */
export function assertOf(bug: number, { bug_id: said }: { readonly bug_id?: number | null | undefined }): void {
  if (said === undefined || said === null || said === bug) return;
  throw new TrackerError('unknown-outcome', `The tracker lists something of bug ${said} under bug ${bug}`);
}

/** The same for lists, which do without what we fail on. */
export function mappedOrNone<T>(
  rows: RowReader,
  part: Part,
  map: () => T,
  leaveOut: (failure: TrackerError) => void,
): readonly T[] {
  try {
    return [mapping(rows, part, map)];
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    leaveOut(failure);
    return [];
  }
}

/** Decodes such a row, if it says whose it is. A row that cannot be decoded makes the answer an unexpected one. */
export function row<T>(rows: RowReader, schema: ZodType<T>, partIn: (raw: Raw) => Part) {
  return z.unknown().transform((raw, context): T => {
    const part = partIn(Object(raw));
    const decode = () => schema.safeParse(raw);
    try {
      const { data, error } = part.ref > 0 ? rows.read({ side: 'tracker', ...part }, decode) : decode();
      if (error === undefined) return data;
      for (const { path, message } of error.issues)
        context.issues.push({ code: 'custom', path: [...path], message, input: raw });
    } catch (error) {
      context.issues.push({ code: 'custom', message: whyUnmapped(`bug ${part.ref}`, error), input: raw });
    }
    return z.NEVER;
  });
}
