import type { Benchmark, Measured } from './benchmark.ts';
import { bridged, repo } from './support/bridge.ts';
import { type Dimension, dimensions, repoOf } from './support/dimensions.ts';
import { ownUse, type Use, widgetTo } from './support/own-use.ts';

const about = `The built program brings work of one kind across, in sizes that double: its processor time and its
peak memory, without those of a start with nothing to do. The exponent of the fit is 1 where the time grows as the work
does, and 2 where it grows with the square; "per unit" is the time for one in the largest size against the smallest.`;

const doublings = 4;
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const nothing: Dimension = { name: 'nothing', smallest: 0, fill: () => undefined };

export const growth: Benchmark = {
  name: 'growth',
  about,
  bugsOnPage: [],
  onPage: ['smallest', 'rssMb', 'exponent', 'perUnit'],
  async run({ report }) {
    const start = await used(nothing, 0);
    const measured: Measured[] = [];
    for (const dimension of dimensions) {
      const sizes = times(doublings).map((nth) => dimension.smallest * 2 ** (nth - 1));
      const costs: { readonly size: number; readonly cpuMs: number; readonly rssMb: number }[] = [];
      for (const size of sizes) {
        report(`${size} ${dimension.name}`);
        const { cpuMs, rssMb } = await used(dimension, size);
        costs.push({ size, cpuMs: Math.max(1, cpuMs - start.cpuMs), rssMb: rssMb - start.rssMb });
      }
      const spent = Object.fromEntries(costs.map(({ cpuMs }, index) => [`cpuMsOfSize${index + 1}`, cpuMs]));
      const [[smallest], [largest]] = [costs, costs.slice(-1)];
      const numbers = {
        smallest: dimension.smallest,
        ...spent,
        rssMb: largest?.rssMb ?? 0,
        exponent: exponentOf(costs),
        perUnit: perUnit(largest) / perUnit(smallest),
      };
      measured.push({ name: dimension.name, numbers });
    }
    return measured;
  },
};

const perUnit = (cost: { readonly size: number; readonly cpuMs: number } | undefined): number =>
  cost === undefined ? Number.NaN : cost.cpuMs / cost.size;

/** The slope of the line through the logarithms. */
export function exponentOf(costs: readonly { readonly size: number; readonly cpuMs: number }[]): number {
  const points = costs.map(({ size, cpuMs }) => [Math.log(size), Math.log(cpuMs)] as const);
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const across = points.reduce((sum, [each]) => sum + (each - x) ** 2, 0);
  return points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0) / across;
}

async function used(dimension: Dimension, size: number): Promise<Use> {
  const bridge = await bridged();
  try {
    dimension.fill(bridge, size);
    const { people, creations, later } = dimension;
    const routeOf = (product: string, repository: string) => ({
      ...widgetTo(bridge, product, repository),
      dependencies: true,
      ...dimension.route?.(size),
    });
    const routes = [
      routeOf('Widget', repo),
      ...(dimension.routes?.(size) ?? []).map((product) => routeOf(product, repoOf(product))),
    ];
    return await ownUse(bridge, {
      ...{ routes, people: people?.(size) ?? {}, github: creations ?? {}, command: ['once'] },
      ...(later === undefined
        ? {}
        : {
            before() {
              bridge.wait(settledMs);
              later(bridge, size);
            },
          }),
    });
  } finally {
    await bridge.close();
  }
}

const settledMs = 60_000;
