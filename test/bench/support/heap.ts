import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Peak {
  /** By how many bytes it grew at most. */
  end(): number;
}

/**
 * Looks how much of the heap is in use, what nobody holds any more included, again and again until it is told to end.
 */
export const usedPeak = (): Peak => peakOf(() => process.memoryUsage().heapUsed, 5);

/** The same of what is held. Collecting takes its time: not for what is timed. */
export function heldPeak(): Peak {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return peakOf(() => {
    collect();
    return process.memoryUsage().heapUsed;
  }, 50);
}

function peakOf(bytes: () => number, everyMs: number): Peak {
  const before = bytes();
  let peak = before;
  const measure = (): void => {
    peak = Math.max(peak, bytes());
  };
  const timer = setInterval(measure, everyMs);
  return {
    end() {
      clearInterval(timer);
      measure();
      return peak - before;
    },
  };
}
