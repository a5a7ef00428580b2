import { beforeEach, describe, expect, it } from 'vitest';
import { ask, base, clock, get, minuteMs, mona, start, world } from './setup.ts';

beforeEach(() => start());

describe('closing', () => {
  it('shows as an event, which names a commit and no pull request', async () => {
    const [first, second] = [mona.open('acme/widget', { title: 'One' }), mona.open('acme/widget', { title: 'Two' })];
    const sha = mona.push('acme/widget', `Fix it\n\nFixes #${first}, closes: acme/widget#${second}`);
    mona.reopen('acme/widget', second);
    const pull = mona.openPull('acme/widget', { title: 'Three', body: `resolved #${second} (see #${first})` });
    mona.merge('acme/widget', pull);
    const events = async (number: number) => (await get(`${base}/issues/${number}/events`)).body;
    expect(await events(first)).toMatchObject([{ event: 'closed', commit_id: sha }]);
    expect(await events(second)).toMatchObject([
      { commit_id: sha },
      { event: 'reopened' },
      { event: 'closed', commit_id: null },
    ]);
    const merged = (await get(`${base}/issues/${pull}`)).body;
    expect(merged).toMatchObject({
      state: 'closed',
      state_reason: null,
      pull_request: { merged_at: expect.any(String) },
    });
  });
});

describe('a dependency', () => {
  it('is counted on both issues, until it is taken off or one of them is deleted', async () => {
    const [waits, first, other] = ['Waits', 'First', 'Other'].map((title) => mona.open('acme/widget', { title })) as [
      number,
      number,
      number,
    ];
    const summary = async (number: number) =>
      ((await get(`${base}/issues/${number}`)).body as { readonly issue_dependencies_summary: object })
        .issue_dependencies_summary;
    const counts = (blocked: number, blocking: number) => ({
      ...{ total_blocked_by: blocked, blocked_by: blocked, total_blocking: blocking, blocking },
    });
    mona.block('acme/widget', waits, first);
    mona.block('acme/widget', other, first);
    expect([await summary(waits), await summary(first)]).toEqual([counts(1, 0), counts(0, 2)]);
    mona.close('acme/widget', waits);
    expect(await summary(first)).toEqual({ ...counts(0, 2), blocking: 1 });
    mona.deleteIssue('acme/widget', waits);
    expect(await summary(first)).toEqual(counts(0, 1));
    mona.unblock('acme/widget', other, first);
    expect([await summary(other), await summary(first)]).toEqual([counts(0, 0), counts(0, 0)]);
  });
});

describe('another login', () => {
  it('shows on all that its account wrote, the old one is nobody, and nothing becomes newer', async () => {
    const number = mona.open('acme/widget', { title: 'One', body: 'Words', assignees: ['mona'] });
    mona.comment('acme/widget', number, 'More words');
    const before = (await get(`${base}/issues/${number}`)).body as {
      readonly user: { readonly id: number };
      readonly updated_at: string;
    };
    clock.advance(minuteMs);
    world.renameUser('mona', 'lisa');
    const issue = (await get(`${base}/issues/${number}`)).body;
    const user = { login: 'lisa', id: before.user.id };
    expect(issue).toMatchObject({ user, assignees: [user], updated_at: before.updated_at });
    expect((await get(`${base}/issues/${number}/comments`)).body).toMatchObject([{ user }]);
    expect((await get('/user', { login: 'mona' })).body).toMatchObject(user);
    const assigned = (login: string) =>
      ask('PATCH', `${base}/issues/${number}`, { login: 'mona', body: { assignees: [login] } });
    expect([(await assigned('mona')).status, (await assigned('lisa')).status]).toEqual([422, 200]);
    expect(() => world.renameUser('bugferry', 'Lisa')).toThrow('taken');
    expect(() => world.renameUser('acme', 'other')).toThrow('owns');
  });
});

