import type { Bug } from '../../../src/model/item.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { BugDraft } from '../../../src/model/plan/draft.ts';
import type { TrackerReplica } from '../../../src/model/replica.ts';
import type { Clock, Cost } from '../../../src/model/runtime.ts';
import type { Fault, FaultSource } from '../../../src/sandbox/server/faults.ts';
import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import type { CustomField, User } from '../../../src/sandbox/tracker/world/state.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

/** What a replica is built from: the account's key is `world.user(bench.user).apiKey`. */
export interface TrackerBench {
  readonly world: TrackerWorld;
  readonly clock: HandClock;
  /** `bridge`, or `bridge-insider` who sees private things too. */
  readonly user: string;
  readonly product: string;
  /** Pass it to the server; it follows the test. */
  readonly faults: FaultSource;
  /** Small, so that a few bugs make several pages. */
  readonly pageSize: number;
  /** The further fields that labels show. */
  readonly labels: readonly string[];
}

export type HandClock = Clock & { advance(ms: number): void };

export type OpenTracker = (
  bench: TrackerBench,
) => Promise<{ readonly replica: TrackerReplica; close(): Promise<void> }>;

/** One test's fresh small world, and the replica on it. */
export interface TrackerScenario extends TrackerBench {
  readonly replica: TrackerReplica;
  /** Makes the next request of this cost go wrong, once. */
  fail(cost: Cost, fault: Fault): void;
}

export interface ScenarioOptions {
  readonly user?: string;
  readonly listLagMs?: number;
  readonly maxSearchResults?: number;
  readonly labels?: readonly string[];
  readonly version?: TrackerVersion;
  readonly customFields?: readonly CustomField[];
}

/** A tracker that asks for more than the measured one: a type, as harmony does, and custom fields of three kinds. */
export const demanding = {
  version: 'harmony',
  customFields: [
    { name: 'cf_branch', label: 'Branch', kind: 'text', values: [], isMandatory: true },
    { name: 'cf_area', label: 'Area', kind: 'multi', values: ['docs', 'net', 'ui'], isMandatory: true },
    { name: 'cf_impact', label: 'Impact', kind: 'select', values: ['---', 'low', 'high'], isMandatory: true },
  ],
} as const satisfies ScenarioOptions;
/** What it wants. */
export const demanded = { type: 'task', cf_branch: 'main', cf_area: ['ui', 'net'], cf_impact: 'low' };

/** CharacterSupport of one, two and three bytes, one that needs a surrogate pair, and what JSON escapes by itself. */
export const characters = 'ünï ß 中文 🦊 "q\\u00fc" \t\u0085\u2028';

export const startAt = Date.UTC(2026, 10, 21, 12, 0, 0, 250);

export function handClock(at = startAt): HandClock {
  let now = at;
  const advance = (ms: number): void => {
    now += ms;
  };
  return { now: () => now, advance, sleep: async (ms) => advance(ms) };
}

export async function inScenario(
  open: OpenTracker,
  test: (scenario: TrackerScenario) => Promise<void>,
  options: ScenarioOptions = {},
): Promise<void> {
  const { user = 'bridge', labels = [], ...worldOptions } = options;
  const clock = handClock();
  const world = createTrackerWorld({ now: clock.now, url: 'http://tracker.invalid', ...worldOptions });
  let planned: { readonly cost: Cost; readonly fault: Fault } | null = null;
  const faults: FaultSource = (_side, cost) => {
    if (planned?.cost !== cost) return { kind: 'none' };
    const { fault } = planned;
    planned = null;
    return fault;
  };
  const bench: TrackerBench = { world, clock, user, product: 'Widget', faults, pageSize: 3, labels };
  const { replica, close } = await open(bench);
  try {
    await test({
      ...bench,
      replica,
      fail: (cost, fault) => {
        planned = { cost, fault };
      },
    });
  } finally {
    await close();
  }
}

export const draft: BugDraft = {
  product: 'Widget',
  summary: 'It leaks',
  description: 'From https://github.com/acme/widget/issues/7\n\nAfter an hour.',
  values: { component: 'UI', version: '1.1', severity: 'major', priority: 'High', platform: 'PC', op_sys: 'Linux' },
  keywords: ['regression'],
  seeAlso: 'https://github.com/acme/widget/issues/7',
};

/** The bug as the replica sees it now. */
export async function seenBug({ replica }: Pick<TrackerScenario, 'replica'>, ref: number): Promise<Bug> {
  const probe = await replica.probe(ref);
  if (probe.kind !== 'there') throw new Error(`bug ${ref} should be there, but: ${probe.gone.why}`);
  return probe.item;
}

/** The item of an outcome that should be `applied`. */
export function applied<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'applied') throw new Error(`should be applied, but: ${JSON.stringify(outcome)}`);
  return outcome.item;
}

export function closeAccount({ world }: Pick<TrackerScenario, 'world'>, name: string): void {
  changeUser(world, name, { disabledText: 'left the company' });
}

export function changeUser(world: TrackerWorld, name: string, change: Partial<User>): void {
  const user = world.user(name);
  world.state.users.splice(world.state.users.indexOf(user), 1, { ...user, ...change });
}
