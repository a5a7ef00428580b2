import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A piece of code in src/ that is replaced by another, which is wrong. */
export interface Fault {
  /** Where it stands, below src/: `rules/fields/merge.ts`. If it has moved, it is found where it is now. */
  readonly file: string;
  /** Line breaks, indentation and commas at the end of a list do not matter. */
  readonly from: string;
  readonly to: string;
}

/** The code below src/, by file. */
export interface Sources {
  files(): readonly string[];
  read(file: string): string | null;
}

/** The code with a mutant of test/mutation has another folder, since a fault need not fit the mutant. */
const src = process.env['SOURCES'] ?? resolve(import.meta.dirname, '../../../src');

export const ofProject: Sources = {
  files: () => readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')),
  read(file) {
    try {
      return readFileSync(join(src, file), 'utf8');
    } catch {
      return null;
    }
  },
};

/**
 * The file that a fault belongs into, and its code with the fault. Throws if the piece to replace is not there exactly
 * once: then adapt the fault.
 */
export function planted({ file, from, to }: Fault, sources = ofProject): Pick<Place, 'file' | 'code'> {
  const named = placesIn(file, from, sources);
  const places = named.length > 0 ? named : sources.files().flatMap((each) => placesIn(each, from, sources));
  const [place] = places;
  if (place === undefined || places.length > 1) {
    const where = named.length > 0 ? file : 'src';
    throw new Error(`The planted fault no longer fits the code: "${from}" is ${places.length} times in ${where}`);
  }
  const { code, start, end } = place;
  return { file: place.file, code: `${code.slice(0, start)}${to}${code.slice(end)}` };
}

interface Place {
  readonly file: string;
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

function placesIn(file: string, piece: string, { read }: Sources): readonly Place[] {
  const code = read(file);
  if (code === null) return [];
  const asWritten = allOf(code, piece).map((start) => ({ file, code, start, end: start + piece.length }));
  if (asWritten.length > 0) return asWritten;
  const [places, wanted] = [signsOf(code), textOf(piece, signsOf(piece))];
  return allOf(textOf(code, places), wanted).map((at) => ({
    file,
    code,
    start: places[at] ?? 0,
    end: (places[at + wanted.length - 1] ?? 0) + 1,
  }));
}

function allOf(text: string, piece: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) found.push(at);
  return found;
}

/** Where the characters stand that a formatter leaves alone. */
function signsOf(code: string): readonly number[] {
  const signs: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (/\s/u.test(sign) || (sign === ',' && /^\s*[)\]}]/u.test(code.slice(at + 1, at + 100)))) continue;
    signs.push(at);
  }
  return signs;
}

const textOf = (code: string, signs: readonly number[]): string => signs.map((at) => code.charAt(at)).join('');
