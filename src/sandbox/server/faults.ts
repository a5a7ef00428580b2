import type { Side } from '../../model/ids.ts';
import type { Cost } from '../../model/runtime.ts';

/**
 * A fault of one request to the sandbox. `after` says whether the request took effect first.
 *
 *   drop        the connection dies without an answer
 *   status      an error answer; `isHtml` when a proxy wrote it; it may ask for a pause
 *   error-body  a success status with an error in the body, as the tracker gives (100500), and GitHub's GraphQL when it
 *               runs out of time
 *   limited     the server asks to slow down, in one of GitHub's ways (422 is "submitted too quickly"); nothing took
 *               effect
 *   half-done   of several actions in one GraphQL request, only the first is done, for this reason; other requests
 *               succeed
 *   slow        a correct answer, late
 *   lost        a write to the tracker is answered as done, and nothing of it is stored; GitHub loses none
 *   misnamed    a comment is stored, and the tracker answers with the number of something else, as harmony does where a
 *               person changed the bug in the same moment; other requests succeed
 */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'drop'; readonly after: boolean }
  | {
      readonly kind: 'status';
      readonly status: 403 | 500 | 502 | 503 | 504;
      readonly isHtml: boolean;
      readonly after: boolean;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'error-body'; readonly after: boolean }
  | {
      readonly kind: 'limited';
      readonly status: 403 | 422 | 429;
      readonly retryAfterSeconds: number | null;
      /** The limit that a 403 or 429 reports; a secondary one by default. */
      readonly says?: 'secondary' | 'primary' | 'abuse';
    }
  | { readonly kind: 'half-done'; readonly why: HalfDone }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'lost' | 'misnamed' };

const harmless = ['none', 'slow', 'half-done', 'lost', 'misnamed'] as const;

/** Beside these, the server answers by itself, and as if all were well. */
type Harmless = Extract<Fault, { readonly kind: (typeof harmless)[number] }>;
export type Trouble = Exclude<Fault, Harmless>;

export const isHarmless = (fault: Fault): fault is Harmless => harmless.some((kind) => kind === fault.kind);

export type HalfDone = 'limit' | 'timeout' | 'forbidden';

/** Called once for every request that reaches a server. */
export type FaultSource = (side: Side, cost: Cost) => Fault;

export const noFaults: FaultSource = () => ({ kind: 'none' });
