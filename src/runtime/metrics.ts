import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Side, sides } from '../model/ids.ts';
import type { RouteStatus } from '../model/route-status.ts';

/**
 * Metrics for Prometheus. Counters grow with events; gauges are read from the state on each request, so an idle daemon
 * spends nothing on them. Names and labels are part of the interface: dashboards and alerts depend on them
 * (docs/monitoring.md).
 */
interface Metrics {
  /** The status of an answer; null if there was none. */
  answered(side: Side, status: number | null): void;
  done(operation: DoneOperation): void;
  ran(run: { readonly route: string; readonly kind: string; readonly ms: number }): void;
  hinted(side: Side, outcome: string): void;
  /** Content was withdrawn from GitHub, restored, or could not be withdrawn yet. */
  withdrew(route: string, outcome: 'withdrawn' | 'restored' | 'failed'): void;
  /** All metrics, with their content type. */
  read(): Promise<{ readonly type: string; readonly text: string }>;
}

interface DoneOperation {
  readonly route: string;
  readonly side: Side;
  readonly kind: string;
  readonly outcome: string;
  readonly ms: number;
}

interface MetricsOptions {
  readonly now: () => number;
  /** The current status of all routes. */
  readonly statuses: () => readonly RouteStatus[];
}

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'bugferry_requests_total',
    help: 'Requests to a side, by class of answer; "none" means no answer.',
    labelNames: ['side', 'status'],
    registers,
  });
  const operations = new Counter({
    name: 'bugferry_operations_total',
    help: 'Attempts to write to a side, by outcome.',
    labelNames: ['route', 'side', 'kind', 'outcome'],
    registers,
  });
  const operationSeconds = new Histogram({
    name: 'bugferry_operation_duration_seconds',
    help: 'The duration of write attempts, including the wait in their lane.',
    labelNames: ['side'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  const cycles = new Histogram({
    name: 'bugferry_cycle_duration_seconds',
    help: 'The duration of runs of a route: a cycle, a full comparison (sweep), or a failed run.',
    labelNames: ['route', 'kind'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800],
    registers,
  });
  const hints = new Counter({
    name: 'bugferry_hooks_total',
    help: 'Webhooks received, by outcome.',
    labelNames: ['side', 'outcome'],
    registers,
  });
  const withdrawals = new Counter({
    name: 'bugferry_withdrawals_total',
    help: 'Attempts to withdraw content from GitHub that is no longer public, by outcome.',
    labelNames: ['route', 'outcome'],
    registers,
  });
  const gauges = gaugesOf(registers);
  return {
    answered: (side, status) =>
      requests.inc({ side, status: status === null ? 'none' : `${Math.floor(status / 100)}xx` }),
    done({ ms, ...labels }) {
      operations.inc({ ...labels });
      operationSeconds.observe({ side: labels.side }, ms / 1000);
    },
    ran: ({ route, kind, ms }) => cycles.observe({ route, kind }, ms / 1000),
    hinted: (side, outcome) => hints.inc({ side, outcome }),
    withdrew: (route, outcome) => withdrawals.inc({ route, outcome }),
    async read() {
      gauges.set(options);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function gaugesIn(registers: Registry[]) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name: `bugferry_${name}`, help, labelNames, registers });
  const inStep = gauge('in_step', '1 if nothing on the route waits, is in doubt, is parked or is undecided.', [
    'route',
  ]);
  const standing = gauge(
    'standing',
    'How the route stands, in one word, as every page and command shows it; always 1.',
    ['route', 'standing'],
  );
  const halted = gauge(
    'halted',
    '1 if the last cycle of the route failed, the state file cannot be written, or the brake refused.',
    ['route'],
  );
  const failures = gauge('failures', 'Consecutive failures of cycles or full comparisons (sweep); 0 after a success.', [
    'route',
    'of',
  ]);
  const isPaused = gauge('resting', '1 while a person has paused the route, or the configuration switches it off.', [
    'route',
  ]);
  const lag = gauge('lag_seconds', 'The time since the changes of the side were last read for the route.', [
    'route',
    'side',
  ]);
  const sweepAge = gauge('sweep_age_seconds', 'The time since the last full comparison of the side began.', [
    'route',
    'side',
  ]);
  const lookAge = gauge(
    'look_age_seconds',
    'The time since the look at a mirrored bug, whether it is still shown, that is the oldest.',
    ['route'],
  );
  const links = gauge('links', 'Pairs and halves of pairs, by state.', ['route', 'state']);
  const pairs = gauge('pairs', 'Live links with both ends.', ['route']);
  const waiting = gauge('waiting_links', 'Links that wait for the next cycle.', ['route']);
  const outbox = gauge('outbox', 'Operations that are planned, in doubt (sent) or parked.', ['route', 'state']);
  const parked = gauge('parked', 'Operations parked until a person acts or the next full comparison.', ['route']);
  const conflicts = gauge('conflicts', 'Conflicts that need a decision by a person.', ['route']);
  const attention = gauge('attention', 'Other findings that need a person.', ['route']);
  const setAside = gauge('set_aside', 'Bugs and issues that are left alone because work on them failed.', ['route']);
  const withdrawn = gauge('withdrawn', 'Issues and files withdrawn from GitHub because they are no longer public.', [
    'route',
    'what',
  ]);
  const budget = gauge('budget_left', 'How much content can still be created on the side now.', ['side', 'budget']);
  const paused = gauge('paused', '1 while the bridge pauses at the request of the side.', ['side']);
  const endsAtOf =
    'When GitHub ends the interface version that the bridge uses, in seconds since 1970; 0 while no date is announced.';
  const ends = gauge('github_interface_ends_seconds', endsAtOf, []);
  const ofRoute = {
    standing,
    inStep,
    halted,
    failures,
    isPaused,
    attention,
    setAside,
    withdrawn,
    conflicts,
    parked,
    outbox,
  };
  return { ...ofRoute, links, pairs, waiting, lag, sweepAge, lookAge, budget, paused, ends };
}

function gaugesOf(registers: Registry[]): { set(options: MetricsOptions): void } {
  const { standing, inStep, halted, failures, isPaused, attention, setAside, withdrawn, conflicts, ...others } =
    gaugesIn(registers);
  const { parked, outbox, links, pairs, waiting, lag, sweepAge, lookAge, budget, paused, ends } = others;
  return {
    set({ statuses, now: clock }) {
      const now = clock();
      standing.reset();
      for (const status of statuses()) {
        const { route } = status;
        isPaused.set({ route }, status.isEnabled && status.rest === null ? 0 : 1);
        if (!status.isEnabled) continue;
        standing.set({ route, standing: status.standing }, 1);
        inStep.set({ route }, status.isInStep ? 1 : 0);
        halted.set({ route }, status.isHalted ? 1 : 0);
        for (const work of ['cycle', 'sweep', 'state', 'clock', 'stray'])
          failures.set({ route, of: work }, status.failures.find((each) => each.of === work)?.count ?? 0);
        for (const [state, count] of Object.entries(status.links.byState)) links.set({ route, state }, count);
        pairs.set({ route }, status.links.whole);
        waiting.set({ route }, status.links.wanting);
        for (const [state, count] of Object.entries(status.outbox)) outbox.set({ route, state }, count);
        parked.set({ route }, status.outbox.parked);
        conflicts.set({ route }, status.open.conflicts);
        attention.set({ route }, status.open.skips);
        setAside.set({ route }, status.setAside.length);
        withdrawn.set({ route, what: 'issue' }, status.withdrawn.issues);
        withdrawn.set({ route, what: 'file' }, status.withdrawn.files);
        if (status.lookedAt !== null) lookAge.set({ route }, Math.max(0, now - status.lookedAt) / 1000);
        for (const side of sides) {
          const { polledAt, sweptAt, pause, retirement, budgets } = status.sides[side];
          if (polledAt !== null) lag.set({ route, side }, Math.max(0, now - polledAt) / 1000);
          if (sweptAt !== null) sweepAge.set({ route, side }, Math.max(0, now - sweptAt) / 1000);
          paused.set({ side }, pause === null ? 0 : 1);
          if (side === 'github') ends.set((retirement?.endsAt ?? 0) / 1000);
          for (const { name, left } of budgets) budget.set({ side, budget: name.replaceAll(' ', '_') }, left);
        }
      }
    },
  };
}
