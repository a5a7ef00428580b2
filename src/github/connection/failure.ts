import { type Gone, type NotApplied, SideError } from '../../model/outcome.ts';

/**
 * Why a request did not bring what was asked for. `why` is for people and free of secrets.
 *
 *   limited       GitHub asks for a pause until `at` (epoch milliseconds, by our clock); nothing took effect
 *   notYet        a part of GitHub has not heard of what was asked about, which was made a moment ago; nothing took effect, and the same
 *                 will be done later, not before `at` where that is told
 *   unauthorized  our credentials are not accepted
 *   gone          the address answers 404, 410 or a redirect
 *   refused       the request was understood and declined; the same one will be declined again. `faults` are the resources,
 *                 fields, codes, values and sentences of a 422, as the server wrote them
 *   unreached     the request never arrived, so it had no effect
 *   unknown       it arrived, or may have arrived, and whether it took effect cannot be told; with `at` GitHub asks for a pause besides
 */
export type Failure =
  | { readonly kind: 'limited'; readonly at: number; readonly why: string }
  | { readonly kind: 'notYet'; readonly at: number | null; readonly why: string }
  | { readonly kind: 'unauthorized'; readonly why: string }
  | { readonly kind: 'gone'; readonly gone: Gone }
  | { readonly kind: 'refused'; readonly why: string; readonly faults?: readonly string[] }
  | { readonly kind: 'unreached'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string; readonly at?: number };

/** A success without content, where one was asked for: what it means cannot be told. `about` completes "asked to". */
export const noContent = (about: string) => ({ kind: 'unknown', why: `GitHub gave no content when asked to ${about}.` }) as const;

/** Sentences, each with one full stop: GitHub ends some of its messages with one. */
export const inSentences = (...parts: readonly string[]): string => parts.map((part) => part.replace(/[.\s]*$/u, '.')).join(' ');

export const whyOf = (failure: Failure): string => (failure.kind === 'gone' ? failure.gone.why : failure.why);

/** What a failed write came to. */
export function writeOutcome(failure: Failure): NotApplied {
  switch (failure.kind) {
    case 'limited':
      return { kind: 'later', at: failure.at, wholeSide: true, why: failure.why };
    case 'notYet':
      return { kind: 'later', at: failure.at, wholeSide: false, why: failure.why };
    case 'unreached':
      return { kind: 'later', at: null, wholeSide: true, why: failure.why };
    case 'refused':
      return { kind: 'refused', why: failure.why };
    default:
      return failure;
  }
}

/** What a write comes to when the read before it failed: certainly nothing was written. */
export function unwrittenOutcome(failure: Failure): NotApplied {
  if (failure.kind !== 'unknown') return writeOutcome(failure);
  return { kind: 'later', at: failure.at ?? null, wholeSide: failure.at !== undefined, why: failure.why };
}

/** The error that a failed read is thrown as. */
export function readError(failure: Failure): SideError {
  const side = 'github';
  const why = whyOf(failure);
  switch (failure.kind) {
    case 'limited':
      return new SideError('later', why, { side, at: failure.at });
    case 'unknown':
      return new SideError('later', why, { side, at: failure.at ?? null });
    case 'unreached':
    case 'notYet':
      return new SideError('later', why, { side });
    case 'unauthorized':
      return new SideError('unauthorized', why, { side });
    case 'gone':
    case 'refused':
      return new SideError('refused', why, { side });
  }
}
