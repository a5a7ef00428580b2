import type { Failed } from '../model/failure.ts';
import { SideError } from '../model/outcome.ts';
import type { Context } from './context.ts';

type Failing = Pick<Context, 'store' | 'clock'> & { readonly name: string };

/** Keeps for whoever asks how things stand that work on a route failed, and why; until the same work succeeds. */
export function keepFailure({ name, store, clock }: Failing, of: 'cycle' | 'sweep', error: unknown): void {
  store.failures.save(name, { of, at: clock.now(), ...whatFailed(error, store.troubleIn(error)) });
}

/** @param trouble what went wrong with the state */
function whatFailed(error: unknown, trouble: string | null): Pick<Failed, 'kind' | 'side' | 'why'> {
  if (error instanceof SideError) return { kind: error.kind, side: error.side, why: error.message };
  if (trouble !== null) return { kind: 'state', side: null, why: trouble };
  return { kind: 'fault', side: null, why: error instanceof Error ? error.message : String(error) };
}
