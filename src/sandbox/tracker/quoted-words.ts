/**
 * Splits a text at a delimiter, but not inside of quotes or after a backslash. Single quotes count only at the start or the end of a word,
 * so that contractions stay whole. With `isKept`, quotes and backslashes stay in the words. Empty when a quote is not closed.
 */
export function splitQuoted(text: string, delimiter: string | RegExp, isKept: boolean): readonly string[] {
  const line = text
    .replace(/(^|\s|:)'/g, `$1${quoteMark}`)
    .replace(/'($|\s)/g, `${quoteMark}$1`)
    .replace(/\\?'/g, apostrophe)
    .replaceAll(quoteMark, "'");
  const ends = typeof delimiter === 'string' ? delimiter : new RegExp(delimiter.source, 'y');
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; ) {
    const token = tokenAt(line, at, ends);
    if (token === null) return [];
    at = token.next;
    if (token.kind === 'end') {
      words.push(word ?? '');
      word = null;
    } else word = `${word ?? ''}${isKept ? token.raw : token.plain}`;
  }
  if (word !== null) words.push(word);
  return words.map((each) => each.replaceAll(apostrophe, "'"));
}

/** Characters that no request contains stand for quotes while the text is being split. */
const quoteMark = '\u0001';
const apostrophe = '\u0000';

type Token =
  | { readonly kind: 'end'; readonly next: number }
  | { readonly kind: 'text'; readonly next: number; readonly raw: string; readonly plain: string };

/** Null for a quote without its end. */
function tokenAt(line: string, at: number, ends: string | RegExp): Token | null {
  const character = line[at] ?? '';
  if (character === '"' || character === "'") {
    const quoted = new RegExp(`${character}((?:[^\\\\${character}]|\\\\.)*)${character}`, 'sy');
    quoted.lastIndex = at;
    const match = quoted.exec(line);
    if (match === null) return null;
    const [raw, inner = ''] = match;
    return { kind: 'text', next: at + raw.length, raw, plain: character === '"' ? inner.replace(/\\(.)/gs, '$1') : inner };
  }
  if (character === '\\' && at + 1 < line.length) {
    return { kind: 'text', next: at + 2, raw: line.slice(at, at + 2), plain: line[at + 1] ?? '' };
  }
  const length = endLength(line, at, ends);
  return length > 0 ? { kind: 'end', next: at + length } : { kind: 'text', next: at + 1, raw: character, plain: character };
}

function endLength(line: string, at: number, ends: string | RegExp): number {
  if (typeof ends === 'string') return line.startsWith(ends, at) ? ends.length : 0;
  ends.lastIndex = at;
  return ends.exec(line)?.[0].length ?? 0;
}
