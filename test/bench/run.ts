/**
 * `npm run bench`: the cost of bugferry's parts in requests, bytes, time and memory. Each benchmark has a file of its
 * own.
 */

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Measured } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';
import { report } from './report.ts';
import { wholeSize } from './size/generate.ts';
import { about as aboutSize, sizePage } from './size/page.ts';
import { rehearse } from './size/size.ts';
import { linksHeldMax } from './support/filled-state.ts';
import { growthPlot, plot } from './support/plot.ts';
import { table } from './support/table.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const bugsMax = 20_000;
/** What docs/performance.md shows; benchmarks that hold all in memory leave out the last. */
const linksOnPage = [1_000, 10_000, 100_000, 1_000_000];

const help = `Usage: npm run bench -- [benchmark ...] [options]

Without a name, or with "all", all benchmarks but "size" run. Nothing leaves this machine, unless you name a tracker elsewhere.

${benchmarks.map(({ name, about }) => `  ${name}\n${about.replace(/^/gmu, '    ')}`).join('\n')}
  size
${aboutSize.replace(/^/gmu, '    ')}

  --bugs N       the number of bugs on the tracker, 1 to ${bugsMax}; 600 by default. With "size", up to ${wholeSize.bugs}, which is its default
  --links N,...  the numbers of mirrored pairs to measure growth with; 1000,10000 by default.
                 More than ${linksHeldMax.toLocaleString('en')} are for the benchmark "state" only
  --tracker URL  with --key KEY: the tracker that "peers" reads, instead of its sandboxes; it is only read
  --write-docs   with "all": measure at the sizes of docs/performance.md, and write it anew with its plot.
                 With "size": write docs/size.md anew
  --json FILE    also write the numbers to a file
  --help         this text
`;

/** Throws an `Error` for people when the command line is wrong. */
function wishes() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      bugs: { type: 'string' },
      links: { type: 'string', default: '1000,10000' },
      tracker: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const isSize = positionals.join() === 'size';
  if (!isSize && positionals.includes('size')) throw new Error('"size" takes hours, so it runs alone.');
  const most = isSize ? wholeSize.bugs : bugsMax;
  const bugs = Number(values.bugs ?? (isSize ? most : 600));
  if (!Number.isInteger(bugs) || bugs < 1 || bugs > most) throw new Error(`--bugs takes a number from 1 to ${most}.`);
  const links = values.links.split(',').map(Number);
  if (!links.every((each) => Number.isInteger(each) && each >= 1))
    throw new Error('--links takes numbers from 1 on, with commas.');
  const unknown = positionals.find(
    (wanted) => !isSize && wanted !== 'all' && !benchmarks.some(({ name }) => name === wanted),
  );
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}"; --help lists those that there are.`);
  const isAll = positionals.length === 0 || positionals.includes('all');
  const chosen = isAll ? benchmarks : benchmarks.filter(({ name }) => positionals.includes(name));
  const { tracker: url, key: apiKey, 'write-docs': isWritten } = values;
  if ((url === undefined) !== (apiKey === undefined)) throw new Error('--tracker and --key go together.');
  if (url !== undefined && positionals.join() !== 'peers')
    throw new Error('--tracker goes with "peers" and nothing else.');
  const tracker = url === undefined || apiKey === undefined ? {} : { tracker: { url, apiKey } };
  if (isWritten && !isSize && positionals.join() !== 'all')
    throw new Error('The page is from one run: --write-docs goes with "all" or "size", and nothing else.');
  return { isSize, bugs, links, tracker, chosen, isWritten, file: values.json, isHelp: values.help };
}

async function main(): Promise<void> {
  const { isSize, bugs, links, tracker, chosen, isWritten, file, isHelp } = wishes();
  if (isHelp) {
    process.stdout.write(help);
    return;
  }
  if (isSize) {
    await runSize(bugs, isWritten, file);
    return;
  }
  const results: Record<string, readonly Measured[]> = {};
  for (const benchmark of chosen) {
    const measured: Measured[] = [];
    for (const size of isWritten && benchmark.bugsOnPage.length > 0 ? benchmark.bugsOnPage : [bugs]) {
      const options = {
        bugs: size,
        links: isWritten ? linksOnPage : links,
        report: progress(benchmark.name),
        ...tracker,
      };
      measured.push(...(await benchmark.run(options)));
    }
    results[benchmark.name] = measured;
    progress(benchmark.name)('');
    process.stdout.write(`${benchmark.name}\n\n${table(measured)}\n`);
  }
  if (isWritten) {
    writeFileSync(resolve(docs, 'performance.md'), report(benchmarks, results));
    writeFileSync(resolve(docs, 'performance.svg'), plot(results));
    if (results['growth'] !== undefined)
      writeFileSync(resolve(docs, 'performance-growth.svg'), growthPlot(results['growth']));
  }
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

const daysOnPage = 30;

async function runSize(bugs: number, isWritten: boolean, file: string | undefined): Promise<void> {
  const rehearsed = await rehearse(bugs, daysOnPage, progress('size'));
  progress('size')('');
  process.stdout.write(
    `${table(rehearsed.phases)}\n\n${table([rehearsed.whole])}\n${rehearsed.differences.join('\n')}\n`,
  );
  if (isWritten) writeFileSync(resolve(docs, 'size.md'), sizePage(rehearsed, bugs));
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(rehearsed, null, 2)}\n`);
}

/** One line at a terminal, written over again and again; nothing elsewhere. An empty text takes the line away. */
function progress(name: string): (text: string) => void {
  if (!process.stderr.isTTY) return () => {};
  return (text) => process.stderr.write(`\r\u001b[K${text === '' ? '' : `${name}: ${text}`}`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
