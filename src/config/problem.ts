/** The path of a value in the configuration: `['routes', 0, 'github', 'repo']`. */
export type Path = readonly (string | number)[];

/** A problem at a path, before its position in the file is known. `message` continues the name of the path. */
export interface Complaint {
  readonly path: Path;
  readonly message: string;
}

/** A problem at a position in a file; lines and columns start at 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown with all problems at once; the message is ready to print and contains no secret. */
export class ConfigProblems extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    const heading =
      sorted.length === 1 ? 'The configuration has a problem:' : `The configuration has ${sorted.length} problems:`;
    super([heading, ...sorted.map(asLine)].join('\n'));
    this.name = 'ConfigProblems';
    this.problems = sorted;
  }
}

const asLine = (problem: Problem): string => `  ${problem.file}:${problem.line}:${problem.column}  ${problem.message}`;

/** The path as text: `routes[0].github.repo`. */
export function pathText(path: Path): string {
  if (path.length === 0) return 'the configuration';
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}