describe('editing', () => {
  it('ignores a reason unless the state changes, and reopening gives its own', async () => {
    const patch = async (body: unknown): Promise<unknown> => {
      return (await ask('PATCH', `${base}/issues/1`, { body })).body;
    };
    const state = (name: string, reason: string | null): unknown =>
      expect.objectContaining({ state: name, state_reason: reason });
    mona.open('acme/widget', { title: 'One' });
    expect(await patch({ state_reason: 'completed' })).toEqual(state('open', null));
    expect(await patch({ state: 'closed' })).toEqual(state('closed', 'completed'));
    expect(await patch({ state: 'closed', state_reason: 'not_planned' })).toEqual(state('closed', 'completed'));
    expect(await patch({ state: 'open' })).toEqual(state('open', 'reopened'));
    expect(await patch({ state: 'closed', state_reason: 'duplicate' })).toEqual(state('closed', 'duplicate'));
  });

  it('makes an issue newer only when something changed', async () => {
    mona.open('acme/widget', { title: 'One', body: 'Words', labels: ['a'] });
    const before = world.issue('acme/widget', 1)?.updatedAt;
    clock.advance(minuteMs);
    await ask('PATCH', `${base}/issues/1`, { body: { title: 'One', body: 'Words', labels: ['A'], state: 'open' } });
    expect(world.issue('acme/widget', 1)?.updatedAt).toBe(before);
    for (const body of [{ title: 'Two' }, { body: 'More' }, { labels: [] }, { state: 'closed' }]) {
      clock.advance(minuteMs);
      await ask('PATCH', `${base}/issues/1`, { body });
      expect(world.issue('acme/widget', 1)?.updatedAt).toBe(Math.floor(clock.now() / 1000) * 1000);
    }
  });

  it('creates unknown labels on the way, once and in the first case', async () => {
    await ask('POST', `${base}/issues`, { body: { title: 'One', labels: ['Fresh'] } });
    await ask('POST', `${base}/issues`, { body: { title: 'Two', labels: ['FRESH', 'fresh'] } });
    expect((await get(`${base}/labels`)).body).toMatchObject([{ name: 'Fresh', color: 'ededed' }]);
    expect(world.issue('acme/widget', 2)?.labels).toEqual(['Fresh']);
  });

  it.each([
    [
      'a title too long',
      'POST',
      '/issues',
      { title: 'x'.repeat(257) },
      { resource: 'Issue', code: 'custom', field: 'title' },
    ],
    ['no title', 'POST', '/issues', { title: ' ' }, { resource: 'Issue', code: 'missing_field', field: 'title' }],
    [
      'a body too long',
      'POST',
      '/issues',
      { title: 'T', body: 'x'.repeat(65_537) },
      { resource: 'Issue', code: 'custom', field: 'body', message: 'body is too long (maximum is 65536 characters)' },
    ],
    [
      'a comment too long',
      'POST',
      '/issues/1/comments',
      { body: 'x'.repeat(65_537) },
      {
        resource: 'IssueComment',
        code: 'unprocessable',
        field: 'data',
        message: 'Body is too long (maximum is 65536 characters)',
      },
    ],
    ['an empty comment', 'POST', '/issues/1/comments', { body: '' }, { resource: 'IssueComment', field: 'data' }],
    [
      'a long label',
      'POST',
      '/labels',
      { name: 'x'.repeat(51) },
      { resource: 'Label', code: 'custom', field: 'name', message: 'name is too long (maximum is 50 characters)' },
    ],
    [
      'a long label on an issue',
      'POST',
      '/issues/1/labels',
      { labels: ['x'.repeat(51)] },
      { resource: 'Label', code: 'invalid', field: 'name', value: 'x'.repeat(51) },
    ],
    ['a label twice', 'POST', '/labels', { name: 'BUG' }, { resource: 'Label', code: 'already_exists', field: 'name' }],
    [
      'a colour that is none',
      'POST',
      '/labels',
      { name: 'new', color: '#ff0000' },
      { resource: 'Label', code: 'invalid', field: 'color' },
    ],
    ['a strange reason', 'PATCH', '/issues/1', { state: 'closed', state_reason: 'wontfix' }, { field: 'state_reason' }],
    [
      'an unknown original',
      'PATCH',
      '/issues/1',
      { state: 'closed', duplicate_issue_id: 5 },
      { field: 'duplicate_issue_id' },
    ],
    ['an unknown type of a new issue', 'POST', '/issues', { title: 'Two', type: 'Nope' }, { field: 'type' }],
    [
      'an unknown type beside other changes',
      'PATCH',
      '/issues/1',
      { assignees: ['mona'], labels: [], type: 'Nope' },
      { field: 'type' },
    ],
  ])('refuses %s in GitHub’s words and changes nothing', async (_name, method, path, body, flaw) => {
    world.setTypes('acme/widget', ['Bug']);
    mona.open('acme/widget', { title: 'One', labels: ['bug'] });
    const before = [world.issues('acme/widget'), world.commentsOf('acme/widget', 1)];
    const said = await ask(method, `${base}${path}`, { body });
    expect(said).toMatchObject({ status: 422, body: { message: 'Validation Failed', errors: [flaw] } });
    expect([world.issues('acme/widget'), world.commentsOf('acme/widget', 1)]).toEqual(before);
    expect(mona.open('acme/widget', { title: 'Two' })).toBe(2);
  });
});

describe('a repository that restricts who may create issues', () => {
  it('accepts those of people who may push, and says so by GraphQL to everybody', async () => {
    world.setRepo('acme/widget', { restrictsIssues: true });
    world.addUser('visitor');
    const made = async (login: string): Promise<number> =>
      (await ask('POST', `${base}/issues`, { login, body: { title: 'T' } })).status;
    expect([await made('visitor'), await made('bugferry')]).toEqual([403, 201]);
    const query = 'query { repository(owner: "acme", name: "widget") { issueCreationPolicy } }';
    expect((await ask('POST', '/graphql', { login: 'visitor', body: { query } })).body).toEqual({
      data: { repository: { issueCreationPolicy: 'COLLABORATORS_ONLY' } },
    });
  });

  it('is made so by administrators only', async () => {
    const { body } = await ask('POST', '/graphql', {
      body: { query: 'query { repository(owner: "acme", name: "widget") { id } }' },
    });
    const id = JSON.stringify(body).match(/R_[\w-]+/u)?.[0] ?? '';
    const query = `mutation { updateRepository(input: { repositoryId: "${id}", issueCreationPolicy: COLLABORATORS_ONLY }) { repository { issueCreationPolicy } } }`;
    const turn = async () => (await ask('POST', '/graphql', { body: { query } })).body;
    expect(await turn()).toMatchObject({ errors: [{ type: 'FORBIDDEN' }] });
    world.allow('acme/widget', 'bugferry', 'admin');
    expect(await turn()).toEqual({
      data: { updateRepository: { repository: { issueCreationPolicy: 'COLLABORATORS_ONLY' } } },
    });
  });
});
