import { describe, expect, it } from 'vitest';
import type { CloseReason } from '../../../src/model/item.ts';
import { type GithubSession, repo, startAt } from './bench.ts';

export function issueCases(on: GithubSession): void {
  describe('signing in', () => {
    it('says whose account it is', async () => {
      expect(await on.replica.hello()).toMatchObject({ login: 'bugferry' });
    });

    it('says that a revoked token needs a person', async () => {
      const number = on.mona.open(repo, { title: 'Any' });
      const issue = await on.seen(number);
      on.world.setToken('bugferry', null);
      await expect(on.replica.hello()).rejects.toMatchObject({ name: 'SideError', kind: 'unauthorized' });
      await expect(on.replica.changes(null).then((page) => on.replica.changes(page.cursor))).rejects.toMatchObject({
        kind: 'unauthorized',
      });
      await expect(on.replica.probe(number)).rejects.toMatchObject({ kind: 'unauthorized' });
      expect(await on.replica.create({ title: 'T', body: 'B', labels: [] })).toMatchObject({ kind: 'unauthorized' });
      expect(await on.replica.update(issue, { title: 'T' })).toMatchObject({ kind: 'unauthorized' });
      expect(await on.replica.comment(number, 'Hello')).toMatchObject({ kind: 'unauthorized' });
      expect(on.world.issues(repo)).toHaveLength(1);
    });
  });

  describe('one issue', () => {
    it('shows every field as it is stored', async () => {
      const number = on.mona.open(repo, {
        title: 'Crash on start',
        body: 'It crashes.\n',
        labels: ['Bug', 'severity/major'],
      });
      on.mona.assign(repo, number, 'mona');
      on.mona.milestone(repo, number, '2.0');
      on.mona.comment(repo, number, 'Me too');
      const issue = on.stored(number);
      expect(await on.seen(number)).toEqual({
        kind: 'issue',
        number,
        id: issue.id,
        url: `${on.world.state.url}/acme/widget/issues/${number}`,
        title: 'Crash on start',
        body: 'It crashes.\n',
        state: 'open',
        reason: null,
        labels: ['Bug', 'severity/major'],
        assignees: ['mona'],
        milestone: '2.0',
        type: null,
        author: { login: 'mona', name: 'mona', id: expect.any(Number) },
        commentCount: 1,
        isLocked: false,
        blockerCount: 0,
        blockedBy: [],
        createdAt: Math.floor(startAt / 1000) * 1000,
        changedAt: Math.floor(startAt / 1000) * 1000,
      });
    });

    it('reads a body that was never written as empty', async () => {
      expect((await on.seen(on.mona.open(repo, { title: 'No words' }))).body).toBe('');
    });

    it.each<CloseReason>(['completed', 'not_planned', 'duplicate'])('shows that it is closed as %s', async (reason) => {
      const number = on.mona.open(repo, { title: 'Done' });
      on.mona.close(repo, number, reason);
      expect(await on.seen(number)).toMatchObject({ state: 'closed', reason });
    });

    it('takes one that was closed before there were reasons for completed', async () => {
      const number = on.mona.open(repo, { title: 'Old' });
      on.mona.close(repo, number, null);
      expect(await on.seen(number)).toMatchObject({ state: 'closed', reason: 'completed' });
    });

    it('shows no reason on one that was reopened', async () => {
      const number = on.mona.open(repo, { title: 'Again' });
      on.mona.close(repo, number, 'not_planned');
      on.mona.reopen(repo, number);
      expect(await on.seen(number)).toMatchObject({ state: 'open', reason: null });
    });

    it('is gone for good when it was deleted', async () => {
      const number = on.mona.open(repo, { title: 'Spam' });
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
    });

    it('is moved when it was transferred, and not taken for the issue it became', async () => {
      const number = on.mona.open(repo, { title: 'Elsewhere' });
      on.mona.transfer(repo, number, 'acme/gadget');
      const probe = await on.replica.probe(number);
      expect(probe).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
    });

    it('is missing when it went where the account may not look, was hidden, or never was', async () => {
      const moved = on.mona.open(repo, { title: 'Secret' });
      const hidden = on.mona.open(repo, { title: 'Flagged' });
      on.mona.transfer(repo, moved, 'acme/secret');
      on.world.setHidden(repo, hidden, true);
      for (const number of [moved, hidden, 999]) {
        expect(await on.replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
      }
    });

    it('is no issue when its number belongs to a pull request', async () => {
      const number = on.mona.openPull(repo, { title: 'Fix' });
      expect(await on.replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
    });

    it('is not missing because the whole repository cannot be seen: that needs a person', async () => {
      const number = on.mona.open(repo, { title: 'Still here' });
      const issue = await on.seen(number);
      on.world.setPrivate(repo, true);
      on.world.allow(repo, 'bugferry', null);
      await expect(on.replica.probe(number)).rejects.toMatchObject({ name: 'SideError', kind: 'refused' });
      expect(await on.replica.update(issue, { title: 'T' })).toMatchObject({ kind: 'refused' });
      expect(await on.replica.comment(number, 'Hello')).toMatchObject({ kind: 'refused' });
    });
  });
}
