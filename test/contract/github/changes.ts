import { describe, expect, it } from 'vitest';
import { type GithubSession, minuteMs, numbers, repo, unique } from './bench.ts';

export function changesCases(on: GithubSession): void {
  describe('changes', () => {
    it('are none to begin with, and the cursor is at this moment', async () => {
      on.mona.open(repo, { title: 'Before' });
      on.clock.advance(15 * minuteMs);
      const first = await on.replica.changes(null);
      expect(first).toMatchObject({ items: [], comments: [] });
      on.clock.advance(1000);
      const after = on.mona.open(repo, { title: 'After' });
      expect(numbers((await on.replica.changes(first.cursor)).items)).toEqual([after]);
    });

    it('tell the side’s own time', async () => {
      const page = await on.replica.changes(null);
      expect(Math.abs(page.readAt - on.clock.now())).toBeLessThan(1000);
    });

    it('of the same second as the reading are repeated, not lost', async () => {
      const first = await on.replica.changes(null);
      const early = on.mona.open(repo, { title: 'Early in the second' });
      const second = await on.replica.changes(first.cursor);
      const late = on.mona.open(repo, { title: 'Late in the same second' });
      const third = await on.replica.changes(second.cursor);
      expect(numbers(second.items)).toEqual([early]);
      expect(numbers(third.items)).toContain(late);
    });

    it('leave out items that were read long ago', async () => {
      const old = on.mona.open(repo, { title: 'Old' });
      on.mona.comment(repo, old, 'Old words');
      on.clock.advance(11 * minuteMs);
      const { cursor } = await on.replica.changes(null);
      on.clock.advance(10 * minuteMs);
      expect(await on.replica.changes(cursor)).toMatchObject({ items: [], comments: [] });
    });

    it('show an issue after each kind of edit', async () => {
      const kinds: readonly ((number: number) => void)[] = [
        (number) => on.mona.edit(repo, number, { title: 'New title' }),
        (number) => on.mona.edit(repo, number, { body: 'New body' }),
        (number) => on.mona.close(repo, number),
        (number) => on.mona.reopen(repo, number),
        (number) => on.mona.label(repo, number, 'new'),
        (number) => on.mona.unlabel(repo, number, 'NEW'),
        (number) => void on.mona.comment(repo, number, 'New words'),
        () => on.mona.editComment(repo, words, 'Newer words'),
      ];
      const number = on.mona.open(repo, { title: 'Title' });
      const words = on.mona.comment(repo, number, 'Words');
      for (const edit of kinds) {
        on.clock.advance(10 * minuteMs);
        const { cursor } = await on.replica.changes(null);
        on.clock.advance(1000);
        edit(number);
        const page = await on.replica.changes(cursor);
        expect(numbers(page.items)).toEqual([number]);
        expect(page.items[0]).toEqual(await on.seen(number));
      }
    });

    it('bring new and edited comments whole', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      const edited = on.mona.comment(repo, number, 'First thought');
      on.mona.comment(repo, number, 'Untouched');
      on.clock.advance(11 * minuteMs);
      const { cursor } = await on.replica.changes(null);
      on.clock.advance(2000);
      on.mona.editComment(repo, edited, 'Second thought');
      const added = on.mona.comment(repo, number, 'Third\nthought');
      const { comments } = await on.replica.changes(cursor);
      const now = Math.floor(on.clock.now() / 1000) * 1000;
      expect(comments.map((comment) => [comment.id, comment.text]).sort()).toEqual([
        [edited, 'Second thought'],
        [added, 'Third\nthought'],
      ]);
      expect(comments.find((comment) => comment.id === added)).toEqual({
        side: 'github',
        id: added,
        ref: number,
        count: null,
        url: `${on.world.state.url}/acme/widget/issues/${number}#issuecomment-${added}`,
        author: { login: 'mona', name: 'mona', id: expect.any(Number) },
        text: 'Third\nthought',
        isPrivate: false,
        minimize: null,
        createdAt: now,
        changedAt: now,
      });
      expect(comments.find((comment) => comment.id === edited)?.createdAt).toBeLessThan(now);
    });

    it('leave pull requests and their comments out', async () => {
      const { cursor } = await on.replica.changes(null);
      const pull = on.mona.openPull(repo, { title: 'Fix' });
      on.mona.comment(repo, pull, 'Looks good');
      const number = on.mona.open(repo, { title: 'Real' });
      const words = on.mona.comment(repo, number, 'Real words');
      const page = await on.replica.changes(cursor);
      expect(numbers(page.items)).toEqual([number]);
      expect(page.comments.map((comment) => comment.id)).toEqual([words]);
    });

    it('are all there when they fill several pages', async () => {
      const { cursor } = await on.replica.changes(null);
      const opened: number[] = [];
      for (let at = 0; at < 8; at += 1) {
        on.clock.advance(700);
        const number = on.mona.open(repo, { title: `Issue ${at}` });
        on.mona.comment(repo, number, `Words ${at}`);
        opened.push(number);
      }
      const page = await on.replica.changes(cursor);
      expect(numbers(page.items)).toEqual(opened);
      expect(unique(page.comments.map((comment) => comment.ref)).sort((left, right) => left - right)).toEqual(opened);
    });

    it('that show up late in the lists are not skipped', async () => {
      await on.start({ listLagMs: 20_000 });
      const { cursor } = await on.replica.changes(null);
      on.clock.advance(5000);
      const number = on.mona.open(repo, { title: 'Slow to appear' });
      const words = on.mona.comment(repo, number, 'Slow words');
      on.clock.advance(10_000);
      const early = await on.replica.changes(cursor);
      expect(numbers(early.items)).toEqual([]);
      on.clock.advance(12_000);
      const late = await on.replica.changes(early.cursor);
      expect(numbers(late.items)).toEqual([number]);
      expect(late.comments.map((comment) => comment.id)).toEqual([words]);
    });

    it('are read from where another process left its cursor', async () => {
      const { cursor } = await on.replica.changes(null);
      const number = on.mona.open(repo, { title: 'While we were down' });
      on.clock.advance(3 * 24 * 60 * minuteMs);
      const restarted = await on.another();
      expect(numbers((await restarted.changes(cursor)).items)).toEqual([number]);
    });
  });
}
