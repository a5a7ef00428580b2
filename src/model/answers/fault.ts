/**
 * A mistake of our own in words: the kind of the error and where it was thrown. Its message may quote the item, and is
 * for the log alone.
 */
export function faultInWords(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without a name';
  const [, file, line] = /\/(?:src|dist)\/([\w./-]+):(\d+)/u.exec(error.stack ?? '') ?? [];
  return file === undefined ? error.name : `${error.name} at ${file}:${line}`;
}

/** Thrown instead of work that did not end before. */
export class Endless extends Error {
  override readonly name = 'Endless';
}

export const endlessInWords = 'the work on it did not end, and the bridge was restarted';

/** Why an item of an answer could not be read. */
export const whyUnmapped = (item: string, error: unknown): string =>
  error instanceof Endless
    ? `bugferry itself did not finish with ${item} (${endlessInWords}); please report this`
    : `bugferry itself failed on ${item} (${faultInWords(error)}); please report this`;
