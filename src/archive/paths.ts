/**
 * Where everything is in an archive. Old addresses find pages by number alone, so that a server needs no list of them.
 */

export const bugPath = (bug: number): string => `bugs/${bug}.html`;
export const recordPath = (bug: number): string => `bugs/${bug}.json`;
export const attachmentPath = (attachment: number): string => `attachments/${attachment}.html`;

/** The bug of a page or a record; null for any other file. */
export function bugOfPath(path: string): number | null {
  const id = /^bugs\/(\d+)\.(?:html|json)$/u.exec(path)?.[1];
  return id === undefined ? null : Number(id);
}

/** Equal contents are one file. */
export const filePath = (sha256: string, extension: string): string =>
  `files/${sha256.slice(0, 2)}/${sha256}.${extension}`;

export const isFilePath = (path: string): boolean => /^files\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z]+$/u.test(path);

/** Bugs that share a list by number and a part of the search. */
export const rangeSize = 1_000;
export const rangeOf = (bug: number): number => Math.floor(bug / rangeSize);
export const numbersPath = (range: number): string => `numbers/${range}.html`;
export const isListPath = (path: string): boolean => /^(?:products|numbers)\//u.test(path);
export const wordsPath = (range: number): string => `search/words-${range}.js`;

/**
 * Folders for products, files for components: names in small letters without signs; names that would be equal get a
 * number.
 */
export function slugsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  return new Map(
    names.toSorted().map((name) => {
      const base = slugOf(name);
      let slug = base;
      for (let count = 2; used.has(slug); count += 1) slug = `${base}-${count}`;
      used.add(slug);
      return [name, slug] as const;
    }),
  );
}

/** File systems take no names of more than 255 bytes, and one letter may become several. */
const slugMax = 100;

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .slice(0, slugMax) || 'other';
