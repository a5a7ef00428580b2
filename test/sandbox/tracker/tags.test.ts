import { describe, expect, it } from 'vitest';
import { contentOf, openServer, type Server } from './client.ts';

const tags = '/rest/bug/comment/3/tags';

async function tag(
  server: Server,
  body: Readonly<Record<string, unknown>>,
  as = 'alice',
  path = tags,
): Promise<unknown> {
  return (await server.ask(path, { method: 'PUT', as, body })).body;
}

const find = async (server: Server, query: string, as = 'alice'): Promise<unknown> =>
  (await server.ask(`/rest/bug/comment/tags/${query}`, { as })).body;

describe('comment tags', () => {
  it('are added, then removed, whatever their case, and answered in order', async () => {
    const server = openServer();
    expect(await tag(server, { add: ['spam', 'Obsolete'] })).toEqual(['Obsolete', 'spam']);
    expect(await tag(server, { add: ['SPAM', 'third'], remove: ['obsolete', 'nonesuch'] })).toEqual(['spam', 'third']);
    expect((await server.ask('/rest/bug/comment/3')).body).toMatchObject({
      comments: { 3: { tags: ['spam', 'third'] } },
    });
  });

  it('change neither the bug’s time nor its history', async () => {
    const server = openServer();
    const { changedAt } = server.world.bug(1) ?? {};
    await tag(server, { add: ['spam'] });
    expect([server.world.bug(1)?.changedAt, server.world.state.history.get(1)]).toEqual([changedAt, undefined]);
  });

  it('are set on the comment that the body names, before that of the path', async () => {
    const server = openServer();
    await tag(server, { comment_id: 3, add: ['here'] }, 'alice', '/rest/bug/comment/1/tags');
    expect(server.world.commentsOf(1).map((comment) => comment.tags)).toEqual([[], ['here']]);
  });

  it.each<readonly [string, unknown, number, number]>([
    ['two characters', ['ab'], 400, 128],
    ['three characters', ['abc'], 200, 0],
    ['24 characters', ['b'.repeat(24)], 200, 0],
    ['25 characters', ['b'.repeat(25)], 400, 127],
    ['a space', ['with space'], 400, 126],
    ['a colon', ['gh:12'], 400, 126],
    ['an emoji', ['foxes🦊'], 400, 126],
    ['dots, dashes and letters of all scripts', ['a.b-c_ñ'], 200, 0],
    ['a text in place of a list', 'spam', 200, 100500],
  ])('with %s', async (_name, add, status, code) => {
    const server = openServer();
    const before = contentOf(server);
    const answer = await server.ask(tags, { method: 'PUT', as: 'alice', body: { add } });
    expect([answer.status, (answer.body as { code?: number }).code ?? 0]).toEqual([status, code]);
    expect(contentOf(server) === before).toBe(code !== 0);
  });

  it('are not half written when one of them is refused', async () => {
    const server = openServer();
    const before = contentOf(server);
    expect(await tag(server, { add: ['good', 'b!d'] })).toMatchObject({ code: 126 });
    expect(contentOf(server)).toBe(before);
  });

  it.each([
    ['of a comment that does not exist', '/rest/bug/comment/999/tags', 'alice', []],
    ['for somebody outside the group', tags, 'bob', expect.objectContaining({ code: 304 })],
    [
      'for a tagger who does not see the bug',
      '/rest/bug/comment/2/tags',
      'bridge',
      expect.objectContaining({ code: 102 }),
    ],
    [
      'for a tagger who does not see the comment',
      '/rest/bug/comment/4/tags',
      'bridge',
      expect.objectContaining({ code: 110 }),
    ],
    ['of no number', '/rest/bug/comment/abc/tags', 'alice', expect.objectContaining({ code: 57 })],
  ])('%s', async (_name, path, as, expected) => {
    const server = openServer();
    server.world.hide(2);
    server.world.as('alice').comment(1, 'secret', { isPrivate: true });
    expect(await tag(server, { add: ['spam'] }, as, path)).toEqual(expected);
    expect((await server.ask(path, { method: 'PUT', body: { add: ['spam'] } })).body).toMatchObject({ code: 410 });
  });

  it('follow the settings: another group, or none', async () => {
    const byInsiders = openServer({ settings: { comment_taggers_group: 'insider' } });
    expect(await tag(byInsiders, { add: ['spam'] }, 'bridge')).toMatchObject({ code: 304 });
    expect(await tag(byInsiders, { add: ['spam'] }, 'alice')).toEqual(['spam']);
    const off = openServer({ settings: { comment_taggers_group: '' } });
    expect(await tag(off, { add: ['spam'] })).toMatchObject({ code: 125 });
    expect((await off.ask('/rest/bug/comment/3')).text).not.toContain('"tags"');
  });
});

describe('searching comment tags', () => {
  async function tagged(): Promise<Server> {
    const server = openServer();
    await tag(server, {
      add: ['Obsolete', 'spam', 'review-1', 'review-2', 'review-3', 'review-4', 'review-5', 'review-6'],
    });
    await tag(server, { add: ['spam'] }, 'alice', '/rest/bug/comment/1/tags');
    return server;
  }

  it.each([
    ['bsol', ['obsolete']],
    ['OBS', ['obsolete']],
    ['zzzz', []],
    ['r%25-_', ['review-1', 'review-2', 'review-3', 'review-4', 'review-5', 'review-6']],
    ['e', ['obsolete', 'review-1', 'review-2', 'review-3', 'review-4', 'review-5', 'review-6']],
    ['s?limit=1', ['spam']],
    ['s?limit=0', ['spam', 'obsolete']],
  ])('for %s finds %j', async (query, expected) => {
    expect(await find(await tagged(), query)).toEqual(expected);
  });

  it('gives seven when nobody says how many, the most used first', async () => {
    const server = await tagged();
    const found = (await find(server, '_')) as readonly string[];
    expect([found.length, found[0]]).toEqual([7, 'spam']);
  });

  it('is for taggers, and wants a number for its limit', async () => {
    const server = await tagged();
    expect(await find(server, 'spam', 'carol')).toMatchObject({ code: 304 });
    expect((await server.ask('/rest/bug/comment/tags/spam')).body).toMatchObject({ code: 410 });
    for (const limit of ['x', '-1']) expect(await find(server, `spam?limit=${limit}`)).toMatchObject({ code: 52 });
  });
});
