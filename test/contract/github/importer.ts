/**
 * What an Importer must do. It runs against the real client on the sandbox's HTTP server.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueNumber } from '../../../src/model/ids.ts';
import type { Batch, ImportDraft, Importer, ImportJob, Minimizing } from '../../../src/model/migration.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import type { Fault, FaultSource } from '../../../src/sandbox/server/faults.ts';
import { type GithubBench, handClock, repo, smallGithubWorld } from './bench.ts';

export interface ImporterBench {
  readonly world: GithubWorld;
  readonly clock: GithubBench['clock'];
  readonly faults: FaultSource;
}

export interface ImporterUnderTest {
  readonly importer: Importer;
  close(): Promise<void>;
}

const createdAt = Date.UTC(2009, 4, 6, 7, 8, 9);
const changedAt = Date.UTC(2011, 1, 2, 3, 4, 5);

const draft = (change: Partial<ImportDraft> = {}): ImportDraft => ({
  title: 'Crash',
  body: 'It crashes, @mona.\n',
  labels: ['bug', 'severity: major'],
  isClosed: false,
  createdAt,
  changedAt,
  comments: [
    { body: 'first', createdAt: createdAt + 1_000 },
    { body: 'second', createdAt: createdAt + 2_000 },
  ],
  ...change,
});

/** Each sentence begins behind the one full stop of the last. */
const inSentences = expect.stringMatching(/^(?!.*(?:\.\.|[^.] Imports need))/u);

