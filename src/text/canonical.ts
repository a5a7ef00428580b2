import { type CustomName, type FieldName, type Fields, fieldNames, type Value } from '../model/item.ts';
import { bidiClosed, withoutAddresses } from './characters.ts';

/** The form in which titles are compared. The tracker's e-mail addresses are not shown on GitHub, so they are not compared. */
export const canonicalTitle = (title: string): string => withoutAddresses(bidiClosed(oneLine(title).replace(/\s+/gu, ' ').trim()));

/** The form in which a title is sent: one line that leaves the direction of later text alone, cut visibly to `max` characters. */
export function titleWithin(title: string, max: number): string {
  const line = oneLine(title).trim();
  const characters = [...line];
  let sent = bidiClosed(line);
  for (let kept = max - 1; [...sent].length > max; kept -= 1) sent = bidiClosed(`${characters.slice(0, kept).join('')}…`);
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

/** The distinct elements in a fixed order, so that equal sets are equal lists. */
export const sorted = (elements: Iterable<string>): readonly string[] => [...new Set(elements)].sort();

const oneLine = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Whether two sets of fields are equal. */
export function equalFields(one: Fields, other: Fields): boolean {
  return isWithin(one, other) && isWithin(other, one);
}

function isWithin(one: Fields, other: Fields): boolean {
  for (const field of Object.keys(one)) if (!equalValues(one[field as FieldName], other[field as FieldName])) return false;
  return true;
}

/** The names of all fields in these sets, in a fixed order: custom fields last. */
export function namesIn(...all: readonly Fields[]): readonly FieldName[] {
  const customs = new Set<CustomName>();
  for (const fields of all) for (const name of Object.keys(fields)) if (isCustom(name)) customs.add(name);
  return customs.size === 0 ? fieldNames : [...fieldNames, ...[...customs].sort()];
}

export const isCustom = (name: string): name is CustomName => name.startsWith('cf_');
