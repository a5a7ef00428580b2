import { cpus, totalmem } from 'node:os';
import type { Benchmark, Measured } from './benchmark.ts';
import { cellsOf } from './support/table.ts';

export type Results = Readonly<Record<string, readonly Measured[]>>;

/** What makes the page. */
export const command = 'npm run bench -- all --write-docs';

/** The page docs/performance.md: the measurements, the machine and the command. */
export function report(benchmarks: readonly Benchmark[], results: Results): string {
  const parts = benchmarks.flatMap(({ name, about, onPage }) => {
    const measured = results[name];
    if (measured === undefined) return [];
    const shown = measured.map((each) => ({ ...each, numbers: only(each.numbers, onPage) }));
    return [`## ${name}\n\n${wrapped(about)}\n\n${markdownTable(shown)}`];
  });
  const growth = results['growth'] === undefined ? [] : [growthPlotHere];
  return [head(), ...growth, ...parts, ''].join('\n\n');
}

const only = (numbers: Measured['numbers'], names: readonly string[] | undefined): Measured['numbers'] =>
  names === undefined ? numbers : Object.fromEntries(Object.entries(numbers).filter(([name]) => names.includes(name)));

const growthPlotHere = '![Processor time against the amount of work of each kind](performance-growth.svg)';

/** The rest of the page's introduction, after the machine. */
export const introduction = `The sandbox servers count requests and bytes, which do not depend on the machine. Of
milliseconds, only the growth matters elsewhere.`;

const head = (): string => `# Performance

Measured in one run of

    ${command}

${wrapped(`on ${machine()}. ${introduction}`)}

![What grows with the number of pairs, and what does not](performance.svg)`;

const lineLengthMax = 120;

/** The same words in lines of even length. */
export function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(/\s+/u)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= lineLengthMax) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

export function machine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Node.js ${process.version}, ${process.platform}`;
}

export function markdownTable(measured: readonly Measured[]): string {
  const [heads = [], ...all] = cellsOf(measured);
  const rows = all.filter((cells) => !isInHeads(cells, heads));
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    lineOf(heads),
    `|---|${heads
      .slice(1)
      .map(() => '---:|')
      .join('')}`,
    ...rows.map(lineOf),
  ].join('\n');
}

/** Whether each number of a row begins the head of its column, as in "1,000 bugs". */
const isInHeads = ([, ...numbers]: readonly string[], [, ...heads]: readonly string[]): boolean =>
  numbers.every((number, index) => number === '' || (heads[index] ?? '').startsWith(`${number} `));
