import { describe, expect, it } from 'vitest';
import { type GithubSession, itemOf, minuteMs, numbers, repo } from './bench.ts';

export function madeSinceCases(on: GithubSession): void {
  describe('what was made since', () => {
    const made = async (sinceAt: number, known: readonly number[] = []) =>
      numbers([...(await on.replica.madeSince(sinceAt, (number) => known.includes(number))).issues]);

    /** Ten things long ago, then one of everything. Answers with the numbers of the new issues. */
    async function filled(): Promise<readonly number[]> {
      for (let at = 0; at < 10; at += 1) (at % 2 === 0 ? on.mona.open : on.mona.openPull)(repo, { title: `Old ${at}` });
      on.clock.advance(60 * minuteMs);
      const first = on.mona.open(repo, { title: 'First' });
      on.mona.openPull(repo, { title: 'Pull' });
      const gone = [0, 1, 2].map((each) => on.mona.open(repo, { title: `Gone ${each}` }));
      on.mona.deleteIssue(repo, gone[0] ?? 0);
      on.mona.transfer(repo, gone[1] ?? 0, 'acme/gadget');
      on.world.setHidden(repo, gone[2] ?? 0, true);
      const last = itemOf(await on.replica.create({ title: 'Last', body: '', labels: [] }));
      on.mona.close(repo, last.number);
      return [first, last.number];
    }

    it.each([0, 600_000])(
      'is found by its number where lists show it %i ms late, open or closed, and nothing else',
      async (listLagMs) => {
        await on.start({ listLagMs });
        const [first = 0, last = 0] = await filled();
        expect(await made(on.clock.now() - minuteMs)).toEqual([first, last]);
        expect(await made(on.clock.now() - minuteMs, [first])).toEqual([last]);
        expect(await made(on.clock.now() + minuteMs)).toEqual([]);
        on.clock.advance(20 * minuteMs);
        expect(await made(on.clock.now() - minuteMs)).toEqual([]);
      },
    );

    it('is found from the first number on in a repository that was empty', async () => {
      await on.start({ listLagMs: 600_000 });
      expect(await made(on.clock.now())).toEqual([]);
      const number = on.mona.open(repo, { title: 'First of all' });
      expect(await made(on.clock.now() - minuteMs)).toEqual([number]);
    });

    it('is no answer when the side is out of reach', async () => {
      on.fault = { cost: 'read', fault: { kind: 'drop', after: false } };
      await expect(on.replica.madeSince(on.clock.now(), () => false)).rejects.toMatchObject({
        name: 'SideError',
        kind: 'later',
      });
    });
  });
}
