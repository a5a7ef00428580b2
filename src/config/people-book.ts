import { readFileSync, statSync } from 'node:fs';
import type { People } from '../model/people.ts';
import { doubled, type Pair, peopleOf, readPeople } from './people.ts';
import type { Problem } from './problem.ts';

/** The sources of the map of people. */
export interface PeopleSource {
  /** The people in the configuration. */
  readonly pairs: readonly Pair[];
  readonly nobody: readonly string[];
  /** A file with more people. */
  readonly file: string | null;
}

export interface PeopleBook {
  /** The current map; the file is read again after it changes. */
  current(): People;
}

export type Reading = { readonly people: People } | { readonly problems: readonly Problem[] };

/** Reads the whole map. */
export function readMap({ pairs, nobody, file }: PeopleSource): Reading {
  if (file === null) return { people: peopleOf(pairs, nobody) };
  try {
    const read = readPeople(readFileSync(file, 'utf8'), file);
    const all = [...pairs, ...read.pairs];
    const problems = [...read.problems, ...doubled(all)];
    return problems.length > 0 ? { problems } : { people: peopleOf(all, nobody) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return { problems: [{ file, line: 1, column: 1, message: `cannot read the file of people (${code})` }] };
  }
}

/** Keeps the last valid map while the file is invalid, and warns once per version of the file. */
export function peopleBook(source: PeopleSource, warn: (message: string) => void): PeopleBook {
  let stamp: string | null = null;
  let people = peopleOf(source.pairs, source.nobody);
  return {
    current() {
      const now = stampOf(source.file);
      if (now === stamp) return people;
      stamp = now;
      const reading = readMap(source);
      if ('people' in reading) people = reading.people;
      else {
        const reasons = reading.problems.map(({ file, line, message }) => `${file}:${line}  ${message}`);
        warn(`The file of people is invalid; its last valid version stays in use:\n  ${reasons.join('\n  ')}`);
      }
      return people;
    },
  };
}

/** Changes with the file. */
function stampOf(file: string | null): string {
  const stats = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.mtimeMs} ${stats.size}`;
}
