import { describe, expect, it } from 'vitest';
import { type GithubSession, itemOf, repo } from './bench.ts';

/** Minimized comments. */
export function minimizeCases(on: GithubSession): void {
  const talk = async (): Promise<readonly [issue: number, comment: number]> => {
    const issue = on.mona.open(repo, { title: 'Talk' });
    return [issue, itemOf(await on.replica.comment(issue, 'Words')).id];
  };
  const reasons = (issue: number) => on.world.commentsOf(repo, issue).map(({ minimized }) => minimized);

  describe('minimizing a comment', () => {
    it.each(['spam', 'abuse', 'off-topic', 'outdated', 'duplicate', 'resolved'] as const)(
      'does so as %s, and shows it again',
      async (minimize) => {
        const [issue, id] = await talk();
        const before = on.writes();
        expect(await on.replica.minimize(issue, id, minimize)).toEqual({ kind: 'applied', item: null });
        expect([reasons(issue), on.writes() - before]).toEqual([[minimize], 1]);
        expect(await on.replica.minimize(issue, id, null)).toEqual({ kind: 'applied', item: null });
        expect([reasons(issue), on.writes() - before]).toEqual([[null], 2]);
        expect(on.world.commentsOf(repo, issue).map(({ body }) => body)).toEqual(['Words']);
      },
    );

    it('writes nothing where it is so already, and changes the reason where it is another', async () => {
      const [issue, id] = await talk();
      on.mona.minimize(repo, id, 'off-topic');
      const before = on.writes();
      expect(await on.replica.minimize(issue, id, 'off-topic')).toMatchObject({ kind: 'applied' });
      expect(on.writes() - before).toBe(0);
      expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'applied' });
      expect([reasons(issue), on.writes() - before]).toEqual([['spam'], 1]);
    });

    it('that is not there is gone, and so is one whose issue is', async () => {
      const [issue, id] = await talk();
      on.mona.deleteComment(repo, id);
      expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
      expect((await on.replica.probe(issue)).kind).toBe('there');
      const [deleted, within] = await talk();
      on.mona.deleteIssue(repo, deleted);
      expect(await on.replica.minimize(deleted, within, 'spam')).toMatchObject({
        kind: 'gone',
        gone: { kind: 'deleted' },
      });
    });

    it('is refused without the right to, and nothing changes', async () => {
      await on.start({ login: 'hubot' });
      const issue = on.mona.open(repo, { title: 'Talk' });
      const id = on.mona.comment(repo, issue, 'Mine');
      expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'refused' });
      expect(reasons(issue)).toEqual([null]);
    });

    it.each(['RATE_LIMIT', 'RATE_LIMITED', 'as-rest'] as const)(
      'waits for a limit reported as %s, for the time it names',
      async (form) => {
        const [issue, id] = await talk();
        on.world.limits.graphqlLimits = form;
        const least = on.clock.now();
        for (const status of [403, 422, 429] as const) {
          for (const retryAfterSeconds of [null, 90]) {
            on.fault = { cost: 'edit', fault: { kind: 'limited', status, retryAfterSeconds } };
            const at = least + (retryAfterSeconds ?? 60) * 1000;
            expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'later', at, wholeSide: true });
          }
        }
        expect(reasons(issue)).toEqual([null]);
      },
    );

    it.each([true, false])('is unknown when GitHub runs out of time (took effect: %s)', async (after) => {
      const [issue, id] = await talk();
      on.fault = { cost: 'edit', fault: { kind: 'error-body', after } };
      expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'unknown' });
      expect(reasons(issue)).toEqual([after ? 'spam' : null]);
    });

    it('whose answer is lost is unknown', async () => {
      const [issue, id] = await talk();
      on.fault = { cost: 'edit', fault: { kind: 'drop', after: true } };
      expect(await on.replica.minimize(issue, id, 'spam')).toMatchObject({ kind: 'unknown' });
      expect(reasons(issue)).toEqual(['spam']);
    });
  });
}
