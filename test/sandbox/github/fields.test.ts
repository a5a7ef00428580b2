import { beforeEach, describe, expect, it } from 'vitest';
import { ask, base, clock, entries, type GithubAnswer, get, minuteMs, mona, start, world } from './setup.ts';

const repo = 'acme/widget';
const values = `${base}/issues/1/issue-field-values`;
let ids: Readonly<Record<string, number>>;

beforeEach(async () => {
  start();
  world.setFields(repo, [
    { name: 'Severity', kind: 'single_select', options: ['Low', 'High'] },
    { name: 'Areas', kind: 'multi_select', options: ['Core', 'Docs'] },
    { name: 'Effort', kind: 'number' },
    { name: 'Due', kind: 'date' },
    { name: 'Contract', kind: 'text', isForMembers: true },
  ]);
  mona.open(repo, { title: 'One' });
  ids = Object.fromEntries(entries(await get('/orgs/acme/issue-fields')).map(({ id, name }) => [name, id]));
});

/** Values as requests carry them. */
const wishes = (named: Readonly<Record<string, unknown>>) => ({
  issue_field_values: Object.entries(named).map(([name, value]) => ({ field_id: ids[name], value })),
});

const fieldsNow = () => world.issue(repo, 1)?.fields;
const shownOf = ({ body }: GithubAnswer): unknown => (body as Record<string, unknown>)['issue_field_values'];

describe('fields of an organisation', () => {
  it('are listed with their kinds, their options and who is shown them', async () => {
    expect((await get('/orgs/acme/issue-fields')).body).toMatchObject([
      { name: 'Severity', data_type: 'single_select', visibility: 'all', options: [{ name: 'Low' }, { name: 'High' }] },
      { name: 'Areas', data_type: 'multi_select', options: [{ name: 'Core' }, { name: 'Docs' }] },
      { name: 'Effort', data_type: 'number' },
      { name: 'Due', data_type: 'date' },
      { name: 'Contract', data_type: 'text', visibility: 'organization_members_only' },
    ]);
  });

  it('are not there for an owner that has none, and for credentials that do not reach so far', async () => {
    expect((await get('/orgs/mona/issue-fields')).status).toBe(404);
    world.setFields(repo, [{ name: 'Due', kind: 'date' }], { unlisted: ['bugferry'] });
    expect((await get('/orgs/acme/issue-fields')).status).toBe(404);
    expect((await get('/orgs/acme/issue-fields', { login: 'mona' })).status).toBe(200);
  });

  it('keep their ids and values as long as they keep their names', async () => {
    mona.setField(repo, 1, 'Severity', 'High');
    world.setFields(repo, [
      { name: 'Fresh', kind: 'text' },
      { name: 'Severity', kind: 'single_select', options: ['High'] },
    ]);
    const [fresh, severity] = entries(await get('/orgs/acme/issue-fields'));
    expect([severity?.['id'], fresh?.['id'] === severity?.['id']]).toEqual([ids['Severity'], false]);
    expect(fieldsNow()).toEqual({ Severity: 'High' });
    expect((await ask('POST', values, { body: wishes({ Severity: 'Low' }) })).status).toBe(422);
  });
});

