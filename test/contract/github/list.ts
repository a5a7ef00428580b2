import { describe, expect, it } from 'vitest';
import { everything, type GithubSession, minuteMs, numbers, repo, unique } from './bench.ts';

export function listCases(on: GithubSession): void {
  describe('the full list', () => {
    it('has every issue once and every comment once, open or closed, and no pull request', async () => {
      const opened: number[] = [];
      const said: number[] = [];
      for (let at = 0; at < 10; at += 1) {
        on.clock.advance(minuteMs);
        const pull = on.mona.openPull(repo, { title: `Pull ${at}` });
        on.mona.comment(repo, pull, 'Not ours');
        const number = on.mona.open(repo, { title: `Issue ${at}` });
        said.push(on.mona.comment(repo, number, `Words ${at}`));
        if (at % 2 === 0) on.mona.close(repo, number);
        opened.push(number);
      }
      const all = await everything(on.replica);
      expect(numbers(all.items)).toEqual(opened);
      expect(all.comments.map((comment) => comment.id).sort((left, right) => left - right)).toEqual(said);
      expect(all.pages).toBeGreaterThan(1);
    });

    it('is empty, and ends, in an empty repository', async () => {
      expect(await everything(on.replica)).toMatchObject({ items: [], comments: [] });
    });

    it('loses nothing when issues are edited, commented and opened between its pages', async () => {
      const opened: number[] = [];
      for (let at = 0; at < 9; at += 1) {
        on.clock.advance(minuteMs);
        opened.push(on.mona.open(repo, { title: `Issue ${at}` }));
      }
      const found: number[] = [];
      let page: string | null = null;
      let turn = 0;
      do {
        const listing = await on.replica.list(page);
        found.push(...numbers(listing.items));
        page = listing.next;
        on.clock.advance(minuteMs);
        const newest = opened[opened.length - 1 - turn];
        const oldest = opened[turn];
        if (newest !== undefined) on.mona.edit(repo, newest, { title: `Edited ${turn}` });
        if (oldest !== undefined) on.mona.comment(repo, oldest, 'Bump');
        if (turn < 2) on.mona.open(repo, { title: `Opened meanwhile ${turn}` });
        turn += 1;
      } while (page !== null && turn < 100);
      expect(unique(found)).toEqual(expect.arrayContaining(opened));
    });
  });

  describe('threads', () => {
    it('are whole and in order when everything is asked for', async () => {
      const first = on.mona.open(repo, { title: 'One' });
      const second = on.mona.open(repo, { title: 'Two' });
      const ids: number[] = [];
      for (let at = 0; at < 7; at += 1) {
        on.clock.advance(1000);
        ids.push(on.mona.comment(repo, first, `Words ${at}`));
        on.mona.comment(repo, second, 'Other words');
      }
      const threads = await on.replica.threads([
        { ref: first, sinceAt: null },
        { ref: second, sinceAt: null },
      ]);
      const thread = threads.find(({ ref }) => ref === first);
      expect(threads).toHaveLength(2);
      expect(thread?.isWhole).toBe(true);
      expect(thread?.comments.map((comment) => comment.id)).toEqual(ids);
      expect(thread?.comments.every((comment) => comment.ref === first)).toBe(true);
    });

    it('of an issue without comments are there and empty', async () => {
      const number = on.mona.open(repo, { title: 'Quiet' });
      expect(await on.replica.threads([{ ref: number, sinceAt: null }])).toMatchObject([
        { ref: number, isWhole: true, comments: [] },
      ]);
    });

    it('since a moment contain later texts and edits, and do not claim to be complete', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      const edited = on.mona.comment(repo, number, 'First');
      on.mona.comment(repo, number, 'Long ago');
      on.clock.advance(10 * minuteMs);
      const sinceAt = Math.floor(on.clock.now() / 1000) * 1000;
      const added = on.mona.comment(repo, number, 'In that very second');
      on.mona.editComment(repo, edited, 'First, edited');
      const [thread] = await on.replica.threads([{ ref: number, sinceAt }]);
      expect(thread?.isWhole).toBe(false);
      expect(thread?.comments.map((comment) => comment.id)).toEqual([edited, added]);
    });

    it('no longer have a deleted comment', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      const kept = on.mona.comment(repo, number, 'Kept');
      const dropped = on.mona.comment(repo, number, 'Dropped');
      on.mona.deleteComment(repo, dropped);
      const [thread] = await on.replica.threads([{ ref: number, sinceAt: null }]);
      expect(thread?.comments.map((comment) => comment.id)).toEqual([kept]);
      expect((await on.seen(number)).commentCount).toBe(1);
    });

    it('leave out what cannot be reached, and still bring the others', async () => {
      const [deleted, moved, there] = ['Deleted', 'Moved', 'There'].map((title) => on.mona.open(repo, { title }));
      if (deleted === undefined || moved === undefined || there === undefined)
        throw new Error('Three issues were opened.');
      for (const number of [deleted, moved, there]) on.mona.comment(repo, number, 'Words');
      on.mona.deleteIssue(repo, deleted);
      on.mona.transfer(repo, moved, 'acme/gadget');
      const threads = await on.replica.threads([deleted, moved, 999, there].map((ref) => ({ ref, sinceAt: null })));
      expect(threads.map(({ ref }) => ref)).toEqual([there]);
    });
  });
}
