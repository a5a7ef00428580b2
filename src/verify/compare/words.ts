import { digestOf } from '../../text/canonical.ts';

/**
 * The form in which texts are compared: the words that a reader sees. Rendering may change the layout, so white space,
 * the depth of quotations and list signs are ignored; everything else counts.
 */
export interface Gist {
  readonly digest: string;
  /** The text itself; null if only its digest was kept. */
  readonly text: string | null;
}

export const gistOf = (text: string, isKept: boolean): Gist => ({
  digest: digestOf(squashed(text)),
  text: isKept ? text : null,
});

/** The same with letters and digits only, because Markdown signs vary; the border of two parts may cut a long word. */
export const characterGistOf = (text: string, isKept: boolean): Gist => ({
  digest: digestOf(charactersOf(text).replaceAll(' ', '')),
  text: isKept ? text : null,
});

/** A text without the parts that rendering may change. */
export function squashed(text: string): string {
  return masked(unbroken(text.toWellFormed()))
    .replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
    .split('\n')
    .map((line) => line.replace(/^[>\s]+/u, '').trim())
    .filter((line) => !/^(?:`{3,}|~{3,})[\w+#.-]*$/u.test(line))
    .map((line) => line.replace(/^[-*](?=\s|$)/u, '-').replace(/^(\d{1,9})[.)](?=\s|$)/u, '$1.'))
    .join('')
    .replace(/\s+/gu, '');
}

/** Words and numbers in their order. The signs that plain text has for raised, lowered and deleted words end no word. */
export const charactersOf = (text: string): string =>
  (
    masked(unbroken(text))
      .replace(/[_^~]/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

/**
 * Zero-width characters keep GitHub and the tracker from finding links, or close a change of direction; readers do not
 * see them.
 */
export const unbroken = (text: string): string => text.replace(/[\u200b\u2060\u202c\u2069]/gu, '');

/**
 * E-mail addresses stay on the tracker, so the part after the at sign is not compared. Only the character before the at
 * sign is matched: a pattern for the whole name would take quadratic time in a long word.
 */
const masked = (text: string): string => text.replace(/([\p{L}\p{N}_.+"-])(?:(?:@|%40)[\p{L}\p{N}.…-]+)+/gu, '$1@');

/** E-mail addresses of people in a text. The name of an account on a server (`git@host`) is none. */
export function addressesIn(text: string): readonly string[] {
  // From each sign backwards: forwards, a match could begin at each character of a long word.
  const found = [...unbroken(text).matchAll(address)].map(([host, name = '']) => name + host);
  return found.filter((each) => !each.startsWith('git@'));
}

const address = /(?<=([\p{L}\p{N}_.+-]{1,64}|"[^\s"](?:[^"\n]{0,62}[^\s"])?"))@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu;

/** Where two texts diverge, with some context, from each of them. */
export function partingOf(one: string, other: string): readonly [string, string] {
  const [mine, theirs] = [plain(one), plain(other)];
  let at = 0;
  while (at < mine.length && at < theirs.length && mine[at] === theirs[at]) at += 1;
  return [around(mine, at), around(theirs, at)];
}

const shownBefore = 40;
const shownMax = 200;

function around(text: string, at: number): string {
  const start = at <= shownBefore ? 0 : at - shownBefore;
  const piece = text.slice(start, start + shownMax).toWellFormed();
  const shown = `${start > 0 ? '…' : ''}${piece}${start + shownMax < text.length ? '…' : ''}`;
  return shown === '' ? '(nothing)' : shown;
}

const plain = (text: string): string => unbroken(text).replace(/\s+/gu, ' ').trim();