describe('values of fields', () => {
  it('come with every answer that shows the issue, each kind in its form', async () => {
    await ask('POST', values, {
      body: wishes({ Severity: 'High', Areas: ['Docs', 'Core'], Effort: 2.5, Due: '2026-03-01', Contract: 'C-1' }),
    });
    const all = [
      { issue_field_name: 'Severity', data_type: 'single_select', single_select_option: { name: 'High' } },
      {
        issue_field_name: 'Areas',
        data_type: 'multi_select',
        multi_select_options: [{ name: 'Core' }, { name: 'Docs' }],
      },
      { issue_field_name: 'Effort', value: 2.5 },
      { issue_field_name: 'Due', value: '2026-03-01' },
      { issue_field_name: 'Contract', value: 'C-1' },
    ];
    expect(shownOf(await get(`${base}/issues/1`))).toMatchObject(all);
    expect(entries(await get(`${base}/issues`))[0]?.['issue_field_values']).toMatchObject(all);
    expect(shownOf(await ask('PATCH', `${base}/issues/1`, { body: { title: 'Two' } }))).toMatchObject(all);
    expect((await get(values)).body).toMatchObject(all);
    const [severity] = entries(await get(values));
    expect(severity?.['single_select_option']).toMatchObject({ id: severity?.['value'] });
  });

  it('are an empty list where none is set, and missing where the owner has no fields', async () => {
    expect(shownOf(await get(`${base}/issues/1`))).toEqual([]);
    world.setFields(repo, null);
    expect((await get(`${base}/issues/1`)).body).not.toHaveProperty('issue_field_values');
    expect((await get(values)).status).toBe(404);
    expect((await ask('POST', values, { body: wishes({ Effort: 1 }) })).status).toBe(404);
  });

  it.each([
    ['POST adds to those that are there', 'POST', values, { Severity: 'Low', Effort: '1' }],
    ['PUT replaces all', 'PUT', values, { Severity: 'Low' }],
    ['PATCH of the issue replaces all', 'PATCH', `${base}/issues/1`, { Severity: 'Low' }],
  ])('%s', async (_name, method, address, after) => {
    mona.setField(repo, 1, 'Effort', 1);
    expect((await ask(method, address, { body: wishes({ Severity: 'Low' }) })).status).toBe(200);
    expect(fieldsNow()).toEqual(after);
  });

  it.each([
    ['POST', values],
    ['PUT', values],
    ['PATCH', `${base}/issues/1`],
  ])('are all cleared by an empty list of a %s', async (method, address) => {
    mona.setField(repo, 1, 'Effort', 1);
    await ask(method, address, { body: wishes({}) });
    expect(fieldsNow()).toEqual({});
  });

  it('are taken away one by one, once', async () => {
    mona.setField(repo, 1, 'Effort', 1);
    mona.setField(repo, 1, 'Due', '2026-03-01');
    expect((await ask('DELETE', `${values}/${ids['Effort']}`)).status).toBe(204);
    expect((await ask('DELETE', `${values}/${ids['Effort']}`)).status).toBe(404);
    expect(fieldsNow()).toEqual({ Due: '2026-03-01' });
  });

  it('make an issue newer only when one changes', async () => {
    const newer = async (method: string, address: string, body?: unknown): Promise<boolean> => {
      const before = world.issue(repo, 1)?.updatedAt ?? 0;
      clock.advance(minuteMs);
      await ask(method, address, { body });
      return (world.issue(repo, 1)?.updatedAt ?? 0) > before;
    };
    const areas = { Areas: ['Docs', 'Core'] };
    expect(await newer('POST', values, wishes(areas))).toBe(true);
    expect(await newer('POST', values, wishes({ Areas: ['Core', 'Docs'] }))).toBe(false);
    expect(await newer('PATCH', `${base}/issues/1`, wishes(areas))).toBe(false);
    // GitHub describes lists for the other two requests only.
    for (const isNewer of [true, false]) expect(await newer('PUT', values, wishes({ Severity: 'Low' }))).toBe(isNewer);
    expect(await newer('DELETE', `${values}/${ids['Severity']}`)).toBe(true);
  });

  it.each([
    ['an unknown field', { Nope: 'x' }],
    ['an unknown option', { Severity: 'Nope' }],
    ['an option in another case', { Severity: 'low' }],
    ['one unknown option among others', { Areas: ['Core', 'Nope'] }],
    ['a number as a text', { Effort: '1' }],
    ['a date that is none', { Due: '2026-13-01' }],
    ['a number as a date', { Due: 5 }],
  ])('refuse %s, with all that comes beside it', async (_what, wrong) => {
    ids = { ...ids, Nope: 1 };
    const body = { ...wishes({ ...wrong, Contract: 'C-1' }) };
    const flaw = { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'issue_field_values' }] };
    for (const [method, address] of [
      ['POST', values],
      ['PUT', values],
      ['PATCH', `${base}/issues/1`],
    ] as const) {
      expect(await ask(method, address, { body: method === 'PATCH' ? { ...body, title: 'New' } : body })).toMatchObject(
        {
          status: 422,
          body: flaw,
        },
      );
    }
    expect((await ask('POST', `${base}/issues`, { body: { title: 'Two', ...body } })).status).toBe(422);
    expect(world.issues(repo)).toMatchObject([{ title: 'One', fields: {} }]);
  });

  it('are dropped in silence without the right to push, and refused where they are all that is sent', async () => {
    const hubot = { login: 'hubot', body: { title: 'Two', ...wishes({ Effort: 1 }) } };
    expect(shownOf(await ask('POST', `${base}/issues`, hubot))).toEqual([]);
    expect(
      shownOf(await ask('PATCH', `${base}/issues/2`, { ...hubot, body: { ...hubot.body, title: 'Three' } })),
    ).toEqual([]);
    expect(world.issue(repo, 2)).toMatchObject({ title: 'Three', fields: {} });
    mona.setField(repo, 2, 'Effort', 1);
    const own = `${base}/issues/2/issue-field-values`;
    expect((await ask('POST', own, hubot)).status).toBe(403);
    expect((await ask('PUT', own, hubot)).status).toBe(403);
    expect((await ask('DELETE', `${own}/${ids['Effort']}`, { login: 'hubot' })).status).toBe(403);
    expect(world.issue(repo, 2)?.fields).toEqual({ Effort: '1' });
  });

  it('that an account is not shown are neither its to change nor safe from it', async () => {
    const all = [
      { name: 'Effort', kind: 'number' },
      { name: 'Contract', kind: 'text', isForMembers: true },
    ] as const;
    world.setFields(repo, all, { outsiders: ['bugferry'] });
    mona.setField(repo, 1, 'Contract', 'C-1');
    expect(entries(await get('/orgs/acme/issue-fields'))).toMatchObject([{ name: 'Effort' }]);
    expect(shownOf(await get(`${base}/issues/1`))).toEqual([]);
    expect(shownOf(await get(`${base}/issues/1`, { login: 'mona' }))).toMatchObject([{ value: 'C-1' }]);
    expect((await ask('POST', values, { body: wishes({ Contract: 'C-2' }) })).status).toBe(422);
    expect((await ask('DELETE', `${values}/${ids['Contract']}`)).status).toBe(404);
    await ask('POST', values, { body: wishes({ Effort: 1 }) });
    expect(fieldsNow()).toEqual({ Effort: '1', Contract: 'C-1' });
    await ask('PATCH', `${base}/issues/1`, { body: wishes({ Effort: 2 }) });
    expect(fieldsNow()).toEqual({ Effort: '2' });
  });

  it('go along when an issue is moved to another repository of the organisation', () => {
    mona.setField(repo, 1, 'Effort', 1);
    const number = mona.transfer(repo, 1, 'acme/gadget');
    expect(world.issue('acme/gadget', number)?.fields).toEqual({ Effort: '1' });
  });
});
