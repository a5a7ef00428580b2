/**
 * Splits a text at a delimiter, but not inside quotes or after a backslash. Single quotes count only at the start or
 * the end of a word, so contractions stay whole. With `isKept`, quotes and backslashes stay in the words. Empty if a
 * quote is not closed.
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

/** Characters that no request contains replace quotes while the text is split. */
const quoteMark = '\u0001';
const apostrophe = '\u0000';

type Token =
  | { readonly kind: 'end'; readonly next: number }
  | { readonly kind: 'text'; readonly next: number; readonly raw: string; readonly plain: string };

/** Null for an unclosed quote. */
function tokenAt(line: string, at: number, ends: string | RegExp): Token | null {
  const character = line[at] ?? '';
  if (character === '"' || character === "'") {
    const quoted = new RegExp(`${character}((?:[^\\\\${character}]|\\\\.)*)${character}`, 'sy');
    quoted.lastIndex = at;
    const match = quoted.exec(line);
    if (match === null) return null;
    const [raw, inner = ''] = match;
    return {
      kind: 'text',
      next: at + raw.length,
      raw,
      plain: character === '"' ? inner.replace(/\\(.)/gs, '$1') : inner,
    };
  }
  if (character === '\\' && at + 1 < line.length) {
    return { kind: 'text', next: at + 2, raw: line.slice(at, at + 2), plain: line[at + 1] ?? '' };
  }
  const length = endLength(line, at, ends);
  return length > 0
    ? { kind: 'end', next: at + length }
    : { kind: 'text', next: at + 1, raw: character, plain: character };
}

function endLength(line: string, at: number, ends: string | RegExp): number {
  if (typeof ends === 'string') return line.startsWith(ends, at) ? ends.length : 0;
  ends.lastIndex = at;
  return ends.exec(line)?.[0].length ?? 0;
}

/**
 * Texts as the tracker's database compares them: case and accents make no difference. Only a substring search is
 * narrower: the match must also have as many bytes as the wanted text, so "unicode" is not found in "Ünïcode".
 */
export const caseFolded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ø', 'o');

export const areSame = (one: string, other: string): boolean => caseFolded(one) === caseFolded(other);

/** Less than, equal to or greater than 0. */
export function order(one: string, other: string): number {
  const [left, right] = [caseFolded(one), caseFolded(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

export function contains(text: string, part: string): boolean {
  if (part === '' || text.includes(part)) return true;
  const wanted = caseFolded(part);
  return caseFolded(text).includes(wanted) && hasPiece(text, wanted, Buffer.byteLength(part));
}

/**
 * Whether a piece of that many bytes equals the wanted text after case folding. Texts may be long: each character is
 * case-folded and measured once.
 */
function hasPiece(text: string, wanted: string, bytes: number): boolean {
  const ends = new Map<number, number>();
  const starts: { readonly byte: number; readonly at: number }[] = [];
  let [whole, byte] = ['', 0];
  for (const character of text) {
    starts.push({ byte, at: whole.length });
    byte += Buffer.byteLength(character);
    whole += caseFolded(character);
    ends.set(byte, whole.length);
  }
  return starts.some(
    (start) => ends.get(start.byte + bytes) === start.at + wanted.length && whole.startsWith(wanted, start.at),
  );
}

/** True if the text contains the word as a whole, without a letter or digit on either side. */
export function containsWord(text: string, word: string): boolean {
  return contains(text, word) && new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}($|[^\\p{L}\\p{N}])`, 'iu').test(text);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
