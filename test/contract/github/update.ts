import { describe, expect, it } from 'vitest';
import { issueNumber } from '../../../src/model/ids.ts';
import type { CloseReason } from '../../../src/model/item.ts';
import { type GithubSession, itemOf, minuteMs, repo } from './bench.ts';

export function updateCases(on: GithubSession): void {
  describe('updating', () => {
    it('changes title, state and labels with one write and answers with the issue as it is then', async () => {
      const number = on.mona.open(repo, { title: 'Old', labels: ['keep', 'drop'] });
      const issue = await on.seen(number);
      on.clock.advance(minuteMs);
      const before = on.writes();
      const patch = {
        title: 'New',
        state: 'closed',
        reason: 'not_planned',
        labels: { add: ['added'], remove: ['drop'] },
      } as const;
      const item = itemOf(await on.replica.update(issue, patch));
      expect(on.writes() - before).toBe(1);
      expect(item).toMatchObject({ title: 'New', state: 'closed', reason: 'not_planned' });
      expect([...item.labels].sort()).toEqual(['added', 'keep']);
      expect(item.changedAt).toBeGreaterThan(issue.changedAt);
      expect(item).toEqual(await on.seen(number));
      expect(on.stored(number)).toMatchObject({ title: 'New', state: 'closed', stateReason: 'not_planned', body: '' });
    });

    it.each<CloseReason>(['completed', 'not_planned', 'duplicate'])('closes as %s', async (reason) => {
      const number = on.mona.open(repo, { title: 'Open' });
      expect(itemOf(await on.replica.update(await on.seen(number), { state: 'closed', reason }))).toMatchObject({
        state: 'closed',
        reason,
      });
      expect(on.stored(number)).toMatchObject({ state: 'closed', stateReason: reason });
    });

    it('names the issue that a duplicate duplicates', async () => {
      const original = on.mona.open(repo, { title: 'Original' });
      const number = on.mona.open(repo, { title: 'Copy' });
      const duplicateOfId = on.stored(original).id;
      itemOf(await on.replica.update(await on.seen(number), { state: 'closed', reason: 'duplicate', duplicateOfId }));
      expect(on.stored(number)).toMatchObject({ stateReason: 'duplicate', duplicateOfId });
    });

    it('reopens', async () => {
      const number = on.mona.open(repo, { title: 'Closed' });
      on.mona.close(repo, number);
      expect(itemOf(await on.replica.update(await on.seen(number), { state: 'open' }))).toMatchObject({
        state: 'open',
        reason: null,
      });
      expect(on.stored(number)).toMatchObject({ state: 'open', stateReason: 'reopened' });
    });

    it('cannot change the reason of a closed issue, and its answer does not pretend', async () => {
      const number = on.mona.open(repo, { title: 'Closed' });
      on.mona.close(repo, number, 'completed');
      const item = itemOf(await on.replica.update(await on.seen(number), { state: 'closed', reason: 'not_planned' }));
      expect(item).toMatchObject({ state: 'closed', reason: 'completed' });
      expect(on.stored(number).stateReason).toBe('completed');
    });

    it('reports that it was closed just before, as GitHub then ignores the reason', async () => {
      const number = on.mona.open(repo, { title: 'Open' });
      const issue = await on.seen(number);
      on.meanwhile('edit', () => on.mona.close(repo, number, 'completed'));
      const outcome = await on.replica.update(issue, { title: 'Ours', state: 'closed', reason: 'not_planned' });
      expect(outcome).toMatchObject({
        kind: 'applied',
        item: { title: 'Ours', reason: 'completed' },
        foreign: ['status'],
      });
    });

    it('changes the reason by reopening first', async () => {
      const number = on.mona.open(repo, { title: 'Closed' });
      on.mona.close(repo, number, 'completed');
      const opened = itemOf(await on.replica.update(await on.seen(number), { state: 'open' }));
      expect(itemOf(await on.replica.update(opened, { state: 'closed', reason: 'not_planned' }))).toMatchObject({
        reason: 'not_planned',
      });
    });

    it('takes labels without regard to case and leaves the others alone', async () => {
      const number = on.mona.open(repo, { title: 'Labels', labels: ['Severity/Major', 'Help Wanted'] });
      const issue = await on.seen(number);
      on.mona.label(repo, number, 'put on meanwhile');
      const item = itemOf(
        await on.replica.update(issue, {
          labels: { add: ['help wanted', 'new'], remove: ['severity/major', 'never there'] },
        }),
      );
      expect([...item.labels].sort()).toEqual(['Help Wanted', 'new', 'put on meanwhile']);
      expect([...on.stored(number).labels].sort()).toEqual(['Help Wanted', 'new', 'put on meanwhile']);
    });

    it('assigns people and gives a milestone, which is made where there is none', async () => {
      on.world.allow(repo, 'hubot', 'write');
      const number = on.mona.open(repo, { title: 'Whose', assignees: ['mona'] });
      const issue = await on.seen(number);
      expect(issue).toMatchObject({ assignees: ['mona'], milestone: null });
      const item = itemOf(
        await on.replica.update(issue, { assignees: { add: ['hubot'], remove: ['Mona'] }, milestone: '2.0' }),
      );
      expect(item).toMatchObject({ assignees: ['hubot'], milestone: '2.0' });
      expect(item).toEqual(await on.seen(number));
      const other = on.mona.open(repo, { title: 'The same milestone' });
      itemOf(await on.replica.update(await on.seen(other), { milestone: '2.0' }));
      expect([on.stored(number).milestone, on.stored(other).milestone]).toEqual(['2.0', '2.0']);
      expect(itemOf(await on.replica.update(await on.seen(number), { milestone: null })).milestone).toBeNull();
    });

    it.each([
      ['whom nobody knows', 'nobody-has-this-login'],
      ['who has no part in the repository', 'hubot'],
    ])('goes without an assignee %s, and its answer does not pretend', async (_who, login) => {
      const number = on.mona.open(repo, { title: 'Old', assignees: ['mona'] });
      const patch = { title: 'New', assignees: { add: [login], remove: [] } };
      const item = itemOf(await on.replica.update(await on.seen(number), patch));
      expect(item).toMatchObject({ title: 'New', assignees: ['mona'] });
      expect(on.stored(number)).toMatchObject({ title: 'New', assignees: ['mona'] });
    });

    it.each([
      ['assignees', { assignees: { add: ['mona'], remove: [] } }],
      ['milestone', { milestone: null }],
    ])('is stale when the %s changed meanwhile', async (_what, patch) => {
      on.world.allow(repo, 'hubot', 'write');
      const number = on.mona.open(repo, { title: 'Whose' });
      on.mona.milestone(repo, number, '1.0');
      const issue = await on.seen(number);
      on.mona.assign(repo, number, 'hubot');
      on.mona.milestone(repo, number, '3.0');
      expect(await on.replica.update(issue, patch)).toMatchObject({ kind: 'stale' });
      expect(on.stored(number)).toMatchObject({ assignees: ['hubot'], milestone: '3.0' });
    });

    it('opens an issue with an assignee and a milestone, and without those that GitHub does not take', async () => {
      const draft = { title: 'New', body: '', labels: [], assignees: ['mona'], milestone: '2.0' };
      expect(itemOf(await on.replica.create(draft))).toMatchObject({ assignees: ['mona'], milestone: '2.0' });
      expect(itemOf(await on.replica.create({ ...draft, assignees: ['nobody-has-this-login'] }))).toMatchObject({
        assignees: [],
        milestone: '2.0',
      });
    });

    it('takes off the last label', async () => {
      const number = on.mona.open(repo, { title: 'Labels', labels: ['only'] });
      expect(
        itemOf(await on.replica.update(await on.seen(number), { labels: { add: [], remove: ['Only'] } })).labels,
      ).toEqual([]);
    });

    it('puts a footer at the end of the body as it is now, and only once', async () => {
      const number = on.mona.open(repo, { title: 'Point', body: 'Words' });
      const issue = await on.seen(number);
      on.mona.edit(repo, number, { body: 'Better words' });
      const footer = 'See bug 12.\n\n<!-- bugferry:1 x bug=12 -->';
      const item = itemOf(await on.replica.update(issue, { footer }));
      expect(item.body.startsWith('Better words\n')).toBe(true);
      expect(item.body.endsWith(footer)).toBe(true);
      expect(itemOf(await on.replica.update(item, { footer })).body).toBe(item.body);
      expect(on.stored(number).body).toBe(item.body);
    });

    it('replaces the last occurrence of a passage, and keeps later edits of the rest', async () => {
      const number = on.mona.open(repo, { title: 'Body', body: 'old, said somebody.\r\n\r\nold\r\n<!-- end -->' });
      const issue = await on.seen(number);
      on.mona.edit(repo, number, { body: 'old, said somebody else.\r\n\r\nold\r\n<!-- end -->' });
      const before = on.writes();
      const item = itemOf(
        await on.replica.update(issue, { title: 'New', passage: { was: 'old\r\n<!--', becomes: 'new\r\n<!--' } }),
      );
      expect(item).toMatchObject({ title: 'New', body: 'old, said somebody else.\r\n\r\nnew\r\n<!-- end -->' });
      expect(on.stored(number).body).toBe(item.body);
      expect(on.writes() - before).toBe(1);
    });

    it('is stale when the passage is no longer in the body, and writes nothing', async () => {
      const number = on.mona.open(repo, { title: 'Body', body: 'old' });
      const issue = await on.seen(number);
      on.mona.edit(repo, number, { body: 'something else' });
      expect((await on.replica.update(issue, { title: 'New', passage: { was: 'old', becomes: 'new' } })).kind).toBe(
        'stale',
      );
      expect(on.stored(number)).toMatchObject({ title: 'Body', body: 'something else' });
    });

    it('is refused when the footer no longer fits, and the body stays', async () => {
      const number = on.mona.open(repo, { title: 'Full', body: 'x'.repeat(65_530) });
      expect(await on.replica.update(await on.seen(number), { footer: 'A footer' })).toMatchObject({ kind: 'refused' });
      expect(on.stored(number).body).toHaveLength(65_530);
    });

    it.each<[string, (number: number) => void]>([
      ['the title was edited', (number) => on.mona.edit(repo, number, { title: 'Theirs' })],
      ['it was closed', (number) => on.mona.close(repo, number)],
    ])('writes nothing when what it touches changed meanwhile: %s', async (_name, edit) => {
      const number = on.mona.open(repo, { title: 'Mine', labels: ['a'] });
      const issue = await on.seen(number);
      edit(number);
      const there = on.stored(number);
      const before = on.writes();
      const patch = {
        title: 'Ours',
        state: 'closed',
        reason: 'not_planned',
        labels: { add: ['b'], remove: [] },
      } as const;
      expect(await on.replica.update(issue, patch)).toMatchObject({ kind: 'stale' });
      expect(on.stored(number)).toEqual(there);
      expect(on.writes()).toBe(before);
    });

    it('is stale when it was closed for another reason meanwhile', async () => {
      const number = on.mona.open(repo, { title: 'Closed' });
      on.mona.close(repo, number, 'completed');
      const issue = await on.seen(number);
      on.mona.reopen(repo, number);
      on.mona.close(repo, number, 'not_planned');
      expect(await on.replica.update(issue, { state: 'open' })).toMatchObject({ kind: 'stale' });
      expect(on.stored(number).state).toBe('closed');
    });

    it('is not stale when only what it does not touch changed', async () => {
      const number = on.mona.open(repo, { title: 'Mine', body: 'Words' });
      const issue = await on.seen(number);
      on.mona.edit(repo, number, { body: 'Other words' });
      on.mona.close(repo, number, 'not_planned');
      on.mona.comment(repo, number, 'Words');
      expect(itemOf(await on.replica.update(issue, { title: 'Ours' }))).toMatchObject({
        title: 'Ours',
        body: 'Other words',
        state: 'closed',
      });
      expect(on.stored(number)).toMatchObject({ title: 'Ours', body: 'Other words', stateReason: 'not_planned' });
    });

    it('is not stale when the title was edited and it only closes', async () => {
      const number = on.mona.open(repo, { title: 'Mine' });
      const issue = await on.seen(number);
      on.mona.edit(repo, number, { title: 'Theirs' });
      expect(itemOf(await on.replica.update(issue, { state: 'closed', reason: 'completed' }))).toMatchObject({
        title: 'Theirs',
        state: 'closed',
      });
      expect(on.stored(number)).toMatchObject({ title: 'Theirs', state: 'closed' });
    });

    it('is refused for a title that is too long', async () => {
      const number = on.mona.open(repo, { title: 'Short' });
      expect(await on.replica.update(await on.seen(number), { title: 'x'.repeat(257) })).toMatchObject({
        kind: 'refused',
      });
      expect(on.stored(number).title).toBe('Short');
    });

    it('of an issue that is gone says how, and touches nothing elsewhere', async () => {
      const moved = await on.seen(on.mona.open(repo, { title: 'Moved' }));
      const deleted = await on.seen(on.mona.open(repo, { title: 'Deleted' }));
      const arrived = on.mona.transfer(repo, moved.number, 'acme/gadget');
      on.mona.deleteIssue(repo, deleted.number);
      expect(await on.replica.update(moved, { title: 'Ours' })).toMatchObject({
        kind: 'gone',
        gone: { kind: 'moved' },
      });
      expect(await on.replica.update(deleted, { title: 'Ours' })).toMatchObject({
        kind: 'gone',
        gone: { kind: 'deleted' },
      });
      const never = { ...moved, number: issueNumber(999) };
      expect(await on.replica.update(never, { title: 'Ours' })).toMatchObject({
        kind: 'gone',
        gone: { kind: 'missing' },
      });
      expect(on.world.issue('acme/gadget', arrived)?.title).toBe('Moved');
    });
  });
}
