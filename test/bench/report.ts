import { cpus, totalmem } from 'node:os';
import type { Benchmark, Measured } from './benchmark.ts';
import { cellsOf } from './support/table.ts';

export type Results = Readonly<Record<string, readonly Measured[]>>;

/** What makes the page. */
export const command = 'npm run bench -- all --write-docs';

/** The page docs/performance.md: the measurements, the machine and the command. */
export function report(benchmarks: readonly Benchmark[], results: Results): string {
  const parts = benchmarks.flatMap(({ name, about }) => {
    const measured = results[name];
    return measured === undefined ? [] : [`## ${name}\n\n${wrapped(about)}\n\n${markdownTable(measured)}`];
  });
  return [head(), ...parts, ''].join('\n\n');
}

/** The rest of the page's introduction, after the machine. */
export const introduction = `The sandbox servers count requests and bytes, which do not depend on the machine. Of
milliseconds, only the growth matters elsewhere. The deep tests check some of these numbers at small sizes
(\`test/bench/limits.test.ts\`, \`test/bench/read.test.ts\`).`;

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

/** One line of the plot: growth relative to the smallest size. */
interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly links: number; readonly times: number }[];
}

const [width, height, margin] = [640, 300, 48];

/** Growth against the number of pairs, both axes by powers of ten: what does not grow is a flat line. */
export function plot(results: Results): string {
  const curves = [
    curveOf(results['idle'], 'cpuMs', 'processor time of an idle cycle', '#2563eb'),
    curveOf(results['idle'], 'bytes', 'bytes of an idle cycle', '#059669'),
    curveOf(results['state'], 'rssMb', 'memory at rest', '#d97706'),
    curveOf(results['state'], 'links', 'pairs', '#9ca3af'),
  ].filter((curve) => curve.points.length > 1);
  const all = curves.flatMap(({ points }) => points);
  const [linksMax, timesMax] = [
    Math.max(10, ...all.map(({ links }) => links)),
    Math.max(10, ...all.map(({ times }) => times)),
  ];
  const [linksMin, timesMin] = [Math.min(...all.map(({ links }) => links)), 0.5];
  const x = (links: number): number =>
    margin + (Math.log(links / linksMin) / Math.log(linksMax / linksMin)) * (width - 2 * margin);
  const y = (times: number): number =>
    height -
    margin -
    (Math.log(Math.max(times, timesMin) / timesMin) / Math.log(timesMax / timesMin)) * (height - 2 * margin);
  const sizes = [...new Set(all.map(({ links }) => links))];
  const parts = [
    label(width / 2, height - 8, 'pairs', 'middle'),
    ...sizes.map((links) => label(x(links), height - margin + 20, links.toLocaleString('en'), 'middle')),
    ...[1, 10, 100, 1_000]
      .filter((times) => times <= timesMax)
      .flatMap((times) => [
        `<line x1="${margin}" x2="${width - margin}" y1="${y(times)}" y2="${y(times)}" stroke="#d1d5db"/>`,
        label(margin - 8, y(times) + 4, `${times.toLocaleString('en')}×`, 'end'),
      ]),
    ...curves.map(({ colour, points }) => {
      const path = points.map(({ links, times }) => `${x(links).toFixed(1)},${y(times).toFixed(1)}`).join(' ');
      return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    }),
    ...curves.map(({ name, colour }, index) =>
      label(margin + 12, margin + 22 + 16 * index, `— ${name}`, 'start', colour),
    ),
  ];
  const title = '<title>Growth with the number of mirrored pairs, against the smallest size</title>';
  const style = 'style="background:#fff;font:12px sans-serif"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${style}>${title}${parts.join('')}</svg>\n`;
}

function curveOf(measured: readonly Measured[] | undefined, number: string, name: string, colour: string): Curve {
  const values = (measured ?? []).flatMap(({ numbers }) => {
    const [links, value] = [numbers['links'], numbers[number]];
    return links === undefined || value === undefined || links < 100 ? [] : [{ links, value }];
  });
  const smallest = values[0]?.value ?? 1;
  return { name, colour, points: values.map(({ links, value }) => ({ links, times: value / smallest })) };
}

const label = (x: number, y: number, text: string, anchor: string, colour = '#374151'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${text}</text>`;
