import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, repo } from './support/bridge.ts';
import { type Dimension, dimensions, repoOf } from './support/dimensions.ts';

const about = `The built program brings work of one kind across, in sizes that double: its processor time and its
peak memory, without those of a start with nothing to do. The exponent of the fit is 1 where the time grows as the work
does, and 2 where it grows with the square.`;

const doublings = 4;
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const nothing: Dimension = { name: 'nothing', smallest: 0, fill: () => undefined };

export const growth: Benchmark = {
  name: 'growth',
  about,
  bugsOnPage: [],
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
      const [largest] = costs.slice(-1);
      const numbers = {
        smallest: dimension.smallest,
        ...spent,
        rssMb: largest?.rssMb ?? 0,
        exponent: exponentOf(costs),
      };
      measured.push({ name: dimension.name, numbers });
    }
    return measured;
  },
};

/** The slope of the line through the logarithms. */
export function exponentOf(costs: readonly { readonly size: number; readonly cpuMs: number }[]): number {
  const points = costs.map(({ size, cpuMs }) => [Math.log(size), Math.log(cpuMs)] as const);
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const across = points.reduce((sum, [each]) => sum + (each - x) ** 2, 0);
  return points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0) / across;
}

/** A process says at its end what it used. */
const saysUse = `process.on('exit', () => {
  const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8');
  const { user, system } = process.cpuUsage();
  console.error('used', (user + system) / 1000, Number(/VmHWM:\\s+(\\d+)/u.exec(status)[1]) / 1000);
});`;

interface Use {
  readonly cpuMs: number;
  readonly rssMb: number;
}

async function used(dimension: Dimension, size: number): Promise<Use> {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-bench-'));
  const bridge = await bridged();
  try {
    dimension.fill(bridge, size);
    const config = join(folder, 'bridge.json');
    writeFileSync(config, JSON.stringify(configOf(bridge, join(folder, 'bugferry.db'), dimension, size)));
    if (dimension.later !== undefined) {
      await runOnce(config);
      bridge.wait(settledMs);
      dimension.later(bridge, size);
    }
    return await runOnce(config);
  } finally {
    await bridge.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settledMs = 60_000;

async function runOnce(config: string): Promise<Use> {
  const program = resolve(import.meta.dirname, '../../dist/main.js');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(saysUse)}`, program, 'once', '--config', config];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (part: Buffer) => {
    told += part.toString();
  });
  await once(child, 'close');
  const [, cpuMs, rssMb] = /^used (\S+) (\S+)$/mu.exec(told) ?? [];
  if (cpuMs === undefined) throw new Error(`The program did not say what it used: ${told}`);
  return { cpuMs: Number(cpuMs), rssMb: Number(rssMb) };
}

function configOf({ tracker, servers }: Bridged, state: string, dimension: Dimension, size: number) {
  const { apiKey, login } = tracker.user('bridge');
  const routeOf = (product: string, repository: string) => ({
    ...{ name: product.toLowerCase().replace(' ', '-'), tracker: { product }, github: { repo: repository } },
    dependencies: true,
    create: { component: tracker.state.products.find(({ name }) => name === product)?.components[0]?.name ?? 'Core' },
    ...dimension.route?.(size),
  });
  return {
    instance: 'acme',
    tracker: { url: servers.tracker.url, apiKey, login },
    github: { url: servers.github.url, token: 'token-of-bugferry-bot' },
    state,
    people: dimension.people?.(size) ?? {},
    limits: {
      ...{ writesPerCycle: 5000, brakeShare: 1, tracker: { requestsPerSecond: 500 } },
      github: {
        ...{ createsPerMinute: 80_000, createsPerHour: 500_000, pauseBetweenWritesMs: 0, pointsPerMinute: 1_000_000 },
        ...dimension.creations,
      },
    },
    routes: [
      routeOf('Widget', repo),
      ...(dimension.routes?.(size) ?? []).map((product) => routeOf(product, repoOf(product))),
    ],
  };
}
