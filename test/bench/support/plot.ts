import type { Measured } from '../benchmark.ts';
import type { Results } from '../report.ts';

/** One line of a plot: growth relative to the smallest size. */
interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly size: number; readonly times: number }[];
}

interface Frame {
  readonly title: string;
  readonly axis: string;
  readonly height: number;
  /** Room beside the lines for their names, which stand over them otherwise. */
  readonly beside?: number;
}

const [width, margin, lineHeight] = [640, 48, 16];

/** Growth against the number of pairs, both axes by powers of ten: what does not grow is a flat line. */
export function plot(results: Results): string {
  const curves = [
    curveOf(results['idle'], 'cpuMs', 'processor time of an idle cycle', '#2563eb'),
    curveOf(results['idle'], 'bytes', 'bytes of an idle cycle', '#059669'),
    curveOf(results['state'], 'rssMb', 'memory at rest', '#d97706'),
    curveOf(results['state'], 'links', 'pairs', '#9ca3af'),
  ].filter((curve) => curve.points.length > 1);
  const title = 'Growth with the number of mirrored pairs, against the smallest size';
  return drawn(curves, { title, axis: 'pairs', height: 300 });
}

function curveOf(measured: readonly Measured[] | undefined, number: string, name: string, colour: string): Curve {
  const values = (measured ?? []).flatMap(({ numbers }) => {
    const [size, value] = [numbers['links'], numbers[number]];
    return size === undefined || value === undefined || size < 100 ? [] : [{ size, value }];
  });
  const smallest = values[0]?.value ?? 1;
  return { name, colour, points: values.map(({ size, value }) => ({ size, times: value / smallest })) };
}

const doubled = [1, 2, 4, 8];

/** Processor time against the amount of work of each kind, beside what grows as the work, and with its square. */
export function growthPlot(measured: readonly Measured[]): string {
  const curves = measured.map(({ name, numbers }, index): Curve => {
    const [first = 1, ...further] = doubled.flatMap((_, nth) => numbers[`cpuMsOfSize${nth + 1}`] ?? []);
    const times = [1, ...further.map((cpuMs) => cpuMs / first)];
    return {
      name: `${name}: ${(numbers['exponent'] ?? Number.NaN).toFixed(2)}`,
      colour: `hsl(${Math.round((index * 360) / measured.length)} 70% 40%)`,
      points: times.map((each, nth) => ({ size: doubled[nth] ?? 1, times: each })),
    };
  });
  const grown = (name: string, power: number): Curve => {
    const points = doubled.map((size) => ({ size, times: size ** power }));
    return { name, colour: '#9ca3af', points };
  };
  const all = [...curves, grown('as the work: 1', 1), grown('with its square: 2', 2)];
  const title =
    'Processor time against the amount of work, both against the smallest size, with the exponent of the fit';
  return drawn(all, { title, axis: 'times as much work', height: 400, beside: 210 });
}

function drawn(curves: readonly Curve[], { title, axis, height, beside = 0 }: Frame): string {
  const right = width - margin - beside;
  const all = curves.flatMap(({ points }) => points);
  const [sizeMax, timesMax] = [
    Math.max(2, ...all.map(({ size }) => size)),
    Math.max(10, ...all.map(({ times }) => times)),
  ];
  const [sizeMin, timesMin] = [Math.min(...all.map(({ size }) => size)), 0.5];
  const share = (value: number, least: number, most: number): number =>
    Math.log(value / least) / Math.log(most / least);
  const x = (size: number): number => margin + share(size, sizeMin, sizeMax) * (right - margin);
  const y = (times: number): number =>
    height - margin - share(Math.max(times, timesMin), timesMin, timesMax) * (height - 2 * margin);
  const parts = [
    label((margin + right) / 2, height - 8, axis, 'middle'),
    ...[...new Set(all.map(({ size }) => size))].map((size) =>
      label(x(size), height - margin + 20, size.toLocaleString('en'), 'middle'),
    ),
    ...[1, 10, 100, 1_000]
      .filter((times) => times <= timesMax)
      .flatMap((times) => [
        `<line x1="${margin}" x2="${right}" y1="${y(times)}" y2="${y(times)}" stroke="#d1d5db"/>`,
        label(margin - 8, y(times) + 4, `${times.toLocaleString('en')}×`, 'end'),
      ]),
    ...curves.map(({ colour, points }) => {
      const path = points.map(({ size, times }) => `${x(size).toFixed(1)},${y(times).toFixed(1)}`).join(' ');
      return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    }),
    ...curves.map(({ name, colour }, index) =>
      label((beside === 0 ? margin : right) + 12, margin + 22 + lineHeight * index, `— ${name}`, 'start', colour),
    ),
  ];
  const style = 'style="background:#fff;font:12px sans-serif"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 ${width + 8} ${height}" ${style}><title>${title}</title>${parts.join('')}</svg>\n`;
}

const label = (x: number, y: number, text: string, anchor: string, colour = '#374151'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${text}</text>`;
