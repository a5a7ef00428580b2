/** I11, for the edges: a throw while one item of an answer is mapped costs that item, and nothing else of the page. */

import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { restlessLane } from '../support/edges.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const limits = { ...testLimits, brakeShare: 1 };

/** The piece of a mapper, preceded by a throw where what it maps says POISON. */
const throwing = (file: string, from: string, about = 'wire'): Fault => ({
  file,
  from,
  to: `if (JSON.stringify(${about}).includes('POISON')) throw new RangeError('it says POISON');\n${from}`,
});

type Ports = Partial<Pick<Context, 'tracker' | 'github' | 'anonymousReader' | 'files'>>;

/** The ports of both sides, of which one mapper fails. */
async function portsWith(world: Stage, fault: Fault): Promise<Ports> {
  const src = plant(fault);
  const common = { timeoutMs: 1_000, now: world.clock.now, lane: restlessLane() };
  if (fault.file.startsWith('github/')) {
    const { createGithubClient } = await import(`${src}/github/connection/client.ts`);
    const { githubReplica } = await import(`${src}/github/replica.ts`);
    const { url, users } = world.github.state;
    const token = users.get(bot)?.token ?? '';
    const client = createGithubClient({ ...common, url, token, fetch: world.servers.github });
    const github = githubReplica({ client, owner: 'acme', repo: 'widget', pageSize: 7, namedKinds: ['labels'] });
    await github.hello();
    return { github };
  }
  const { createTrackerClient } = await import(`${src}/bugzilla/connection/client.ts`);
  const { bugzillaReplica } = await import(`${src}/bugzilla/replica.ts`);
  const { bugzillaAnonymousReader } = await import(`${src}/bugzilla/anonymous-reader.ts`);
  const { bugzillaAttachments } = await import(`${src}/bugzilla/attachments.ts`);
  const { apiKey, login } = world.tracker.user('bridge');
  const place = { ...common, url: world.tracker.url, warn: () => {}, fetch: world.servers.tracker };
  const client = createTrackerClient({ ...place, apiKey, login, auth: 'query' });
  const tracker = bugzillaReplica({ ...place, client, product: 'Widget', pageSize: 7 });
  await tracker.hello();
  const files = { attachmentClient: bugzillaAttachments({ ...place, client }), attachmentStore: null };
  return { tracker, anonymousReader: bugzillaAnonymousReader(place), files: files as never };
}

async function turns(world: Stage, count: number, { files = null, ...ports }: Ports = {}): Promise<void> {
  const attachments = { store: 'link' as const } as NonNullable<Route['attachments']>;
  const context = { ...contextOn(world, files === null ? route : { ...route, attachments }, { limits }), ...ports };
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(files === null ? context : { ...context, files }, { isForced: false });
  }
}

/** Three bugs, with an answer each, at rest. */
async function filled(): Promise<Stage> {
  const world = stage();
  for (const number of [1, 2, 3]) {
    world.tracker.as('alice').file({ product: 'Widget', summary: `Bug ${number}` });
    world.tracker.as('bob').comment(number, `Word ${number}`);
  }
  await turns(world, 3);
  return world;
}

interface Poisoning {
  readonly mapper: string;
  readonly fault: Fault;
  readonly poison: (world: Stage) => void;
  readonly side: 'tracker' | 'github';
}

const poisonings: readonly Poisoning[] = [
  {
    mapper: 'bug',
    fault: throwing('bugzilla/map.ts', "return {\n    kind: 'bug',"),
    side: 'tracker',
    poison: ({ tracker }) => tracker.as('admin').change(2, { summary: 'POISON' }),
  },
  {
    mapper: 'comment of a bug',
    fault: throwing('bugzilla/map.ts', 'const at = wire.creation_time ?? wire.time ?? 0;'),
    side: 'tracker',
    poison: ({ tracker }) => void tracker.as('bob').comment(2, 'POISON'),
  },
  {
    mapper: 'issue',
    fault: throwing('github/map.ts', 'const fields = toFields(wire.issue_field_values);'),
    side: 'github',
    poison: ({ github }) => github.as('mona').edit(repo, 2, { title: 'POISON' }),
  },
  {
    mapper: 'comment of an issue',
    fault: throwing('github/map.ts', 'const ref = issueOf(wire);'),
    side: 'github',
    poison: ({ github }) => void github.as('mona').comment(repo, 2, 'POISON'),
  },
];

