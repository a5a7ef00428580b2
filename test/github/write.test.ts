import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../src/model/item.ts';
import type { GithubPerson } from '../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { type GithubBench, handClock, smallGithubWorld } from '../contract/github/replica.ts';
import { type HttpGithub, httpGithub } from './http-github.ts';

const repo = 'acme/widget';
let clock: GithubBench['clock'];
let world: GithubWorld;
let mona: GithubPerson;
let github: HttpGithub;

beforeEach(async () => {
  clock = handClock();
  world = smallGithubWorld({ now: clock.now });
  mona = world.as('mona');
  github = await httpGithub({ world, now: clock.now, login: 'bugferry' });
});
afterEach(() => github.close());

async function seen(number: number): Promise<Issue> {
  const probe = await github.replica.probe(number);
  if (probe.kind === 'gone') throw new Error(probe.gone.why);
  github.newRequests();
  return probe.item;
}

describe('an update sends', () => {
  const footer = 'Mirrored as bug 12.\n\n<!-- bugferry:1 acme bug=12 -->';
  it.each([
    ['a title', { title: 'New' }, { title: 'New' }],
    [
      'everything at once',
      { title: 'New', state: 'closed', reason: 'not_planned', labels: { add: ['ui'], remove: ['bug'] }, footer },
      {
        title: 'New',
        state: 'closed',
        state_reason: 'not_planned',
        labels: ['Help', 'ui'],
        body: `Words\n\n${footer}`,
      },
    ],
    ['no reason that it was not given', { state: 'closed' }, { state: 'closed' }],
    [
      'labels that the issue has already only with others',
      { labels: { add: ['help', 'ui'], remove: ['none'] } },
      { labels: ['Bug', 'Help', 'ui'] },
    ],
    [
      'a label once that is given twice',
      { labels: { add: ['ui', 'UI'], remove: [] } },
      { labels: ['Bug', 'Help', 'ui'] },
    ],
    [
      'a label in another case when it is taken off and put on',
      { labels: { add: ['bug'], remove: ['Bug'] } },
      { labels: ['Help', 'bug'] },
    ],
  ] as const)('%s', async (_name, patch, body) => {
    const number = mona.open(repo, { title: 'Old', body: 'Words', labels: ['Bug', 'Help'] });
    expect(await github.replica.update(await seen(number), patch)).toMatchObject({ kind: 'applied' });
    expect(github.bodies).toEqual([body]);
    expect(github.newRequests()).toEqual([
      `GET /repos/acme/widget/issues/${number} 200`,
      `PATCH /repos/acme/widget/issues/${number} 200`,
    ]);
    expect(github.lane.costs.slice(-2)).toEqual(['read', 'edit']);
  });

  it('the issue that is duplicated, by its database id', async () => {
    const original = mona.open(repo, { title: 'Original' });
    const number = mona.open(repo, { title: 'Copy' });
    const duplicateOfId = (await seen(original)).id;
    await github.replica.update(await seen(number), { state: 'closed', duplicateOfId });
    expect(github.bodies).toEqual([{ state: 'closed', state_reason: 'duplicate', duplicate_issue_id: duplicateOfId }]);
  });

  it.each([
    ['the title it has', { title: 'Old' }],
    ['the state it has', { state: 'open' }],
    ['labels it has, in another case', { labels: { add: ['BUG'], remove: ['ui'] } }],
    ['no labels', { labels: { add: [], remove: [] } }],
    ['a footer it has, with other line ends', { footer: 'One\n\nTwo' }],
    ['nothing', {}],
  ] as const)('nothing when it is to get %s, and answers with the issue as it is', async (_name, patch) => {
    const number = mona.open(repo, { title: 'Old', body: 'Words\r\n\r\nOne\r\n\r\nTwo', labels: ['Bug'] });
    const issue = await seen(number);
    expect(await github.replica.update(issue, patch)).toEqual({ kind: 'applied', item: issue });
    expect(github.newRequests()).toEqual([`GET /repos/acme/widget/issues/${number} 200`]);
  });

  it('a footer alone under an empty body', async () => {
    const number = mona.open(repo, { title: 'Old' });
    await github.replica.update(await seen(number), { footer });
    expect(world.issue(repo, number)?.body).toBe(footer);
  });
});

