import { describe, expect, it } from 'vitest';
import { SideError } from '../../../src/model/outcome.ts';
import type { Fault } from '../../../src/sandbox/server/faults.ts';
import { closeAccount, draft, inScenario, type OpenTracker, seenBug, type TrackerScenario } from './scenario.ts';

/** Troubles of which nobody can say from outside whether the request was done. */
const troubles: readonly (readonly [string, (after: boolean) => Fault])[] = [
  ['a lost connection', (after) => ({ kind: 'drop', after })],
  ['a failure inside', (after) => ({ kind: 'error-body', after })],
  ['status 500', (after) => ({ kind: 'status', status: 500, isHtml: false, after })],
  ['status 502 of a proxy', (after) => ({ kind: 'status', status: 502, isHtml: true, after })],
  ['status 503 of a proxy', (after) => ({ kind: 'status', status: 503, isHtml: true, after })],
];

const reads: readonly (readonly [string, (scenario: TrackerScenario, bug: number) => Promise<unknown>])[] = [
  ['changes', ({ replica }) => replica.changes(null)],
  ['probe', ({ replica }, bug) => replica.probe(bug)],
];

/** Reads of many bugs: one failed answer may be the fault of one bug, so they go on in smaller parts. */
const bulkReads: typeof reads = [
  ['list', async ({ replica }) => (await replica.list(null)).items.map(({ id }) => id)],
  ['threads', async ({ replica }, bug) => (await replica.threads([{ ref: bug, sinceAt: null }])).map(({ ref }) => ref)],
];

const thrown = async (read: Promise<unknown>): Promise<unknown> =>
  read.then(
    (value) => ({ answered: value }),
    (error: unknown) => error,
  );

export function trackerTrouble(open: OpenTracker): void {
  describe('when things go wrong', () => {
    // A failure inside may be the fault of one bug, which threads then leave out: it says nothing about the side.
    it.each(
      reads.flatMap(([read, work]) =>
        troubles
          .filter(([what]) => what !== 'a failure inside')
          .map(([what, fault]) => [read, what, work, fault] as const),
      ),
    )('%s throws `later` after %s', (_read, _what, work, fault) =>
      inScenario(open, async (scenario) => {
        const bug = scenario.world.as('bob').file({ summary: 'a' });
        scenario.fail('read', fault(false));
        const error = await thrown(work(scenario, bug));
        expect(error).toBeInstanceOf(SideError);
        expect(error).toMatchObject({ kind: 'later' });
        await expect(work(scenario, bug)).resolves.toBeDefined();
      }),
    );

    it.each(bulkReads.flatMap(([read, work]) => troubles.map(([what, fault]) => [read, what, work, fault] as const)))(
      '%s answers in spite of %s',
      (_read, _what, work, fault) =>
        inScenario(open, async (scenario) => {
          const bug = scenario.world.as('bob').file({ summary: 'a' });
          scenario.fail('read', fault(false));
          expect(await work(scenario, bug)).toEqual([bug]);
        }),
    );

    it('a read that is turned away throws `later`, with the time to come back', () =>
      inScenario(open, async (scenario) => {
        scenario.fail('read', { kind: 'limited', status: 429, retryAfterSeconds: 60 });
        const error = await thrown(scenario.replica.list(null));
        expect(error).toBeInstanceOf(SideError);
        expect(error).toMatchObject({ kind: 'later', side: 'tracker' });
        const at = error instanceof SideError ? (error.at ?? 0) : 0;
        expect(Math.abs(at - (scenario.clock.now() + 60_000))).toBeLessThanOrEqual(1000);
      }));

    const outcomes = troubles.flatMap(([what, fault]) => [
      [what, 'before', fault(false), 0] as const,
      [what, 'after', fault(true), 1] as const,
    ]);

    it.each(outcomes)('a create with %s %s it was done is unknown', (_what, _when, fault, done) =>
      inScenario(open, async ({ replica, world, fail }) => {
        fail('create', fault);
        expect((await replica.create(draft)).kind).toBe('unknown');
        expect(world.bugs()).toHaveLength(done);
      }),
    );

    it.each(outcomes)('a comment with %s %s it was done is unknown', (_what, _when, fault, done) =>
      inScenario(open, async ({ replica, world, fail }) => {
        const bug = world.as('bob').file({ summary: 'a' });
        fail('create', fault);
        expect((await replica.comment(bug, 'x')).kind).toBe('unknown');
        expect(world.commentsOf(bug)).toHaveLength(1 + done);
      }),
    );

    it.each(outcomes)('an update with %s %s it was done is unknown', (_what, _when, fault, done) =>
      inScenario(open, async ({ replica, world, fail }) => {
        const bug = world.as('bob').file({ summary: 'before' });
        const seen = await seenBug({ replica }, bug);
        fail('edit', fault);
        expect((await replica.update(seen, { summary: 'after' })).kind).toBe('unknown');
        expect(world.bug(bug)?.summary).toBe(done === 1 ? 'after' : 'before');
      }),
    );

    it('a write that is turned away pauses the whole side, and nothing is done', () =>
      inScenario(open, async ({ replica, world, clock, fail }) => {
        fail('create', { kind: 'limited', status: 429, retryAfterSeconds: 60 });
        const outcome = await replica.create(draft);
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
        const at = outcome.kind === 'later' ? (outcome.at ?? 0) : 0;
        expect(Math.abs(at - (clock.now() + 60_000))).toBeLessThanOrEqual(1000);
        expect(world.bugs()).toEqual([]);
      }));

    it('a slow answer is an answer', () =>
      inScenario(open, async ({ replica, world, fail }) => {
        fail('create', { kind: 'slow', delayMs: 50 });
        expect((await replica.create(draft)).kind).toBe('applied');
        expect(world.bugs()).toHaveLength(1);
      }));

    it('a closed account may neither read nor write', () =>
      inScenario(open, async (scenario) => {
        const bug = scenario.world.as('bob').file({ summary: 'a' });
        const seen = await seenBug(scenario, bug);
        closeAccount(scenario, 'bridge');
        expect(await thrown(scenario.replica.list(null))).toMatchObject({ kind: 'unauthorized' });
        expect(await thrown(scenario.replica.probe(bug))).toMatchObject({ kind: 'unauthorized' });
        expect(await thrown(scenario.replica.hello())).toMatchObject({ kind: 'unauthorized' });
        expect((await scenario.replica.update(seen, { summary: 'b' })).kind).toBe('unauthorized');
        expect((await scenario.replica.comment(bug, 'x')).kind).toBe('unauthorized');
        expect((await scenario.replica.create(draft)).kind).toBe('unauthorized');
        expect(scenario.world.bugs()).toMatchObject([{ id: bug, summary: 'a' }]);
      }));
  });
}
