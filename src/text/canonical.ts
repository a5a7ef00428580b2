/**
 * The forms in which values are compared: titles, texts and sets, what their characters may do, and short names for
 * texts.
 */

import { hash } from 'node:crypto';
import { type CustomName, type FieldName, type Fields, fieldNames, type Value } from '../model/item.ts';

/**
 * A zero-width character that breaks text which GitHub would link (`autolinks.ts`); it is used for nothing else. It is
 * defined here because comparisons need it, and `autolinks.ts` loads every emoji.
 */
export const mark = '\u200b';

/**
 * The form in which titles are compared. The tracker's e-mail addresses are not shown on GitHub, so they are not
 * compared.
 */
export const canonicalTitle = (title: string): string =>
  withoutAddresses(bidiClosed(oneLine(title).replace(/\s+/gu, ' ').trim()));

/**
 * The form in which a title is sent: one line that leaves the direction of later text alone, cut visibly to `max`
 * characters.
 */
export function titleWithin(title: string, max: number): string {
  const line = oneLine(title).trim();
  const characters = [...line];
  let sent = bidiClosed(line);
  for (let kept = max - 1; [...sent].length > max; kept -= 1)
    sent = bidiClosed(`${characters.slice(0, kept).join('')}…`);
  return sent;
}

/** Longest summary on the tracker, and longest title on GitHub, in characters. */
export const titleMax = { tracker: 255, github: 256 } as const;

/** The form in which texts are compared: servers differ in line ends and trailing white space. */
export const canonicalText = (text: string): string => text.replace(/\r\n?/gu, '\n').trimEnd();

export function equalValues(one: Value | undefined, other: Value | undefined): boolean {
  if (isSet(one) && isSet(other)) return one.length === other.length && one.every((element) => other.includes(element));
  return one === other;
}

export const isSet = (value: Value | undefined): value is readonly string[] => Array.isArray(value);

/** The elements of a set; none of a single value. */
export const elementsOf = (value: Value | undefined): readonly string[] => (isSet(value) ? value : []);

/** The elements of a set, or a single text as the only one. */
export const elementsOrText = (value: Value | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : elementsOf(value);

/** The distinct elements in a fixed order, so that equal sets are equal lists. */
export const sorted = (elements: Iterable<string>): readonly string[] => [...new Set(elements)].sort();

const oneLine = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Whether two sets of fields are equal. */
export function equalFields(one: Fields, other: Fields): boolean {
  return isWithin(one, other) && isWithin(other, one);
}

function isWithin(one: Fields, other: Fields): boolean {
  for (const field of Object.keys(one))
    if (!equalValues(one[field as FieldName], other[field as FieldName])) return false;
  return true;
}

/** The names of all fields in these sets, in a fixed order: custom fields last. */
export function namesIn(...all: readonly Fields[]): readonly FieldName[] {
  const customs = new Set<CustomName>();
  for (const fields of all) for (const name of Object.keys(fields)) if (isCustom(name)) customs.add(name);
  return customs.size === 0 ? fieldNames : [...fieldNames, ...[...customs].sort()];
}

export const isCustom = (name: string): name is CustomName => name.startsWith('cf_') || name === 'deadline';

/** A text that breaks no terminal and no reader of XML: other control characters than tabs and line ends show as U+FFFD. */
export const withoutControls = (text: string): string => text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');

/**
 * Replaces characters that GitHub would drop or refuse, so that a reader sees that there was something. It also keeps
 * people's text from passing for one of our markers, even in a code block.
 */
export function visible(text: string): string {
  return withoutControls(bidiClosed(text.toWellFormed())).replaceAll('<!-- bugferry:', `<!--${mark} bugferry:`);
}

/**
 * The mark that some programs put at the beginning of a file. Parsers skip it, and would then count positions from the
 * next character.
 */
export const withoutByteOrder = (text: string): string => text.replace(/^\ufeff+/u, '');

/**
 * Removes e-mail addresses: they stay on the tracker. The part before the at sign remains, because people recognise
 * each other by it; it may be in quotes (`"john doe"@host.test`). The name of an account on a server (`git@host:path`)
 * is not a person's address.
 */
export function withoutAddresses(text: string): string {
  if (!/@|%/u.test(text)) return text;
  return text.replace(address, (whole: string, name: string) =>
    name === 'git' ? whole : `${withoutAddresses(name)}@…`,
  );
}

const address =
  /("(?!\s)(?:[^"\\\n]|\\.){1,64}(?<!\s)"|[\p{L}\p{M}\p{N}_.+-]{1,64})(?:@|%(?:25)?40)(?:[\p{L}\p{M}\p{N}_-]{1,63}\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}/gu;

/**
 * Characters that change the direction of the text after them, up to a character that ends the change or to the end of
 * the line. If one is left open in a title, a name or the text of a link, it reverses the rest of the page, and an
 * address reads as a different one. So each is closed where its text ends; within the text everything stays, as
 * right-to-left scripts need it.
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
    return ends !== '' && /:\/\/|www\./iu.test(lastWordOf(line)) ? `${line} ${ends}` : line + ends;
  });
}

/** A name without signs of direction: it is shown amid other words, and must not turn itself or them around. */
export const undirected = (name: string): string => name.replace(/\p{Bidi_Control}/gu, '');

/** The text after the last white space. A pattern that ends there would start again at each address. */
export const lastWordOf = (line: string): string => line.slice(line.search(/(?<!\S)\S*$/u));

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

/** A short name for a text: equal texts have equal digests. */
export const digestOf = (text: string): string => hash('sha256', text.toWellFormed(), 'hex').slice(0, 16);

/** SHA-256 of a content, in hexadecimal. */
export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');
