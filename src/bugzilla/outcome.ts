import { type Gone, type Outcome, SideError } from '../model/outcome.ts';
import { isRedirect, TrackerError } from './connection/errors.ts';

/** The outcome of a failed write. Rethrows our own bugs. */
export function outcomeOf(failure: unknown): Exclude<Outcome<never>, { kind: 'applied' | 'stale' }> {
  if (!(failure instanceof TrackerError)) throw failure;
  const why = failure.message;
  if (isRedirect(failure)) return redirected(failure);
  switch (failure.kind) {
    case 'credentials':
      return { kind: 'unauthorized', why };
    case 'missing':
    case 'hidden':
      return { kind: 'gone', gone: goneOf(failure.kind, why) };
    case 'invalid':
      return { kind: 'refused', why, ...(failure.code === null ? {} : { isOfValue: true }) };
    case 'absent':
    case 'refused':
      return { kind: 'refused', why };
    case 'limited':
    case 'unavailable':
      return { kind: 'later', at: failure.retryAt, wholeSide: true, why };
    case 'unknown-outcome':
      return { kind: 'unknown', why };
  }
}

/**
 * The request was not sent on. With 307 and 308, nothing was done; other redirects are also how a page answers what it
 * has done. Those who stand before a tracker often stay for a short time only.
 */
const redirected = ({ status, message: why }: TrackerError): ReturnType<typeof outcomeOf> =>
  status === 307 || status === 308 ? { kind: 'later', at: null, wholeSide: false, why } : { kind: 'unknown', why };

/** For a read before a write: whatever failed, nothing was written. */
export function outcomeOfLook(failure: unknown): ReturnType<typeof outcomeOf> {
  const outcome = outcomeOf(failure);
  return outcome.kind === 'unknown' ? { kind: 'later', at: null, wholeSide: false, why: outcome.why } : outcome;
}

/** The error to throw for a failed read. */
export function sideErrorOf(failure: unknown): unknown {
  if (!(failure instanceof TrackerError)) return failure;
  const options = { at: failure.retryAt, side: 'tracker', cause: failure } as const;
  switch (failure.kind) {
    case 'credentials':
      return new SideError('unauthorized', failure.message, options);
    case 'limited':
    case 'unavailable':
    case 'unknown-outcome':
      return new SideError('later', failure.message, options);
    case 'missing':
    case 'hidden':
    case 'absent':
    case 'invalid':
    case 'refused':
      return new SideError('refused', failure.message, options);
  }
}

export const goneOf = (kind: 'missing' | 'hidden', why: string): Gone => ({ kind, why });