describe('an update that is refused in part', () => {
  it('closes a duplicate of what the server does not know as a duplicate all the same', async () => {
    const number = mona.open(repo, { title: 'Copy' });
    const outcome = await github.replica.update(await seen(number), {
      state: 'closed',
      reason: 'duplicate',
      duplicateOfId: 4,
    });
    expect(outcome).toMatchObject({ kind: 'applied', item: { state: 'closed', reason: 'duplicate' } });
    expect(github.bodies.slice(1)).toEqual([{ state: 'closed', state_reason: 'duplicate' }]);
  });

  it('takes a title although a label that comes with it is too long', async () => {
    const number = mona.open(repo, { title: 'Old', labels: ['bug'] });
    const long = 'x'.repeat(51);
    const outcome = await github.replica.update(await seen(number), {
      title: 'New',
      labels: { add: [long, 'ui'], remove: ['bug'] },
    });
    expect(outcome).toMatchObject({ kind: 'applied', item: { title: 'New', labels: ['ui'] } });
    expect(github.newRequests().map((line) => line.replace(/^(\w+) .* (\d+)$/u, '$1 $2'))).toEqual([
      'GET 200',
      'PATCH 422',
      'POST 422',
      'POST 201',
      'PATCH 200',
    ]);
  });

  it('is refused when nothing is left of it', async () => {
    const number = mona.open(repo, { title: 'Old', labels: ['bug'] });
    const outcome = await github.replica.update(await seen(number), { labels: { add: ['x'.repeat(51)], remove: [] } });
    expect(outcome).toEqual({ kind: 'refused', why: expect.stringContaining('Validation Failed') });
    expect(world.issue(repo, number)?.labels).toEqual(['bug']);
  });
});

describe('an update of an issue that changed meanwhile', () => {
  it.each([
    ['the state', { state: 'closed' }],
    ['the reason', { reason: 'not_planned' }],
    ['the issue it duplicates', { duplicateOfId: 9 }],
  ] as const)('is stale, and nothing is sent, when it touches %s', async (_name, patch) => {
    const number = mona.open(repo, { title: 'Old' });
    const issue = await seen(number);
    mona.close(repo, number);
    expect(await github.replica.update(issue, patch)).toMatchObject({
      kind: 'stale',
      why: expect.stringContaining('closed as completed'),
    });
    expect(github.bodies).toEqual([]);
  });
});

describe('an update is refused in words', () => {
  it('when the issue it is to duplicate is unknown, and it was a duplicate before', async () => {
    const number = mona.open(repo, { title: 'Copy' });
    mona.close(repo, number, 'duplicate');
    const outcome = await github.replica.update(await seen(number), { duplicateOfId: 4 });
    expect(outcome).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/duplicate_issue_id is invalid.*database id 4/u),
    });
    expect(github.bodies).toHaveLength(1);
  });

  it('when the account may not write', async () => {
    const number = mona.open(repo, { title: 'Old' });
    const issue = await seen(number);
    world.allow(repo, 'bugferry', null);
    const outcome = await github.replica.update(issue, { title: 'New' });
    expect(outcome).toMatchObject({ kind: 'refused', why: expect.stringContaining('acme/widget#1') });
  });
});

describe('a comment', () => {
  it('is read and written in one turn of the lane, so that no other write comes between', async () => {
    const number = mona.open(repo, { title: 'Old' });
    const said = await github.replica.comment(number, 'Words');
    if (said.kind !== 'applied') throw new Error(said.kind);
    github.newRequests();
    const { id } = said.item;
    expect(await github.replica.rewrite(number, id, 'Better', () => true)).toMatchObject({ kind: 'applied' });
    expect(github.newRequests()).toEqual([
      `GET /repos/acme/widget/issues/comments/${id} 200`,
      `PATCH /repos/acme/widget/issues/comments/${id} 200`,
    ]);
    expect(github.lane.costs).toEqual(['create', 'edit']);
  });
});

describe('a replica that is behind', () => {
  it('takes back nothing that it lacks: an update waits', async () => {
    const number = mona.open(repo, { title: 'Old', labels: ['bug'] });
    world.setBehind({ itemMs: () => 5_000 });
    clock.advance(60_000);
    mona.label(repo, number, 'help');
    await github.replica.changes(null);
    const known = (await github.replica.list(null)).items[0];
    if (known === undefined) throw new Error('no issue was listed');
    expect(known.labels).toEqual(['bug', 'help']);
    const patch = { labels: { add: ['ui'], remove: [] } };
    expect(await github.replica.update(known, patch)).toMatchObject({ kind: 'later', wholeSide: false });
    expect(world.issue(repo, number)?.labels).toEqual(['bug', 'help']);
    clock.advance(5_000);
    expect(await github.replica.update(known, patch)).toMatchObject({ kind: 'applied' });
    expect(world.issue(repo, number)?.labels).toEqual(['bug', 'help', 'ui']);
  });
});
