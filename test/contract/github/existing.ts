import { describe, expect, it } from 'vitest';
import { type GithubSession, itemOf, minuteMs, repo } from './bench.ts';

const whatever = (): boolean => true;

/** What stands already: a comment rewritten or erased, a body replaced, an issue locked. */
export function existingCases(on: GithubSession): void {
  const talk = async (): Promise<readonly [issue: number, comment: number]> => {
    const issue = on.mona.open(repo, { title: 'Talk' });
    return [issue, itemOf(await on.replica.comment(issue, 'Words')).id];
  };
  const texts = (issue: number) => on.world.commentsOf(repo, issue).map(({ body }) => body);

  describe('rewriting a comment', () => {
    it('replaces its text with one write, and answers with the comment', async () => {
      const [issue, id] = await talk();
      on.mona.editComment(repo, id, 'Mona was here');
      on.clock.advance(minuteMs);
      const before = on.writes();
      const comment = itemOf(await on.replica.rewrite(issue, id, 'Better\n\nwords', whatever));
      expect(on.writes() - before).toBe(1);
      expect(comment).toMatchObject({
        side: 'github',
        id,
        ref: issue,
        text: 'Better\n\nwords',
        changedAt: on.clock.now() - 250,
      });
      expect(texts(issue)).toEqual(['Better\n\nwords']);
    });

    it('is stale after a change by a person, and keeps that change', async () => {
      const [issue, id] = await talk();
      const isOurs = (body: string): boolean => body === 'Words';
      expect(itemOf(await on.replica.rewrite(issue, id, 'Words', isOurs)).text).toBe('Words');
      on.mona.editComment(repo, id, 'Mona was here');
      const before = on.writes();
      expect(await on.replica.rewrite(issue, id, 'Better', isOurs)).toMatchObject({ kind: 'stale' });
      expect(on.writes() - before).toBe(0);
      expect(texts(issue)).toEqual(['Mona was here']);
    });

    it('is changed in part from the text that is read just before, or not at all', async () => {
      const [issue, id] = await talk();
      on.mona.editComment(repo, id, 'Mona was here');
      const before = on.writes();
      const change = (body: string): string => body.replace('Mona', 'Somebody');
      expect(itemOf(await on.replica.amend(issue, id, change)).text).toBe('Somebody was here');
      expect(on.writes() - before).toBe(1);
      expect(itemOf(await on.replica.amend(issue, id, change)).text).toBe('Somebody was here');
      expect(on.writes() - before).toBe(1);
      expect(await on.replica.amend(issue, 999_999, change)).toMatchObject({ kind: 'gone' });
    });

    it('that is missing or on another issue is gone, as is the comment of an issue that is gone', async () => {
      const [issue, erased] = await talk();
      on.mona.deleteComment(repo, erased);
      expect(await on.replica.rewrite(issue, erased, 'Back', whatever)).toMatchObject({
        kind: 'gone',
        gone: { kind: 'missing' },
      });
      expect(await on.replica.rewrite(issue, 999_999, 'Never was', whatever)).toMatchObject({
        kind: 'gone',
        gone: { kind: 'missing' },
      });
      expect((await on.replica.probe(issue)).kind).toBe('there');
      const [deleted, within] = await talk();
      on.mona.deleteIssue(repo, deleted);
      expect(await on.replica.rewrite(deleted, within, 'Back', whatever)).toMatchObject({
        kind: 'gone',
        gone: { kind: 'deleted' },
      });
      const [moved, carried] = await talk();
      on.mona.transfer(repo, moved, 'acme/gadget');
      expect(await on.replica.rewrite(moved, carried, 'Back', whatever)).toMatchObject({
        kind: 'gone',
        gone: { kind: 'moved' },
      });
      expect(texts(issue)).toEqual([]);
    });

    it('is refused when the text is blank or too long, or the comment is somebody else’s', async () => {
      await on.start({ login: 'hubot' });
      const issue = on.mona.open(repo, { title: 'Talk' });
      const foreign = on.mona.comment(repo, issue, 'Mine');
      const { id } = itemOf(await on.replica.comment(issue, 'Words'));
      expect(await on.replica.rewrite(issue, id, ' \n', whatever)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.rewrite(issue, id, 'x'.repeat(65_537), whatever)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.rewrite(issue, foreign, 'Yours', whatever)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.erase(issue, foreign)).toMatchObject({ kind: 'refused' });
      expect(texts(issue)).toEqual(['Mine', 'Words']);
    });
  });

  describe('erasing a comment', () => {
    it('takes it away, and is as good as done where it is not there any more', async () => {
      const [issue, id] = await talk();
      on.mona.comment(repo, issue, 'Stays');
      expect(await on.replica.erase(issue, id)).toEqual({ kind: 'applied', item: null });
      expect(texts(issue)).toEqual(['Stays']);
      expect(await on.replica.erase(issue, id)).toEqual({ kind: 'applied', item: null });
      expect((await on.seen(issue)).commentCount).toBe(1);
    });

    it('of an unreachable issue is gone, and not done: it may have moved with the issue', async () => {
      const [moved, carried] = await talk();
      const arrived = on.mona.transfer(repo, moved, 'acme/gadget');
      expect(await on.replica.erase(moved, carried)).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
      expect(on.world.commentsOf('acme/gadget', arrived)).toHaveLength(1);
      const [deleted, within] = await talk();
      on.mona.deleteIssue(repo, deleted);
      expect(await on.replica.erase(deleted, within)).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
    });

    it('is not done because the whole repository cannot be seen', async () => {
      const [issue, id] = await talk();
      on.world.setPrivate(repo, true);
      on.world.allow(repo, 'bugferry', null);
      expect(await on.replica.erase(issue, id)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.rewrite(issue, id, 'New', whatever)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.lock(issue, true)).toMatchObject({ kind: 'refused' });
      expect(texts(issue)).toEqual(['Words']);
    });
  });

  describe('replacing a whole body', () => {
    it('takes one write, together with what else is to change', async () => {
      const number = on.mona.open(repo, { title: 'Old', body: 'Old words' });
      const before = on.writes();
      const item = itemOf(await on.replica.update(await on.seen(number), { title: 'New', body: 'New words' }));
      expect(on.writes() - before).toBe(1);
      expect(item).toMatchObject({ title: 'New', body: 'New words' });
      expect(on.stored(number)).toMatchObject({ title: 'New', body: 'New words' });
    });

    it('is stale when the body changed meanwhile', async () => {
      const number = on.mona.open(repo, { title: 'Old', body: 'Old words' });
      const seen = await on.seen(number);
      on.mona.edit(repo, number, { body: 'Mona’s words' });
      expect(await on.replica.update(seen, { body: 'New words' })).toMatchObject({ kind: 'stale' });
      expect(on.stored(number).body).toBe('Mona’s words');
    });

    it('by itself sends nothing', async () => {
      const number = on.mona.open(repo, { title: 'Old', body: 'Words' });
      const before = on.writes();
      expect(itemOf(await on.replica.update(await on.seen(number), { body: 'Words' })).body).toBe('Words');
      expect(on.stored(number).body).toBe('Words');
      expect(on.writes() - before).toBeLessThanOrEqual(1);
    });
  });

  describe('locking', () => {
    it('shows with the issue, and keeps out accounts without write access', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      const { cursor } = await on.replica.changes(null);
      on.clock.advance(2 * minuteMs);
      expect((await on.seen(number)).isLocked).toBe(false);
      expect(await on.replica.lock(number, true)).toEqual({ kind: 'applied', item: null });
      expect((await on.seen(number)).isLocked).toBe(true);
      expect((await on.replica.changes(cursor)).items).toMatchObject([{ number, isLocked: true }]);
      expect(() => on.world.as('hubot').comment(repo, number, 'But')).toThrow(/locked/);
      expect((await on.replica.comment(number, 'By us')).kind).toBe('applied');
      expect(await on.replica.lock(number, true)).toEqual({ kind: 'applied', item: null });
      expect(await on.replica.lock(number, false)).toEqual({ kind: 'applied', item: null });
      expect(await on.replica.lock(number, false)).toEqual({ kind: 'applied', item: null });
      expect(on.stored(number).isLocked).toBe(false);
      on.world.as('hubot').comment(repo, number, 'Thanks');
    });

    it('is refused without the right to, and gone where the issue is', async () => {
      const deleted = on.mona.open(repo, { title: 'Deleted' });
      on.mona.deleteIssue(repo, deleted);
      expect(await on.replica.lock(deleted, true)).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
      await on.start({ login: 'hubot' });
      const number = on.mona.open(repo, { title: 'Talk' });
      expect(await on.replica.lock(number, true)).toMatchObject({ kind: 'refused' });
      expect(on.stored(number).isLocked).toBe(false);
    });

    it('refuses a comment without rights; neither the comment nor the issue counts as gone', async () => {
      await on.start({ login: 'hubot' });
      const [issue, id] = await talk();
      on.mona.lock(repo, issue, true);
      expect(await on.replica.comment(issue, 'More')).toMatchObject({ kind: 'refused' });
      expect(await on.replica.rewrite(issue, id, 'Other', whatever)).toMatchObject({ kind: 'refused' });
      expect(await on.replica.erase(issue, id)).toMatchObject({ kind: 'refused' });
      expect(texts(issue)).toEqual(['Words']);
    });
  });

  describe('a lost answer', () => {
    it.each([true, false])('leaves it unknown whether it was done (took effect: %s)', async (after) => {
      const [issue, id] = await talk();
      const other = itemOf(await on.replica.comment(issue, 'Other')).id;
      const before = on.writes();
      on.fault = { cost: 'edit', fault: { kind: 'drop', after } };
      expect(await on.replica.rewrite(issue, id, 'New', whatever)).toMatchObject({ kind: 'unknown' });
      expect(await on.replica.erase(issue, other)).toMatchObject({ kind: 'unknown' });
      expect(await on.replica.lock(issue, true)).toMatchObject({ kind: 'unknown' });
      expect(on.writes() - before).toBe(3);
      expect(texts(issue)).toEqual(after ? ['New'] : ['Words', 'Other']);
      expect(on.stored(issue).isLocked).toBe(after);
    });

    it('is no reason to ask when GitHub wants a pause', async () => {
      const [issue, id] = await talk();
      on.fault = { cost: 'edit', fault: { kind: 'limited', status: 429, retryAfterSeconds: 90 } };
      for (const outcome of [
        await on.replica.rewrite(issue, id, 'New', whatever),
        await on.replica.erase(issue, id),
        await on.replica.lock(issue, true),
      ])
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
      expect(texts(issue)).toEqual(['Words']);
    });
  });
}
