import { beforeEach, describe, expect, it, test } from 'vitest';
import type { GithubReplica } from '../../../src/model/replica.ts';
import { githubSession, repo } from '../../contract/github/bench.ts';
import { updateCases } from '../../contract/github/update.ts';
import { httpGithub } from '../http-github.ts';
import { announced, type Bench, benchOf, seenOf } from './bench.ts';

let on: Bench;
beforeEach(() => {
  on = benchOf();
});

/** What people do to issue 3, what the bridge then wants to write there, and what has to stand there in the end. */
interface Crossing {
  readonly name: string;
  act(on: Bench): void;
  readonly patch: Parameters<GithubReplica['update']>[1];
  readonly stands: object;
}

const crossings: readonly Crossing[] = [
  {
    name: 'a title',
    act: ({ mona }) => mona.edit(repo, 3, { title: 'Theirs' }),
    patch: { title: 'Ours' },
    stands: { title: 'Theirs' },
  },
  {
    name: 'a body',
    act: ({ mona }) => mona.edit(repo, 3, { body: 'Theirs' }),
    patch: { body: 'Ours' },
    stands: { body: 'Theirs' },
  },
  {
    name: 'a text that stands there already, beside a passage',
    act: ({ mona }) => mona.edit(repo, 3, { body: 'Table, end' }),
    patch: { passage: { was: 'end', becomes: 'Table, end' } },
    stands: { body: 'Table, end' },
  },
  {
    name: 'a state',
    act: ({ mona }) => mona.close(repo, 3, 'not_planned'),
    patch: { state: 'closed', reason: 'completed' },
    stands: { stateReason: 'not_planned' },
  },
  {
    name: 'an assignee',
    act: ({ mona }) => mona.assign(repo, 3, 'mona'),
    patch: { assignees: { add: ['bugferry'], remove: [] } },
    stands: { assignees: ['mona'] },
  },
  {
    name: 'a milestone',
    act: ({ mona }) => mona.milestone(repo, 3, '3.0'),
    patch: { milestone: '2.0' },
    stands: { milestone: '3.0' },
  },
  {
    name: 'a label, beside ours',
    act: ({ mona }) => mona.label(repo, 3, 'theirs'),
    patch: { labels: { add: ['ours'], remove: ['old'] } },
    stands: { labels: ['theirs', 'ours'] },
  },
  {
    // The look does not ask for fields, so nothing that it shows tells of this one.
    name: 'a field of the organisation, long before a title and the field are written',
    act: ({ mona, clock }) => {
      mona.setField(repo, 3, 'Areas', ['theirs']);
      clock.advance(60_000);
    },
    patch: { title: 'Ours', fields: { Areas: ['ours'] } },
    stands: { fields: { Areas: ['theirs'] } },
  },
];

/** When people do so. */
const moments: readonly (readonly [string, (on: Bench, act: () => void) => Promise<void>])[] = [
  ['between the poll and the look', async (_on, act) => act()],
  [
    'between the shared look and the write',
    async (bench, act) => {
      await afterFirst(bench);
      act();
    },
  ],
  [
    'while the write is on its way, just before it asks',
    async (bench, act) => {
      await afterFirst(bench);
      bench.before = (method, path) => {
        if (method === 'GET' && path.endsWith('/issues/3')) act();
      };
    },
  ],
];

/** The first of those that are announced is written, so that all are looked at. */
async function afterFirst(bench: Bench): Promise<void> {
  const first = await seenOf(bench, 1);
  expect((await bench.replica.update(first, { title: 'First' })).kind).toBe('applied');
}

async function crossed(bench: Bench, { act, patch }: Crossing, moment: (typeof moments)[number][1]): Promise<unknown> {
  bench.world.allow(repo, 'bugferry', 'write');
  bench.world.setFields(repo, [{ name: 'Areas', kind: 'multi_select', options: ['ours', 'theirs'] }]);
  const issues = await announced(bench, 5);
  await moment(bench, () => act(bench));
  await bench.replica.update(issues[2] ?? expect.unreachable(), patch);
  return bench.world.issue(repo, 3);
}

describe.each(moments)('what people change %s is never written over', (_when, moment) => {
  it.each(crossings)('$name', async (crossing) => {
    expect(await crossed(on, crossing, moment)).toMatchObject(crossing.stands);
  });
});

