import { describe, expect, it } from 'vitest';
import { type GithubSession, repo } from './bench.ts';

export function editorCases(on: GithubSession): void {
  describe('who edited a text', () => {
    const opened = (): readonly [number, number] => {
      const number = on.mona.open(repo, { title: 'A', body: 'It crashes.' });
      return [number, on.mona.comment(repo, number, 'Often.')];
    };

    it('is nobody before the first edit', async () => {
      const [number, comment] = opened();
      expect(await on.replica.editor(number, null)).toBe('nobody');
      expect(await on.replica.editor(number, comment)).toBe('nobody');
    });

    it('is whoever edited it last, and not its author', async () => {
      const [number, comment] = opened();
      on.mona.editComment(repo, comment, 'Sometimes.');
      on.world.as('bugferry').editComment(repo, comment, 'Sometimes. (Removed.)');
      on.world.as('bugferry').edit(repo, number, { body: 'It hangs.' });
      for (const which of [null, comment])
        expect(await on.replica.editor(number, which)).toMatchObject({ login: 'bugferry', at: expect.any(Number) });
      on.mona.edit(repo, number, { body: 'It hangs a lot.' });
      expect(await on.replica.editor(number, null)).toMatchObject({ login: 'mona' });
    });

    it('is an App by the name that its comments have, also where it is the bridge', async () => {
      const [number] = opened();
      on.world.addUser('helper[bot]');
      on.world.allow(repo, 'helper[bot]', 'write');
      const app = on.world.as('helper[bot]');
      const comment = app.comment(repo, number, 'Here to help.');
      app.editComment(repo, comment, 'Glad to help.');
      app.edit(repo, number, { body: 'It crashes, says the helper.' });
      for (const which of [null, comment])
        expect(await on.replica.editor(number, which)).toMatchObject({ login: 'helper[bot]' });
    });

    it('is found for a comment that was changed last, among many newer ones', async () => {
      const [number, comment] = opened();
      for (let index = 0; index < 150; index += 1) on.mona.comment(repo, number, `Comment ${index}`);
      on.clock.advance(2_000);
      on.world.as('bugferry').editComment(repo, comment, 'Sometimes.');
      expect(await on.replica.editor(number, comment)).toMatchObject({ login: 'bugferry' });
    });

    it('does not change with the title, labels or state', async () => {
      const [number] = opened();
      on.mona.edit(repo, number, { title: 'B' });
      on.mona.label(repo, number, 'easy');
      on.mona.close(repo, number);
      expect(await on.replica.editor(number, null)).toBe('nobody');
    });

    it('is unknown for what is gone', async () => {
      const [number] = opened();
      expect(await on.replica.editor(number, 99)).toBeNull();
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.editor(number, null)).toBeNull();
    });
  });

  describe('the versions of a body', () => {
    it('are none before the first edit', async () => {
      expect(await on.replica.bodyVersions(on.mona.open(repo, { title: 'A', body: 'It crashes.' }))).toBeNull();
    });

    it('are the newest first, each with its editor, and with the one that its author wrote', async () => {
      const number = on.mona.open(repo, { title: 'A', body: 'It crashes.' });
      on.world.as('bugferry').edit(repo, number, { body: 'It hangs.' });
      on.mona.edit(repo, number, { body: 'It hangs a lot.', title: 'B' });
      expect(await on.replica.bodyVersions(number)).toEqual([
        { login: 'mona', text: 'It hangs a lot.' },
        { login: 'bugferry', text: 'It hangs.' },
        { login: 'mona', text: 'It crashes.' },
      ]);
    });

    it('are unknown for what is gone', async () => {
      const number = on.mona.open(repo, { title: 'A', body: 'It crashes.' });
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.bodyVersions(number)).toBeNull();
    });
  });

  describe('what a text was at first', () => {
    it('is said once somebody edited it, also among many newer comments', async () => {
      const number = on.mona.open(repo, { title: 'A', body: 'It crashes.' });
      const comment = on.mona.comment(repo, number, 'Often.');
      for (const which of [null, comment]) expect(await on.replica.firstText(number, which)).toBeNull();
      for (let index = 0; index < 120; index += 1) on.mona.comment(repo, number, `Comment ${index}`);
      on.clock.advance(2_000);
      for (const words of ['Sometimes.', 'Never.']) {
        on.world.as('bugferry').editComment(repo, comment, words);
        on.world.as('bugferry').edit(repo, number, { body: words });
      }
      expect(await on.replica.firstText(number, null)).toBe('It crashes.');
      expect(await on.replica.firstText(number, comment)).toBe('Often.');
    });

    it('is unknown for what is gone', async () => {
      const number = on.mona.open(repo, { title: 'A', body: 'It crashes.' });
      expect(await on.replica.firstText(number, 99)).toBeNull();
      on.mona.deleteIssue(repo, number);
      expect(await on.replica.firstText(number, null)).toBeNull();
    });
  });
}
