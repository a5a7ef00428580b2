import { mark } from './escape.ts';

/**
 * GitHub would drop or refuse what cannot be shown; a reader should see that something stood there. And nothing that people write may
 * pass for a marker of ours, not even in a code block.
 */
export function visible(text: string): string {
  return bidiClosed(text.toWellFormed())
    .replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
    .replaceAll('<!-- bugferry:', `<!--${mark} bugferry:`);
}

/** The sign that some programs begin a file with. Parsers leave it out, and would then count places in a text from the next. */
export const withoutByteOrder = (text: string): string => text.replace(/^\ufeff+/u, '');

/**
 * E-mail addresses stay on the tracker: what is left of one is the part before the sign, by which people know each other, and which
 * may stand between quotes (`"john doe"@host.test`). The name of an account on a server (`git@host:path`) is no address of a person.
 */
export function withoutAddresses(text: string): string {
  if (!/@|%/u.test(text)) return text;
  return text.replace(address, (whole: string, name: string) => (name === 'git' ? whole : `${withoutAddresses(name)}@…`));
}

const address =
  /("(?!\s)(?:[^"\\\n]|\\.){1,64}(?<!\s)"|[\p{L}\p{M}\p{N}_.+-]{1,64})(?:@|%(?:25)?40)(?:[\p{L}\p{M}\p{N}_-]{1,63}\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}/gu;

/**
 * Characters that turn the direction of what stands behind them, up to a character that ends it or to the end of the line. Left open in a
 * title, a name or the words of a link, one turns what the page shows next, and an address reads as another one. So each is ended where
 * its text ends; within the text everything stays, as scripts that are written from right to left need it.
 *
 *   U+202A, 202B, 202D, 202E   embeddings and overrides, ended by U+202C
 *   U+2066, 2067, 2068         isolates, ended by U+2069, which ends whatever is open within as well
 *
 * Source: Unicode Standard Annex 9, "Explicit Directional Embeddings, Overrides and Isolates".
 */
export function bidiClosed(text: string): string {
  if (!turning.test(text)) return text;
  return text.replace(/[^\r\n]+/gu, (line) => {
    const ends = endsOf(line);
    // The address of a page would go on with them.
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
