import { beforeEach, describe, expect, it } from 'vitest';
import { ask, base, clock, entries, get, minuteMs, mona, numbers, start, world } from './setup.ts';

beforeEach(() => start());

const titles = async (): Promise<unknown[]> => entries(await get(`${base}/issues?state=all`)).map(({ title }) => title);
const one = async (number: number) => (await get(`${base}/issues/${number}`)).body;

describe('a replica that is behind', () => {
  it('shows rows of lists as they were, and no new ones', async () => {
    const number = mona.open('acme/widget', { title: 'First' });
    const comment = mona.comment('acme/widget', number, 'Said');
    world.setBehind({ listMs: () => 2 * minuteMs });
    clock.advance(minuteMs);
    mona.edit('acme/widget', number, { title: 'Second' });
    mona.close('acme/widget', number);
    mona.editComment('acme/widget', comment, 'Said better');
    mona.open('acme/widget', { title: 'New' });
    await one(number);
    clock.advance(minuteMs);
    expect(entries(await get(`${base}/issues?state=all`))).toMatchObject([{ title: 'First', state: 'open' }]);
    expect(numbers(await get(`${base}/issues?state=closed`))).toEqual([]);
    expect(entries(await get(`${base}/issues/comments`))).toMatchObject([{ body: 'Said' }]);
    expect(entries(await get(`${base}/issues/${number}/comments`))).toMatchObject([{ body: 'Said' }]);
    expect(await one(number)).toMatchObject({ title: 'Second', state: 'closed' });
    clock.advance(minuteMs);
    expect(await titles()).toEqual(['New', 'Second']);
  });

  it('may answer one read, and another the next', async () => {
    const number = mona.open('acme/widget', { title: 'First' });
    const behind = [minuteMs, 0, minuteMs];
    world.setBehind({ listMs: () => behind.shift() ?? 0, itemMs: () => behind.shift() ?? 0 });
    clock.advance(1_000);
    mona.edit('acme/widget', number, { title: 'Second' });
    expect([await titles(), await titles(), await titles(), await titles()]).toEqual([
      ['First'],
      ['Second'],
      ['First'],
      ['Second'],
    ]);
  });

  it('shows single issues and comments as they were, and none that is new', async () => {
    const number = mona.open('acme/widget', { title: 'First' });
    const comment = mona.comment('acme/widget', number, 'Said');
    world.setBehind({ itemMs: () => 5_000 });
    clock.advance(minuteMs);
    await ask('PATCH', `${base}/issues/${number}`, { body: { title: 'Second' } });
    await ask('PATCH', `${base}/issues/comments/${comment}`, { body: { body: 'Said better' } });
    const { body } = await ask('POST', `${base}/issues`, { body: { title: 'New' } });
    expect(await one(number)).toMatchObject({ title: 'First' });
    expect((await get(`${base}/issues/comments/${comment}`)).body).toMatchObject({ body: 'Said' });
    expect((await get(`${base}/issues/${Object(body).number}`)).status).toBe(404);
    expect(await titles()).toEqual(['New', 'Second']);
    clock.advance(5_000);
    expect(await one(number)).toMatchObject({ title: 'Second' });
    expect((await get(`${base}/issues/comments/${comment}`)).body).toMatchObject({ body: 'Said better' });
    expect((await get(`${base}/issues/${Object(body).number}`)).status).toBe(200);
  });

  it('does not keep people and writes from the present', async () => {
    const number = mona.open('acme/widget', { title: 'First' });
    world.setBehind({ itemMs: () => minuteMs, listMs: () => minuteMs });
    mona.edit('acme/widget', number, { title: 'Second' });
    const { body } = await ask('PATCH', `${base}/issues/${number}`, { body: { labels: [] } });
    expect(body).toMatchObject({ title: 'Second' });
    world.setBehind(null);
    expect(await titles()).toEqual(['Second']);
  });

  it('shows what is gone as gone', async () => {
    const number = mona.open('acme/widget', { title: 'First' });
    world.setBehind({ itemMs: () => minuteMs, listMs: () => minuteMs });
    mona.deleteIssue('acme/widget', number);
    expect([await titles(), (await get(`${base}/issues/${number}`)).status]).toEqual([[], 410]);
  });
});
