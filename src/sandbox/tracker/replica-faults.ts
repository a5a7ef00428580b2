import { type Gone, type Outcome, SideError } from '../../model/outcome.ts';
import type { Clock, Cost } from '../../model/runtime.ts';
import type { Fault, FaultSource } from '../server/faults.ts';
import { TrackerError } from './server/errors.ts';
import { rolledBack } from './world/roll-back.ts';
import type { TrackerState } from './world/state.ts';

interface Faulty {
  readonly faults: FaultSource;
  readonly clock: Clock;
}

interface FaultyWriter extends Faulty {
  readonly state: TrackerState;
}

/** A read that may go wrong: trouble on the way is `later`, a refusal of the tracker what its code says. */
export async function faultyRead<T>({ faults, clock }: Faulty, work: () => T): Promise<T> {
  const fault = faults('tracker', 'read');
  if (fault.kind === 'slow') await clock.sleep(fault.delayMs);
  else if (fault.kind !== 'none' && fault.kind !== 'half-done' && fault.kind !== 'lost') {
    throw new SideError('later', `The tracker could not be read: ${describe(fault)}.`, { at: retryAt(fault, clock), side: 'tracker' });
  }
  try {
    return work();
  } catch (error) {
    throw error instanceof TrackerError ? readError(error) : error;
  }
}

/** A write that may go wrong. Trouble on the way leaves it open whether it was done. */
export async function faultyWrite<T>(
  { faults, clock, state }: FaultyWriter,
  cost: Exclude<Cost, 'read'>,
  work: () => Outcome<T>,
): Promise<Outcome<T>> {
  const fault = faults('tracker', cost);
  if (fault.kind === 'limited') return { kind: 'later', at: retryAt(fault, clock), wholeSide: true, why: describe(fault) };
  if (fault.kind === 'slow') await clock.sleep(fault.delayMs);
  if (fault.kind === 'lost') return rolledBack(state, () => settled(work));
  if (fault.kind === 'none' || fault.kind === 'slow' || fault.kind === 'half-done') return settled(work);
  // A refusal is lost on the way just as a success is, so the outcome does not depend on it.
  if (fault.after) settled(work);
  return { kind: 'unknown', why: describe(fault) };
}

/** Why a bug cannot be reached, when an error says so of that very bug. */
export function goneOf(error: unknown, ref: number): Gone | null {
  if (!(error instanceof TrackerError) || error.bug !== ref) return null;
  if (error.code === 101) return { kind: 'missing', why: error.message };
  return error.code === 102 ? { kind: 'hidden', why: error.message } : null;
}

const isUnauthorized = (error: TrackerError): boolean => [300, 301, 305, 306, 307, 410].includes(error.code);

function settled<T>(work: () => Outcome<T>): Outcome<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    return writeOutcome(error);
  }
}

function writeOutcome<T>(error: TrackerError): Outcome<T> {
  const why = `The tracker answered: ${error.message} (${error.code})`;
  if (isUnauthorized(error)) return { kind: 'unauthorized', why };
  return error.code === 100500 ? { kind: 'unknown', why } : { kind: 'refused', why };
}

function readError(error: TrackerError): SideError {
  const kind = isUnauthorized(error) ? 'unauthorized' : error.code === 100500 ? 'later' : 'refused';
  return new SideError(kind, `The tracker answered: ${error.message} (${error.code})`, { cause: error });
}

const retryAt = (fault: Fault, clock: Clock): number | null =>
  fault.kind === 'limited' && fault.retryAfterSeconds !== null ? clock.now() + fault.retryAfterSeconds * 1000 : null;

function describe(fault: Fault): string {
  switch (fault.kind) {
    case 'drop':
      return 'the connection was lost without an answer';
    case 'status':
      return `it answered with status ${fault.status}`;
    case 'error-body':
      return 'it failed inside (100500)';
    case 'limited':
      return `it asks to slow down (status ${fault.status})`;
    default:
      return 'nothing went wrong';
  }
}
