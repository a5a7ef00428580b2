/** The candidate that `word` is most likely a slip of, or null when none is close. Case does not count. */
export function suggest(word: string, candidates: readonly string[]): string | null {
  const slipsMax = word.length < 4 ? 1 : word.length < 8 ? 2 : 3;
  let best: { readonly candidate: string; readonly slips: number } | null = null;
  for (const candidate of candidates) {
    const slips = slipsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (slips <= slipsMax && slips < (best?.slips ?? Number.POSITIVE_INFINITY)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}

/** Insertions, deletions and replacements that turn one word into the other (Levenshtein distance). */
function slipsBetween(source: string, target: string): number {
  let row = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...source].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...target].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[row.length - 1] ?? 0;
}
