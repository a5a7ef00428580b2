import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { People } from '../model/people.ts';
import type { Problem } from './problem.ts';

/** One person, and the place where the entry was written. */
export interface Pair {
  readonly tracker: string;
  readonly github: string;
  readonly file: string;
  readonly line: number;
}

interface ReadPeople {
  readonly pairs: readonly Pair[];
  readonly problems: readonly Problem[];
}

/**
 * Parses a file of people: CSV with a tracker login and a GitHub login per line (other columns are ignored, and a line
 * without a GitHub login is not mapped yet), or YAML with a GitHub login for each tracker login. The extension of
 * `file` decides which.
 */
export function readPeople(text: string, file: string): ReadPeople {
  const read = /\.ya?ml$/iu.test(file) ? readYaml(text, file) : readCsv(text, file);
  const problems = [...read.problems, ...read.pairs.flatMap(pairProblems)];
  return { pairs: read.pairs, problems };
}

/** Duplicate logins: the map must be readable in both directions. */
export function doubled(pairs: readonly Pair[]): readonly Problem[] {
  const seen = new Map<string, Pair>();
  return pairs.flatMap((pair) =>
    (['tracker', 'github'] as const).flatMap((side) => {
      const key = `${side} ${pair[side].toLowerCase()}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, pair);
      const where = side === 'tracker' ? 'The tracker login' : 'The GitHub login';
      return first === undefined
        ? []
        : [problemAt(pair, `${where} ${pair[side]} is already in line ${first.line} of ${first.file}`)];
    }),
  );
}

export function peopleOf(pairs: readonly Pair[], nobody: readonly string[]): People {
  return {
    github: new Map(pairs.map(({ tracker, github }) => [tracker.toLowerCase(), github])),
    tracker: new Map(pairs.map(({ tracker, github }) => [github.toLowerCase(), tracker])),
    nobody,
  };
}

/** The problems of the two logins of one line. */
export function pairProblems(pair: Pair): readonly Problem[] {
  const { tracker, github } = pair;
  const found: string[] = [];
  if (tracker === '' || /\s/u.test(tracker)) found.push(`the tracker login "${tracker}" is empty or has spaces`);
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?(?:\[bot\])?$/u.test(github)) {
    found.push(`"${github}" is not a GitHub login, which has only letters, digits and hyphens`);
  }
  return found.map((message) => problemAt(pair, message));
}

function readCsv(text: string, file: string): ReadPeople {
  const pairs: Pair[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/u, '')
    .split(/\r\n?|\n/u)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [tracker = '', github] = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/u, '$1'));
    const isHeading = pairs.length === 0 && tracker.toLowerCase() === 'tracker' && github?.toLowerCase() === 'github';
    if (isHeading || (github === '' && tracker !== '')) continue;
    const place = { file, line: index + 1 };
    if (github === undefined)
      problems.push(problemAt(place, 'each line needs a tracker login, a comma and a GitHub login'));
    else pairs.push({ tracker, github, ...place });
  }
  return { pairs, problems };
}

function readYaml(text: string, file: string): ReadPeople {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined) => ({ file, line: Math.max(1, lines.linePos(offset ?? 0).line) });
  const [error] = document.errors;
  if (error !== undefined) return { pairs: [], problems: [problemAt(at(error.pos[0]), 'is not valid YAML here')] };
  const { contents } = document;
  if (contents === null) return { pairs: [], problems: [] };
  if (!isMap(contents))
    return {
      pairs: [],
      problems: [problemAt(at(0), 'must be a mapping, with a line such as bob@example.org: mona for each person')],
    };
  const pairs: Pair[] = [];
  const problems: Problem[] = [];
  for (const { key, value } of contents.items) {
    const place = at(isScalar(key) ? key.range?.[0] : 0);
    const github: unknown = isScalar(value) ? value.value : value;
    if (github === null || github === undefined) continue;
    if (isScalar(key) && isScalar(value)) pairs.push({ tracker: String(key.value), github: String(github), ...place });
    else problems.push(problemAt(place, 'must have one GitHub login for each tracker login'));
  }
  return { pairs, problems };
}

const problemAt = ({ file, line }: Pick<Pair, 'file' | 'line'>, message: string): Problem => ({
  file,
  line,
  column: 1,
  message,
});