export function importerContract(name: string, setup: (bench: ImporterBench) => Promise<ImporterUnderTest>): void {
  describe(`${name}, as an Importer`, () => {
    let world: GithubWorld;
    let clock: GithubBench['clock'];
    let open: ImporterUnderTest;
    let importer: Importer;
    let fault: Fault;

    beforeEach(async () => {
      fault = { kind: 'none' };
      clock = handClock();
      world = smallGithubWorld({ now: clock.now });
      world.allow(repo, 'bugferry', 'admin');
      open = await setup({ world, clock, faults: () => fault });
      importer = open.importer;
    });
    afterEach(() => open.close());

    const later = { done: new Set(), failure: expect.objectContaining({ kind: 'later', wholeSide: true }) };

    /** What comes of it in each of the ways in which limits are told. */
    async function waiting(act: () => Promise<Batch>): Promise<readonly Batch[]> {
      fault = { kind: 'limited', status: 403, retryAfterSeconds: 60 };
      const batches: Batch[] = [];
      for (const graphqlLimits of ['RATE_LIMIT', 'RATE_LIMITED', 'as-rest'] as const) {
        Object.assign(world.limits, { graphqlLimits });
        batches.push(await act());
      }
      fault = { kind: 'none' };
      return batches;
    }

    const job = (outcome: Outcome<ImportJob>): ImportJob => {
      if (outcome.kind !== 'applied') throw new Error(JSON.stringify(outcome));
      return outcome.item;
    };
    const jobs = (): Promise<readonly ImportJob[]> => importer.since(clock.now() - 3_600_000);
    const issue = (number: number) => world.issue(repo, number);

    it('takes a whole issue with its dates, and notifies no one', async () => {
      const { id, state } = job(await importer.begin(draft()));
      expect(state).toBe('pending');
      expect(await jobs()).toEqual([
        { id, createdAt: Math.floor(clock.now() / 1_000) * 1_000, state: 'imported', issue: 1, faults: [], why: null },
      ]);
      expect(issue(1)).toMatchObject({
        title: 'Crash',
        body: 'It crashes, @mona.\n',
        state: 'open',
        labels: ['bug', 'severity: major'],
        author: 'bugferry',
        createdAt,
        updatedAt: changedAt,
      });
      expect(world.commentsOf(repo, 1)).toMatchObject([
        { body: 'first', createdAt: createdAt + 1_000 },
        { body: 'second', createdAt: createdAt + 2_000 },
      ]);
      expect(world.creations).toEqual([]);
    });

    it('closes as completed, and gives assignee and milestone', async () => {
      await importer.begin(draft({ isClosed: true, assignee: 'mona', milestone: '2.0' }));
      await importer.begin(draft({ milestone: '2.0' }));
      await jobs();
      expect(issue(1)).toMatchObject({
        state: 'closed',
        stateReason: 'completed',
        assignees: ['mona'],
        milestone: '2.0',
      });
      expect(issue(2)).toMatchObject({ state: 'open', assignees: [], milestone: '2.0' });
    });

    it('is not held up by the limit on content', async () => {
      Object.assign(world.limits, { creationsPerMinute: 1 });
      for (let index = 0; index < 3; index += 1) expect((await importer.begin(draft())).kind).toBe('applied');
    });

    it('reports a pending import, and later ones that finished first', async () => {
      Object.assign(world.limits, { importDelaysMs: [120_000, 1_000] });
      const [slow, quick] = [
        job(await importer.begin(draft({ title: 'slow' }))),
        job(await importer.begin(draft({ title: 'quick' }))),
      ];
      clock.advance(2_000);
      expect(new Map((await jobs()).map(({ id, state }) => [id, state]))).toEqual(
        new Map([
          [slow.id, 'pending'],
          [quick.id, 'imported'],
        ]),
      );
      clock.advance(120_000);
      expect((await jobs()).map(({ id, issue: number }) => [id, number])).toEqual([
        [slow.id, 2],
        [quick.id, 1],
      ]);
      expect(issue(1)?.title).toBe('quick');
    });

    it('leaves out imports before the given time', async () => {
      await importer.begin(draft());
      await jobs();
      clock.advance(60_000);
      const { id } = job(await importer.begin(draft()));
      expect((await importer.since(clock.now() - 10_000)).map((each) => each.id)).toEqual([id]);
    });

    it('lists more than a page of them', async () => {
      for (let index = 0; index < 120; index += 1) await importer.begin(draft({ comments: [] }));
      expect(await jobs()).toHaveLength(120);
    });

    it.each([
      ['an assignee without a part in the repository', { assignee: 'hubot' }, 'assignee'],
      ['a label that is too long', { labels: ['x'.repeat(51)] }, 'label'],
      ['a title that is too long', { title: 'x'.repeat(257) }, 'title'],
      ['a comment without text', { comments: [{ body: ' ', createdAt }] }, 'body'],
    ])('fails for %s, says so, and makes nothing', async (_name, change, fault) => {
      const { id } = job(await importer.begin(draft(change)));
      const [found] = await jobs();
      expect(found).toMatchObject({ id, state: 'failed', issue: null, faults: [fault] });
      expect(found?.why).toMatch(new RegExp(fault));
      expect(world.issues(repo)).toEqual([]);
      await importer.begin(draft());
      await jobs();
      expect(world.issues(repo).map(({ number }) => number)).toEqual([1]);
    });

    it('is not for those who do not administer the repository', async () => {
      expect(await importer.home()).toEqual({ url: expect.stringMatching(/\/acme\/widget$/), mayImport: true });
      world.allow(repo, 'bugferry', 'write');
      expect(await importer.home()).toMatchObject({ mayImport: false });
      expect(await importer.begin(draft())).toMatchObject({ kind: 'unauthorized', why: inSentences });
      expect(await jobs().catch((error: unknown) => error)).toMatchObject({ kind: 'refused' });
    });

    it('is not there on every server', async () => {
      Object.assign(world.limits, { hasImports: false });
      expect(await importer.begin(draft())).toMatchObject({ kind: 'unauthorized', why: inSentences });
    });

    it.each([
      ['before', false, 0],
      ['after', true, 1],
    ])(
      'does not know what became of an import whose answer was lost %s it took effect',
      async (_name, after, count) => {
        fault = { kind: 'drop', after };
        expect(await importer.begin(draft())).toMatchObject({ kind: 'unknown' });
        fault = { kind: 'none' };
        expect(await jobs()).toHaveLength(count);
      },
    );

    it('waits when GitHub asks for a pause', async () => {
      fault = { kind: 'limited', status: 403, retryAfterSeconds: 60 };
      expect(await importer.begin(draft())).toMatchObject({ kind: 'later', wholeSide: true });
      expect(world.issues(repo)).toEqual([]);
    });

    it('closes many issues for a reason, and does it again without harm', async () => {
      for (let index = 0; index < 40; index += 1) await importer.begin(draft({ comments: [] }));
      await jobs();
      const closings = Array.from({ length: 39 }, (_, index) => ({
        issue: issueNumber(index + 2),
        reason: index % 2 === 0 ? ('not_planned' as const) : ('duplicate' as const),
        duplicateOf: index % 2 === 0 ? null : issueNumber(1),
      }));
      const before = world.requests.length;
      expect(await importer.close(closings)).toEqual({
        done: new Set(closings.map(({ issue: number }) => number)),
        failure: null,
      });
      expect(world.requests.length - before).toBeLessThanOrEqual(4);
      const seen = world.issues(repo);
      expect(seen.map(({ stateReason }) => stateReason)).toEqual([null, ...closings.map(({ reason }) => reason)]);
      expect(seen[2]?.duplicateOfId).toBe(seen[0]?.id);
      await importer.close(closings);
      expect(world.issues(repo)).toEqual(seen);
    });

    describe('minimizing comments', () => {
      /** Two issues with two comments each. */
      const talk = async (): Promise<readonly Minimizing[]> => {
        for (let index = 0; index < 2; index += 1) await importer.begin(draft());
        await jobs();
        return [1, 2].flatMap((number) =>
          world
            .commentsOf(repo, number)
            .map(({ id }) => ({ issue: issueNumber(number), comment: id, minimize: 'off-topic' as const })),
        );
      };
      const reasons = () =>
        [1, 2].flatMap((number) => world.commentsOf(repo, number).map(({ minimized }) => minimized));

      it('does so to many by one look and one write, and to none a second time', async () => {
        const [first, ...others] = await talk();
        const wanted = first === undefined ? [] : [{ ...first, minimize: 'spam' as const }, ...others];
        const before = world.requests.length;
        expect(await importer.minimize(wanted)).toEqual({
          done: new Set(wanted.map(({ comment }) => comment)),
          failure: null,
        });
        expect(reasons()).toEqual(['spam', 'off-topic', 'off-topic', 'off-topic']);
        expect(world.requests.length - before).toBeLessThanOrEqual(2);
        const then = world.requests.length;
        expect(await importer.minimize(wanted)).toEqual({
          done: new Set(wanted.map(({ comment }) => comment)),
          failure: null,
        });
        expect(world.requests.length - then).toBeLessThanOrEqual(1);
      });

      it('leaves comments that people minimized for another reason, and missing ones', async () => {
        const wanted = await talk();
        const ids = wanted.map(({ comment }) => comment);
        world.as('mona').minimize(repo, ids[0] ?? 0, 'abuse');
        world.as('mona').deleteComment(repo, ids[1] ?? 0);
        world.as('mona').deleteIssue(repo, 2);
        expect(await importer.minimize(wanted.slice(0, 2))).toEqual({ done: new Set(), failure: null });
        expect(world.commentsOf(repo, 1).map(({ minimized }) => minimized)).toEqual(['abuse']);
      });

      it('distinguishes refused changes from completed ones', async () => {
        const [own] = await talk();
        const theirs = world.as('mona').comment(repo, 1, 'Mine');
        world.allow(repo, 'bugferry', 'read');
        const wanted = own === undefined ? [] : [{ ...own, comment: theirs }, own];
        expect((await importer.minimize(wanted)).done).toEqual(new Set([own?.comment]));
      });

      it('knows that it was not done, or does not know, where an answer was lost', async () => {
        const wanted = await talk();
        fault = { kind: 'drop', after: true };
        const { done, failure } = await importer.minimize(wanted);
        fault = { kind: 'none' };
        expect(done).toEqual(new Set());
        expect(failure?.kind).toBe(reasons().includes('off-topic') ? 'unknown' : 'later');
      });

      it.each([
        ['limit', { kind: 'later', wholeSide: true }],
        ['forbidden', { kind: 'refused' }],
      ] as const)('counts only the completed part of a half-done request: %s', async (why, failure) => {
        const wanted = await talk();
        fault = { kind: 'half-done', why };
        expect(await importer.minimize(wanted)).toMatchObject({ done: new Set([wanted[0]?.comment]), failure });
        expect(reasons()).toEqual(['off-topic', null, null, null]);
        const closings = [1, 2].map((number) => ({
          issue: issueNumber(number),
          reason: 'not_planned' as const,
          duplicateOf: null,
        }));
        expect(await importer.close(closings)).toMatchObject({ done: new Set([1]), failure });
        expect(world.issues(repo).map(({ state }) => state)).toEqual(['closed', 'open']);
      });

      it('goes on in smaller parts where a request was cut short', async () => {
        const wanted = await talk();
        fault = { kind: 'half-done', why: 'timeout' };
        expect(await importer.minimize(wanted)).toMatchObject({
          done: new Set(wanted.map(({ comment }) => comment)),
          failure: null,
        });
        const closings = [1, 2].map((number) => ({
          issue: issueNumber(number),
          reason: 'not_planned' as const,
          duplicateOf: null,
        }));
        expect(await importer.close(closings)).toMatchObject({ done: new Set([1, 2]), failure: null });
        expect(world.issues(repo).map(({ state }) => state)).toEqual(['closed', 'closed']);
      });

      it('waits when GitHub asks for a pause', async () => {
        const wanted = await talk();
        expect(
          await waiting(() => importer.close([{ issue: issueNumber(1), reason: 'not_planned', duplicateOf: null }])),
        ).toEqual([later, later, later]);
        expect(issue(1)?.state).toBe('open');
        fault = { kind: 'limited', status: 403, retryAfterSeconds: 60 };
        expect(await importer.minimize(wanted)).toMatchObject({
          done: new Set(),
          failure: { kind: 'later', wholeSide: true },
        });
        expect(reasons()).toEqual([null, null, null, null]);
      });
    });
  });
}
