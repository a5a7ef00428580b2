import { describe, expect, it } from 'vitest';
import { type Outcome, SideError } from '../../../src/model/outcome.ts';
import type { Fault } from '../../../src/sandbox/server/faults.ts';
import { type GithubSession, itemOf, minuteMs, repo } from './bench.ts';

export function troubleCases(on: GithubSession): void {
  describe('a replica that has not heard of an issue', () => {
    it('puts off whatever is written to it, and to no other, until it has', async () => {
      const old = on.mona.open(repo, { title: 'Old' });
      on.world.limits.replicaLagsMs = [30_000];
      const number = on.mona.open(repo, { title: 'New' });
      const issue = await on.seen(number);
      const later = {
        kind: 'later',
        at: null,
        wholeSide: false,
        why: expect.stringContaining('node with the global id'),
      };
      expect(await on.replica.comment(number, 'Words')).toEqual(later);
      expect(await on.replica.update(issue, { title: 'Newer' })).toEqual(later);
      expect(await on.replica.lock(number, true)).toEqual(later);
      expect(itemOf(await on.replica.comment(old, 'Words')).text).toBe('Words');
      expect([on.world.commentsOf(repo, number), on.stored(number).title, on.stored(number).isLocked]).toEqual([
        [],
        'New',
        false,
      ]);
      on.clock.advance(30_000);
      expect(itemOf(await on.replica.comment(number, 'Words')).text).toBe('Words');
      expect(itemOf(await on.replica.update(issue, { title: 'Newer' })).title).toBe('Newer');
    });

    it('puts off minimizing a comment, which GraphQL reports in its own way', async () => {
      on.world.limits.replicaLagsMs = [30_000];
      const number = on.mona.open(repo, { title: 'New' });
      const id = on.mona.comment(repo, number, 'Words');
      expect(await on.replica.minimize(number, id, 'spam')).toMatchObject({
        kind: 'later',
        at: null,
        wholeSide: false,
      });
      on.clock.advance(30_000);
      expect(await on.replica.minimize(number, id, 'spam')).toMatchObject({ kind: 'applied' });
      expect(on.world.commentsOf(repo, number).map(({ minimized }) => minimized)).toEqual(['spam']);
    });
  });

  describe('limits', () => {
    it('an allowance that is used up pauses the side until it is renewed', async () => {
      const number = on.mona.open(repo, { title: 'Any' });
      await on.seen(number);
      on.world.limits.primaryPerHour = 0;
      const failure = await on.replica.probe(number).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SideError);
      expect(failure).toMatchObject({ kind: 'later', side: 'github' });
      const at = failure instanceof SideError ? failure.at : null;
      expect(at).toBeGreaterThan(on.clock.now() + 59 * minuteMs);
      expect(at).toBeLessThanOrEqual(on.clock.now() + 60 * minuteMs + 1000);
      expect(await on.replica.create({ title: 'T', body: '', labels: [] })).toMatchObject({
        kind: 'later',
        wholeSide: true,
        at,
      });
    });

    it.each([403, 429] as const)(
      'too much content is put off as long as GitHub says, when it answers %i',
      async (refusalStatus) => {
        Object.assign(on.world.limits, { creationsPerMinute: 2, refusalStatus });
        const draft = { title: 'T', body: '', labels: [] };
        const issue = itemOf(await on.replica.create(draft));
        on.clock.advance(20_000);
        itemOf(await on.replica.comment(issue.number, 'One'));
        const outcome = await on.replica.create(draft);
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true, at: on.clock.now() + 40_000 });
        expect(await on.replica.comment(issue.number, 'Two')).toMatchObject({ kind: 'later', wholeSide: true });
        expect(itemOf(await on.replica.update(issue, { title: 'Edits are no content' })).title).toBe(
          'Edits are no content',
        );
        expect(on.world.issues(repo)).toHaveLength(1);
        on.clock.advance(40_000);
        expect(await on.replica.create(draft)).toMatchObject({ kind: 'applied' });
        expect(on.world.creations).toHaveLength(3);
      },
    );

    it('too much content is put off by a minute at least when GitHub does not say how long', async () => {
      Object.assign(on.world.limits, { creationsPerHour: 1, sendsRetryAfter: false });
      const draft = { title: 'T', body: '', labels: [] };
      itemOf(await on.replica.create(draft));
      const outcome = await on.replica.create(draft);
      expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
      expect(outcome.kind === 'later' && outcome.at).toBeGreaterThanOrEqual(on.clock.now() + minuteMs);
    });
  });

  describe('trouble on the way', () => {
    const draft = { title: 'T', body: 'B', labels: [] };
    const troubles: readonly [string, (after: boolean) => Fault][] = [
      ['a dropped connection', (after) => ({ kind: 'drop', after })],
      ['a proxy’s 502 in HTML', (after) => ({ kind: 'status', status: 502, isHtml: true, after })],
      ['a 500', (after) => ({ kind: 'status', status: 500, isHtml: false, after })],
      ['a 503', (after) => ({ kind: 'status', status: 503, isHtml: false, after })],
    ];

    describe.each(troubles)('%s', (_name, faultOf) => {
      it('ends a read as to be tried later', async () => {
        const number = on.mona.open(repo, { title: 'Any' });
        const { cursor } = await on.replica.changes(null);
        on.fault = { cost: 'read', fault: faultOf(false) };
        for (const read of [
          () => on.replica.probe(number),
          () => on.replica.changes(cursor),
          () => on.replica.list(null),
          () => on.replica.threads([{ ref: number, sinceAt: null }]),
        ]) {
          await expect(read()).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
        }
      });

      it.each([
        [true, 1],
        [false, 0],
      ])('leaves a write unknown and is not tried again (took effect: %s)', async (after, made) => {
        const number = on.mona.open(repo, { title: 'Old' });
        const issue = await on.seen(number);
        on.fault = { cost: 'create', fault: faultOf(after) };
        const before = on.writes();
        expect(await on.replica.create(draft)).toMatchObject({ kind: 'unknown' });
        expect(await on.replica.comment(number, 'Words')).toMatchObject({ kind: 'unknown' });
        on.fault = { cost: 'edit', fault: faultOf(after) };
        expect(await on.replica.update(issue, { title: 'New' })).toMatchObject({ kind: 'unknown' });
        expect(on.writes() - before).toBe(3);
        expect(on.world.issues(repo)).toHaveLength(1 + made);
        expect(on.world.commentsOf(repo, number)).toHaveLength(made);
        expect(on.stored(number).title).toBe(after ? 'New' : 'Old');
      });
    });

    it.each([
      [403, 90],
      [429, 90],
      [403, null],
      [429, null],
    ] as const)('a %i that says retry-after %s is a pause of the whole side', async (status, retryAfterSeconds) => {
      const number = on.mona.open(repo, { title: 'Old' });
      const issue = await on.seen(number);
      const limited: Fault = { kind: 'limited', status, retryAfterSeconds };
      const least = on.clock.now() + (retryAfterSeconds ?? 60) * 1000;
      on.fault = { cost: 'create', fault: limited };
      const outcomes: Outcome<unknown>[] = [await on.replica.create(draft), await on.replica.comment(number, 'Words')];
      on.fault = { cost: 'edit', fault: limited };
      outcomes.push(await on.replica.update(issue, { title: 'New' }));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
        expect(outcome.kind === 'later' && outcome.at).toBeGreaterThanOrEqual(least);
      }
      on.fault = { cost: 'read', fault: limited };
      const failure = await on.replica.probe(number).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'SideError', kind: 'later' });
      expect(failure instanceof SideError ? failure.at : null).toBeGreaterThanOrEqual(least);
      expect(on.world.issues(repo)).toHaveLength(1);
      expect(on.stored(number).title).toBe('Old');
    });

    it.each<Fault & { readonly kind: 'limited' }>([
      { kind: 'limited', status: 422, retryAfterSeconds: null },
      { kind: 'limited', status: 422, retryAfterSeconds: 90 },
      { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'primary' },
      { kind: 'limited', status: 403, retryAfterSeconds: null, says: 'abuse' },
    ])('a limit is one in whatever words: %j', async (limited) => {
      const number = on.mona.open(repo, { title: 'Old' });
      const issue = await on.seen(number);
      const at = on.clock.now() + (limited.retryAfterSeconds ?? 60) * 1000;
      on.fault = { cost: 'create', fault: limited };
      const outcomes: Outcome<unknown>[] = [await on.replica.create(draft), await on.replica.comment(number, 'Words')];
      on.fault = { cost: 'edit', fault: limited };
      outcomes.push(await on.replica.update(issue, { title: 'New' }));
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'later', at, wholeSide: true });
      expect([on.world.issues(repo).length, on.stored(number).title]).toEqual([1, 'Old']);
    });

    it.each([502, 503, 504] as const)(
      'a %i that says retry-after leaves a write unknown, and is a pause besides',
      async (status) => {
        const number = on.mona.open(repo, { title: 'Old' });
        const fault: Fault = { kind: 'status', status, isHtml: true, after: false, retryAfterSeconds: 90 };
        const at = on.clock.now() + 90_000;
        on.fault = { cost: 'create', fault };
        expect(await on.replica.comment(number, 'Words')).toMatchObject({ kind: 'unknown', at });
        on.fault = { cost: 'read', fault };
        await expect(on.replica.probe(number)).rejects.toMatchObject({
          name: 'SideError',
          kind: 'later',
          at,
          side: 'github',
        });
      },
    );

    it('a slow answer is a right answer', async () => {
      on.fault = { cost: 'create', fault: { kind: 'slow', delayMs: 150 } };
      expect(itemOf(await on.replica.create(draft)).title).toBe('T');
    });

    it('never shows a token in what it says', async () => {
      const number = on.mona.open(repo, { title: 'Any' });
      const said: string[] = [];
      for (const trouble of [
        { kind: 'drop', after: false },
        { kind: 'status', status: 502, isHtml: true, after: false },
      ] as const) {
        on.fault = { cost: 'read', fault: trouble };
        said.push(await on.replica.probe(number).then(String, (error: unknown) => `${error} ${JSON.stringify(error)}`));
        on.fault = { cost: 'create', fault: trouble };
        said.push(JSON.stringify(await on.replica.create(draft)));
      }
      on.fault = null;
      on.world.setToken('bugferry', 'another');
      said.push(JSON.stringify(await on.replica.create(draft)));
      expect(said.join('\n')).not.toContain('token-of-bugferry');
    });
  });
}
