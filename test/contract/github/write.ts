import { describe, expect, it } from 'vitest';
import { type GithubSession, itemOf, repo } from './bench.ts';

export function writeCases(on: GithubSession): void {
  describe('opening an issue', () => {
    it('answers with what the server made of it', async () => {
      const outcome = await on.replica.create({ title: '  Crash  ', body: 'Words\n', labels: ['bug', 'new label'] });
      const issue = itemOf(outcome);
      expect(issue).toMatchObject({
        title: 'Crash',
        body: 'Words\n',
        labels: ['bug', 'new label'],
        state: 'open',
        reason: null,
      });
      expect(issue.author.login).toBe('bugferry');
      expect(issue).toEqual(await on.seen(issue.number));
      expect(on.stored(issue.number).id).toBe(issue.id);
      expect(on.world.issues(repo)).toHaveLength(1);
    });

    it('takes labels in the case the repository has them', async () => {
      on.mona.open(repo, { title: 'First', labels: ['Bug'] });
      expect(itemOf(await on.replica.create({ title: 'T', body: '', labels: ['bug'] })).labels).toEqual(['Bug']);
    });

    it('says which labels it did not get without the right to set them', async () => {
      await on.start({ login: 'hubot' });
      expect(itemOf(await on.replica.create({ title: 'T', body: '', labels: ['bug'] })).labels).toEqual([]);
    });

    it('is refused without a reason where GitHub names none, and taken with less', async () => {
      on.world.limits.refusesUnnamed = 'labels';
      const [bare, whole] = [
        { title: 'T', body: 'Words', labels: [] },
        { title: 'T', body: 'Words', labels: ['bug'] },
      ];
      expect(await on.replica.create(whole)).toMatchObject({ kind: 'refused', isUnexplained: true });
      expect(await on.replica.create({ ...whole, title: 'x'.repeat(257) })).not.toHaveProperty('isUnexplained');
      const issue = itemOf(await on.replica.create(bare));
      expect(await on.replica.update(issue, { labels: { add: ['bug'], remove: [] } })).toEqual({
        kind: 'refused',
        why: expect.any(String),
      });
      expect(on.world.issues(repo)).toHaveLength(1);
    });

    it('goes without a label that is too long', async () => {
      const issue = itemOf(await on.replica.create({ title: 'T', body: '', labels: ['bug', 'x'.repeat(51)] }));
      expect(issue.labels).toEqual(['bug']);
      expect(on.world.issues(repo)).toHaveLength(1);
    });

    it.each([
      ['a title that is too long', { title: 'x'.repeat(257), body: '', labels: [] }, /title/],
      ['a body that is too long', { title: 'T', body: 'x'.repeat(65_537), labels: [] }, /body/],
    ])('is refused for %s, with the reason', async (_name, draft, words) => {
      const outcome = await on.replica.create(draft);
      expect(outcome).toMatchObject({ kind: 'refused' });
      expect(outcome.kind === 'refused' && outcome.why).toMatch(words);
      expect(on.world.issues(repo)).toHaveLength(0);
    });

    it.each([
      ['256 characters of title', { title: 'x'.repeat(256), body: '', labels: [] }],
      ['65,536 characters of body', { title: 'T', body: 'x'.repeat(65_536), labels: [] }],
      ['256 characters outside the basic plane', { title: '\u{1F41E}'.repeat(256), body: '', labels: [] }],
    ])('is not refused for %s', async (_name, draft) => {
      expect(itemOf(await on.replica.create(draft)).title).toBe(draft.title);
    });

    it('keeps every character of the body', async () => {
      const body = 'Tab\tand \u{1F600} and\r\ntrailing space \n\n<!-- bugferry:1 x bug=1 -->';
      const issue = itemOf(await on.replica.create({ title: 'T', body, labels: [] }));
      expect(on.stored(issue.number).body).toBe(body);
      expect(issue.body).toBe(body);
    });
  });

  describe('commenting', () => {
    it('answers with the comment and adds exactly one', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      const comment = itemOf(await on.replica.comment(number, 'Hello\n\nthere'));
      expect(comment).toMatchObject({
        side: 'github',
        ref: number,
        count: null,
        text: 'Hello\n\nthere',
        isPrivate: false,
      });
      expect(comment.author.login).toBe('bugferry');
      expect(on.world.commentsOf(repo, number).map(({ id, body }) => [id, body])).toEqual([
        [comment.id, 'Hello\n\nthere'],
      ]);
    });

    it('is refused when the text is too long or blank', async () => {
      const number = on.mona.open(repo, { title: 'Talk' });
      expect(await on.replica.comment(number, 'x'.repeat(65_537))).toMatchObject({ kind: 'refused' });
      expect(await on.replica.comment(number, ' \n')).toMatchObject({ kind: 'refused' });
      expect(on.world.commentsOf(repo, number)).toHaveLength(0);
    });

    it('on an issue that is gone says so, and writes nowhere', async () => {
      const deleted = on.mona.open(repo, { title: 'Deleted' });
      const moved = on.mona.open(repo, { title: 'Moved' });
      on.mona.deleteIssue(repo, deleted);
      const arrived = on.mona.transfer(repo, moved, 'acme/gadget');
      expect(await on.replica.comment(deleted, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
      expect(await on.replica.comment(moved, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
      expect(await on.replica.comment(999, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
      expect(on.world.commentsOf('acme/gadget', arrived)).toHaveLength(0);
    });
  });
}
