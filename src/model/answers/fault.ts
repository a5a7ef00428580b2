/**
 * A mistake of our own in words: the kind of the error and where it was thrown. Its message may quote the item, and is
 * for the log alone.
 */
export function faultInWords(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without a name';
  const [, file, line] = /\/(?:src|dist)\/([\w./-]+):(\d+)/u.exec(error.stack ?? '') ?? [];
  return file === undefined ? error.name : `${error.name} at ${file}:${line}`;
}

/** Why an item of an answer could not be read. */
export const whyUnmapped = (item: string, error: unknown): string =>
  `bugferry itself failed on ${item} (${faultInWords(error)}); please report this`;
