import { beforeEach, describe, expect, it } from 'vitest';
import { everything, type GithubSession, itemOf, minuteMs, repo } from './bench.ts';

const fields = [
  { name: 'Severity', kind: 'single_select', options: ['Low', 'High'] },
  { name: 'Areas', kind: 'multi_select', options: ['Core', 'Platforms', 'Docs'] },
  { name: 'Effort', kind: 'number' },
  { name: 'Due', kind: 'date' },
  { name: 'Customer', kind: 'text' },
] as const;

const secret = { name: 'Contract', kind: 'text', isForMembers: true } as const;

/** One value of each kind, as the model writes them. */
const values = { Severity: 'High', Areas: ['Core', 'Docs'], Effort: '2.5', Due: '2026-03-01', Customer: 'Acme & sons' };

export function fieldCases(on: GithubSession): void {
  describe('fields of issues', () => {
    const draft = { title: 'A', body: '', labels: [] };
    /** The writing requests of whatever is done, without what is common to their addresses. */
    const writesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
      const before = on.world.requests.length;
      await work();
      const writes = on.world.requests
        .slice(before)
        .filter(({ method, path }) => method !== 'GET' && path !== '/graphql');
      return writes.map(
        ({ method, path }) =>
          `${method} ${path.replace(/^\/repos\/acme\/widget\/issues\/?/u, '').replace(/\d+$/u, 'n')}`,
      );
    };

    describe('where the organisation has some', () => {
      beforeEach(() => on.world.setFields(repo, fields));

      it('show with the issue wherever it is read, and empty ones do not', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        expect((await on.seen(number)).fields).toEqual({});
        const { cursor } = await on.replica.changes(null);
        on.clock.advance(2 * minuteMs);
        for (const [name, value] of Object.entries({ ...values, Effort: 2.5 }))
          on.mona.setField(repo, number, name, value);
        expect((await on.seen(number)).fields).toEqual(values);
        expect((await everything(on.replica)).items).toMatchObject([{ fields: values }]);
        expect((await on.replica.changes(cursor)).items).toMatchObject([{ number, fields: values }]);
        on.mona.setField(repo, number, 'Severity', null);
        expect(Object.keys((await on.seen(number)).fields ?? {})).toEqual(['Areas', 'Effort', 'Due', 'Customer']);
      });

      it('are given to a new one with the one write that makes it', async () => {
        const made = async () => {
          const item = itemOf(await on.replica.create({ ...draft, fields: values }));
          expect([item.fields, on.stored(item.number).fields]).toEqual([values, values]);
        };
        expect(await writesOf(made)).toEqual(['POST ']);
      });

      it('change beside the rest of an update, all values with one write', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        on.mona.setField(repo, number, 'Customer', 'Somebody');
        const seen = await on.seen(number);
        on.clock.advance(minuteMs);
        const written = async () => {
          const item = itemOf(await on.replica.update(seen, { title: 'B', fields: { Severity: 'Low', Effort: '3' } }));
          expect(item).toMatchObject({ title: 'B', fields: { Severity: 'Low', Effort: '3', Customer: 'Somebody' } });
          expect(item).toEqual(await on.seen(number));
          expect(item.changedAt).toBeGreaterThan(seen.changedAt);
        };
        expect(await writesOf(written)).toEqual(['PATCH n', 'POST 1/issue-field-values']);
        expect(on.stored(number)).toMatchObject({
          title: 'B',
          fields: { Severity: 'Low', Effort: '3', Customer: 'Somebody' },
        });
      });

      it('go alone when nothing else changes', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        const seen = await on.seen(number);
        expect(await writesOf(() => on.replica.update(seen, { fields: { Severity: 'Low' } }))).toEqual([
          'POST 1/issue-field-values',
        ]);
        expect(on.stored(number).fields).toEqual({ Severity: 'Low' });
      });

      it('are emptied with a write each, by null and by an empty list, and others stay', async () => {
        const number = itemOf(await on.replica.create({ ...draft, fields: values })).number;
        const seen = await on.seen(number);
        const emptied = async () => {
          const item = itemOf(await on.replica.update(seen, { fields: { Severity: null, Areas: [] } }));
          expect(item.fields).toEqual({ Effort: '2.5', Due: '2026-03-01', Customer: 'Acme & sons' });
        };
        const path = 'DELETE 1/issue-field-values/n';
        expect(await writesOf(emptied)).toEqual([path, path]);
        expect(on.stored(number).fields).toEqual({ Effort: '2.5', Due: '2026-03-01', Customer: 'Acme & sons' });
      });

      it('that are empty already are no failure', async () => {
        const seen = await on.seen(on.mona.open(repo, { title: 'A' }));
        const emptied = async () =>
          expect(itemOf(await on.replica.update(seen, { fields: { Severity: null } })).fields).toEqual({});
        expect(await writesOf(emptied)).toEqual([]);
      });

      it.each([
        ['an unknown field', { Nope: 'x' }],
        ['an unknown option', { Severity: 'Nope' }],
        ['a number that is none', { Effort: 'much' }],
        ['a date that is none', { Due: 'soon' }],
      ])('are left out for %s, and the rest is written', async (_what, wrong) => {
        const made = itemOf(await on.replica.create({ ...draft, fields: { ...wrong, Customer: 'Acme' } }));
        expect(made).toMatchObject({ title: 'A', fields: { Customer: 'Acme' } });
        const item = itemOf(await on.replica.update(made, { title: 'B', fields: { ...wrong, Customer: 'Else' } }));
        expect(item).toMatchObject({ title: 'B', fields: { Customer: 'Else' } });
        expect(on.stored(made.number)).toMatchObject({ title: 'B', fields: { Customer: 'Else' } });
        expect(Object.keys(on.stored(made.number).fields)).toEqual(['Customer']);
      });

      it('are emptied by an option that is not offered, which is no option at all', async () => {
        const made = itemOf(await on.replica.create({ ...draft, fields: { Severity: 'High', Areas: ['Core'] } }));
        itemOf(await on.replica.update(made, { fields: { Severity: 'Nope', Areas: ['Nope'] } }));
        expect(on.stored(made.number).fields).toEqual({});
      });

      it("take options in whatever case, and in the organisation's spelling", async () => {
        const made = itemOf(
          await on.replica.create({ ...draft, fields: { Severity: 'HIGH', Areas: ['docs', 'CORE'] } }),
        );
        expect(on.stored(made.number).fields).toEqual({ Severity: 'High', Areas: ['Core', 'Docs'] });
        const same = async () =>
          expect((await on.replica.update(made, { fields: { Severity: 'high' } })).kind).toBe('applied');
        expect(await writesOf(same)).toEqual([]);
      });

      it('that are no longer offered since they were listed take nothing with them', async () => {
        const first = itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low', Customer: 'Somebody' } }));
        on.world.setFields(repo, [{ name: 'Severity', kind: 'single_select', options: ['Low'] }, ...fields.slice(1)]);
        const patch = { fields: { Severity: 'High', Areas: null, Customer: 'Acme' } };
        expect(itemOf(await on.replica.update(first, patch)).fields).toEqual({ Customer: 'Acme' });
        on.world.setFields(repo, fields.slice(1));
        const made = itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low', Customer: 'Acme' } }));
        expect([made.title, made.fields]).toEqual(['A', { Customer: 'Acme' }]);
      });

      it('are listed as offered, and absent if the list is hidden or the owner has none', async () => {
        expect(await on.replica.fields()).toMatchObject([
          { name: 'Severity', kind: 'single_select', options: ['Low', 'High'], isForMembers: false },
          { name: 'Areas', options: ['Core', 'Platforms', 'Docs'] },
          { name: 'Effort', kind: 'number', options: [] },
          { name: 'Due', kind: 'date' },
          { name: 'Customer', kind: 'text' },
        ]);
        const ids = (await on.replica.fields())?.map(({ id }) => id);
        expect(new Set(ids).size).toBe(5);
        on.world.setFields(repo, []);
        expect(await on.replica.fields()).toEqual([]);
        on.world.setFields(repo, fields, { unlisted: ['bugferry'] });
        expect((await on.replica.fields())?.length).toBe(5);
        on.world.state.limits.isOlderGraphql = true;
        expect(await on.replica.fields()).toBeNull();
        on.world.setFields(repo, null);
        expect(await on.replica.fields()).toBeNull();
      });

      it.each([
        ['GraphQL, as of a personal account, which has no list for others', { isPersonal: true }, false],
        ['the list of the organisation, where GraphQL is older', {}, true],
      ])('are read from %s', async (_where, audience, isOlder) => {
        on.world.setFields(repo, fields, { ...audience, outsiders: [] });
        on.world.state.limits.isOlderGraphql = isOlder;
        expect((await on.replica.fields())?.map(({ name, kind, options }) => [name, kind, options.length])).toEqual([
          ['Severity', 'single_select', 2],
          ['Areas', 'multi_select', 3],
          ['Effort', 'number', 0],
          ['Due', 'date', 0],
          ['Customer', 'text', 0],
        ]);
        const made = itemOf(await on.replica.create({ ...draft, fields: { Effort: '3', Due: '2026-03-31' } }));
        expect(made.fields).toEqual({ Effort: '3', Due: '2026-03-31' });
      });

      it('of several options leave out those that are unknown', async () => {
        const made = itemOf(await on.replica.create({ ...draft, fields: { Areas: ['Core', 'Nope'] } }));
        expect(on.stored(made.number).fields).toEqual({ Areas: ['Core'] });
        itemOf(await on.replica.update(made, { fields: { Areas: ['Docs', 'Nope'] } }));
        expect(on.stored(made.number).fields).toEqual({ Areas: ['Docs'] });
      });

      it('that changed meanwhile make an update stale, and others do not', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        const seen = await on.seen(number);
        on.mona.setField(repo, number, 'Severity', 'High');
        expect(await on.replica.update(seen, { title: 'B', fields: { Severity: 'Low' } })).toMatchObject({
          kind: 'stale',
        });
        expect(await on.replica.update(seen, { fields: { Severity: null } })).toMatchObject({ kind: 'stale' });
        expect(on.stored(number)).toMatchObject({ title: 'A', fields: { Severity: 'High' } });
        itemOf(await on.replica.update(seen, { title: 'B', fields: { Customer: 'Acme' } }));
        expect(on.stored(number)).toMatchObject({ title: 'B', fields: { Severity: 'High', Customer: 'Acme' } });
      });

      it('tell who changed one last, and nothing of others', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        const who = async (field: string) =>
          (await on.replica.whoDid(number, { event: 'filled', label: 'x', field }))?.login;
        expect(await who('Severity')).toBeUndefined();
        on.mona.setField(repo, number, 'Severity', 'Low');
        on.world.as('bugferry').setField(repo, number, 'Customer', 'Acme');
        expect([await who('Severity'), await who('Customer'), await who('Areas')]).toEqual([
          'mona',
          'bugferry',
          undefined,
        ]);
        on.world.as('bugferry').setField(repo, number, 'Severity', null);
        expect(await who('Severity')).toBe('bugferry');
        expect(await on.replica.whoDid(number, { event: 'labeled', label: 'Severity' })).toBeNull();
      });

      it('whose answer is lost are in doubt, and nothing is sent behind what is', async () => {
        const seen = await on.seen(on.mona.open(repo, { title: 'A' }));
        itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low' } }));
        on.fault = { cost: 'edit', fault: { kind: 'drop', after: true } };
        expect((await on.replica.update(seen, { title: 'B', fields: { Severity: 'Low' } })).kind).toBe('unknown');
        expect(on.stored(seen.number)).toMatchObject({ title: 'B', fields: {} });
        on.fault = { cost: 'create', fault: { kind: 'drop', after: true } };
        expect((await on.replica.update({ ...seen, title: 'B' }, { fields: { Severity: 'Low' } })).kind).toBe(
          'unknown',
        );
        expect(on.stored(seen.number)).toMatchObject({ title: 'B', fields: { Severity: 'Low' } });
      });

      it('are listed once, and not before a value is written', async () => {
        const lists = () => on.world.requests.filter(({ path }) => path === '/graphql').length;
        const made = itemOf(await on.replica.create(draft));
        const renamed = itemOf(await on.replica.update(made, { title: 'B' }));
        expect(lists()).toBe(0);
        const valued = itemOf(await on.replica.update(renamed, { fields: { Severity: 'Low' } }));
        itemOf(await on.replica.update(valued, { fields: { Severity: 'High' } }));
        itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low' } }));
        expect(lists()).toBe(1);
      });

      it('without the right to push are dropped from a new issue, and refused on an existing one', async () => {
        await on.start({ login: 'hubot' });
        on.world.setFields(repo, fields);
        const made = itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low' } }));
        expect([made.fields, on.stored(made.number).fields]).toEqual([{}, {}]);
        expect((await on.replica.update(made, { fields: { Severity: 'Low' } })).kind).toBe('refused');
        expect(on.stored(made.number).fields).toEqual({});
      });
    });

    it('that are for members only stay as they are when an account writes that is not shown them', async () => {
      on.world.setFields(repo, [...fields, secret], { outsiders: ['bugferry'] });
      const number = on.mona.open(repo, { title: 'A' });
      on.mona.setField(repo, number, 'Contract', 'C-12');
      const seen = await on.seen(number);
      expect(seen.fields).toEqual({});
      const item = itemOf(await on.replica.update(seen, { title: 'B', fields: { Severity: 'Low', Contract: 'C-13' } }));
      expect(item.fields).toEqual({ Severity: 'Low' });
      itemOf(await on.replica.update(item, { fields: { Severity: null } }));
      expect(on.stored(number)).toMatchObject({ title: 'B', fields: { Contract: 'C-12' } });
    });

    it('are left out where the account may not list them, and show all the same', async () => {
      on.world.setFields(repo, fields, { unlisted: ['bugferry'] });
      on.world.state.limits.isOlderGraphql = true;
      const number = on.mona.open(repo, { title: 'A' });
      on.mona.setField(repo, number, 'Severity', 'High');
      const item = itemOf(
        await on.replica.update(await on.seen(number), { title: 'B', fields: { Severity: 'Low', Customer: 'Acme' } }),
      );
      expect(item).toMatchObject({ title: 'B', fields: { Severity: 'High' } });
      expect(on.stored(number).fields).toEqual({ Severity: 'High' });
    });

    it('are dropped in silence where there are none, which is not to have empty ones', async () => {
      const made = itemOf(await on.replica.create({ ...draft, fields: { Severity: 'Low' } }));
      expect(made.fields).toBeUndefined();
      const item = itemOf(await on.replica.update(made, { title: 'B', fields: { Severity: 'Low' } }));
      expect([item.title, item.fields]).toEqual(['B', undefined]);
    });
  });
}
