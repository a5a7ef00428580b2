import { expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { perTier, sample, some } from '../../tiers/depth.ts';
import { keepCanaries } from '../canary.ts';
import type { Engine } from '../simulate.ts';
import { simulateRestores } from './restoring.ts';

/** I3, I4 and I9 while states of any age come back, and trackers go back to a dump. SEED says where to begin. */
const first = Number(process.env['SEED'] ?? 1);

/** Seeds that once failed, before people wrote over copies in them, and what holds since. */
const kept: readonly (readonly [string, number])[] = [
  ['GitHub fails on one issue for a moment, and that is no fault of the bridge', 132],
  ['a bug that was closed before its filing was known stays closed', 86],
  ['a description that was edited before its issue was known is rewritten', 269],
  ['a label that people gave while the bridge wrote to the issue crosses', 59],
  ['a copy that a withdrawal erased comes back, where the state is of the middle of that withdrawal', 45],
  ['a copy that the state does not know is rewritten after an edit of its comment', 2_100_000_001],
  ['likewise, where the comment was edited twice', 2_100_000_041],
  ['a body that the state does not know is rewritten after an edit of its description', 2_100_000_051],
  ['a copy that was written again since the backup is not written a third time', 2_100_000_058],
  [
    'what both sides say after a bug was shown again travels, whoever changed an issue that looked withdrawn',
    2_100_000_238,
  ],
  ['what the withdrawal of an issue wrote is no copy of what the bug showed', 2_100_000_605],
  ['a number that a restored tracker gives again has one counterpart', 2_100_000_067],
  ['a label that is taken and given again competes with the tracker', 2_100_000_213],
  ['what nobody saw alike on both sides still competes', 2_100_000_320],
  ['a title given to the issue of a bug that was hidden for seconds goes with the withdrawal', 103],
  ['an issue that our account made is a copy of what the bug showed then', 2_300_000_208],
  ['a pair whose creation the backup has as planned is older than the world, too', 2_300_000_546],
  ['a bug filed by a process that died is not the lost one of its number', 2_300_000_058],
  ['a label given between the read and the write of a cycle may be overwritten', 2_100_000_580],
  ['an audit raises no alarm for a description whose place shows that it was withdrawn', 126],
  ['a copy that was erased and written again since the backup is not taken for deleted by people', 810_002_864],
  ['an issue that a withdrawal had only locked when the state went back is unlocked', 812_000_576],
  ['a state that was put back is noticed also if its first cycle waits for a visibility check', 475],
];

test.each(some(kept, kept.length))('%s', async (_what, seed) => {
  expect((await simulateRestores({ cycle, sweep }, seed, { hasWriters: false })).violations).toEqual([]);
});

test('a copy that only the other of two daemons has rewritten is no edit by people', async () => {
  const options = { hasTwins: true, hasWriters: false };
  expect((await simulateRestores({ cycle, sweep }, 2_700_100_056, options)).violations).toEqual([]);
});

test('what people did last stands, nothing is doubled and nothing private is left, whatever went back', async () => {
  for (let seed = first; seed < first + perTier({ check: 1, test: 8, deep: 300 }); seed += 1) {
    const { violations } = await simulateRestores({ cycle, sweep }, seed);
    expect(violations, `replay with: npm run sim -- --restores --seeds 1 --from ${seed}`).toEqual([]);
  }
});

test('two daemons that run in turn, each on its own copy of a state, double nothing either', async () => {
  for (let seed = first; seed < first + perTier({ check: 0, test: 2, deep: 60 }); seed += 1) {
    const { violations } = await simulateRestores({ cycle, sweep }, seed, { hasTwins: true });
    expect(violations, `replay with: npm run sim -- --restores --twins --seeds 1 --from ${seed}`).toEqual([]);
  }
});

const keptLeaving: typeof kept = [
  ['what people close in the minute of the cutover stays closed', 811_001_800],
  ['a description that is edited during its import crosses', 820_000_042],
  ['a copy waits as long as GitHub cannot say who wrote it', 820_003_017],
  ['a milestone that people take back after our write, whose answer was lost, stays so', 830_008_544],
  ['a bug that people close while its issue is open competes with no earlier reopening', 861_000_036],
  ['an import that the state does not know is found by the bug that names it', 229],
];

test.each(some(keptLeaving, keptLeaving.length))('%s', async (_what, seed) => {
  const options = { isLeaving: true, hasWriters: false };
  expect((await simulateRestores({ cycle, sweep }, seed, options)).violations).toEqual([]);
});

test('nor is anything lost or closed where people migrate, cut over and take that back meanwhile', async () => {
  for (let seed = first; seed < first + perTier({ check: 0, test: 2, deep: 60 }); seed += 1) {
    const { violations } = await simulateRestores({ cycle, sweep }, seed, { isLeaving: true });
    expect(violations, `replay with: npm run sim -- --restores --leaving --seeds 1 --from ${seed}`).toEqual([]);
  }
});

const keptWriters: readonly (readonly [string, number, boolean])[] = [
  ['an issue whose body people wrote over shows nothing of a hidden bug', 930_001_044, false],
  ['who quotes the first line of a copy did not edit', 930_002_027, true],
  ['a body that people emptied stays empty, once that was told and a backup came back', 930_004_004, true],
  ['the edit of a body is told once, although the state was lost', 930_004_015, true],
  ['a state that only planned an issue does not know what it made since', 946_000_464, false],
  ['a title given to an issue that was only locked crosses', 951_000_549, false],
  ['a bug that is shown while its issue is asked for is read before it is written to', 951_000_687, false],
  ['what a late list hid when both sides seemed to agree is an edit since', 1_001_000_727, false],
  ['a milestone given to an issue that was only locked crosses', 1_003_000_060, false],
  ['what an older state found out is asked once more after a second one came back', 3_600_000_830, false],
  ['what a withdrawal took away is no edit, although a second state came back', 3_600_002_434, false],
  ['what people took back from our copy stands, also after a state of the cycle that found it', 3_600_005_018, false],
  ['likewise of a bug whose closing we copied', 3_610_002_358, false],
  [
    'a withdrawal that was cut short closed nothing for people, whatever title they gave the issue',
    3_620_002_438,
    false,
  ],
  ['an issue that was locked again since the backup, while its bug was hidden, is unlocked', 3_630_000_849, false],
  ['who locked an emptied issue is asked although nothing tells that the state came back', 3_630_001_231, false],
  ['a copy that people wrote over is one also on an issue whose bug is found by its address', 3_630_001_710, false],
];

test.each(some(keptWriters, keptWriters.length))('%s', async (_what, seed, isLeaving) => {
  expect((await simulateRestores({ cycle, sweep }, seed, { isLeaving })).violations).toEqual([]);
});

test('the issue of a hidden bug that the state does not know waits for no turn', async () => {
  expect((await keepCanaries({ cycle, sweep }, 289, { hasRestores: true })).violations).toEqual([]);
});

test('an older state does not know that the body of an issue was filled again: a private description goes all the same', async () => {
  expect((await keepCanaries({ cycle, sweep }, 930_032_004, { hasRestores: true })).violations).toEqual([]);
});

test.each([
  ['a full comparison does not take the issue of a hidden bug for one of people, who wrote over its body', 944_000_016],
  ['the body of an issue of ours is ours, also while its bug has a private description', 945_000_265],
  ['a private description goes from the issue of a bug that moved while the state was lost', 945_001_116],
  ['a description goes once more from a body that was filled after the state was backed up', 960_001_465],
  ['the status names no title of a bug that was hidden before its issue was made', 971_000_154],
  ['a bug that is hidden while an older state asks about it is withdrawn', 3_700_000_764],
  ['a body that people wrote over in the second of its creation is no shield of a hidden bug', 3_700_002_265],
  ['a body that shows what the bridge would write is no edit by people', 3_700_002_255],
  ['a private description goes from an issue that was made twice, too', 3_700_005_725],
  ['a withdrawn issue stays in the queue while something is unclear about its public bug', 3_720_003_662],
  ['what is settled before the tracker is read leaves no values in the ledger', 3_720_003_588],
  ['an issue of ours that people emptied in the second of its creation is filed as no bug', 3_730_004_053],
])('%s', async (_what, seed) => {
  const options = { hasRestores: true, hasWriters: true };
  expect((await keepCanaries({ cycle, sweep }, seed, options)).violations).toEqual([]);
});

test('no canary is left on GitHub, whatever went back', async () => {
  for (let seed = first; seed < first + perTier({ check: 1, test: 6, deep: 300 }); seed += 1) {
    const { violations } = await keepCanaries({ cycle, sweep }, seed, { hasRestores: true, hasWriters: true });
    expect(violations, `replay with: npm run sim -- --canaries --restores --seeds 1 --from ${seed}`).toEqual([]);
  }
});

/** `seed` is the first that noticed. */
const faults: readonly (Fault & { readonly name: string; readonly seed: number; readonly isLeaving?: true })[] = [
  {
    name: 'I9: files that an older state does not know stay in the store',
    file: 'sync/withdraw/stray-files.ts',
    from: '  if (strays.length === 0) return;',
    to: '  if (strays.length >= 0) return;',
    seed: 117,
  },
  {
    name: 'I4: a bug that has the number of a lost one is not recorded, and its issue is filed again',
    file: 'sync/perform/operations/create.ts',
    from: 'if (former !== null && former.id !== link.id) letGo(context, former, operation.on);',
    to: 'void [former, letGo];',
    seed: 11,
  },
  {
    name: 'I9: only the state knows a withdrawal, and the audit raises an alarm',
    file: 'sync/withdraw/seen-withdrawal.ts',
    from: "  if (is !== 'withdrawn' || (was === 'withdrawn' && whyHidden(route, link) === null)) return link;",
    to: '  if (link.id > 0) return link;',
    seed: 720,
  },
  {
    name: "I3: the bridge's own writes count as edits of people",
    file: 'sync/plan-links.ts',
    from: 'const waits = await settleOlder(context, open, missing, before);',
    to: "const waits = new Set<Link['id']>();",
    seed: 16,
  },
  {
    name: 'I3: a copy that the bridge rewrote since is left to people',
    file: 'sync/settle/own-copies.ts',
    from: '      const isUnknown = !isAsKnown && isUnknownRewrite(issue, strange, writer);',
    to: '      if (row.id > 0) continue;\n      const isUnknown = !isAsKnown && isUnknownRewrite(issue, strange, writer);',
    seed: 45,
  },
  {
    name: 'I3: the closing of a cutover that the state does not know is one by people',
    file: 'sync/settle/seen-cutover.ts',
    from: '  if (session.own.tracker === null || closed.length === 0) return;',
    to: '  if (session.own.tracker === null || closed.length >= 0) return;',
    seed: 19,
    isLeaving: true,
  },
  {
    name: 'I3: the closing of a cutover closes the issue of a bug that was hidden and is shown again',
    file: 'sync/withdraw/record-withdrawal.ts',
    from: 'openDespite(link.base, status) === null ? shown',
    to: 'openDespite(link.base, status) !== undefined ? shown',
    seed: 117,
    isLeaving: true,
  },
  {
    name: 'I9: a comment stays that names a file which neither the state knows nor the tracker lists',
    file: 'sync/observe/read-files.ts',
    from: '        hideUnlisted(context, link);\n',
    to: '        void hideUnlisted;\n',
    seed: 1179,
  },
  {
    name: 'I3: a lost state takes the title of a withdrawn issue from people',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: 'const left = hasPlainFooter(route.instance, issue.body, bug) ? issue.title : null;',
    to: 'const left = hasPlainFooter(route.instance, issue.body, bug) ? null : null;',
    seed: 5,
  },
  {
    name: 'I4: imports whose issues were found rest for the hour that an import may take',
    file: 'sync/observe/poll.ts',
    from: 'return [...seen, ...foundOf(context, doubts)];',
    to: 'return [...seen, ...foundOf(context, doubts).slice(0, 0)];',
    seed: 34,
    isLeaving: true,
  },
];

test.each(sample(faults, 1))('a planted fault is caught: $name', async ({ name: _name, seed, isLeaving, ...fault }) => {
  const folder = plant(fault);
  const loop: Pick<Engine, 'cycle'> = await import(`${folder}/sync/cycle.ts`);
  const walk: Pick<Engine, 'sweep'> = await import(`${folder}/sync/sweep.ts`);
  const options = { isLeaving: isLeaving ?? false, hasWriters: false };
  for (let tried = seed; tried < seed + 100; tried += 1)
    if ((await simulateRestores({ cycle: loop.cycle, sweep: walk.sweep }, tried, options)).violations.length > 0)
      return;
  expect.unreachable('100 seeds did not notice');
});
