import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { withoutThumbsUp } from '../../src/rules/labels/tags.ts';
import { trackerVersions } from '../../src/sandbox/tracker/installation/versions.ts';
import type { CycleOptions } from '../../src/sync/cycle.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { verified } from '../verify/mirror.ts';

/** I2: votes and thumbs up are seen beside a change that crosses anyway, and are never one themselves. */
const plain: Route = { ...widgetRoute, table: ['url', 'whiteboard', 'votes'], thumbsUp: true };

interface Engine {
  readonly cycle: typeof cycle;
  readonly sweep: typeof sweep;
}

const contextOf = (world: Stage, route = plain) =>
  contextOn(world, routeOn(world.tracker.state.version, route), { limits: testLimits, user: 'bridge-insider' });

const writing = ['create', 'update', 'comment', 'rewrite', 'erase'];

/** The writes of three cycles after a full comparison, which sees every number as it is. */
async function writes(world: Stage, engine: Engine = { cycle, sweep }, route = plain): Promise<readonly string[]> {
  const before = world.calls.length;
  const options: CycleOptions = { isForced: true };
  await engine.sweep(contextOf(world, route), { isForced: true });
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(61_000);
    await engine.cycle(contextOf(world, route), options);
  }
  const made = world.calls.slice(before).filter(({ method }) => writing.includes(method));
  return made.map(({ side, method }) => `${method} on ${side}`);
}

/** Bug 1 with two votes = issue 1 with one thumb up. */
async function mirror(version: (typeof trackerVersions)[number] = 'harmony', route = plain): Promise<Stage> {
  const world = stage({ version });
  world.tracker.as('alice').file({ summary: 'It fails', url: 'https://example.test/', whiteboard: 'ask carol' });
  world.tracker.vote(1, 2);
  await writes(world, { cycle, sweep }, route);
  world.github.as('mona').thumbUp(repo, 1);
  return world;
}

const body = (world: Stage): string => world.github.issue(repo, 1)?.body ?? '';
const whiteboard = (world: Stage): string => world.tracker.bug(1)?.whiteboard ?? '';

/** Votes for both ends, and no other change. */
function everybodyVotes({ tracker, github }: Stage): void {
  tracker.vote(1, 9);
  for (const person of ['hubot', 'octo']) github.as(person).thumbUp(repo, 1);
}

test('a new issue shows the votes, if the tracker does', async () => {
  expect(body(await mirror())).toContain('| Votes | 2 |\n\n</details>');
  for (const version of ['5.0', '5.2', '5.3'] as const) expect(body(await mirror(version))).not.toContain('Votes');
});

/** The issue of a bug whose votes the tracker does not show to everyone, after a change of its title. */
async function changedWithoutVotes(engine: Engine): Promise<Stage['github']> {
  const world = stage({ version: 'harmony' });
  const open: typeof contextOf = (of) => {
    const context = contextOf(of, { ...plain, visibilityCheck: 'anonymous' });
    const reader = context.anonymousReader;
    if (reader === null) throw new Error('there is a reader');
    const bugs: typeof reader.bugs = async (ids) =>
      new Map(
        [...(await reader.bugs(ids))].flatMap(([id, shown]) => {
          if (shown === null) return [];
          const { details: { votes: _hidden, ...details } = {}, ...bug } = shown;
          return [[id, { ...bug, details }]];
        }),
      );
    return { ...context, anonymousReader: { ...reader, bugs } };
  };
  world.tracker.as('alice').file({ summary: 'It fails', url: 'https://example.test/' });
  world.tracker.vote(1, 2);
  await engine.sweep(open(world), { isForced: true });
  await engine.cycle(open(world), { isForced: true });
  expect(body(world)).toContain('example.test');
  world.tracker.as('alice').change(1, { summary: 'It crashes' });
  world.clock.advance(61_000);
  await engine.cycle(open(world), { isForced: true });
  return world.github;
}

test('votes that not everyone may see stay on the tracker when something crosses', async () => {
  const issue = (await changedWithoutVotes({ cycle, sweep })).issue(repo, 1);
  expect(issue?.title).toBe('It crashes');
  expect(issue?.body).not.toContain('Votes');
});

test('votes and thumbs up alone write nothing', async () => {
  const world = await mirror();
  const before = [body(world), whiteboard(world)];
  everybodyVotes(world);
  expect(await writes(world)).toEqual([]);
  expect([body(world), whiteboard(world)]).toEqual(before);
});

test('the votes go along with a change from the tracker, in the same request', async () => {
  const world = await mirror();
  everybodyVotes(world);
  world.tracker.as('alice').change(1, { summary: 'It crashes' });
  expect(await writes(world)).toEqual(['update on github']);
  expect(body(world)).toContain('| Votes | 9 |');
  world.tracker.vote(1, 0);
  world.tracker.as('alice').change(1, { url: '', whiteboard: '' });
  expect(await writes(world)).toEqual(['update on github']);
  expect(body(world)).not.toContain('More about this bug');
});

