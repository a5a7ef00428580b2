import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The documents for people, by their path from the root of the project. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  ...globSync('docs/**/*.md', { cwd: root }).sort(),
];

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * What a document tells people to type: the lines of its blocks of code, and its code within sentences. Lines that end
 * in a backslash are joined; what a demo or a command prints is no command, so only lines that begin with one of
 * `programs` count.
 */
export function commandsIn(text: string, programs: readonly string[]): readonly string[] {
  const lines = text.replace(/\\\n\s*/gu, ' ').split('\n');
  let isFenced = false;
  const { block = [], prose = [] } = Object.groupBy(lines, (line) => {
    const isFence = /^\s*```/u.test(line);
    if (isFence) isFenced = !isFenced;
    return isFenced || isFence || line.startsWith('    ') ? 'block' : 'prose';
  });
  const inline = [...prose.join(' ').matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code);
  const typed = [...block.map((line) => line.trim().split(/\s{3,}/u)[0] ?? ''), ...inline].map((line) =>
    line.replace(/\s+/gu, ' ').trim(),
  );
  return typed.filter((line) => programs.some((program) => line === program || line.startsWith(`${program} `)));
}

/** The forms of this program in a document. What stands before its own arguments belongs to Docker or npm. */
const callOfProgram =
  /^(?:docker run .*?(?<!--name )\bbugferry(?![\w:-])|docker exec bugferry node \S+|node dist\/main\.js|npm run bugferry --|(?:npx )?bugferry)(?: (.*))?$/u;

/** The arguments that a command line gives to this program, without a redirection; null if it runs something else. */
export function ownArguments(line: string): string | null {
  const demo = /^npm run demo(?: --( .*))?$/u.exec(line);
  if (demo !== null) return `demo${demo[1] ?? ''}`;
  const own = callOfProgram.exec(line);
  return own === null ? null : (own[1] ?? '').replace(/ >.*$/u, '').trim();
}

/** The relative links of a document, without those into itself and those in examples, which stand between tildes. */
export function linksIn(text: string): readonly { readonly path: string; readonly heading: string | null }[] {
  const words = text.replace(/^(~{3,})\n[\s\S]*?^\1$/gmu, '');
  const targets = [...words.matchAll(/\]\(([^)\s]+)\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/iu.test(target));
  return targets.map((target) => {
    const [path = '', heading = null] = target.split('#');
    return { path, heading };
  });
}

/** The anchors that headings get on GitHub. */
export const anchorsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gmu)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