test.each(poisonings)('a throw over a $mapper sets it aside, and the page crosses', async (poisoning) => {
  const { fault, poison, side } = poisoning;
  const world = await filled();
  poison(world);
  world.github.as('mona').comment(repo, 3, 'From GitHub');
  world.tracker.as('bob').comment(3, 'From the tracker');
  world.tracker.hide(1);
  await turns(world, 4, await portsWith(world, fault));
  const rows = world.store.setAside.ofRoute('widget');
  expect(rows).toMatchObject([
    {
      side,
      ref: 2,
      why: expect.stringMatching(/bugferry itself failed on .*2.* \(RangeError|its comments cannot be read/),
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain('POISON');
  expect(world.github.issue(repo, 1)?.title, 'what was hidden is withdrawn').not.toBe('Bug 1');
  expect(world.tracker.commentsOf(3).map(({ text }) => text)).toContainEqual(expect.stringContaining('From GitHub'));
  expect(world.github.commentsOf(repo, 3).map(({ body }) => body)).toContainEqual(
    expect.stringContaining('From the tracker'),
  );
  world.clock.advance(86_400_000);
  await sweep(contextOn(world, route, { limits }), { isForced: false });
  await turns(world, 4);
  expect(world.store.setAside.ofRoute('widget'), 'it works again').toEqual([]);
  expect(JSON.stringify([world.github.issue(repo, 2), world.github.commentsOf(repo, 2)])).toContain('POISON');
});

test.each(poisonings)(
  'what is hidden of an item on which we fail is withdrawn: a $mapper',
  async ({ fault, poison }) => {
    const world = await filled();
    const ports = await portsWith(world, fault);
    poison(world);
    await turns(world, 2, ports);
    world.tracker.hide(2);
    await turns(world, 4, ports);
    expect(JSON.stringify(world.github.commentsOf(repo, 2))).not.toContain('Word 2');
  },
);

test('a comment on which we fail is not missed on an issue that the route does not take', async () => {
  const world = await filled();
  const ports = await portsWith(world, throwing('github/map.ts', 'const ref = issueOf(wire);'));
  const [mona, body] = [world.github.as('mona'), '<!-- bugferry:1 acme bug=1 moved -->'];
  const left = mona.open(repo, { title: 'It fails' });
  mona.comment(repo, left, 'POISON');
  await turns(world, 2, ports);
  expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ side: 'github', ref: left }]);
  mona.edit(repo, left, { body });
  const never = mona.open(repo, { title: 'It leaks', body });
  mona.comment(repo, never, 'POISON');
  await turns(world, 3, ports);
  expect(world.store.setAside.ofRoute('widget')).toEqual([]);
});

test('a file on which we fail costs no other bug anything', async () => {
  const world = await filled();
  const ports = await portsWith(world, throwing('bugzilla/attachments.ts', 'return {\n    id: wire.id,'));
  world.tracker.as('bob').attach(2, { file_name: 'POISON.txt', bytes: Buffer.from('x') });
  world.tracker.as('bob').comment(3, 'From the tracker');
  await turns(world, 4, ports);
  expect(world.github.commentsOf(repo, 3)).toHaveLength(2);
  expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ side: 'tracker', ref: 2 }]);
});

test('a pull request on which we fail costs no issue anything', async () => {
  const world = await filled();
  const ports = await portsWith(
    world,
    throwing('github/map.ts', "const ended = pull.merged_at ? 'merged' : 'closed';"),
  );
  world.github.as('mona').openPull(repo, { title: 'POISON', body: '' });
  world.github.as('mona').comment(repo, 1, 'From GitHub');
  await turns(world, 3, ports);
  expect(world.tracker.commentsOf(1).map(({ text }) => text)).toContainEqual(expect.stringContaining('From GitHub'));
});

test('an issue of a renamed label on which we fail costs no other issue its new value', async () => {
  const world = await filled();
  const ports = await portsWith(world, throwing('github/map.ts', 'const fields = toFields(wire.issue_field_values);'));
  world.tracker.as('admin').change(3, { severity: 'major' });
  world.tracker.as('admin').change(2, { severity: 'major', summary: 'POISON' });
  await turns(world, 3);
  // The names are read every ten minutes.
  world.clock.advance(700_000);
  world.github.as('mona').comment(repo, 1, 'Newer than all others');
  await turns(world, 1, ports);
  world.github.as('mona').renameLabel(repo, 'severity: major', 'severity: blocker');
  world.clock.advance(700_000);
  await turns(world, 3, ports);
  expect(world.tracker.bug(3)?.severity).toBe('blocker');
  expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ side: 'github', ref: 2 }]);
});