/** A label gets another name, which changes no time; then issue 3 gets one more. */
async function relabelled(bench: Bench, wait: (bench: Bench) => void | Promise<void>): Promise<readonly string[]> {
  const issues = await announced(bench, 5);
  const third = issues[2] ?? expect.unreachable();
  await wait(bench);
  bench.mona.renameLabel(repo, 'old', 'renamed');
  if (wait === fromThen) bench.clock.advance(16_000);
  await bench.replica.update(third, { labels: { add: ['ours'], remove: [] } });
  return bench.world.issue(repo, 3)?.labels ?? [];
}

const beforeTheLook = (): void => undefined;
/** Longer ago than a look holds. */
const fromThen = afterFirst;
/** A write of ours that had nothing to change any more. */
async function afterAWrite(bench: Bench): Promise<void> {
  const third = await seenOf(bench, 3);
  expect((await bench.replica.update(third, { title: third.title })).kind).toBe('applied');
}

describe('a renamed label does not come back', () => {
  it.each([
    ['when it was renamed before the look', beforeTheLook],
    ['when the look is too old', fromThen],
    ['when the look served another write already', afterAWrite],
  ])('%s', async (_name, wait) => {
    expect(await relabelled(on, wait)).toEqual(['renamed', 'ours']);
  });
});

/** Issue 3 changes twice within a second, with the look in between. */
async function twiceInASecond(bench: Bench): Promise<string | undefined> {
  await announced(bench, 5);
  bench.mona.edit(repo, 3, { title: 'Once' });
  const third = await seenOf(bench, 3);
  await afterFirst(bench);
  bench.mona.edit(repo, 3, { title: 'Twice' });
  await bench.replica.update(third, { title: 'Ours' });
  return bench.world.issue(repo, 3)?.title;
}

test('two changes within a second are distinguished', async () => {
  expect(await twiceInASecond(on)).toBe('Twice');
});

/**
 * Issue 3 gets another title and then its own again; the replica that answers the bridge then knows nothing of that.
 */
async function behind(bench: Bench, patch: Crossing['patch'] = { title: 'Ours' }): Promise<string> {
  let behindMs = 0;
  bench.world.setBehind({ itemMs: () => behindMs });
  await announced(bench, 5);
  for (const title of ['Other', 'Issue 2']) {
    bench.mona.edit(repo, 3, { title });
    bench.clock.advance(30_000);
    await seenOf(bench, 3);
  }
  const third = await seenOf(bench, 3);
  behindMs = 90_000;
  return (await bench.replica.update(third, patch)).kind;
}

test.each([{ title: 'Ours' }, { fields: { Areas: ['ours'] } }])(
  'a replica that is behind makes the write wait: %j',
  async (patch) => {
    expect(await behind(on, patch)).toBe('later');
  },
);

/** The replica that answers the read behind a write knows nothing of it yet. */
async function readBackBehind(bench: Bench): Promise<readonly unknown[]> {
  bench.world.allow(repo, 'bugferry', 'write');
  bench.world.setFields(repo, [{ name: 'Areas', kind: 'multi_select', options: ['ours'] }]);
  const third = (await announced(bench, 3))[2] ?? expect.unreachable();
  let reads = 0;
  bench.world.setBehind({
    itemMs() {
      reads += 1;
      return reads === 1 ? 0 : 30_000;
    },
  });
  bench.clock.advance(60_000);
  const { kind } = await bench.replica.update(third, { fields: { Areas: ['ours'] } });
  return [kind, bench.world.issue(repo, 3)?.fields];
}

test('fields are in doubt while a replica does not show that they were written', async () => {
  expect(await readBackBehind(on)).toEqual(['unknown', { Areas: ['ours'] }]);
});

/** The cases of its own. A minute passes before each write, so that the look counts. */
describe('the adapter with a shared look', () => {
  const session = githubSession(async ({ world, clock, login, faults, pageSize }) => {
    let isLook = false;
    // What somebody does when the write arrives is not done when the look does.
    const ofWrites: typeof faults = (side, cost) => (isLook ? { kind: 'none' } : faults(side, cost));
    const http = await httpGithub({ world, now: clock.now, login, faults: ofWrites, pageSize });
    http.before = (_method, address) => {
      isLook = address === '/graphql';
    };
    const { replica } = http;
    const update: GithubReplica['update'] = async (seen, patch) => {
      clock.advance(60_000);
      replica.announce([seen.number, 1_000]);
      const outcome = await replica.update(seen, patch);
      const { requests } = world.state;
      // It is no write.
      for (let at = requests.length - 1; at >= 0; at -= 1)
        if (requests[at]?.path === '/graphql') requests.splice(at, 1);
      return outcome;
    };
    return { replica: { ...replica, update }, close: () => http.close() };
  });
  updateCases(session);
});
