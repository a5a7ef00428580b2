import type { Clean, Scrub } from '../model/runtime.ts';

/** Reads a JSON column. The type is not checked, because only this folder writes these columns. */
export function readJson<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

export const readJsonOrNull = <T>(text: string | null): T | null => (text === null ? null : readJson<T>(text));

export const writeJsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The keys of records whose values are texts of users. */
const ofPeople = new Set(['before', 'after', 'overruled', 'overwritten', 'kept', 'lost', 'cutover', 'tracker', 'github']);

export const cleanOrNull = (scrub: Scrub, words: string | null): Clean | null => (words === null ? null : scrub.words(words));

/** JSON without secrets. Scrubs each text, because removing a secret from finished JSON could remove a quote with it. */
export const cleanJson = (scrub: Scrub, value: object): Clean => JSON.stringify(cleanValue(scrub, value, false)) as Clean;

function cleanValue(scrub: Scrub, value: unknown, isOfPeople: boolean): unknown {
  if (typeof value === 'string') return isOfPeople ? scrub.values(value) : scrub.words(value);
  if (Array.isArray(value)) return value.map((each: unknown) => cleanValue(scrub, each, isOfPeople));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([name, each]) => [name, cleanValue(scrub, each, isOfPeople || ofPeople.has(name))] as const);
  return Object.fromEntries(pairs);
}
