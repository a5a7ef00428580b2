import { describe, expect, it } from 'vitest';
import { applied, draft, inScenario, type OpenTracker, seenBug } from './scenario.ts';

/** What shows whether a write was stored. */
export function trackerEvidence(open: OpenTracker): void {
  describe('bugs', () => {
    it('are the same by ids as by single reads, though lists lag behind', () =>
      inScenario(
        open,
        async (scenario) => {
          const { replica, world, clock } = scenario;
          const bugs = ['a', 'b', 'c'].map((summary) => world.as('bob').file({ summary }));
          clock.advance(60_000);
          world.as('alice').change(bugs[1] ?? 0, { summary: 'b, changed' });
          const seen = await Promise.all(bugs.map((bug) => seenBug(scenario, bug)));
          expect(seen[1]?.summary).toBe('b, changed');
          expect((await replica.bugs(bugs)).toSorted((one, other) => one.id - other.id)).toEqual(seen);
        },
        { listLagMs: 30_000 },
      ));

    it('leave out what cannot be reached', () =>
      inScenario(open, async ({ replica, world }) => {
        const bugs = ['a', 'b', 'c'].map((summary) => world.as('bob').file({ summary }));
        world.hide(bugs[0] ?? 0);
        world.remove(bugs[1] ?? 0);
        expect((await replica.bugs([...bugs, 999])).map(({ id }) => id)).toEqual([bugs[2]]);
        expect(await replica.bugs([])).toEqual([]);
      }));
  });

  describe('bugs that our account filed', () => {
    it('are found in whatever product they are by now, and only if they changed since', () =>
      inScenario(open, async ({ replica, world, clock, user }) => {
        await replica.hello();
        const ours = ['a', 'b', 'c', 'd', 'e'].map((summary) => world.as(user).file({ summary }));
        clock.advance(600_000);
        world.as('bob').file({ summary: 'not ours' });
        const later = [...ours.slice(1), world.as(user).file({ summary: 'f' })];
        for (const bug of later) world.as('alice').change(bug, { priority: 'High' });
        const [moved = 0] = later;
        const there = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
        world.as('alice').change(moved, there);
        const { items, failed } = await replica.filedByUs(clock.now() - 60_000);
        expect([items.map(({ id }) => id), failed]).toEqual([later, []]);
        expect(items[0]?.product).toBe('Gadget');
        expect((await replica.filedByUs(clock.now() + 60_000)).items).toEqual([]);
      }));
  });

  describe('the history', () => {
    it('tells who changed which of our fields in this second or later', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const [one, two] = [world.as('bob').file({ summary: 'a' }), world.as('bob').file({ summary: 'b' })];
        clock.advance(5_000);
        world.as('alice').change(one, { priority: 'High' });
        clock.advance(5_000);
        const at = Math.floor(clock.now() / 1000) * 1000;
        const url = 'https://github.com/acme/widget/issues/7';
        world.as('alice').change(one, {
          summary: 'changed',
          severity: 'major',
          keywords: { add: ['crash'] },
          see_also: { add: [url] },
        });
        world.as('alice').change(one, { status: 'RESOLVED', resolution: 'FIXED' });
        const { changes: past, unread } = await replica.history([one, two, 9_999], at + 400);
        expect(unread).toEqual([9_999]);
        expect(new Set(past.map(({ ref, login }) => `${ref} ${login}`))).toEqual(
          new Set([`${one} alice@example.test`]),
        );
        expect(past.every((change) => change.at === at)).toBe(true);
        expect(new Set(past.flatMap(({ what }) => Object.keys(what)))).toEqual(
          new Set(['title', 'severity', 'keywords', 'seeAlso', 'status']),
        );
        expect(await replica.history([one], at + 1_000)).toEqual({ changes: [], unread: [] });
      }));
  });

  describe('a comment', () => {
    it('is there with its bug and author, hidden, missing, or unknown', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a' });
        const said = world.as('alice').comment(bug, 'said');
        const hidden = world.as('alice').comment(bug, 'hidden', { isPrivate: true });
        const secret = world.as('alice').file({ summary: 'b', groups: ['security'] });
        const unseen = world.commentsOf(secret)[0]?.id ?? 0;
        const found = [];
        for (const id of [said, hidden, 9_999, unseen]) found.push(await replica.commentAt(id));
        expect(found).toEqual([
          { kind: 'there', bug, login: 'alice@example.test' },
          { kind: 'private' },
          { kind: 'missing' },
          { kind: 'unknown' },
        ]);
      }));
  });

  describe('a write that is answered and lost', () => {
    it('is an update by its answer, and leaves no trace', () =>
      inScenario(open, async (scenario) => {
        const { replica, world, clock, fail } = scenario;
        const bug = world.as('bob').file({ summary: 'before' });
        const seen = await seenBug(scenario, bug);
        clock.advance(5_000);
        fail('edit', { kind: 'lost' });
        expect(applied(await replica.update(seen, { summary: 'after' }))).toMatchObject({
          summary: 'after',
          changedAt: Math.floor(clock.now() / 1000) * 1000,
        });
        expect(await seenBug(scenario, bug)).toEqual(seen);
        expect(await replica.history([bug], 0)).toEqual({ changes: [], unread: [] });
      }));

    it('has the id of the answer, and no other comment gets it', () =>
      inScenario(open, async ({ replica, world, fail }) => {
        const bug = world.as('bob').file({ summary: 'a' });
        fail('create', { kind: 'lost' });
        const { id } = applied(await replica.comment(bug, 'said'));
        expect(world.commentsOf(bug)).toHaveLength(1);
        expect(await replica.commentAt(id)).toEqual({ kind: 'missing' });
        expect(applied(await replica.comment(bug, 'said')).id).toBeGreaterThan(id);
      }));

    it('is a new bug whose fate is unknown, because it cannot be read back', () =>
      inScenario(open, async ({ replica, world, fail }) => {
        fail('create', { kind: 'lost' });
        expect(await replica.create(draft)).toEqual({
          kind: 'unknown',
          why: 'the tracker says that it filed bug 1, but shows no such bug',
        });
        expect(world.bugs()).toEqual([]);
      }));
  });
}
