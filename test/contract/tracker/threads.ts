import { describe, expect, it } from 'vitest';
import type { Thread } from '../../../src/model/replica.ts';
import { inScenario, type OpenTracker } from './scenario.ts';

const texts = (thread: Thread | undefined): readonly string[] | undefined => thread?.comments.map(({ text }) => text);
const minuteMs = 60_000;

export function trackerThreads(open: OpenTracker): void {
  describe('threads', () => {
    it('are whole, in order, and begin with the description', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'It leaks.\n\n  indented' });
        clock.advance(5000);
        const comment = world.as('alice').comment(bug, 'Where?');
        const [thread] = await replica.threads([{ ref: bug, sinceAt: null }]);
        expect(thread).toMatchObject({ ref: bug, isWhole: true });
        expect(thread?.comments).toMatchObject([
          {
            side: 'tracker',
            ref: bug,
            count: 0,
            text: 'It leaks.\n\n  indented',
            isPrivate: false,
            author: { login: 'bob@example.test' },
          },
          { id: comment, count: 1, text: 'Where?', author: { login: 'alice@example.test' } },
        ]);
        expect(thread?.comments[1]?.url).toMatch(new RegExp(`/show_bug\\.cgi\\?id=${bug}#c1$`));
        expect(thread?.comments[1]?.createdAt).toBe(Math.floor(clock.now() / 1000) * 1000);
        for (const { author } of thread?.comments ?? []) expect(author.name).toMatch(/^[^@]+$/);
      }));

    it('tell what comments are tagged with', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        world.as('admin').tag(world.as('alice').comment(bug, 'Buy this'), { add: ['Spam'] });
        const [thread] = await replica.threads([{ ref: bug, sinceAt: null }]);
        expect(thread?.comments.map(({ tags }) => tags)).toEqual([[], ['Spam']]);
      }));

    it('bring a comment written in the very second that is asked from', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        clock.advance(10 * minuteMs);
        world.as('alice').comment(bug, 'one');
        const [first] = await replica.threads([{ ref: bug, sinceAt: clock.now() - minuteMs }]);
        clock.advance(300);
        world.as('carol').comment(bug, 'two, in the same second');
        const [second] = await replica.threads([{ ref: bug, sinceAt: first?.readAt ?? 0 }]);
        expect(texts(second)).toContain('two, in the same second');
      }));

    it('bring a comment that shows up a little after its own time stamp', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        clock.advance(10 * minuteMs);
        const [first] = await replica.threads([{ ref: bug, sinceAt: clock.now() - minuteMs }]);
        clock.advance(100);
        world.as('alice').comment(bug, 'late', { stampedMsAgo: 1500 });
        const [second] = await replica.threads([{ ref: bug, sinceAt: first?.readAt ?? 0 }]);
        expect(texts(second)).toContain('late');
      }));

    it('leave out what is much older than asked for, and say that they are not whole', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'old' });
        clock.advance(60 * minuteMs);
        world.as('alice').comment(bug, 'new');
        const [thread] = await replica.threads([{ ref: bug, sinceAt: clock.now() - minuteMs }]);
        expect(thread?.isWhole).toBe(false);
        expect(texts(thread)).toEqual(['new']);
      }));

    it('can be asked for whole and in part at once', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const [one, two] = [
          world.as('bob').file({ summary: 'a', description: 'd1' }),
          world.as('bob').file({ summary: 'b', description: 'd2' }),
        ];
        clock.advance(60 * minuteMs);
        world.as('alice').comment(one, 'c1');
        world.as('alice').comment(two, 'c2');
        const threads = await replica.threads([
          { ref: one, sinceAt: null },
          { ref: two, sinceAt: clock.now() - minuteMs },
        ]);
        const byRef = new Map(threads.map((thread) => [thread.ref, thread]));
        expect(byRef.get(one)).toMatchObject({ isWhole: true, comments: [{ text: 'd1' }, { text: 'c1' }] });
        expect(byRef.get(two)).toMatchObject({ isWhole: false, comments: [{ text: 'c2' }] });
      }));

    it('leave out bugs that cannot be reached, and only those', () =>
      inScenario(open, async ({ replica, world }) => {
        const bugs = Array.from({ length: 7 }, (_, index) =>
          world.as('bob').file({ summary: `bug ${index}`, description: `d${index}` }),
        );
        const [, hidden = 0, , deleted = 0] = bugs;
        world.hide(hidden);
        world.remove(deleted);
        for (const sinceAt of [null, 0]) {
          const threads = await replica.threads([...bugs, 4242].map((ref) => ({ ref, sinceAt })));
          expect(threads.map(({ ref }) => ref).toSorted()).toEqual(
            bugs.filter((bug) => bug !== hidden && bug !== deleted),
          );
        }
      }));

    it('ask nothing when nothing is asked', () =>
      inScenario(open, async ({ replica }) => {
        expect(await replica.threads([])).toEqual([]);
      }));

    it('do without private comments, whose numbers stay free', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        world.as('alice').comment(bug, 'the customer is ACME', { isPrivate: true });
        world.as('alice').comment(bug, 'public again');
        const [thread] = await replica.threads([{ ref: bug, sinceAt: null }]);
        expect(thread?.comments.map(({ count, text }) => [count, text])).toEqual([
          [0, 'd'],
          [2, 'public again'],
        ]);
      }));

    it('say of a comment that it is private, to an account that may see it', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world.as('bob').file({ summary: 'a', description: 'd' });
          world.as('alice').comment(bug, 'internal', { isPrivate: true });
          const [thread] = await replica.threads([{ ref: bug, sinceAt: null }]);
          expect(thread?.comments.map(({ isPrivate }) => isPrivate)).toEqual([false, true]);
        },
        { user: 'bridge-insider' },
      ));

    it('lose a comment that becomes private', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        const comment = world.as('alice').comment(bug, 'oh no');
        world.as('alice').change(bug, { comment_is_private: { [comment]: true } });
        const [thread] = await replica.threads([{ ref: bug, sinceAt: null }]);
        expect(texts(thread)).toEqual(['d']);
      }));
  });
}
