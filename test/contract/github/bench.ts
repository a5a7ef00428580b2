import { afterEach, beforeEach } from 'vitest';
import type { Comment, Issue } from '../../../src/model/item.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { GithubReplica } from '../../../src/model/replica.ts';
import type { Clock, Cost } from '../../../src/model/runtime.ts';
import type { IssueView } from '../../../src/sandbox/github/world/oracle-view.ts';
import type { GithubPerson } from '../../../src/sandbox/github/world/people.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import type { Fault, FaultSource } from '../../../src/sandbox/server/faults.ts';

/** What a replica is built from. The repository is `acme/widget`; the account's token is `token-of-<login>`. */
export interface GithubBench {
  readonly world: GithubWorld;
  readonly clock: Clock & { advance(ms: number): void };
  readonly login: string;
  readonly repo: string;
  /** Pass it to the server; it follows the test. */
  readonly faults: FaultSource;
  /** Small, so that a few issues make several pages. */
  readonly pageSize: number;
}

export interface GithubUnderTest {
  readonly replica: GithubReplica;
  close(): Promise<void>;
}

export type GithubSetup = (bench: GithubBench) => Promise<GithubUnderTest>;

/** One test's surroundings: fresh before every test, and again after `start`. */
export interface GithubSession {
  world: GithubWorld;
  clock: GithubBench['clock'];
  mona: GithubPerson;
  replica: GithubReplica;
  /** What happens to every request of this cost from now on. */
  fault: { readonly cost: Cost; readonly fault: Fault } | null;
  /** What somebody does when the next request of this cost arrives. */
  meanwhile(cost: Cost, act: () => void): void;
  /** Begins again with other surroundings. */
  start(options?: { readonly listLagMs?: number; readonly login?: string; readonly pageSize?: number }): Promise<void>;
  /** Another replica on the same world, as after a restart. */
  another(): Promise<GithubReplica>;
  /** The issue as the replica shows it. */
  seen(number: number): Promise<Issue>;
  /** The issue as it is in the world. */
  stored(number: number): IssueView;
  /** How many writing requests have reached the world. */
  writes(): number;
}

export const repo = 'acme/widget';
export const startAt = Date.UTC(2026, 0, 15, 12, 0, 0, 250);
export const minuteMs = 60_000;

/** Three accounts: `bugferry` may push, `mona` owns everything, `hubot` has no rights. */
export function smallGithubWorld(options: { readonly now: () => number; readonly listLagMs?: number }): GithubWorld {
  const world = createGithubWorld({ url: 'http://github.invalid', ...options });
  for (const login of ['bugferry', 'mona', 'hubot']) world.addUser(login);
  for (const name of [repo, 'acme/gadget']) world.addRepo(name, { permissions: { bugferry: 'write', mona: 'admin' } });
  world.addRepo('acme/secret', { isPrivate: true, permissions: { mona: 'admin' } });
  return world;
}

export function handClock(at = startAt): GithubBench['clock'] {
  let now = at;
  const advance = (ms: number): void => {
    now += ms;
  };
  return { now: () => now, advance, sleep: async (ms) => advance(ms) };
}

/** To be called within a `describe`: registers what begins and ends every test in it. */
export function githubSession(setup: GithubSetup): GithubSession {
  let open: GithubUnderTest[] = [];
  let login = 'bugferry';
  let pageSize = 3;
  let crossing: { readonly cost: Cost; readonly act: () => void } | null = null;
  const faults: FaultSource = (_side, cost) => {
    if (crossing?.cost === cost) {
      const { act } = crossing;
      crossing = null;
      act();
    }
    return session.fault?.cost === cost ? session.fault.fault : { kind: 'none' };
  };

  async function another(): Promise<GithubReplica> {
    const { world, clock } = session;
    const subject = await setup({ world, clock, login, repo, faults, pageSize });
    open.push(subject);
    return subject.replica;
  }

  // The fields that are missing here are set by `start`, which runs before every test.
  const session = {
    fault: null,
    another,
    meanwhile(cost, act) {
      crossing = { cost, act };
    },
    async start({ listLagMs = 0, ...options } = {}) {
      login = options.login ?? 'bugferry';
      pageSize = options.pageSize ?? 3;
      session.clock = handClock();
      session.world = smallGithubWorld({ now: session.clock.now, listLagMs });
      session.mona = session.world.as('mona');
      session.replica = await another();
    },
    async seen(number) {
      const probe = await session.replica.probe(number);
      if (probe.kind !== 'there') throw new Error(`#${number} is gone: ${probe.gone.why}`);
      return probe.item;
    },
    stored(number) {
      const issue = session.world.issue(repo, number);
      if (issue === null) throw new Error(`#${number} is not in the world.`);
      return issue;
    },
    writes: () => session.world.requests.filter((line) => line.method !== 'GET').length,
  } as GithubSession;

  beforeEach(async () => {
    session.fault = null;
    crossing = null;
    await session.start();
  });

  afterEach(async () => {
    await Promise.all(open.map((subject) => subject.close()));
    open = [];
  });

  return session;
}

/** Every page of the list. */
export async function everything(
  replica: GithubReplica,
): Promise<{ readonly items: Issue[]; readonly comments: Comment[]; readonly pages: number }> {
  const all: { items: Issue[]; comments: Comment[]; pages: number } = { items: [], comments: [], pages: 0 };
  let page: string | null = null;
  do {
    const listing = await replica.list(page);
    all.items.push(...listing.items);
    all.comments.push(...listing.comments);
    all.pages += 1;
    page = listing.next;
  } while (page !== null);
  return all;
}

export function itemOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'applied') throw new Error(`The write was not applied: ${JSON.stringify(outcome)}`);
  return outcome.item;
}

export const numbers = (items: readonly Issue[]): number[] =>
  items.map((item) => Number(item.number)).sort((left, right) => left - right);
export const unique = (list: readonly number[]): number[] => [...new Set(list)];
