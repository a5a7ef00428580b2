import type { Kept } from '../model/survey.ts';

/**
 * The answer to a question that is asked once a day, such as the values of a product. If a side does not answer it now,
 * while it may answer all else, its last answer to the same account holds until it does.
 * @param isUnanswered whether a failure says nothing about the answer; any other one is thrown
 */
export async function recalled<T>(
  kept: Kept,
  name: string,
  ask: () => Promise<T>,
  isUnanswered: (failure: unknown) => boolean,
): Promise<T> {
  const recent = kept.recent<T>(name);
  if (recent !== null) return recent;
  try {
    const found = await ask();
    kept.keep(name, found);
    return found;
  } catch (failure) {
    return lastAnswer(kept, name, failure, isUnanswered);
  }
}

/** The same answers, of which one counts as recent if it was given at that moment or later. Epoch milliseconds. */
export const keptSince = (kept: Kept, at: number): Kept => ({ ...kept, recent: (name) => kept.since(name, at) });

/** The last answer, where the side does not answer now. Throws the failure if it says more, or if there is none. */
export function lastAnswer<T>(
  kept: Kept,
  name: string,
  failure: unknown,
  isUnanswered: (failure: unknown) => boolean,
): T {
  const last = isUnanswered(failure) ? kept.last<T>(name) : null;
  if (last === null) throw failure;
  kept.unanswered?.(name, failure);
  return last;
}
