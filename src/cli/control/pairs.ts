import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { namedIn } from '../../model/named.ts';
import { announce, type CommandContext, withConfig } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { type AskedPair, type PairOptions, pairOf, queuePairs, type WrongLine } from './queue-pairs.ts';

export function addPairs(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'pairs',
    description:
      'Makes each bug and issue of a CSV file a pair, as bugferry pair does. A line has two columns, the bug and the issue: 12,acme/widget#5. If a line is wrong, the command queues nothing.',
    examples: [
      ['import pairs.csv --dry-run', 'says what each line would do'],
      ['import pairs.csv', 'queues all pairs for the next cycle'],
    ],
  });
  withConfig(command)
    .addArgument(new Argument('<verb>', 'the action').choices(['import']))
    .argument('<file>', 'the CSV file')
    .option('--dry-run', 'read both sides, and only say what would happen')
    .action(async (_verb: string, file: string, options: PairOptions) =>
      context.finish(await queuePairs(context, options, pairsOf(file))),
    );
}

function pairsOf(file: string): readonly (AskedPair | WrongLine)[] {
  const pairs = linesIn(contentOf(file));
  if (pairs.length === 0)
    throw new UsageError(`${file} names no pairs. A line is a bug and an issue: 12,acme/widget#5`);
  return pairs;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UsageError(`Cannot read ${file}: ${String(error.code)}.`);
  }
}

/** The pairs of a CSV file. Empty lines do not count, nor does a first line with names of columns. */
function linesIn(text: string): readonly (AskedPair | WrongLine)[] {
  const seen = new Map<string, number>();
  const lines = text.split(/\r\n|\r|\n/u).map((line, index) => ({ line: index + 1, cells: cellsIn(line) }));
  return lines.flatMap(({ line, cells }): readonly (AskedPair | WrongLine)[] => {
    const [bug = null, issue = null] = cells.map(namedIn);
    if (cells.join('') === '' || (line === 1 && bug === null && issue === null && cells.length === 2)) return [];
    const pair = pairOf(bug, issue);
    if (pair === null || cells.length !== 2 || bug?.kind !== 'bug')
      return [{ line, why: 'it must name a bug and an issue, as 12,acme/widget#5' }];
    const keys = [`bug ${pair.bug}`, `${pair.repo.toLowerCase()}#${pair.issue}`];
    const known = keys.find((key) => seen.has(key));
    if (known !== undefined) return [{ line, why: `line ${seen.get(known)} names ${known} too` }];
    for (const key of keys) seen.set(key, line);
    return [{ ...pair, line }];
  });
}

const cellsIn = (line: string): readonly string[] =>
  line.split(/[,;\t]/u).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/u, '$1')
      .trim(),
  );
