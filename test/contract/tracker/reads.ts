import { describe, expect, it } from 'vitest';
import type { Bug } from '../../../src/model/item.ts';
import type { TrackerReplica } from '../../../src/model/replica.ts';
import { changeUser, inScenario, type OpenTracker, seenBug, startAt } from './scenario.ts';

const ids = (items: readonly Bug[]): readonly number[] => items.map((bug) => bug.id);
const minuteMs = 60_000;

async function listAll(replica: TrackerReplica, between: (page: number) => void = () => {}): Promise<readonly Bug[]> {
  const items: Bug[] = [];
  let page: string | null = null;
  for (let number = 0; number < 50; number++) {
    const listing = await replica.list(page);
    items.push(...listing.items);
    if (listing.next === null) return items;
    page = listing.next;
    between(number);
  }
  throw new Error('the list does not end');
}

export function trackerReads(open: OpenTracker): void {
  describe('hello', () => {
    it('checks the credentials and reports the version', () =>
      inScenario(open, async ({ replica }) => {
        const { login, version } = await replica.hello();
        expect([null, 'bridge@example.test']).toContain(login);
        expect(version).toMatch(/^5\./);
      }));
  });

  describe('changes', () => {
    it('brings nothing at first, and a cursor of this moment', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        world.as('bob').file({ summary: 'before' });
        clock.advance(30 * minuteMs);
        const first = await replica.changes(null);
        expect(first.items).toEqual([]);
        clock.advance(30 * minuteMs);
        expect((await replica.changes(first.cursor)).items).toEqual([]);
      }));

    it('brings a bug with everything that both sides can express', () =>
      inScenario(open, async ({ replica, world }) => {
        const { cursor } = await replica.changes(null);
        const bug = world.as('alice').file({
          summary: 'It leaks',
          component: 'UI',
          version: '1.1',
          severity: 'major',
          priority: 'High',
          platform: 'PC',
          op_sys: 'Linux',
          keywords: ['regression', 'crash'],
          see_also: ['https://github.com/acme/widget/issues/7'],
        });
        const { items } = await replica.changes(cursor);
        expect(items).toEqual([
          {
            kind: 'bug',
            id: bug,
            url: expect.stringMatching(new RegExp(`/show_bug\\.cgi\\?id=${bug}$`)),
            product: 'Widget',
            summary: 'It leaks',
            status: 'CONFIRMED',
            resolution: '',
            dupeOf: null,
            values: {
              component: 'UI',
              version: '1.1',
              severity: 'major',
              priority: 'High',
              platform: 'PC',
              op_sys: 'Linux',
            },
            keywords: ['crash', 'regression'],
            assignee: { login: 'bob@example.test', name: 'Bob Bølle' },
            milestone: '---',
            dependsOn: [],
            seeAlso: ['https://github.com/acme/widget/issues/7'],
            isPrivate: false,
            creator: { login: 'alice@example.test', name: 'Alice Anderson', id: expect.any(Number) },
            createdAt: Math.floor(startAt / 1000) * 1000,
            changedAt: Math.floor(startAt / 1000) * 1000,
          },
        ]);
      }));

    it('brings the dependencies of a bug, also when the other bug was changed', () =>
      inScenario(open, async ({ replica, world }) => {
        const { cursor } = await replica.changes(null);
        const [waits, first] = [
          world.as('alice').file({ summary: 'waits' }),
          world.as('alice').file({ summary: 'first' }),
        ];
        world.as('alice').change(first, { blocks: { add: [waits] } });
        const { items } = await replica.changes(cursor);
        expect(items.find(({ id }) => Number(id) === waits)?.dependsOn).toEqual([first]);
      }));

    it('repeats the second in which the cursor was taken', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'first' });
        const one = await replica.changes((await replica.changes(null)).cursor);
        world.as('alice').change(bug, { summary: 'second' });
        const two = await replica.changes(one.cursor);
        expect(two.items.map(({ summary }) => summary)).toEqual(['second']);
      }));

    it('finds a change that shows up a little after its own time stamp', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'early' });
        clock.advance(20 * minuteMs);
        const { cursor } = await replica.changes((await replica.changes(null)).cursor);
        clock.advance(800);
        world.as('alice').change(bug, { summary: 'late', stampedMsAgo: 4000 });
        clock.advance(minuteMs);
        expect((await replica.changes(cursor)).items.map(({ summary }) => summary)).toEqual(['late']);
      }));

    it('finds a change that the lists show late', () =>
      inScenario(
        open,
        async ({ replica, world, clock }) => {
          const bug = world.as('bob').file({ summary: 'before' });
          clock.advance(20 * minuteMs);
          const start = await replica.changes(null);
          world.as('alice').change(bug, { summary: 'after' });
          clock.advance(1000);
          const soon = await replica.changes(start.cursor);
          expect(soon.items.filter(({ summary }) => summary === 'after')).toEqual([]);
          clock.advance(20_000);
          expect((await replica.changes(soon.cursor)).items.map(({ summary }) => summary)).toEqual(['after']);
        },
        { listLagMs: 5000 },
      ));

    it('does not bring for ever what changed long ago', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const { cursor } = await replica.changes(null);
        world.as('bob').file({ summary: 'once' });
        const one = await replica.changes(cursor);
        expect(one.items).toHaveLength(1);
        clock.advance(30 * minuteMs);
        const two = await replica.changes(one.cursor);
        clock.advance(30 * minuteMs);
        expect((await replica.changes(two.cursor)).items).toEqual([]);
      }));

    it.each([1, 2, 10_000])('loses nothing when the tracker cuts its lists at %i', (maxSearchResults) =>
      inScenario(
        open,
        async ({ replica, world, clock }) => {
          const { cursor } = await replica.changes(null);
          const filed = Array.from({ length: 8 }, (_, index) => {
            clock.advance(1500);
            return world.as('bob').file({ summary: `bug ${index}` });
          });
          expect(ids((await replica.changes(cursor)).items).toSorted()).toEqual(filed);
          expect(ids(await listAll(replica))).toEqual(filed);
        },
        { maxSearchResults },
      ),
    );

    it('brings only bugs of the product itself, not of one whose name merely begins or ends like it', () =>
      inScenario(open, async ({ replica, world }) => {
        const { cursor } = await replica.changes(null);
        for (const name of ['Widget Classic', 'Big Widget']) world.addProduct(name);
        for (const product of ['Widget Classic', 'Big Widget', 'Gadget']) {
          world.as('alice').file({
            summary: 'of another product',
            product,
            ...(product === 'Gadget' ? { component: 'Firmware' } : {}),
          });
        }
        const bug = world.as('bob').file({ summary: 'ours, about the Widget Classic' });
        expect(ids((await replica.changes(cursor)).items)).toEqual([bug]);
        expect(ids(await listAll(replica))).toEqual([bug]);
      }));

    it('leaves out bugs that the account may not see', () =>
      inScenario(open, async ({ replica, world }) => {
        const { cursor } = await replica.changes(null);
        const open_ = world.as('alice').file({ summary: 'public' });
        world.as('alice').file({ summary: 'filed as private', groups: ['security'] });
        world.hide(world.as('alice').file({ summary: 'hidden later' }));
        expect(ids((await replica.changes(cursor)).items)).toEqual([open_]);
        expect(ids(await listAll(replica))).toEqual([open_]);
      }));

    it('leaves out a bug that has just been hidden, also while the lists lag behind', () =>
      inScenario(
        open,
        async ({ replica, world, clock }) => {
          const { cursor } = await replica.changes(null);
          const bug = world.as('alice').file({ summary: 'the customer is ACME' });
          clock.advance(minuteMs / 2);
          world.hide(bug);
          clock.advance(1000);
          expect((await replica.changes(cursor)).items).toEqual([]);
          expect(await listAll(replica)).toEqual([]);
        },
        { listLagMs: 10_000 },
      ));

    it('says of a bug that it is private, to an account that may see it', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const { cursor } = await replica.changes(null);
          world.as('alice').file({ summary: 'public' });
          world.as('alice').file({ summary: 'private', groups: ['security'] });
          const { items } = await replica.changes(cursor);
          expect(items.map(({ summary, isPrivate }) => [summary, isPrivate]).toSorted()).toEqual([
            ['private', true],
            ['public', false],
          ]);
        },
        { user: 'bridge-insider' },
      ));

    it('names people without their e-mail addresses', () =>
      inScenario(open, async ({ replica, world }) => {
        changeUser(world, 'bob', { realName: '' });
        const { cursor } = await replica.changes(null);
        world.as('bob').file({ summary: 'from someone without a name' });
        const [bug] = (await replica.changes(cursor)).items;
        expect(bug?.creator).toEqual({ login: 'bob@example.test', name: 'bob', id: expect.any(Number) });
      }));

    it("tells the tracker's own time", () =>
      inScenario(open, async ({ replica, clock }) => {
        clock.advance(5 * minuteMs);
        const { readAt } = await replica.changes(null);
        expect(Math.abs(readAt - clock.now())).toBeLessThan(1000);
      }));
  });

  describe('list', () => {
    it('is empty for an empty product', () =>
      inScenario(open, async ({ replica }) => {
        expect(await replica.list(null)).toMatchObject({ items: [], next: null });
      }));

    it('is complete, each bug once, whatever changes between two pages', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const filed = Array.from({ length: 8 }, (_, index) => world.as('bob').file({ summary: `bug ${index}` }));
        const [first = 0, second = 0, , fourth = 0] = filed;
        const listed = await listAll(replica, (page) => {
          clock.advance(10_000);
          if (page === 0) world.as('alice').change(fourth, { summary: 'touched ahead' });
          if (page === 0) world.as('alice').change(first, { summary: 'touched behind' });
          if (page === 1) world.remove(second);
        });
        expect(ids(listed)).toEqual(filed);
      }));

    it('takes closed bugs too', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'done' });
        world.as('alice').change(bug, { status: 'RESOLVED', resolution: 'FIXED' });
        expect((await replica.list(null)).items).toMatchObject([{ id: bug, status: 'RESOLVED', resolution: 'FIXED' }]);
      }));
  });

  describe('probe', () => {
    it('shows a bug as it is now, also while the lists lag behind', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world.as('bob').file({ summary: 'new' });
          expect(await seenBug({ replica }, bug)).toMatchObject({ id: bug, summary: 'new' });
        },
        { listLagMs: 30_000 },
      ));

    it('tells missing, deleted and hidden bugs apart', () =>
      inScenario(open, async ({ replica, world }) => {
        const deleted = world.as('bob').file({ summary: 'deleted' });
        const hidden = world.as('bob').file({ summary: 'hidden' });
        world.remove(deleted);
        world.hide(hidden);
        expect(await replica.probe(4242)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(await replica.probe(deleted)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(await replica.probe(hidden)).toMatchObject({ kind: 'gone', gone: { kind: 'hidden' } });
      }));

    it('keeps the summary of a hidden bug to itself', () =>
      inScenario(open, async ({ replica, world }) => {
        const hidden = world.as('bob').file({ summary: 'the customer is ACME' });
        world.hide(hidden);
        expect(JSON.stringify(await replica.probe(hidden))).not.toContain('ACME');
      }));
  });

  describe('vocabulary', () => {
    it('knows the legal values and the workflow', () =>
      inScenario(open, async ({ replica }) => {
        const { values, workflow } = await replica.vocabulary();
        expect(values.component).toEqual(expect.arrayContaining(['Core', 'UI']));
        expect(values.component).not.toContain('Firmware');
        expect(values.version).toEqual(expect.arrayContaining(['unspecified', '1.0', '1.1', '2.0']));
        expect(values.version).not.toContain('A1');
        expect(values.severity).toContain('enhancement');
        expect(values.priority).toContain('---');
        expect(values.platform).toContain('PC');
        expect(values.op_sys).toContain('Linux');
        expect(values.keywords?.toSorted()).toEqual(['crash', 'regression', 'security']);
        expect(workflow?.['RESOLVED']?.toSorted()).toEqual(['CONFIRMED', 'UNCONFIRMED', 'VERIFIED']);
        expect(workflow?.['CONFIRMED']).not.toContain('VERIFIED');
      }));
  });
}