test.each(trackerVersions)(
  'the thumbs up go along with a change from GitHub, in the same request (%s)',
  async (version) => {
    const world = await mirror(version);
    everybodyVotes(world);
    world.github.as('mona').edit(repo, 1, { title: 'It crashes' });
    const before = body(world);
    expect(await writes(world)).toEqual(['update on tracker']);
    expect(whiteboard(world)).toBe('ask carol github+1:3');
    // The word is no news of the tracker: neither a label nor the table shows it.
    expect(body(world)).toBe(before);
    for (const person of ['mona', 'hubot', 'octo']) world.github.as(person).thumbUp(repo, 1);
    world.github.as('mona').edit(repo, 1, { title: 'It crashed' });
    expect(await writes(world)).toEqual(['update on tracker']);
    expect(whiteboard(world)).toBe('ask carol');
  },
);

test('without thumbsUp the whiteboard stays as it is', async () => {
  const route = { ...plain, thumbsUp: false };
  const world = await mirror('5.2', route);
  world.github.as('mona').edit(repo, 1, { title: 'It crashes' });
  expect(await writes(world, { cycle, sweep }, route)).toEqual(['update on tracker']);
  expect(whiteboard(world)).toBe('ask carol');
});

test('beside tags that cross, the word is none', async () => {
  const labels = [...plain.labels, { from: 'whiteboard', as: 'tag: {value}', both: true } as const];
  const world = await mirror('5.2', { ...plain, labels });
  world.github.as('mona').label(repo, 1, 'tag: easy');
  expect(await writes(world, { cycle, sweep }, { ...plain, labels })).toEqual([
    'update on tracker',
    'update on github',
  ]);
  expect(whiteboard(world)).toBe('ask carol [easy] github+1:1');
  expect(world.github.issue(repo, 1)?.labels).toEqual(expect.arrayContaining(['tag: easy']));
  expect(body(world)).toContain('| Whiteboard | ask carol \\[easy\\] |');
});

test('a tracker that refuses the whiteboard takes the change without the number', async () => {
  const world = await mirror('5.2');
  const refusing: typeof contextOf = (...input) => {
    const context = contextOf(...input);
    const update: typeof context.tracker.update = async (seen, patch) =>
      patch.whiteboard === undefined
        ? context.tracker.update(seen, patch)
        : { kind: 'refused', why: 'You may not change the whiteboard.' };
    return { ...context, tracker: Object.assign(Object.create(context.tracker), { update }) };
  };
  world.github.as('mona').edit(repo, 1, { title: 'It crashes' });
  world.clock.advance(61_000);
  await cycle(refusing(world), { isForced: true });
  expect(world.tracker.bug(1)).toMatchObject({ summary: 'It crashes', whiteboard: 'ask carol' });
});

test('verify knows that numbers are as old as the last change', async () => {
  const world = await mirror();
  world.github.as('mona').edit(repo, 1, { title: 'It crashes' });
  await writes(world);
  everybodyVotes(world);
  const report = await verified(contextOf(world));
  expect(report.pairs.map(({ differences }) => differences)).toEqual([[]]);
});

test.each([
  ['', ''],
  ['github+1:12', ''],
  ['ask carol github+1:12', 'ask carol'],
  ['[a] github+1:3 [b]', '[a] [b]'],
  ['seen in github+1:x and notgithub+1:2', 'seen in github+1:x and notgithub+1:2'],
])('the whiteboard "%s" without the word', (written, words) => {
  expect(withoutThumbsUp(written)).toBe(words);
});

describe('a planted fault is caught:', () => {
  async function planted(fault: Fault): Promise<Engine> {
    const copy = plant(fault);
    const load = (file: string) => import(join(copy, file));
    const [{ cycle: turn }, { sweep: compare }] = [await load('sync/cycle.ts'), await load('sync/sweep.ts')];
    return { cycle: turn, sweep: compare };
  }

  test('votes count as a change of the table', async () => {
    const engine = await planted({
      file: 'rules/fields/table.ts',
      from: "canonicalText(table).replace(votesRow, '')",
      to: 'canonicalText(table)',
    });
    const world = await mirror();
    everybodyVotes(world);
    expect(await writes(world, engine)).not.toEqual([]);
  });

  test('our own word on the whiteboard comes back as news', async () => {
    const engine = await planted({ file: 'rules/fields/table.ts', from: 'words.map(withoutThumbsUp)', to: 'words' });
    const world = await mirror();
    world.github.as('mona').edit(repo, 1, { title: 'It crashes' });
    expect(await writes(world, engine)).toContain('update on github');
  });

  test('the number stays as it was when something crosses', async () => {
    const engine = await planted({
      file: 'rules/fields/table.ts',
      from: 'if (isAlong && wanted === ',
      to: 'if (isAlong || wanted === ',
    });
    const world = await mirror();
    everybodyVotes(world);
    world.tracker.as('alice').change(1, { summary: 'It crashes' });
    await writes(world, engine);
    expect(body(world)).toContain('| Votes | 2 |');
  });

  test('votes are taken from what our account sees', async () => {
    const engine = await planted({
      file: 'sync/perform/operations/update.ts',
      from: 'bug: publicBug(route, link), issue',
      to: 'bug, issue',
    });
    expect((await changedWithoutVotes(engine)).issue(repo, 1)?.body).toContain('| Votes | 2 |');
  });
});
