import type { Context } from '../../src/kernel/context.ts';
import { plan } from '../../src/rules/plan/plan.ts';
import { planContextOf, planInputsOf, select } from '../../src/sync/observe/select.ts';
import type { Benchmark, Measured } from './benchmark.ts';
import { bridged } from './support/bridge.ts';
import { fillState, linksHeldMax } from './support/filled-state.ts';

const about = `CPU time of planning some changed pairs among all pairs. "select" reads them from the database, "plan" is
the pure part. The time should grow with the changes, not with the number of pairs.`;

const runs = 5;
const changedPairs = [100, 500];

export const planning: Benchmark = {
  name: 'plan',
  about,
  bugsOnPage: [],
  onPage: ['selectMs', 'planMs'],
  async run({ links, report }) {
    const measured: Measured[] = [];
    for (const size of links.filter((each) => each <= linksHeldMax))
      measured.push(...(await planNumbers(size, report)));
    return measured;
  },
};

/** One column for each number of changed pairs. */
export async function planNumbers(links: number, report: (progress: string) => void): Promise<readonly Measured[]> {
  const bridge = await bridged();
  try {
    bridge.tracker.as('alice').file({ summary: 'A model', description: 'Of all others.' });
    await bridge.settle();
    fillState(bridge.store, links, (done) => report(`${done} links`));
    bridge.store.transaction(() => {
      for (const link of bridge.store.links.after('widget', null, links))
        bridge.store.links.save({ ...link, urgency: 'none' });
    });
    return changedPairs.map((changed) => ({
      name: `${changed} of ${links.toLocaleString('en')}`,
      numbers: numbersOf(bridge.context, changed),
    }));
  } finally {
    await bridge.close();
  }
}

function numbersOf(context: Context, changed: number): Measured['numbers'] {
  const { store } = context;
  store.transaction(() => {
    for (const link of store.links.after('widget', null, changed)) {
      if (link.tracker !== null)
        store.links.save({ ...link, tracker: { ...link.tracker, summary: 'Another title' }, urgency: 'live' });
    }
  });
  const least = { selectMs: Number.POSITIVE_INFINITY, planMs: Number.POSITIVE_INFINITY };
  for (let run = 0; run < runs; run += 1) {
    const [inputs, selectMs] = timed(() => planInputsOf(context, select(context)));
    const [planned, planMs] = timed(() => plan(planContextOf(context), inputs));
    const updates = planned.operations.filter(({ kind }) => kind === 'update').length;
    if (updates !== changed) throw new Error(`Of ${changed} changed pairs ${updates} were planned.`);
    least.selectMs = Math.min(least.selectMs, selectMs);
    least.planMs = Math.min(least.planMs, planMs);
  }
  return {
    changed,
    ...least,
    planUsPerLink: (least.planMs / changed) * 1000,
    plannedPerSecond: Math.round((changed / least.planMs) * 1000),
  };
}

/** Of the processor, so that what else runs on the machine counts little. */
function timed<T>(work: () => T): readonly [T, number] {
  const before = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(before);
  return [done, (user + system) / 1000];
}
