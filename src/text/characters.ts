import { mark } from './escape.ts';

/**
 * Replaces characters that GitHub would drop or refuse, so that a reader sees that there was something. It also keeps people's text
 * from passing for one of our markers, even in a code block.
 */
export function visible(text: string): string {
  return bidiClosed(text.toWellFormed())
    .replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
    .replaceAll('<!-- bugferry:', `<!--${mark} bugferry:`);
}

/** The mark that some programs put at the beginning of a file. Parsers skip it, and would then count positions from the next character. */
export const withoutByteOrder = (text: string): string => text.replace(/^\ufeff+/u, '');

/**
 * Removes e-mail addresses: they stay on the tracker. The part before the at sign remains, because people recognise each other by
 * it; it may be in quotes (`"john doe"@host.test`). The name of an account on a server (`git@host:path`) is not a person's address.
 */
export function withoutAddresses(text: string): string {
  if (!/@|%/u.test(text)) return text;
  return text.replace(address, (whole: string, name: string) => (name === 'git' ? whole : `${withoutAddresses(name)}@…`));
}

const address =
  /("(?!\s)(?:[^"\\\n]|\\.){1,64}(?<!\s)"|[\p{L}\p{M}\p{N}_.+-]{1,64})(?:@|%(?:25)?40)(?:[\p{L}\p{M}\p{N}_-]{1,63}\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}/gu;

/**
 * Characters that change the direction of the text after them, up to a character that ends the change or to the end of the line. If
 * one is left open in a title, a name or the text of a link, it reverses the rest of the page, and an address reads as a different
 * one. So each is closed where its text ends; within the text everything stays, as right-to-left scripts need it.
 *
 *   U+202A, 202B, 202D, 202E   embeddings and overrides, closed by U+202C
 *   U+2066, 2067, 2068         isolates, closed by U+2069, which also closes everything opened within
 *
 * Source: Unicode Standard Annex 9, "Explicit Directional Embeddings, Overrides and Isolates".
 */
export function bidiClosed(text: string): string {
  if (!turning.test(text)) return text;
  return text.replace(/[^\r\n]+/gu, (line) => {
    const ends = endsOf(line);
    // Directly behind an address, they would become part of it.
    return ends !== '' && /(?::\/\/|www\.)\S*$/iu.test(line) ? `${line} ${ends}` : line + ends;
  });
}

const turning = /[\u202a\u202b\u202d\u202e\u2066-\u2068]/u;
const [endOfEmbedding, endOfIsolate] = ['\u202c', '\u2069'];

function endsOf(line: string): string {
  const open: string[] = [];
  let isolates = 0;
  for (const [character] of line.matchAll(/[\u202a-\u202e\u2066-\u2069]/gu)) {
    if (character === endOfEmbedding) {
      if (open.at(-1) === endOfEmbedding) open.pop();
    } else if (character === endOfIsolate) {
      if (isolates === 0) continue;
      open.length = open.lastIndexOf(endOfIsolate);
      isolates -= 1;
    } else {
      const isIsolate = character >= '\u2066';
      open.push(isIsolate ? endOfIsolate : endOfEmbedding);
      if (isIsolate) isolates += 1;
    }
  }
  return open.reverse().join('');
}
