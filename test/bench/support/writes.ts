import type { Benchmark, Measured } from '../benchmark.ts';
import { bridged, repo, writesOf } from './bridge.ts';
import { largeWorld } from './large-world.ts';
import { ownUse, widgetTo } from './own-use.ts';

const about = `The processor time of the built program alone for each write to GitHub, without that of a start with
nothing to do: a first run, and a migration by both writers, of bugs with comments and without files. An import is one
write for a bug with its comments. A write is also planned, sent, read and committed to disk.`;

const commands = {
  backfill: ['once'],
  'migrate, api': ['migrate', '--writer', 'api', '--no-verify'],
  'migrate, import': ['migrate', '--writer', 'import', '--no-verify'],
};

export const writes: Benchmark = {
  name: 'writes',
  about,
  bugsOnPage: [1_000],
  onPage: ['writes', 'cpuMsPerWrite', 'cpuMsPerBug'],
  async run({ bugs, report }) {
    const measured: Measured[] = [];
    for (const [name, command] of Object.entries(commands)) {
      report(name);
      const [start, whole] = [await usedFor(command, 0), await usedFor(command, bugs)];
      const cpuMs = whole.cpuMs - start.cpuMs;
      const numbers = {
        ...{ bugs, writes: whole.writes, startCpuMs: start.cpuMs, cpuMs },
        ...{ cpuMsPerWrite: cpuMs / whole.writes, cpuMsPerBug: cpuMs / bugs },
      };
      measured.push({ name, numbers });
    }
    return measured;
  },
};

async function usedFor(command: readonly string[], bugs: number): Promise<{ cpuMs: number; writes: number }> {
  const { world, wait } = largeWorld(bugs, 10_000);
  const bridge = await bridged({ tracker: world, clock: { now: world.now, wait } });
  try {
    bridge.github.allow(repo, 'bugferry-bot', 'admin');
    Object.assign(bridge.github.limits, { importDelaysMs: [0], primaryPerHour: 1_000_000 });
    bridge.mark();
    const direction = command.includes('migrate') ? { direction: 'to-github' } : {};
    const routes = [{ ...widgetTo(bridge, 'Widget', repo), ...direction }];
    const { cpuMs } = await ownUse(bridge, { command, routes, people: {}, github: {} });
    const issues = bridge.github.issues(repo).length;
    if (issues !== bugs) throw new Error(`Of ${bugs} bugs ${issues} have an issue.`);
    return { cpuMs, writes: writesOf(bridge.counted().github) };
  } finally {
    await bridge.close();
  }
}
