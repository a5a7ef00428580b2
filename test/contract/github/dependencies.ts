import { describe, expect, it } from 'vitest';
import { everything, type GithubSession, itemOf, minuteMs, numbers, repo } from './bench.ts';

export function dependencyCases(on: GithubSession): void {
  const two = (): readonly [number, number] => [
    on.mona.open(repo, { title: 'Waits' }),
    on.mona.open(repo, { title: 'First this' }),
  ];

  describe('dependencies', () => {
    it('show with the issue that is blocked, wherever it is read, and not with the one that blocks', async () => {
      const [waits, first] = two();
      const { cursor } = await on.replica.changes(null);
      on.clock.advance(2 * minuteMs);
      on.mona.block(repo, waits, first);
      expect((await on.seen(waits)).blockedBy).toEqual([first]);
      expect((await on.seen(first)).blockedBy).toEqual([]);
      expect((await everything(on.replica)).items.find(({ number }) => number === waits)?.blockedBy).toEqual([first]);
      const { items } = await on.replica.changes(cursor);
      expect(numbers(items)).toContain(waits);
      expect(items.find(({ number }) => number === waits)?.blockedBy).toEqual([first]);
    });

    it('on another repository count, and are not shown', async () => {
      const waits = on.mona.open(repo, { title: 'Waits' });
      const elsewhere = on.mona.open('acme/gadget', { title: 'Elsewhere' });
      const foreign = on.world.issue('acme/gadget', elsewhere);
      itemOf(await on.replica.update(await on.seen(waits), { blocker: { change: 'add', issueId: foreign?.id ?? 0 } }));
      expect(await on.seen(waits)).toMatchObject({ blockerCount: 1, blockedBy: [] });
    });

    it('are put on and taken off by the database id, with one write each', async () => {
      const [waits, first] = two();
      const issueId = on.stored(first).id;
      const before = on.writes();
      const added = itemOf(await on.replica.update(await on.seen(waits), { blocker: { change: 'add', issueId } }));
      expect(added.blockedBy).toEqual([first]);
      expect(on.stored(waits).blockedBy).toEqual([first]);
      const removed = itemOf(await on.replica.update(added, { blocker: { change: 'remove', issueId } }));
      expect(removed.blockedBy).toEqual([]);
      expect(on.stored(waits).blockedBy).toEqual([]);
      expect(on.writes() - before).toBe(2);
    });

    it('that are as wanted already are no failure', async () => {
      const [waits, first] = two();
      const issueId = on.stored(first).id;
      const seen = await on.seen(waits);
      expect(itemOf(await on.replica.update(seen, { blocker: { change: 'remove', issueId } })).blockedBy).toEqual([]);
      on.mona.block(repo, waits, first);
      expect(itemOf(await on.replica.update(seen, { blocker: { change: 'add', issueId } })).blockedBy).toEqual([first]);
    });

    it('in a circle are refused, and the issue is not taken for gone', async () => {
      const [waits, first] = two();
      on.mona.block(repo, first, waits);
      const outcome = await on.replica.update(await on.seen(waits), {
        blocker: { change: 'add', issueId: on.stored(first).id },
      });
      expect(outcome.kind).toBe('refused');
      expect(on.stored(waits).blockedBy).toEqual([]);
    });

    it('without the right to set them are refused', async () => {
      const [waits, first] = two();
      await on.start({ login: 'hubot' });
      const numbers = two();
      expect(numbers).toEqual([waits, first]);
      const outcome = await on.replica.update(await on.seen(waits), {
        blocker: { change: 'add', issueId: on.stored(first).id },
      });
      expect(outcome.kind).toBe('refused');
    });

    it('with an issue that was deleted are gone', async () => {
      const [waits, first] = two();
      on.mona.block(repo, waits, first);
      on.mona.deleteIssue(repo, first);
      expect(await on.seen(waits)).toMatchObject({ blockerCount: 0, blockedBy: [] });
    });

    it('are absent, which is not empty, from a server that knows none', async () => {
      on.world.limits.hasDependencies = false;
      const [waits, first] = two();
      const issue = await on.seen(waits);
      expect(issue.blockedBy).toBeUndefined();
      expect((await on.replica.update(issue, { blocker: { change: 'add', issueId: on.stored(first).id } })).kind).toBe(
        'refused',
      );
    });

    it('cost nothing while no issue has any', async () => {
      two();
      const before = on.world.requests.length;
      await everything(on.replica);
      expect(on.world.requests.slice(before).filter(({ path }) => path.includes('dependencies'))).toEqual([]);
    });
  });
}
