import { describe, expect, it } from 'vitest';
import { type GithubSession, repo } from './bench.ts';

export function labelCases(on: GithubSession): void {
  describe('who put a label on an issue', () => {
    it('is the last who did it, in any case of the name', async () => {
      const number = on.mona.open(repo, { title: 'A', labels: ['easy'] });
      const who = (event: 'labeled' | 'unlabeled', label: string) => on.replica.whoLabeled(number, { event, label });
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
      expect((await on.replica.whoLabeled(number, { event: 'labeled', label: 'easy' }))?.login).toBe('mona');
    });

    it('is known to be a program', async () => {
      on.world.addUser('robot[bot]');
      on.world.allow(repo, 'robot[bot]', 'write');
      const number = on.mona.open(repo, { title: 'A' });
      on.world.as('robot[bot]').label(repo, number, 'easy');
      expect(await on.replica.whoLabeled(number, { event: 'labeled', label: 'easy' })).toMatchObject({ login: 'robot[bot]', isBot: true });
    });

    it('is not told of an issue that is gone', async () => {
      const number = on.mona.open(repo, { title: 'A', labels: ['easy'] });
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.whoLabeled(number, { event: 'labeled', label: 'easy' })).toBeNull();
      expect(await on.replica.whoLabeled(99, { event: 'labeled', label: 'easy' })).toBeNull();
    });
  });
}
