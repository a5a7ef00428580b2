import { type Gone, type NotApplied, SideError } from '../../model/outcome.ts';

/**
 * Why a request failed. `why` is for users and free of secrets.
 *
 *   limited       GitHub asks for a pause until `at` (epoch milliseconds, by our clock); nothing took effect;
 *                 `isTooFast` if it is not the hourly allowance of requests that is used up
 *   notYet        a replica of GitHub does not know something that was created a moment ago; nothing took effect, and
 *                 the same request will succeed later, not before `at` if given
 *   off           issues are switched off in the repository; nothing took effect, and nothing will until a person
 *                 switches them on
 *   unauthorized  our credentials are not accepted
 *   gone          the address answers 404, 410 or a redirect
 *   refused       the request was understood and declined; a repetition will be declined again. `faults` are the
 *                 resources, fields, codes, values and sentences of a 422, as the server wrote them; `isOfContent` if
 *                 another content could be accepted there, `isOfEverything` if every write will be refused,
 *                 `isOfServer` if the server does not know such a request, `isOfTime` if it came too slowly or too
 *                 early
 *   unreached     the request never arrived, so it had no effect
 *   unknown       it arrived, or may have arrived, and whether it took effect is unknown; with `at`, GitHub also asks
 *                 for a pause; `isOfSize` if a smaller request might be answered; `pauseAt` is the end of a pause
 *                 that GitHub asks for at what was read, while it answers others; `isPage` if what stands in between
 *                 says that there is no such address
 */
export type Failure =
  | { readonly kind: 'limited'; readonly at: number; readonly why: string; readonly isTooFast?: true }
  | { readonly kind: 'notYet'; readonly at: number | null; readonly why: string }
  | { readonly kind: 'off'; readonly why: string }
  | { readonly kind: 'unauthorized'; readonly why: string }
  | { readonly kind: 'gone'; readonly gone: Gone }
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly faults?: readonly string[];
      readonly isOfContent?: true;
      readonly isOfEverything?: true;
      readonly isOfServer?: true;
      readonly isOfTime?: true;
    }
  | { readonly kind: 'unreached'; readonly why: string }
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly at?: number;
      readonly isOfSize?: true;
      readonly pauseAt?: number;
      readonly isPage?: true;
    };

/** A success without the expected content, whose meaning is unknown. `about` completes "asked to". */
export const noContent = (about: string) =>
  ({ kind: 'unknown', why: `GitHub gave no content when asked to ${about}.` }) as const;

/** Joins sentences, each with one full stop: some messages of GitHub already end with one. */
export const inSentences = (...parts: readonly string[]): string =>
  parts.map((part) => part.replace(/(?<![.\s])[.\s]*$/u, '.')).join(' ');

/** Whether a failure says nothing about the answer, nor that nothing can be asked now. */
export const isUnanswered = (failure: unknown): boolean =>
  failure instanceof SideError && failure.kind === 'later' && failure.at === null;

export const whyOf = (failure: Failure): string => (failure.kind === 'gone' ? failure.gone.why : failure.why);

/** The outcome of a failed write. */
export function writeOutcome(failure: Failure): NotApplied {
  switch (failure.kind) {
    case 'limited':
      return { ...tooFast(failure), kind: 'later', at: failure.at, wholeSide: true, why: failure.why };
    case 'notYet':
      return { kind: 'later', at: failure.at, wholeSide: false, why: failure.why };
    case 'unreached':
    // The next cycle fails when it reads, and reports this once rather than for each operation.
    case 'off':
      return { kind: 'later', at: null, wholeSide: true, why: failure.why };
    case 'refused':
      return { kind: 'refused', why: failure.why, ...(failure.isOfEverything ? { isOfEverything: true } : {}) };
    case 'unknown':
      return { kind: 'unknown', why: failure.why, ...(failure.at === undefined ? {} : { at: failure.at }) };
    default:
      return failure;
  }
}

const tooFast = ({ isTooFast }: { readonly isTooFast?: true }) => (isTooFast ? { isTooFast } : {});

/** The outcome of a write whose preceding read failed: certainly nothing was written. */
export function unwrittenOutcome(failure: Failure): NotApplied {
  if (failure.kind !== 'unknown') return writeOutcome(failure);
  return { kind: 'later', at: failure.at ?? null, wholeSide: failure.at !== undefined, why: failure.why };
}

/** The error to throw for a failed read. */
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
    case 'off':
    case 'gone':
    case 'refused':
      return new SideError('refused', why, { side });
  }
}
