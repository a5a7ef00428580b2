/** One line of the daemon's log. */
interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg: string;
}

const warn = 40;

/** How long after a fault a line may still be about it: pauses and doubts end late. */
const aftermathMs = 30_000;

/** What no fault of a side explains, whenever it is said. */
const never = /bug in bugferry|did not stop cleanly|unhandled|deprecat|MaxListeners|SQLITE/iu;

/**
 * What in a log is not explained by the faults that were made, each kind of line once. `faultsAt` are the moments of
 * the faults. A line that is no JSON was not written by the log: a warning of Node.js, or the end of a process that
 * died of an error.
 */
export function unexplainedIn(output: string, faultsAt: readonly number[]): readonly string[] {
  const found = new Set<string>();
  for (const text of output.split('\n').filter((line) => line.trim() !== '')) {
    const line = lineOf(text);
    if (line === null) found.add(`not of the log: ${text}`);
    else if (never.test(text)) found.add(line.msg);
    else if (line.level >= warn && !faultsAt.some((at) => line.time >= at - 1_000 && line.time - at < aftermathMs))
      found.add(line.msg);
  }
  return [...found];
}

function lineOf(text: string): Line | null {
  try {
    const { level, time, msg = '' } = JSON.parse(text);
    const at = typeof time === 'number' ? time : Date.parse(time);
    return typeof level === 'number' ? { level, time: at, msg } : { level: levels[String(level)] ?? 0, time: at, msg };
  } catch {
    return null;
  }
}

const levels: Readonly<Record<string, number>> = { debug: 20, info: 30, warn, error: 50, fatal: 60 };

/** How many lines there are of warnings and worse. */
export const warningsIn = (output: string): number =>
  output.split('\n').filter((text) => text !== '' && (lineOf(text)?.level ?? 0) >= warn).length;
