import type { Failure } from './failure.ts';

/** What is left undone of a batch, and why. */
export interface Attempt<Row> {
  readonly left: readonly Row[];
  readonly failure: Failure | null;
}

/**
 * Asks for many things at once: in halves what GitHub could not do in one request. Ends at the first failure that is
 * about something else than the size of the request, or about a single thing.
 */
export async function inHalves<Row>(
  rows: readonly Row[],
  attempt: (part: readonly Row[]) => Promise<Attempt<Row>>,
): Promise<Failure | null> {
  if (rows.length === 0) return null;
  const { left, failure } = await attempt(rows);
  if (failure === null || !isOfSize(failure) || rows.length === 1) return failure;
  const middle = Math.ceil(left.length / 2);
  return (await inHalves(left.slice(0, middle), attempt)) ?? (await inHalves(left.slice(middle), attempt));
}

const isOfSize = (failure: Failure): boolean => failure.kind === 'unknown' && failure.isOfSize === true;
