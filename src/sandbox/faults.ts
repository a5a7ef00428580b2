import type { Cost } from '../model/lane.ts';
import type { Side } from '../model/side.ts';

/**
 * What can go wrong with one request to the sandbox. `after` says whether the request took effect first.
 *
 *   drop        the connection dies without an answer
 *   status      an error answer; `isHtml` when a proxy wrote it
 *   error-body  a success status with an error in the body, as the tracker gives (100500)
 *   limited     the server asks us to slow down; nothing took effect
 *   slow        a right answer, late
 */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'drop'; readonly after: boolean }
  | { readonly kind: 'status'; readonly status: 500 | 502 | 503; readonly isHtml: boolean; readonly after: boolean }
  | { readonly kind: 'error-body'; readonly after: boolean }
  | { readonly kind: 'limited'; readonly status: 403 | 429; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'slow'; readonly delayMs: number };

/** Asked once for every request that reaches a door. */
export type FaultSource = (side: Side, cost: Cost) => Fault;

export const noFaults: FaultSource = () => ({ kind: 'none' });

/** Draws a fault for about `share` of all requests; `random` gives numbers in [0, 1). */
export function drawFaults(random: () => number, share: number): FaultSource {
  return (side, cost) => {
    if (random() >= share) return { kind: 'none' };
    const after = random() < 0.5;
    const draw = random();
    if (draw < 0.35) return { kind: 'drop', after };
    if (draw < 0.6) return { kind: 'status', status: draw < 0.45 ? 500 : draw < 0.55 ? 502 : 503, isHtml: random() < 0.5, after };
    if (draw < 0.75 && side === 'tracker') return { kind: 'error-body', after: cost === 'read' ? false : after };
    if (draw < 0.9 && side === 'github') {
      return { kind: 'limited', status: random() < 0.5 ? 403 : 429, retryAfterSeconds: random() < 0.5 ? 60 : null };
    }
    return { kind: 'slow', delayMs: Math.floor(random() * 200) };
  };
}
