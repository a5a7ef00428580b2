/** Reads at which alone the tracker asks for a pause, or what stands before it sends us elsewhere. */

import { pauses } from '../../model/answers/pauses.ts';
import { isRedirect, TrackerError } from './errors.ts';

interface Asked {
  /** Our clock, epoch milliseconds. */
  readonly now: () => number;
  /** When the last pause ends or ended. */
  readonly lastPause: () => number | null;
  readonly readAnother: () => Promise<unknown>;
}

/** The pause if the tracker does not say how long. */
const defaultPauseMs = 60_000;

/**
 * What to throw for a failed read. Where the tracker asks for a pause again and again, or redirects us, and answers
 * another read now, the failure is one of what was read.
 */
export function failing({ now, lastPause, readAnother }: Asked): (failure: unknown) => Promise<never> {
  const { wasAsked } = pauses(now, lastPause);
  const isAnswering = (): Promise<boolean> => readAnother().then(() => true, isAnswer);
  const ofOne = ({ status, message }: TrackerError, ofAll: TrackerError): TrackerError =>
    new TrackerError('unknown-outcome', `${message}; it answers others`, { status, cause: ofAll });
  return async (failure) => {
    if (failure instanceof TrackerError && isRedirect(failure))
      throw (await isAnswering()) ? ofOne(failure, failure) : failure;
    if (!isPause(failure)) throw failure;
    const { kind, message } = failure;
    const retryAt = failure.retryAt ?? now() + defaultPauseMs;
    const ofAll = new TrackerError(kind, message, { ...failure, retryAt, cause: failure.cause });
    throw wasAsked() && (await isAnswering()) ? ofOne(failure, ofAll) : ofAll;
  };
}

const isPause = (failure: unknown): failure is TrackerError =>
  failure instanceof TrackerError &&
  (failure.kind === 'limited' || (failure.kind === 'unavailable' && failure.code === null && failure.status !== null));

const isAnswer = (failure: unknown): boolean =>
  failure instanceof TrackerError &&
  !isRedirect(failure) &&
  !['limited', 'unavailable', 'unknown-outcome'].includes(failure.kind);

/** What the tracker said, if its failures concern more than one bug after all. */
export const ofTracker = (failure: TrackerError): TrackerError =>
  failure.cause instanceof TrackerError ? failure.cause : failure;
