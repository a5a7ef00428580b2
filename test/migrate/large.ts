/**
 * Migrates a generated tracker over HTTP, twice, tells what that took, and compares: `npm exec -- node
 * test/migrate/large.ts 5000`.
 */

import { type House, openHouse } from '../support/bugferry.ts';
import { fillGenerated } from '../support/generated-tracker.ts';

export interface Measured {
  readonly bugs: number;
  readonly imported: number;
  /** Requests of any kind, by what they asked for. */
  readonly github: ReadonlyMap<string, number>;
  readonly githubPerBug: number;
  readonly trackerPerBug: number;
  readonly seconds: number;
}

export async function openLarge(count: number, seed = 20261121): Promise<House> {
  const house = await openHouse((tracker) => fillGenerated(tracker, { count, seed }));
  house.github.allow('acme/widget', 'bugferry-bot', 'admin');
  // An hour's worth of requests is made in seconds here.
  Object.assign(house.github.limits, { primaryPerHour: 1_000_000 });
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  return house;
}

/** One run, and what it took. */
export async function measure(house: House): Promise<Measured> {
  const [github, tracker, startedAt] = [house.github.requests.length, house.requests(), Date.now()];
  const { code, out, err } = await house.run('migrate', '--json', '--no-verify');
  if (code !== 0) throw new Error(`migrate ended with ${code}: ${err} ${out.slice(-500)}`);
  const last = JSON.parse(out.trim().split('\n').at(-1) ?? '{}');
  const lines = house.github.requests.slice(github);
  const kinds = Map.groupBy(lines, ({ method, path }) => `${method} ${path.replace(/\d+/gu, 'N')}`);
  const bugs = house.tracker.bugs().length;
  return {
    bugs,
    imported: last.imported,
    github: new Map([...kinds].map(([kind, list]) => [kind, list.length])),
    githubPerBug: lines.length / bugs,
    trackerPerBug: (house.requests() - tracker) / bugs,
    seconds: Math.round((Date.now() - startedAt) / 100) / 10,
  };
}

if (import.meta.main) {
  const house = await openLarge(Number(process.argv[2] ?? 5_000));
  const print = (value: unknown) =>
    process.stdout.write(`${JSON.stringify(value, (_key, each) => (each instanceof Map ? [...each] : each), 1)}\n`);
  print(await measure(house));
  print(await measure(house));
  print(await house.run('verify'));
  await house.close();
}
