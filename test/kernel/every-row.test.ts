import { afterAll, describe, expect, test } from 'vitest';
import { setAsideOf } from '../../src/explain/set-aside.ts';
import { rowReader } from '../../src/kernel/read-rows.ts';
import { blockedRow } from '../../src/kernel/set-aside.ts';
import type { Route } from '../../src/model/route.ts';
import type { WatchedWork } from '../../src/model/runtime.ts';
import { watchWith } from '../../src/runtime/watchdog.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { edgeCodeIn } from '../support/edges.ts';
import { onStep, withSteps } from '../support/faults/steps.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { some } from '../tiers/depth.ts';

/**
 * I11, for the edges, without a list of places: each function that is given a bug, an issue, a comment, a file or a
 * history of an answer works under the watch of that item, and may throw there, or never end.
 */
const copy = withSteps(['bugzilla', 'github']);
const code = await edgeCodeIn(copy.folder);

/** What the watchdog would blame now. */
let at: WatchedWork | undefined;
const { during, unhook } = watchWith((work) => {
  at = work;
});
afterAll(() => {
  unhook();
  onStep(null);
  copy.remove();
});

const route: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  attachments: branchRule,
  milestones: true,
  dependencies: true,
};
const limits = { ...testLimits, brakeShare: 1 };
const words = ['One', 'POISON', 'Two'] as const;
const [one, poison, two] = words;

type Row = Readonly<Record<string, unknown>>;
const texts = ['summary', 'title', 'text', 'body', 'file_name', 'history', 'changes'];
const rowIn = (given: readonly unknown[]): Row | undefined =>
  given.find((each): each is Row => {
    const isPlain = typeof each === 'object' && each !== null && !Array.isArray(each);
    return isPlain && ('id' in each || 'number' in each || 'who' in each) && texts.some((name) => name in each);
  });

type Listen = (step: string, row: Row, world: Stage) => void;

/** People at work on three bugs, of whose rows `listen` is told. Returns what went wrong with those without poison. */
async function course(listen: Listen): Promise<readonly string[]> {
  const world = stage();
  const { tracker, github, store, clock } = world;
  const wrong: string[] = [];
  const expectThat = (isSo: boolean | undefined, what: string) => isSo || wrong.push(what);
  const rows = () => rowReader({ route: route.name, version: '0.0.0', store, watch: { during } });
  const turns = async (count: number, run: typeof cycle | typeof sweep = cycle) => {
    for (let index = 0; index < count; index += 1) {
      clock.advance(61_000);
      const context = { ...contextOn(world, route, { limits, edges: { code, rows } }), watch: { during } };
      await run(context, { isForced: false }).catch((error: unknown) => wrong.push(String(Object(error).stack)));
    }
  };
  onStep((step, given) => {
    const row = rowIn(given);
    if (row !== undefined) listen(step, row, world);
  });
  const issues = () => github.issues(repo);
  const issueOf = (word: string) => issues().find(({ title }) => title.startsWith(word))?.number ?? 0;
  const isKnown = (issue: number) => issue > 0;

  for (const word of words) tracker.as('alice').file({ summary: `${word} kettle`, description: `${word} leaks.` });
  for (const [index, word] of words.entries()) {
    tracker.as('alice').attach(index + 1, { bytes: Buffer.from('x'), file_name: `${word}.bin`, comment: word });
    tracker.as('bob').comment(index + 1, `${word} too`);
  }
  await turns(4);
  expectThat(isKnown(issueOf(one)) && isKnown(issueOf(two)), 'not opened');
  const healthy = new Set([issueOf(one), issueOf(two)]);

  for (const [index, word] of words.entries()) {
    tracker.as('alice').change(index + 1, { summary: `${word} pot`, severity: 'major', comment: { body: `${word}!` } });
    const issue = issueOf(word);
    if (!isKnown(issue)) continue;
    github.as('mona').comment(repo, issue, `${word} on GitHub`);
    github.as('mona').label(repo, issue, 'component: Nope');
  }
  github.as('mona').openPull(repo, { title: poison, body: poison });
  github.as('mona').open(repo, { title: `${poison} is an issue`, body: poison });
  github.as('mona').open(repo, { title: 'Pan is hot', body: 'Pan burns.' });
  await turns(3);
  expectThat(isKnown(issueOf(`${one} pot`)) && isKnown(issueOf(`${two} pot`)), 'not renamed');
  expectThat(
    [1, 3].every((bug) => tracker.commentsOf(bug).some(({ text }) => text.includes('on GitHub'))),
    'no comment from GitHub',
  );
  expectThat(
    [...tracker.state.bugs.values()].some(({ summary }) => summary === 'Pan is hot'),
    'not filed',
  );

  clock.advance(700_000);
  github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
  for (const [index, word] of words.entries()) {
    const issue = issueOf(word);
    if (isKnown(issue)) github.as('mona').edit(repo, issue, { title: `${word} in conflict` });
    tracker.as('alice').change(index + 1, { summary: `${word} decided` });
  }
  await turns(2);
  clock.advance(86_400_000);
  await turns(1, sweep);
  for (const bug of [2, 3]) tracker.as('admin').change(bug, { groups: { add: ['security'] } });
  await turns(2);
  expectThat(!issues().some(({ title }) => title.startsWith(two)), 'not withdrawn');
  onStep(null);
  for (const { side, ref, about } of setAsideOf(store, route))
    expectThat(
      side === 'tracker' ? ref === 2 || tracker.bug(ref)?.summary.includes(poison) : !healthy.has(ref),
      `${about} is set aside`,
    );
  return wrong;
}

const isPoisoned = (row: Row): boolean => JSON.stringify(row).includes(poison);

/** What names a row has no net below it. */
const isNet = (step: string): boolean => step.includes('/rows.ts:');

const steps = new Set<string>();
const gaps = new Map<string, string>();
const unhurt = await course((step, row) => {
  if (isPoisoned(row) && !isNet(step)) steps.add(step);
  if (at !== undefined || gaps.has(step) || isNet(step)) return;
  const callers = [...String(new Error('here').stack).matchAll(/\.planted\/[^/]+\/(\S+?:\d+)/gu)];
  gaps.set(step, callers.map(([, place]) => place).join(' < '));
});

test('each row of an answer is read under its watch', () => {
  expect(unhurt).toEqual([]);
  expect(steps.size).toBeGreaterThan(15);
  expect(Object.fromEntries(gaps)).toEqual({});
});

describe('costs that item and nothing else', () => {
  test.each(some([...steps].toSorted(), 6))('a throw in %s', async (step) => {
    const thrown: Listen = (each, row) => {
      if (each === step && isPoisoned(row)) throw new RangeError('a fault of ours');
    };
    expect(await course(thrown)).toEqual([]);
  });

  test.each(some([...steps].toSorted(), 6))('work without an end in %s, which is met once', async (step) => {
    const met: string[] = [];
    const blocked: Listen = (each, row, { store, clock }) => {
      if (each !== step || !isPoisoned(row) || at === undefined) return;
      // What is planned and written for a pair is tried again when the pair changes, as it does here.
      if (at.row !== undefined) met.push(JSON.stringify(at));
      // What the next process does, had this one been blocked.
      store.setAside.put(blockedRow(at, { version: '0.0.0', at: clock.now() }));
      if (at.row !== undefined) store.setAside.block({ ...at, row: at.row, version: '0.0.0' });
      throw new RangeError('the process was ended');
    };
    expect(await course(blocked)).toEqual([]);
    expect(met.filter((work, index) => met.indexOf(work) !== index)).toEqual([]);
  });
});
