/** The same words within this time are written once. */
const quietMs = 600_000;
/** So many different ones are remembered; the oldest are forgotten first. */
const remembered = 500;

export interface Repeats {
  /** Whether a line with these words is to be written now, and how many like it were left out before; null when it is left out. */
  of(words: string): { readonly leftOut: number } | null;
}

/** A side that is down for a night would fill the log with one line; each is told now and then, with how often it came. */
export function openRepeats(now: () => number): Repeats {
  const told = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    of(words) {
      const last = told.get(words);
      if (last !== undefined && now() - last.at < quietMs) {
        last.leftOut += 1;
        return null;
      }
      told.delete(words);
      told.set(words, { at: now(), leftOut: 0 });
      for (const oldest of [...told.keys()].slice(0, Math.max(0, told.size - remembered))) told.delete(oldest);
      return { leftOut: last?.leftOut ?? 0 };
    },
  };
}
