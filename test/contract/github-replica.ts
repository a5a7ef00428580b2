/**
 * What any GithubReplica must do, near misses included. Run it against the direct door of the sandbox and against the
 * real client on the sandbox's HTTP door. A test arranges with the world's people, acts through the replica only, and
 * looks at the world itself: an answer that merely says the right thing is not enough.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueNumber } from '../../src/model/ids.ts';
import type { CloseReason, Comment, Issue } from '../../src/model/item.ts';
import type { Clock, Cost } from '../../src/model/lane.ts';
import { type Outcome, SideError } from '../../src/model/outcome.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import type { Fault, FaultSource } from '../../src/sandbox/faults.ts';
import type { GithubPerson } from '../../src/sandbox/github/people.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world.ts';

/** What a replica is built from. The repository is `acme/widget`; the account's token is `token-of-<login>`. */
export interface GithubBench {
  readonly world: GithubWorld;
  readonly clock: Clock & { advance(ms: number): void };
  readonly login: string;
  readonly repo: string;
  /** Hand it to the door. It follows what the test says. */
  readonly faults: FaultSource;
  /** Small, so that a few issues make several pages. */
  readonly pageSize: number;
}

export interface GithubUnderTest {
  readonly replica: GithubReplica;
  close(): Promise<void>;
}

const repo = 'acme/widget';
const startAt = Date.UTC(2026, 0, 15, 12, 0, 0, 250);
const minuteMs = 60_000;

/** Three accounts: `bugferry` may push, `mona` owns everything, `hubot` has no rights. */
export function smallGithubWorld(options: { readonly now: () => number; readonly listLagMs?: number }): GithubWorld {
  const world = createGithubWorld({ url: 'http://github.invalid', ...options });
  for (const login of ['bugferry', 'mona', 'hubot']) world.addUser(login);
  for (const name of [repo, 'acme/gadget']) world.addRepo(name, { permissions: { bugferry: 'write', mona: 'admin' } });
  world.addRepo('acme/secret', { isPrivate: true, permissions: { mona: 'admin' } });
  return world;
}

export function handClock(at = startAt): GithubBench['clock'] {
  let now = at;
  const advance = (ms: number): void => {
    now += ms;
  };
  return { now: () => now, advance, sleep: async (ms) => advance(ms) };
}

