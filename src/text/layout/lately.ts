const keptMax = 1_000;
const lengthMax = 2_000;

/**
 * Keeps what was found of the last lines: one is asked about several times for each block that it may belong to, and
 * each time a text is written.
 */
export function lately<T extends string | boolean | null>(find: (line: string) => T): (line: string) => T {
  const kept = new Map<string, T>();
  return (line) => {
    if (line.length > lengthMax) return find(line);
    const known = kept.get(line);
    if (known !== undefined) return known;
    const found = find(line);
    if (kept.size >= keptMax) kept.clear();
    kept.set(copyOf(line), found);
    return found;
  };
}

/** A part of a text holds all of that text in memory; a copy holds nothing else. */
const copyOf = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le');
