import type { FaultSource } from '../../src/sandbox/server/faults.ts';

/** Draws a fault for about `share` of all requests; `random` gives numbers in [0, 1). */
export function drawFaults(random: () => number, share: number): FaultSource {
  return (side, cost) => {
    if (random() >= share) return { kind: 'none' };
    const after = random() < 0.5;
    const draw = random();
    if (draw < 0.35) return { kind: 'drop', after };
    if (draw < 0.6)
      return { kind: 'status', status: draw < 0.45 ? 500 : draw < 0.55 ? 502 : 503, isHtml: random() < 0.5, after };
    if (draw < 0.75 && side === 'tracker') return { kind: 'error-body', after: cost === 'read' ? false : after };
    if (draw < 0.9 && side === 'github') {
      return { kind: 'limited', status: random() < 0.5 ? 403 : 429, retryAfterSeconds: random() < 0.5 ? 60 : null };
    }
    return { kind: 'slow', delayMs: Math.floor(random() * 200) };
  };
}

/** Beside the faults of `source` all that GitHub says for "later", for about `share` of the requests to it. */
export function drawDelays(source: FaultSource, random: () => number, share: number): FaultSource {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  return (side, cost) => {
    const fault = source(side, cost);
    if (fault.kind !== 'none' || side !== 'github' || random() >= share) return fault;
    const retryAfterSeconds = pick([null, 20, 90]);
    const draw = random();
    if (draw < 0.2) return { kind: 'limited', status: 422, retryAfterSeconds };
    if (draw < 0.5)
      return {
        kind: 'limited',
        status: pick([403, 429]),
        retryAfterSeconds,
        says: pick(['secondary', 'primary', 'abuse']),
      };
    if (draw < 0.8) {
      const asks = retryAfterSeconds === null ? {} : { retryAfterSeconds };
      return { kind: 'status', status: pick([502, 503, 504]), isHtml: random() < 0.5, after: random() < 0.5, ...asks };
    }
    return random() < 0.5
      ? { kind: 'half-done', why: pick(['limit', 'timeout', 'forbidden']) }
      : { kind: 'error-body', after: random() < 0.5 };
  };
}

/**
 * Loses about `share` of all writes to the tracker that nothing else goes wrong with.
 * @param misnames whether a third of those that make something is not lost, but answered with another number
 */
export function withLostWrites(
  faults: FaultSource,
  random: () => number,
  share: number,
  misnames = false,
): FaultSource {
  return (side, cost) => {
    const fault = faults(side, cost);
    if (fault.kind !== 'none' || side !== 'tracker' || cost === 'read') return fault;
    const drawn = random();
    if (drawn >= share) return fault;
    return { kind: misnames && cost === 'create' && drawn < share / 3 ? 'misnamed' : 'lost' };
  };
}
