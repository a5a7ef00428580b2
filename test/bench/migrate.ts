import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubImporter } from '../../src/github/imports/importer.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Importer } from '../../src/model/migration.ts';
import type { Benchmark, Measured } from './benchmark.ts';
import { type Bridged, bridged, repo, writesOf } from './support/bridge.ts';
import { usedPeak } from './support/heap.ts';
import { largeWorld } from './support/large-world.ts';

const about = `A whole tracker migrated by both writers, and a second run with nothing left to do, on a virtual clock.
The floor of the import is a request for each bug, one for each hundred issues or comments to read the results, and one
for each 25 issues that an import cannot close correctly. The floor of the normal endpoints is a request for each bug,
comment and closing.`;

export type Writer = 'import' | 'api';

export const migration: Benchmark = {
  name: 'migrate',
  about,
  bugsOnPage: [300],
  onPage: [
    'githubRequestsPerBug',
    'githubFloorPerBug',
    'ratio',
    'trackerRequestsPerBug',
    'bytesPerBug',
    'cpuMsPerBug',
    'virtualHours',
    'githubRequests',
    'githubWrites',
    'trackerRequests',
    'bytes',
  ],
  async run({ bugs, report }) {
    const measured: Measured[] = [];
    for (const writer of ['import', 'api'] as const) {
      const bridge = await bridgeTo(bugs);
      try {
        const name = `${bugs.toLocaleString('en')} bugs, ${writer}`;
        measured.push({ name, numbers: await migrateNumbers(bridge, writer, bugs, report) });
        measured.push({ name: 'again', numbers: await againNumbers(bridge, writer) });
      } finally {
        await bridge.close();
      }
    }
    return measured;
  },
};

/** How long GitHub took over an import, one after the other. */
const importDelaysMs = [3_000, 1_000, 8_000, 2_000, 30_000];

/**
 * A bridge from a tracker with so many bugs, every third of them closed for another reason than being mended, to an
 * empty repository.
 */
export async function bridgeTo(bugs: number): Promise<Bridged> {
  const { world, ids, wait } = largeWorld(bugs, 10_000);
  for (const [nth, id] of ids.entries()) {
    const bug = world.state.bugs.get(id);
    if (bug !== undefined && nth % 3 === 0)
      world.state.bugs.set(id, { ...bug, status: 'RESOLVED', resolution: 'WONTFIX' });
  }
  const bridge = await bridged({ route: { direction: 'to-github' }, tracker: world, clock: { now: world.now, wait } });
  bridge.github.allow(repo, 'bugferry-bot', 'admin');
  Object.assign(bridge.github.limits, { importDelaysMs, primaryPerHour: 1_000_000 });
  return bridge;
}

export async function migrateNumbers(
  bridge: Bridged,
  writer: Writer,
  bugs: number,
  report: (progress: string) => void,
): Promise<Measured['numbers']> {
  const [{ user: before }, begunAt, heap] = [process.cpuUsage(), bridge.context.clock.now(), usedPeak()];
  bridge.mark();
  await carry(bridge, writer, report);
  const { tracker, github, bytes } = bridge.counted();
  const issues = bridge.github.issues(repo);
  if (issues.length !== bugs) throw new Error(`Of ${bugs} bugs ${issues.length} have an issue.`);
  const comments = issues.reduce((sum, { number }) => sum + bridge.github.commentsOf(repo, number).length, 0);
  const closed = issues.filter(({ state }) => state === 'closed').length;
  const floor = writer === 'import' ? bugs + (bugs + comments) / 100 + closed / 25 : bugs + comments + closed;
  return {
    bugs,
    githubRequestsPerBug: github.length / bugs,
    githubFloorPerBug: floor / bugs,
    ratio: github.length / floor,
    githubWritesPerBug: writesOf(github) / bugs,
    trackerRequestsPerBug: tracker.length / bugs,
    bytesPerBug: bytes / bugs,
    cpuMsPerBug: (process.cpuUsage().user - before) / 1000 / bugs,
    heapMb: heap.end() / 1e6,
    virtualHours: (bridge.context.clock.now() - begunAt) / 3_600_000,
  };
}

/** A second run, which finds all of it. */
export async function againNumbers(bridge: Bridged, writer: Writer): Promise<Measured['numbers']> {
  bridge.mark();
  await carry(bridge, writer, () => undefined);
  const { tracker, github, bytes } = bridge.counted();
  return { githubRequests: github.length, githubWrites: writesOf(github), trackerRequests: tracker.length, bytes };
}

export async function carry(bridge: Bridged, writer: Writer, report: (progress: string) => void): Promise<void> {
  // Who waits here lets the time pass.
  const clock = { now: bridge.context.clock.now, sleep: async (ms: number) => bridge.wait(ms) };
  await migrate({
    context: { ...bridge.context, clock },
    importer: writer === 'import' ? importerOf(bridge) : null,
    numbers: 'free',
    limit: null,
    tell: (event) => {
      if (event.kind === 'progress') report(`${writer}, ${event.done} of ${event.total}`);
    },
  });
}

function importerOf({ servers, context: { clock, route } }: Bridged): Importer {
  const [url, token] = [servers.github.url, 'token-of-bugferry-bot'];
  const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
  const client = createGithubClient({ url, token, lane, timeoutMs: 60_000, now: clock.now });
  return githubImporter({ client, owner: route.owner, repo: route.repo });
}
