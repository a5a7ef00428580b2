import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from '../../../src/model/label-event.ts';
import { type GithubSession, repo } from './bench.ts';

export function labelCases(on: GithubSession): void {
  describe('who put a label on an issue', () => {
    it('is the last who did it, in any case of the name', async () => {
      const number = on.mona.open(repo, { title: 'A', labels: ['easy'] });
      const who = (event: 'labeled' | 'unlabeled', label: string) => on.replica.whoDid(number, { event, label });
      expect((await who('labeled', 'EASY'))?.login).toBe('mona');
      expect(await who('unlabeled', 'easy')).toBeNull();
      on.mona.unlabel(repo, number, 'easy');
      on.world.as('bugferry').label(repo, number, 'easy', 'hard');
      expect((await who('unlabeled', 'easy'))?.login).toBe('mona');
      expect((await who('labeled', 'easy'))?.login).toBe('bugferry');
    });

    it('is found behind many other events', async () => {
      const number = on.mona.open(repo, { title: 'A' });
      on.world.as('bugferry').label(repo, number, 'easy');
      on.mona.label(repo, number, ...Array.from({ length: 120 }, (_, index) => `label ${index}`));
      on.mona.unlabel(repo, number, 'easy');
      on.mona.label(repo, number, 'easy');
      expect((await on.replica.whoDid(number, { event: 'labeled', label: 'easy' }))?.login).toBe('mona');
    });

    it('is known to be a program', async () => {
      on.world.addUser('robot[bot]');
      on.world.allow(repo, 'robot[bot]', 'write');
      const number = on.mona.open(repo, { title: 'A' });
      on.world.as('robot[bot]').label(repo, number, 'easy');
      expect(await on.replica.whoDid(number, { event: 'labeled', label: 'easy' })).toMatchObject({
        login: 'robot[bot]',
        isBot: true,
      });
    });

    it('is unknown for an issue that is gone', async () => {
      const number = on.mona.open(repo, { title: 'A', labels: ['easy'] });
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.whoDid(number, { event: 'labeled', label: 'easy' })).toBeNull();
      expect(await on.replica.whoDid(99, { event: 'labeled', label: 'easy' })).toBeNull();
    });

    it('has its time, as has every other change that an event shows', async () => {
      const number = on.mona.open(repo, { title: 'A', labels: ['easy'] });
      const robot = on.world.as('bugferry');
      const who = async (event: ChangeEvent['event'], name = '') => {
        const actor = await on.replica.whoDid(number, { event, name });
        return actor === null ? null : [actor.login, actor.at === on.stored(number).updatedAt];
      };
      expect(await on.replica.whoDid(number, { event: 'labeled', label: 'easy' })).toMatchObject({
        at: on.stored(number).updatedAt,
      });
      on.mona.edit(repo, number, { title: 'B' });
      robot.edit(repo, number, { title: 'C' });
      expect([await who('renamed', 'C'), await who('renamed', 'D')]).toEqual([['bugferry', true], null]);
      on.mona.close(repo, number);
      expect([await who('closed'), await who('reopened')]).toEqual([['mona', true], null]);
      robot.reopen(repo, number);
      expect(await who('reopened')).toEqual(['bugferry', true]);
      robot.assign(repo, number, 'mona');
      expect([await who('assigned', 'mona'), await who('assigned', 'bugferry')]).toEqual([['bugferry', true], null]);
      on.mona.unassign(repo, number, 'mona');
      expect(await who('unassigned', 'mona')).toEqual(['mona', true]);
      on.mona.milestone(repo, number, '1.0');
      expect([await who('milestoned', '1.0'), await who('milestoned', '2.0')]).toEqual([['mona', true], null]);
      robot.milestone(repo, number, null);
      expect(await who('demilestoned', '1.0')).toEqual(['bugferry', true]);
    });
  });
}
