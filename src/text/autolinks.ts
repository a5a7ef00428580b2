import { nameToEmoji } from 'gemoji';
import { mark } from './canonical.ts';

/**
 * Patterns that GitHub searches for in the text of a rendered paragraph, after Markdown's escapes are resolved:
 * mentions, issue numbers, commits, emoji and addresses. A zero-width character breaks each match and is used nowhere
 * else, so that text copied from an issue is the author's text.
 */
interface Autolink {
  readonly name: string;
  /** Text that GitHub would link or replace; the mark is inserted after the first group. */
  readonly pattern: RegExp;
}

const autolinks: readonly Autolink[] = [
  // After a letter or a digit it is no mention: `user@host`.
  { name: 'a mention', pattern: /(?<![A-Za-z0-9])(@)(?=[A-Za-z0-9])/gu },
  { name: 'an e-mail address', pattern: /(?<=[\w.+-])(@)(?=[\w.-]*\.[\w-])/gu },
  { name: 'an issue number', pattern: /(#)(?=\d+(?:(?![A-Za-z0-9_])|(?:https?|ftp):\/\/))/giu },
  { name: 'an issue number of another kind', pattern: /(\bGH-)(?=\d)/giu },
  // In the name of a host, browsers skip invisible characters, and read wide full stops as plain ones.
  { name: 'a host in other characters', pattern: /((?:https?|ftp):)(?=\/\/[^\s/]*[\p{Cf}\u3002\uff0e\uff61])/giu },
  { name: 'a page without a scheme', pattern: /(?<![A-Za-z0-9])(www)(?=\.)/giu },
];

/** What each of the patterns needs, so that one look is enough for most words. */
const mayBeFound = /[@#:]|GH-|www|[0-9a-f]{7}/iu;

/** Breaks what GitHub would find. */
export function broken(text: string): string {
  if (!mayBeFound.test(text)) return text;
  return brokenHashes(autolinks.reduce((rest, { pattern }) => rest.replace(pattern, `$1${mark}`), brokenEmoji(text)));
}

/** The same within the text of a link, where GitHub looks for emoji only. */
export const brokenEmoji = (text: string): string =>
  text.replace(/:(?=([\w+-]+):)/gu, (colon, name: string) => (isEmoji(name) ? `${colon}${mark}` : colon));

/** Numbers are commits only in full length; UUIDs and ranges of addresses in memory are none. */
const brokenHashes = (text: string): string =>
  text.replace(
    /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{8}|[0-9a-f]{12}-[0-9a-f]{12})(?![\w-])|\b(?=\d*[a-f]|\d{40}\b)([0-9a-f]{7,40})(?:\b|(?=(?:https?|ftp):\/\/))/giu,
    (whole, hash: string | undefined) => (hash === undefined ? whole : whole.replace(/.{6}(?=.)/gu, `$&${mark}`)),
  );

const isEmoji = (name: string): boolean => Object.hasOwn(nameToEmoji, name) || picturesOfGithub.has(name);

/** Emoji that are pictures of GitHub's own, and therefore no characters. */
const picturesOfGithub: ReadonlySet<string> = new Set([
  ...[
    'accessibility',
    'atom',
    'basecamp',
    'basecampy',
    'bowtie',
    'copilot',
    'dependabot',
    'electron',
    'feelsgood',
    'finnadie',
  ],
  ...[
    'fishsticks',
    'goberserk',
    'godmode',
    'hurtrealbad',
    'neckbeard',
    'octocat',
    'rage1',
    'rage2',
    'rage3',
    'rage4',
    'shipit',
  ],
  ...['suspect', 'trollface'],
]);

/** Short names of emoji as the characters that GitHub shows for them. */
export const withEmoji = (text: string): string =>
  text.replace(/:([\w+-]+):/gu, (whole, name: string) =>
    Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? whole) : whole,
  );

export const unmarked = (text: string): string => text.replaceAll(mark, '');

/**
 * Removes the characters that `broken` inserted, and those next to a shortened e-mail address. Others belong to their
 * author.
 */
export function unbroken(text: string): string {
  return text
    .replace(/(?<=[@#:…]|\bGH-|www|<!--)\u200b/giu, '')
    .replace(/\u200b(?=[^\s\u200b]+@…)/gu, '')
    .replace(/(?<=[0-9a-f]{6})\u200b(?=[0-9a-f])/giu, '');
}

/** The language of a code block, changed so that GitHub shows the code, and no drawing of it. */
export const undrawn = (language: string): string => (drawn.test(language) ? `${mark}${language}` : language);

const drawn = /^(?:mermaid|math|geojson|topojson|stl|suggestion)$/iu;
