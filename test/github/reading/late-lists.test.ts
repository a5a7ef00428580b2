import { afterEach, describe, expect, it } from 'vitest';
import { githubReplica } from '../../../src/github/replica.ts';
import { SideError } from '../../../src/model/outcome.ts';
import { handClock, smallGithubWorld } from '../../contract/github/bench.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { random } from '../../support/random.ts';
import { sample, someSeeds } from '../../tiers/depth.ts';
import { type HttpGithub, httpGithub } from '../http-github.ts';

/**
 * Lists show single changes up to ten minutes late, and other changes before them: polls alone must see everything in
 * the end.
 */
const repo = 'acme/widget';
const minuteMs = 60_000;
const poison = 'POISON';
let github: HttpGithub;

afterEach(() => github.close());

/**
 * What polls showed last, and what there is; and what they showed after a later version. With `isBehind`, each list is
 * late as a whole, and rows go back to earlier versions. GitHub fails on what is poisoned, which is left out.
 */
async function compared(
  seed: number,
  pageSize: number,
  adapter = githubReplica,
  isBehind = seed > 12,
  isPoisoned = false,
): Promise<readonly (readonly unknown[])[]> {
  const draw = random(seed);
  const clock = handClock();
  const world = smallGithubWorld({ now: clock.now });
  const mona = world.as('mona');
  github = await httpGithub({
    world,
    now: clock.now,
    login: 'bugferry',
    pageSize,
    adapter,
    ...(isPoisoned ? { poison } : {}),
  });
  const opened = [0, 1, 2, 3, 4, 5].map((at) => mona.open(repo, { title: `Old ${at}` }));
  clock.advance(60 * minuteMs);
  let { cursor } = await github.replica.changes(null);
  const lateMs = () => draw.pick([0, 0, draw.below(2_000), draw.below(120_000), draw.below(590_000)]);
  if (isBehind) world.setBehind({ listMs: lateMs });
  else world.setChangeLag(lateMs);
  const [titles, words] = [new Map<number, string>(), new Map<number, string>()];
  const shownAt = new Map<number, number>();
  const back: unknown[][] = [];
  const poll = async (): Promise<void> => {
    // While a list is late, GitHub may fail on what nothing names yet: then the next cycle reads it.
    const page = await github.replica.changes(cursor).catch((failure: unknown) => {
      if (!isPoisoned || !(failure instanceof SideError)) throw failure;
      return { items: [], comments: [], cursor };
    });
    for (const { number, title, changedAt } of page.items) {
      if (changedAt < (shownAt.get(Number(number)) ?? 0)) back.push([number, title, 'is an earlier version']);
      shownAt.set(Number(number), changedAt);
      titles.set(Number(number), title);
    }
    for (const { id, text } of page.comments) words.set(id, text);
    ({ cursor } = page);
    clock.advance(minuteMs);
  };
  const said: { id: number; text: string }[] = [];
  const isBusy = draw.chance(0.5);
  let poisons = 0;
  for (let polls = 0; polls < 20; polls += 1) {
    for (let acts = draw.below(isBusy ? 6 : 2); acts > 0; acts -= 1) {
      const number = draw.pick(opened);
      const act = draw.below(4);
      if (act === 0) opened.push(mona.open(repo, { title: `New ${opened.length}` }));
      if (act === 1) mona.edit(repo, number, { title: `Edited ${polls}.${acts}` });
      if (act === 2) said.push({ id: mona.comment(repo, number, `Words ${said.length}`), text: '' });
      if (act === 3 && said.length > 0) mona.editComment(repo, draw.pick(said).id, `Better words ${polls}.${acts}`);
      if (isPoisoned && poisons < Math.min(5, pageSize - 1) && draw.chance(0.2)) {
        poisons += 1;
        if (draw.chance(0.5)) mona.comment(repo, number, poison);
        else mona.edit(repo, number, { title: poison });
      }
      clock.advance(draw.below(5_000));
    }
    await poll();
  }
  for (let polls = 0; polls < 25; polls += 1) await poll();
  const there = world.issues(repo).filter(({ title }) => !title.startsWith('Old'));
  const comments = there.concat(world.issues(repo)).flatMap(({ number }) => world.commentsOf(repo, number));
  return [
    ...back,
    ...there.flatMap(({ number, title }) =>
      titles.get(number) === title || title === poison ? [] : [[number, title, titles.get(number)]],
    ),
    ...comments.flatMap(({ id, body }) =>
      words.get(id) === body || body === poison ? [] : [[id, body, words.get(id)]],
    ),
  ];
}

describe.each([4, 100])('with %i rows on a page', (pageSize) => {
  it.each(someSeeds(18, 6))('seed %i: nothing is lost, and nothing old comes last', async (seed) => {
    expect(await compared(seed, pageSize)).toEqual([]);
  });

  it.each(someSeeds(18, 6))('seed %i: nothing else is lost where GitHub fails on some', async (seed) => {
    expect(await compared(seed, pageSize, githubReplica, seed > 12, true)).toEqual([]);
  });
});

const file = 'github/reading/stand.ts';
const faults: readonly (readonly [what: string, fault: Fault, pageSize: number, fromSeed: number])[] = [
  [
    'changes count as settled after a minute',
    { file, from: 'const lagMaxMs = 600_000', to: 'const lagMaxMs = 60_000' },
    100,
    1,
  ],
  [
    'what lies below the first page is not looked at again',
    { file, from: ' || readAt - lookedAt >= lagMaxMs', to: '' },
    4,
    1,
  ],
  [
    'an earlier version of a row is news',
    { file, from: 'return changedAt > known[1] ||', to: 'return changedAt !== known[1] ||' },
    100,
    13,
  ],
];

it.each(sample(faults, 1))('a planted fault is caught: %s', async (_name, fault, pageSize, fromSeed) => {
  const { githubReplica: adapter } = (await import(
    `${plant(fault)}/github/replica.ts`
  )) as typeof import('../../../src/github/replica.ts');
  let lost = 0;
  for (let seed = fromSeed; seed <= 18 && lost === 0; seed += 1) {
    lost = (await compared(seed, pageSize, adapter)).length;
    if (lost === 0) await github.close();
  }
  expect(lost).toBeGreaterThan(0);
});