export function githubReplicaContract(name: string, setup: (bench: GithubBench) => Promise<GithubUnderTest>): void {
  let world: GithubWorld;
  let clock: GithubBench['clock'];
  let mona: GithubPerson;
  let replica: GithubReplica;
  let open: GithubUnderTest[] = [];
  let fault: { readonly cost: Cost; readonly fault: Fault } | null = null;

  const faults: FaultSource = (_side, cost) => (fault?.cost === cost ? fault.fault : { kind: 'none' });

  async function start(options: { readonly listLagMs?: number; readonly login?: string; readonly pageSize?: number } = {}): Promise<void> {
    const { login = 'bugferry', pageSize = 3, ...rest } = options;
    clock = handClock();
    world = smallGithubWorld({ now: clock.now, ...rest });
    mona = world.as('mona');
    const subject = await setup({ world, clock, login, repo, faults, pageSize });
    open.push(subject);
    replica = subject.replica;
  }

  async function seen(number: number): Promise<Issue> {
    const probe = await replica.probe(number);
    if (probe.kind !== 'there') throw new Error(`#${number} is gone: ${probe.gone.why}`);
    return probe.item;
  }

  async function everything(replicaToRead = replica): Promise<{ items: Issue[]; comments: Comment[]; pages: number }> {
    const all: { items: Issue[]; comments: Comment[]; pages: number } = { items: [], comments: [], pages: 0 };
    let page: string | null = null;
    do {
      const listing = await replicaToRead.list(page);
      all.items.push(...listing.items);
      all.comments.push(...listing.comments);
      all.pages += 1;
      page = listing.next;
    } while (page !== null);
    return all;
  }

  const stored = (number: number) => {
    const issue = world.issue(repo, number);
    if (issue === null) throw new Error(`#${number} is not in the world.`);
    return issue;
  };
  const numbers = (items: readonly Issue[]): number[] => items.map((item) => Number(item.number)).sort((left, right) => left - right);
  const unique = (list: readonly number[]): number[] => [...new Set(list)];
  const writes = (): number => world.requests.filter((line) => line.method !== 'GET').length;

  describe(`${name}, as a GithubReplica`, () => {
    beforeEach(async () => {
      fault = null;
      await start();
    });

    afterEach(async () => {
      await Promise.all(open.map((subject) => subject.close()));
      open = [];
    });

    describe('signing in', () => {
      it('says whose account it is', async () => {
        expect(await replica.hello()).toMatchObject({ login: 'bugferry' });
      });

      it('says that a revoked token needs a person', async () => {
        const number = mona.open(repo, { title: 'Any' });
        const issue = await seen(number);
        world.setToken('bugferry', null);
        await expect(replica.hello()).rejects.toMatchObject({ name: 'SideError', kind: 'unauthorized' });
        await expect(replica.changes(null).then((page) => replica.changes(page.cursor))).rejects.toMatchObject({ kind: 'unauthorized' });
        await expect(replica.probe(number)).rejects.toMatchObject({ kind: 'unauthorized' });
        expect(await replica.create({ title: 'T', body: 'B', labels: [] })).toMatchObject({ kind: 'unauthorized' });
        expect(await replica.update(issue, { title: 'T' })).toMatchObject({ kind: 'unauthorized' });
        expect(await replica.comment(number, 'Hello')).toMatchObject({ kind: 'unauthorized' });
        expect(world.issues(repo)).toHaveLength(1);
      });
    });

    describe('one issue', () => {
      it('shows every field as it is stored', async () => {
        const number = mona.open(repo, { title: 'Crash on start', body: 'It crashes.\n', labels: ['Bug', 'severity/major'] });
        mona.comment(repo, number, 'Me too');
        const issue = stored(number);
        expect(await seen(number)).toEqual({
          kind: 'issue',
          number,
          id: issue.id,
          url: `${world.state.url}/acme/widget/issues/${number}`,
          title: 'Crash on start',
          body: 'It crashes.\n',
          state: 'open',
          reason: null,
          labels: ['Bug', 'severity/major'],
          author: { login: 'mona', name: 'mona' },
          commentCount: 1,
          createdAt: Math.floor(startAt / 1000) * 1000,
          changedAt: Math.floor(startAt / 1000) * 1000,
        });
      });

      it('reads a body that was never written as empty', async () => {
        expect((await seen(mona.open(repo, { title: 'No words' }))).body).toBe('');
      });

      it.each<CloseReason>(['completed', 'not_planned', 'duplicate'])('shows that it is closed as %s', async (reason) => {
        const number = mona.open(repo, { title: 'Done' });
        mona.close(repo, number, reason);
        expect(await seen(number)).toMatchObject({ state: 'closed', reason });
      });

      it('takes one that was closed before there were reasons for completed', async () => {
        const number = mona.open(repo, { title: 'Old' });
        mona.close(repo, number, null);
        expect(await seen(number)).toMatchObject({ state: 'closed', reason: 'completed' });
      });

      it('shows no reason on one that was reopened', async () => {
        const number = mona.open(repo, { title: 'Again' });
        mona.close(repo, number, 'not_planned');
        mona.reopen(repo, number);
        expect(await seen(number)).toMatchObject({ state: 'open', reason: null });
      });

      it('is gone for good when it was deleted', async () => {
        const number = mona.open(repo, { title: 'Spam' });
        mona.deleteIssue(repo, number);
        expect(await replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
      });

      it('is moved when it was transferred, and not taken for the issue it became', async () => {
        const number = mona.open(repo, { title: 'Elsewhere' });
        mona.transfer(repo, number, 'acme/gadget');
        const probe = await replica.probe(number);
        expect(probe).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
      });

      it('is missing when it went where the account may not look, was hidden, or never was', async () => {
        const moved = mona.open(repo, { title: 'Secret' });
        const hidden = mona.open(repo, { title: 'Flagged' });
        mona.transfer(repo, moved, 'acme/secret');
        world.setHidden(repo, hidden, true);
        for (const number of [moved, hidden, 999]) {
          expect(await replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        }
      });

      it('is no issue when its number belongs to a pull request', async () => {
        const number = mona.openPull(repo, { title: 'Fix' });
        expect(await replica.probe(number)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
      });

      it('is not missing because the whole repository cannot be seen: that needs a person', async () => {
        const number = mona.open(repo, { title: 'Still here' });
        const issue = await seen(number);
        world.setPrivate(repo, true);
        world.allow(repo, 'bugferry', null);
        await expect(replica.probe(number)).rejects.toMatchObject({ name: 'SideError', kind: 'refused' });
        expect(await replica.update(issue, { title: 'T' })).toMatchObject({ kind: 'refused' });
        expect(await replica.comment(number, 'Hello')).toMatchObject({ kind: 'refused' });
      });
    });

    describe('changes', () => {
      it('are none to begin with, and the cursor stands at this moment', async () => {
        mona.open(repo, { title: 'Before' });
        clock.advance(5 * minuteMs);
        const first = await replica.changes(null);
        expect(first).toMatchObject({ items: [], comments: [] });
        clock.advance(1000);
        const after = mona.open(repo, { title: 'After' });
        expect(numbers((await replica.changes(first.cursor)).items)).toEqual([after]);
      });

      it('tell the side’s own time', async () => {
        const page = await replica.changes(null);
        expect(Math.abs(page.readAt - clock.now())).toBeLessThan(1000);
      });

      it('of the same second as the reading are repeated, not lost', async () => {
        const first = await replica.changes(null);
        const early = mona.open(repo, { title: 'Early in the second' });
        const second = await replica.changes(first.cursor);
        const late = mona.open(repo, { title: 'Late in the same second' });
        const third = await replica.changes(second.cursor);
        expect(numbers(second.items)).toEqual([early]);
        expect(numbers(third.items)).toContain(late);
      });

      it('leave out what is long since read', async () => {
        const old = mona.open(repo, { title: 'Old' });
        mona.comment(repo, old, 'Old words');
        clock.advance(10 * minuteMs);
        const { cursor } = await replica.changes(null);
        clock.advance(10 * minuteMs);
        expect(await replica.changes(cursor)).toMatchObject({ items: [], comments: [] });
      });

      it('show an issue after each kind of edit', async () => {
        const kinds: readonly ((number: number) => void)[] = [
          (number) => mona.edit(repo, number, { title: 'New title' }),
          (number) => mona.edit(repo, number, { body: 'New body' }),
          (number) => mona.close(repo, number),
          (number) => mona.reopen(repo, number),
          (number) => mona.label(repo, number, 'new'),
          (number) => mona.unlabel(repo, number, 'NEW'),
          (number) => void mona.comment(repo, number, 'New words'),
        ];
        const number = mona.open(repo, { title: 'Title' });
        for (const edit of kinds) {
          clock.advance(10 * minuteMs);
          const { cursor } = await replica.changes(null);
          clock.advance(1000);
          edit(number);
          const page = await replica.changes(cursor);
          expect(numbers(page.items)).toEqual([number]);
          expect(page.items[0]).toEqual(await seen(number));
        }
      });

      it('bring new and edited comments whole', async () => {
        const number = mona.open(repo, { title: 'Talk' });
        const edited = mona.comment(repo, number, 'First thought');
        mona.comment(repo, number, 'Untouched');
        clock.advance(10 * minuteMs);
        const { cursor } = await replica.changes(null);
        clock.advance(2000);
        mona.editComment(repo, edited, 'Second thought');
        const added = mona.comment(repo, number, 'Third\nthought');
        const { comments } = await replica.changes(cursor);
        const now = Math.floor(clock.now() / 1000) * 1000;
        expect(comments.map((comment) => [comment.id, comment.text]).sort()).toEqual([
          [edited, 'Second thought'],
          [added, 'Third\nthought'],
        ]);
        expect(comments.find((comment) => comment.id === added)).toEqual({
          side: 'github',
          id: added,
          ref: number,
          count: null,
          url: `${world.state.url}/acme/widget/issues/${number}#issuecomment-${added}`,
          author: { login: 'mona', name: 'mona' },
          text: 'Third\nthought',
          isPrivate: false,
          createdAt: now,
          changedAt: now,
        });
        expect(comments.find((comment) => comment.id === edited)?.createdAt).toBeLessThan(now);
      });

      it('leave pull requests and their comments out', async () => {
        const { cursor } = await replica.changes(null);
        const pull = mona.openPull(repo, { title: 'Fix' });
        mona.comment(repo, pull, 'Looks good');
        const number = mona.open(repo, { title: 'Real' });
        const words = mona.comment(repo, number, 'Real words');
        const page = await replica.changes(cursor);
        expect(numbers(page.items)).toEqual([number]);
        expect(page.comments.map((comment) => comment.id)).toEqual([words]);
      });

      it('are all there when they fill several pages', async () => {
        const { cursor } = await replica.changes(null);
        const opened: number[] = [];
        for (let at = 0; at < 8; at += 1) {
          clock.advance(700);
          const number = mona.open(repo, { title: `Issue ${at}` });
          mona.comment(repo, number, `Words ${at}`);
          opened.push(number);
        }
        const page = await replica.changes(cursor);
        expect(numbers(page.items)).toEqual(opened);
        expect(unique(page.comments.map((comment) => comment.ref)).sort((left, right) => left - right)).toEqual(opened);
      });

      it('that show up late in the lists are not skipped', async () => {
        await start({ listLagMs: 20_000 });
        const { cursor } = await replica.changes(null);
        clock.advance(5000);
        const number = mona.open(repo, { title: 'Slow to appear' });
        const words = mona.comment(repo, number, 'Slow words');
        clock.advance(10_000);
        const early = await replica.changes(cursor);
        expect(numbers(early.items)).toEqual([]);
        clock.advance(12_000);
        const late = await replica.changes(early.cursor);
        expect(numbers(late.items)).toEqual([number]);
        expect(late.comments.map((comment) => comment.id)).toEqual([words]);
      });

      it('do not depend on the cursor of another replica’s process: it is handed back as text', async () => {
        const { cursor } = await replica.changes(null);
        const number = mona.open(repo, { title: 'While we were down' });
        clock.advance(3 * 24 * 60 * minuteMs);
        const subject = await setup({ world, clock, login: 'bugferry', repo, faults, pageSize: 3 });
        open.push(subject);
        expect(numbers((await subject.replica.changes(cursor)).items)).toEqual([number]);
      });
    });

    describe('the full list', () => {
      it('has every issue once and every comment once, open or closed, and no pull request', async () => {
        const opened: number[] = [];
        const said: number[] = [];
        for (let at = 0; at < 10; at += 1) {
          clock.advance(minuteMs);
          const pull = mona.openPull(repo, { title: `Pull ${at}` });
          mona.comment(repo, pull, 'Not ours');
          const number = mona.open(repo, { title: `Issue ${at}` });
          said.push(mona.comment(repo, number, `Words ${at}`));
          if (at % 2 === 0) mona.close(repo, number);
          opened.push(number);
        }
        const all = await everything();
        expect(numbers(all.items)).toEqual(opened);
        expect(all.comments.map((comment) => comment.id).sort((left, right) => left - right)).toEqual(said);
        expect(all.pages).toBeGreaterThan(1);
      });

      it('is empty, and ends, in an empty repository', async () => {
        expect(await everything()).toMatchObject({ items: [], comments: [] });
      });

      it('loses nothing when issues are edited, commented and opened between its pages', async () => {
        const opened: number[] = [];
        for (let at = 0; at < 9; at += 1) {
          clock.advance(minuteMs);
          opened.push(mona.open(repo, { title: `Issue ${at}` }));
        }
        const found: number[] = [];
        let page: string | null = null;
        let turn = 0;
        do {
          const listing = await replica.list(page);
          found.push(...numbers(listing.items));
          page = listing.next;
          clock.advance(minuteMs);
          const newest = opened[opened.length - 1 - turn];
          const oldest = opened[turn];
          if (newest !== undefined) mona.edit(repo, newest, { title: `Edited ${turn}` });
          if (oldest !== undefined) mona.comment(repo, oldest, 'Bump');
          if (turn < 2) mona.open(repo, { title: `Opened meanwhile ${turn}` });
          turn += 1;
        } while (page !== null && turn < 100);
        expect(unique(found)).toEqual(expect.arrayContaining(opened));
      });
    });

    describe('threads', () => {
      it('are whole and in order when everything is asked for', async () => {
        const first = mona.open(repo, { title: 'One' });
        const second = mona.open(repo, { title: 'Two' });
        const ids: number[] = [];
        for (let at = 0; at < 7; at += 1) {
          clock.advance(1000);
          ids.push(mona.comment(repo, first, `Words ${at}`));
          mona.comment(repo, second, 'Other words');
        }
        const threads = await replica.threads([
          { ref: first, sinceAt: null },
          { ref: second, sinceAt: null },
        ]);
        const thread = threads.find(({ ref }) => ref === first);
        expect(threads).toHaveLength(2);
        expect(thread?.isWhole).toBe(true);
        expect(thread?.comments.map((comment) => comment.id)).toEqual(ids);
        expect(thread?.comments.every((comment) => comment.ref === first)).toBe(true);
      });

      it('of an issue without comments are there and empty', async () => {
        const number = mona.open(repo, { title: 'Quiet' });
        expect(await replica.threads([{ ref: number, sinceAt: null }])).toMatchObject([{ ref: number, isWhole: true, comments: [] }]);
      });

      it('since a moment have what was written or edited from then on, and do not claim to be whole', async () => {
        const number = mona.open(repo, { title: 'Talk' });
        const edited = mona.comment(repo, number, 'First');
        mona.comment(repo, number, 'Long ago');
        clock.advance(10 * minuteMs);
        const sinceAt = Math.floor(clock.now() / 1000) * 1000;
        const added = mona.comment(repo, number, 'In that very second');
        mona.editComment(repo, edited, 'First, edited');
        const [thread] = await replica.threads([{ ref: number, sinceAt }]);
        expect(thread?.isWhole).toBe(false);
        expect(thread?.comments.map((comment) => comment.id)).toEqual([edited, added]);
      });

      it('no longer have a deleted comment', async () => {
        const number = mona.open(repo, { title: 'Talk' });
        const kept = mona.comment(repo, number, 'Kept');
        const dropped = mona.comment(repo, number, 'Dropped');
        mona.deleteComment(repo, dropped);
        const [thread] = await replica.threads([{ ref: number, sinceAt: null }]);
        expect(thread?.comments.map((comment) => comment.id)).toEqual([kept]);
        expect((await seen(number)).commentCount).toBe(1);
      });

      it('leave out what cannot be reached, and still bring the others', async () => {
        const [deleted, moved, there] = ['Deleted', 'Moved', 'There'].map((title) => mona.open(repo, { title }));
        if (deleted === undefined || moved === undefined || there === undefined) throw new Error('Three issues were opened.');
        for (const number of [deleted, moved, there]) mona.comment(repo, number, 'Words');
        mona.deleteIssue(repo, deleted);
        mona.transfer(repo, moved, 'acme/gadget');
        const threads = await replica.threads([deleted, moved, 999, there].map((ref) => ({ ref, sinceAt: null })));
        expect(threads.map(({ ref }) => ref)).toEqual([there]);
      });
    });

    describe('opening an issue', () => {
      it('answers with what the server made of it', async () => {
        const outcome = await replica.create({ title: '  Crash  ', body: 'Words\n', labels: ['bug', 'new label'] });
        const issue = itemOf(outcome);
        expect(issue).toMatchObject({ title: 'Crash', body: 'Words\n', labels: ['bug', 'new label'], state: 'open', reason: null });
        expect(issue.author.login).toBe('bugferry');
        expect(issue).toEqual(await seen(issue.number));
        expect(stored(issue.number).id).toBe(issue.id);
        expect(world.issues(repo)).toHaveLength(1);
      });

      it('takes labels in the case the repository has them', async () => {
        mona.open(repo, { title: 'First', labels: ['Bug'] });
        expect(itemOf(await replica.create({ title: 'T', body: '', labels: ['bug'] })).labels).toEqual(['Bug']);
      });

      it('says which labels it did not get without the right to set them', async () => {
        await start({ login: 'hubot' });
        expect(itemOf(await replica.create({ title: 'T', body: '', labels: ['bug'] })).labels).toEqual([]);
      });

      it.each([
        ['a title that is too long', { title: 'x'.repeat(257), body: '', labels: [] }, /title/],
        ['a body that is too long', { title: 'T', body: 'x'.repeat(65_537), labels: [] }, /body/],
        ['a label that is too long', { title: 'T', body: '', labels: ['x'.repeat(51)] }, /name|label/i],
      ])('is refused for %s, and says what is wrong', async (_name, draft, words) => {
        const outcome = await replica.create(draft);
        expect(outcome).toMatchObject({ kind: 'refused' });
        expect(outcome.kind === 'refused' && outcome.why).toMatch(words);
        expect(world.issues(repo)).toHaveLength(0);
      });

      it.each([
        ['256 characters of title', { title: 'x'.repeat(256), body: '', labels: [] }],
        ['65,536 characters of body', { title: 'T', body: 'x'.repeat(65_536), labels: [] }],
        ['256 characters outside the basic plane', { title: '\u{1F41E}'.repeat(256), body: '', labels: [] }],
      ])('is not refused for %s', async (_name, draft) => {
        expect(itemOf(await replica.create(draft)).title).toBe(draft.title);
      });

      it('keeps every character of the body', async () => {
        const body = 'Tab\tand \u{1F600} and\r\ntrailing space \n\n<!-- bugferry:1 x bug=1 -->';
        const issue = itemOf(await replica.create({ title: 'T', body, labels: [] }));
        expect(stored(issue.number).body).toBe(body);
        expect(issue.body).toBe(body);
      });
    });

    describe('commenting', () => {
      it('answers with the comment and adds exactly one', async () => {
        const number = mona.open(repo, { title: 'Talk' });
        const comment = itemOf(await replica.comment(number, 'Hello\n\nthere'));
        expect(comment).toMatchObject({ side: 'github', ref: number, count: null, text: 'Hello\n\nthere', isPrivate: false });
        expect(comment.author.login).toBe('bugferry');
        expect(world.commentsOf(repo, number).map(({ id, body }) => [id, body])).toEqual([[comment.id, 'Hello\n\nthere']]);
      });

      it('is refused when the text is too long or blank', async () => {
        const number = mona.open(repo, { title: 'Talk' });
        expect(await replica.comment(number, 'x'.repeat(65_537))).toMatchObject({ kind: 'refused' });
        expect(await replica.comment(number, ' \n')).toMatchObject({ kind: 'refused' });
        expect(world.commentsOf(repo, number)).toHaveLength(0);
      });

      it('on an issue that is gone says so, and writes nowhere', async () => {
        const deleted = mona.open(repo, { title: 'Deleted' });
        const moved = mona.open(repo, { title: 'Moved' });
        mona.deleteIssue(repo, deleted);
        const arrived = mona.transfer(repo, moved, 'acme/gadget');
        expect(await replica.comment(deleted, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
        expect(await replica.comment(moved, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
        expect(await replica.comment(999, 'Hello')).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(world.commentsOf('acme/gadget', arrived)).toHaveLength(0);
      });
    });

    describe('updating', () => {
      it('changes title, state and labels with one write and answers with the issue as it is then', async () => {
        const number = mona.open(repo, { title: 'Old', labels: ['keep', 'drop'] });
        const issue = await seen(number);
        clock.advance(minuteMs);
        const before = writes();
        const patch = { title: 'New', state: 'closed', reason: 'not_planned', labels: { add: ['added'], remove: ['drop'] } } as const;
        const item = itemOf(await replica.update(issue, patch));
        expect(writes() - before).toBe(1);
        expect(item).toMatchObject({ title: 'New', state: 'closed', reason: 'not_planned' });
        expect([...item.labels].sort()).toEqual(['added', 'keep']);
        expect(item.changedAt).toBeGreaterThan(issue.changedAt);
        expect(item).toEqual(await seen(number));
        expect(stored(number)).toMatchObject({ title: 'New', state: 'closed', stateReason: 'not_planned', body: '' });
      });

      it.each<CloseReason>(['completed', 'not_planned', 'duplicate'])('closes as %s', async (reason) => {
        const number = mona.open(repo, { title: 'Open' });
        expect(itemOf(await replica.update(await seen(number), { state: 'closed', reason }))).toMatchObject({ state: 'closed', reason });
        expect(stored(number)).toMatchObject({ state: 'closed', stateReason: reason });
      });

      it('names the issue that a duplicate duplicates', async () => {
        const original = mona.open(repo, { title: 'Original' });
        const number = mona.open(repo, { title: 'Copy' });
        const duplicateOfId = stored(original).id;
        itemOf(await replica.update(await seen(number), { state: 'closed', reason: 'duplicate', duplicateOfId }));
        expect(stored(number)).toMatchObject({ stateReason: 'duplicate', duplicateOfId });
      });

      it('reopens', async () => {
        const number = mona.open(repo, { title: 'Closed' });
        mona.close(repo, number);
        expect(itemOf(await replica.update(await seen(number), { state: 'open' }))).toMatchObject({ state: 'open', reason: null });
        expect(stored(number)).toMatchObject({ state: 'open', stateReason: 'reopened' });
      });

      it('cannot change the reason of a closed issue, and its answer does not pretend', async () => {
        const number = mona.open(repo, { title: 'Closed' });
        mona.close(repo, number, 'completed');
        const item = itemOf(await replica.update(await seen(number), { state: 'closed', reason: 'not_planned' }));
        expect(item).toMatchObject({ state: 'closed', reason: 'completed' });
        expect(stored(number).stateReason).toBe('completed');
      });

      it('changes the reason by reopening first', async () => {
        const number = mona.open(repo, { title: 'Closed' });
        mona.close(repo, number, 'completed');
        const opened = itemOf(await replica.update(await seen(number), { state: 'open' }));
        expect(itemOf(await replica.update(opened, { state: 'closed', reason: 'not_planned' }))).toMatchObject({ reason: 'not_planned' });
      });

      it('takes labels without regard to case and leaves the others alone', async () => {
        const number = mona.open(repo, { title: 'Labels', labels: ['Severity/Major', 'Help Wanted'] });
        const issue = await seen(number);
        mona.label(repo, number, 'put on meanwhile');
        const item = itemOf(
          await replica.update(issue, { labels: { add: ['help wanted', 'new'], remove: ['severity/major', 'never there'] } }),
        );
        expect([...item.labels].sort()).toEqual(['Help Wanted', 'new', 'put on meanwhile']);
        expect([...stored(number).labels].sort()).toEqual(['Help Wanted', 'new', 'put on meanwhile']);
      });

      it('takes off the last label', async () => {
        const number = mona.open(repo, { title: 'Labels', labels: ['only'] });
        expect(itemOf(await replica.update(await seen(number), { labels: { add: [], remove: ['Only'] } })).labels).toEqual([]);
      });

      it('puts a footer at the end of the body as it is now, and only once', async () => {
        const number = mona.open(repo, { title: 'Point', body: 'Words' });
        const issue = await seen(number);
        mona.edit(repo, number, { body: 'Better words' });
        const footer = 'See bug 12.\n\n<!-- bugferry:1 x bug=12 -->';
        const item = itemOf(await replica.update(issue, { footer }));
        expect(item.body.startsWith('Better words\n')).toBe(true);
        expect(item.body.endsWith(footer)).toBe(true);
        expect(itemOf(await replica.update(item, { footer })).body).toBe(item.body);
        expect(stored(number).body).toBe(item.body);
      });

      it('is refused when the footer no longer fits, and the body stays', async () => {
        const number = mona.open(repo, { title: 'Full', body: 'x'.repeat(65_530) });
        expect(await replica.update(await seen(number), { footer: 'A footer' })).toMatchObject({ kind: 'refused' });
        expect(stored(number).body).toHaveLength(65_530);
      });

      it.each<[string, (number: number) => void]>([
        ['the title was edited', (number) => mona.edit(repo, number, { title: 'Theirs' })],
        ['it was closed', (number) => mona.close(repo, number)],
      ])('writes nothing when what it touches changed meanwhile: %s', async (_name, edit) => {
        const number = mona.open(repo, { title: 'Mine', labels: ['a'] });
        const issue = await seen(number);
        edit(number);
        const there = stored(number);
        const before = writes();
        const patch = { title: 'Ours', state: 'closed', reason: 'not_planned', labels: { add: ['b'], remove: [] } } as const;
        expect(await replica.update(issue, patch)).toMatchObject({ kind: 'stale' });
        expect(stored(number)).toEqual(there);
        expect(writes()).toBe(before);
      });

      it('is stale when it was closed for another reason meanwhile', async () => {
        const number = mona.open(repo, { title: 'Closed' });
        mona.close(repo, number, 'completed');
        const issue = await seen(number);
        mona.reopen(repo, number);
        mona.close(repo, number, 'not_planned');
        expect(await replica.update(issue, { state: 'open' })).toMatchObject({ kind: 'stale' });
        expect(stored(number).state).toBe('closed');
      });

      it('is not stale when only what it does not touch changed', async () => {
        const number = mona.open(repo, { title: 'Mine', body: 'Words' });
        const issue = await seen(number);
        mona.edit(repo, number, { body: 'Other words' });
        mona.close(repo, number, 'not_planned');
        mona.comment(repo, number, 'Words');
        expect(itemOf(await replica.update(issue, { title: 'Ours' }))).toMatchObject({
          title: 'Ours',
          body: 'Other words',
          state: 'closed',
        });
        expect(stored(number)).toMatchObject({ title: 'Ours', body: 'Other words', stateReason: 'not_planned' });
      });

      it('is refused for a title that is too long', async () => {
        const number = mona.open(repo, { title: 'Short' });
        expect(await replica.update(await seen(number), { title: 'x'.repeat(257) })).toMatchObject({ kind: 'refused' });
        expect(stored(number).title).toBe('Short');
      });

      it('of an issue that is gone says how, and touches nothing elsewhere', async () => {
        const moved = await seen(mona.open(repo, { title: 'Moved' }));
        const deleted = await seen(mona.open(repo, { title: 'Deleted' }));
        const arrived = mona.transfer(repo, moved.number, 'acme/gadget');
        mona.deleteIssue(repo, deleted.number);
        expect(await replica.update(moved, { title: 'Ours' })).toMatchObject({ kind: 'gone', gone: { kind: 'moved' } });
        expect(await replica.update(deleted, { title: 'Ours' })).toMatchObject({ kind: 'gone', gone: { kind: 'deleted' } });
        const never = { ...moved, number: issueNumber(999) };
        expect(await replica.update(never, { title: 'Ours' })).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(world.issue('acme/gadget', arrived)?.title).toBe('Moved');
      });
    });

    describe('limits', () => {
      it('an allowance that is used up pauses the side until it is renewed', async () => {
        const number = mona.open(repo, { title: 'Any' });
        await seen(number);
        world.limits.primaryPerHour = 0;
        const failure = await replica.probe(number).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(SideError);
        expect(failure).toMatchObject({ kind: 'later' });
        const at = failure instanceof SideError ? failure.at : null;
        expect(at).toBeGreaterThan(clock.now() + 59 * minuteMs);
        expect(at).toBeLessThanOrEqual(clock.now() + 60 * minuteMs + 1000);
        expect(await replica.create({ title: 'T', body: '', labels: [] })).toMatchObject({ kind: 'later', wholeSide: true, at });
      });

      it.each([403, 429] as const)('too much content is put off as long as GitHub says, when it answers %i', async (refusalStatus) => {
        Object.assign(world.limits, { creationsPerMinute: 2, refusalStatus });
        const draft = { title: 'T', body: '', labels: [] };
        const issue = itemOf(await replica.create(draft));
        clock.advance(20_000);
        itemOf(await replica.comment(issue.number, 'One'));
        const outcome = await replica.create(draft);
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true, at: clock.now() + 40_000 });
        expect(await replica.comment(issue.number, 'Two')).toMatchObject({ kind: 'later', wholeSide: true });
        expect(itemOf(await replica.update(issue, { title: 'Edits are no content' })).title).toBe('Edits are no content');
        expect(world.issues(repo)).toHaveLength(1);
        clock.advance(40_000);
        expect(await replica.create(draft)).toMatchObject({ kind: 'applied' });
        expect(world.creations).toHaveLength(3);
      });

      it('too much content is put off by a minute at least when GitHub does not say how long', async () => {
        Object.assign(world.limits, { creationsPerHour: 1, sendsRetryAfter: false });
        const draft = { title: 'T', body: '', labels: [] };
        itemOf(await replica.create(draft));
        const outcome = await replica.create(draft);
        expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
        expect(outcome.kind === 'later' && outcome.at).toBeGreaterThanOrEqual(clock.now() + minuteMs);
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
          const number = mona.open(repo, { title: 'Any' });
          const { cursor } = await replica.changes(null);
          fault = { cost: 'read', fault: faultOf(false) };
          for (const read of [
            replica.probe(number),
            replica.changes(cursor),
            replica.list(null),
            replica.threads([{ ref: number, sinceAt: null }]),
          ]) {
            await expect(read).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
          }
        });

        it.each([
          [true, 1],
          [false, 0],
        ])('leaves a write unknown and is not tried again (took effect: %s)', async (after, made) => {
          const number = mona.open(repo, { title: 'Old' });
          const issue = await seen(number);
          fault = { cost: 'create', fault: faultOf(after) };
          const before = writes();
          expect(await replica.create(draft)).toMatchObject({ kind: 'unknown' });
          expect(await replica.comment(number, 'Words')).toMatchObject({ kind: 'unknown' });
          fault = { cost: 'edit', fault: faultOf(after) };
          expect(await replica.update(issue, { title: 'New' })).toMatchObject({ kind: 'unknown' });
          expect(writes() - before).toBe(3);
          expect(world.issues(repo)).toHaveLength(1 + made);
          expect(world.commentsOf(repo, number)).toHaveLength(made);
          expect(stored(number).title).toBe(after ? 'New' : 'Old');
        });
      });

      it.each([
        [403, 90],
        [429, 90],
        [403, null],
        [429, null],
      ] as const)('a %i that says retry-after %s is a pause of the whole side', async (status, retryAfterSeconds) => {
        const number = mona.open(repo, { title: 'Old' });
        const issue = await seen(number);
        const limited: Fault = { kind: 'limited', status, retryAfterSeconds };
        const least = clock.now() + (retryAfterSeconds ?? 60) * 1000;
        fault = { cost: 'create', fault: limited };
        const outcomes: Outcome<unknown>[] = [await replica.create(draft), await replica.comment(number, 'Words')];
        fault = { cost: 'edit', fault: limited };
        outcomes.push(await replica.update(issue, { title: 'New' }));
        for (const outcome of outcomes) {
          expect(outcome).toMatchObject({ kind: 'later', wholeSide: true });
          expect(outcome.kind === 'later' && outcome.at).toBeGreaterThanOrEqual(least);
        }
        fault = { cost: 'read', fault: limited };
        const failure = await replica.probe(number).catch((error: unknown) => error);
        expect(failure).toMatchObject({ name: 'SideError', kind: 'later' });
        expect(failure instanceof SideError ? failure.at : null).toBeGreaterThanOrEqual(least);
        expect(world.issues(repo)).toHaveLength(1);
        expect(stored(number).title).toBe('Old');
      });

      it('a slow answer is a right answer', async () => {
        fault = { cost: 'create', fault: { kind: 'slow', delayMs: 150 } };
        expect(itemOf(await replica.create(draft)).title).toBe('T');
      });

      it('never shows a token in what it says', async () => {
        const number = mona.open(repo, { title: 'Any' });
        const said: string[] = [];
        for (const trouble of [
          { kind: 'drop', after: false },
          { kind: 'status', status: 502, isHtml: true, after: false },
        ] as const) {
          fault = { cost: 'read', fault: trouble };
          said.push(await replica.probe(number).then(String, (error: unknown) => `${error} ${JSON.stringify(error)}`));
          fault = { cost: 'create', fault: trouble };
          said.push(JSON.stringify(await replica.create(draft)));
        }
        fault = null;
        world.setToken('bugferry', 'another');
        said.push(JSON.stringify(await replica.create(draft)));
        expect(said.join('\n')).not.toContain('token-of-bugferry');
      });
    });
  });
}

function itemOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'applied') throw new Error(`The write was not applied: ${JSON.stringify(outcome)}`);
  return outcome.item;
}
