import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubReplica } from '../../src/github/replica.ts';
import type { Issue } from '../../src/model/item.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { openLane } from './open-lane.ts';
import { answering, type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts';

/** Servers that take less than GitHub does. */
const path = '/repos/acme/widget';
const now = (): number => Date.UTC(2026, 0, 10, 12);
const draft = { title: 'T', body: '', labels: ['bug', 'ui'] };
const seen = { number: 5, title: 'Old', body: '', state: 'open', reason: null, labels: [] } as unknown as Issue;

const invalid = (fault: object): Script => answering(422, { message: 'Validation Failed', errors: [fault] });
const noLabel = invalid({ resource: 'Label', field: 'name', code: 'invalid' });
const made = answering(201, { id: 1, name: 'any' });
const exists = invalid({ resource: 'Label', field: 'name', code: 'already_exists' });

interface Sent {
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly state?: string;
  readonly state_reason?: string;
  readonly duplicate_issue_id?: number;
}

const shape = ({ title = 'Old', labels = [], state = 'open', state_reason }: Sent): object => ({
  id: 9001,
  number: 5,
  html_url: 'http://host/acme/widget/issues/5',
  title,
  body: '',
  state,
  state_reason,
  labels,
  user: null,
  created_at: '2026-01-10T12:00:00Z',
  updated_at: '2026-01-10T12:00:00Z',
});

let server: ScriptedServer;
let replica: GithubReplica;
/** What the server says to a body; null to take it. */
let refusalOf: (sent: Sent) => Script | null;
/** What the server says to a label that is to be made. */
let making: (name: string) => Script;

const connect = (): GithubReplica => {
  const client = createGithubClient({
    url: server.url,
    token: 'secret-token',
    lane: openLane(),
    timeoutMs: 2_000,
    now,
  });
  return githubReplica({ client, owner: 'acme', repo: 'widget' });
};

beforeEach(async () => {
  refusalOf = () => null;
  making = () => made;
  server = await scriptedServer((arrival, response) => {
    const sent: Sent & { name?: string } = arrival.body === '' ? {} : JSON.parse(arrival.body);
    if (arrival.url === `${path}/labels`) making(sent.name ?? '')(arrival, response);
    else (refusalOf(sent) ?? answering(arrival.method === 'POST' ? 201 : 200, shape(sent)))(arrival, response);
  });
  replica = connect();
});
afterEach(() => server.close());

const writes = (): readonly string[] =>
  server.arrivals
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url, body }) => `${method} ${url.slice(path.length)} ${body}`);
const bodies = (): readonly unknown[] =>
  server.arrivals.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body));

describe('labels that the server does not make by itself', () => {
  it.each([
    ['made', made],
    ['found to be there', exists],
  ])('are %s, and the issue is sent once more', async (_name, answer) => {
    let isRefused = true;
    refusalOf = () => (isRefused ? noLabel : null);
    making = () => {
      isRefused = false;
      return answer;
    };
    expect(await replica.create(draft)).toMatchObject({ kind: 'applied', item: { labels: ['bug', 'ui'] } });
    expect(writes()).toEqual([
      'POST /issues {"title":"T","body":"","labels":["bug","ui"]}',
      'POST /labels {"name":"bug","color":"ededed"}',
      'POST /labels {"name":"ui","color":"ededed"}',
      'POST /issues {"title":"T","body":"","labels":["bug","ui"]}',
    ]);
  });

  it('are asked for once by two issues that want them at once', async () => {
    let isRefused = true;
    refusalOf = () => (isRefused ? noLabel : null);
    making = (name) => {
      isRefused = name !== 'ui';
      return made;
    };
    const outcomes = await Promise.all([replica.create(draft), replica.create({ ...draft, labels: ['Bug', 'ui'] })]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'applied']);
    expect(writes().filter((line) => line.startsWith('POST /labels'))).toHaveLength(2);
  });

  it.each<[string, (name: string) => Script, Script, readonly string[]]>([
    ['that cannot be made is left out', (name) => (name === 'ui' ? noLabel : made), noLabel, ['bug']],
    [
      'that is refused by name although it could be made is left out',
      () => made,
      invalid({ resource: 'Label', value: 'ui' }),
      ['bug'],
    ],
  ])('one %s', async (_name, answer, refusal, labels) => {
    refusalOf = (sent) => (sent.labels?.includes('ui') ? refusal : null);
    making = answer;
    expect(await replica.create(draft)).toMatchObject({ kind: 'applied', item: { labels } });
  });

  it.each([
    ['a server without the address', answering(404, { message: 'Not Found' })],
    ['an account without the right', answering(403, { message: 'Must have admin rights' })],
    ['a server that takes none on issues', made],
  ])('are left out altogether for %s', async (_name, answer) => {
    refusalOf = (sent) => (sent.labels === undefined ? null : noLabel);
    making = () => answer;
    expect(await replica.create(draft)).toMatchObject({ kind: 'applied', item: { labels: [] } });
    expect(await replica.update(seen, { title: 'New', labels: { add: ['ui'], remove: [] } })).toMatchObject({
      item: { title: 'New' },
    });
    expect(await replica.update(seen, { labels: { add: ['ui'], remove: [] } })).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['a rate limit', answering(429, {}, { 'retry-after': '30' }), { kind: 'later', wholeSide: true }],
    ['a wrong token', answering(401, {}), { kind: 'unauthorized' }],
    ['a server that breaks down', answering(502, {}), { kind: 'later', wholeSide: false }],
  ])('are a write that certainly did not happen when %s gets in between', async (_name, answer, outcome) => {
    refusalOf = () => noLabel;
    making = () => answer;
    expect(await replica.create(draft)).toMatchObject(outcome);
    expect(writes()).toHaveLength(2);
  });

  it('are not made for a refusal of something else', async () => {
    refusalOf = () => invalid({ resource: 'Issue', field: 'title', code: 'invalid' });
    expect(await replica.create(draft)).toEqual({ kind: 'refused', why: expect.stringContaining('title') });
    expect(writes()).toHaveLength(1);
  });
});

describe('a duplicate, for a server', () => {
  const patch = { title: 'New', state: 'closed', reason: 'duplicate', duplicateOfId: 77 } as const;
  const whole = { title: 'New', state: 'closed', state_reason: 'duplicate', duplicate_issue_id: 77 };
  const { duplicate_issue_id: _original, ...withoutOriginal } = whole;
  const notPlanned = { ...withoutOriginal, state_reason: 'not_planned' };
  const unknownField = invalid({ resource: 'Issue', field: 'duplicate_issue_id', code: 'invalid' });
  const unknownReason = answering(422, {
    message: "Invalid request. duplicate is not a possible value of 'state_reason'.",
  });

  it.each<[string, (sent: Sent) => Script | null, readonly object[]]>([
    ['that knows it whole, is closed as such', () => null, [whole]],
    [
      'that does not know the original, is closed without it',
      (sent) => (sent.duplicate_issue_id === undefined ? null : unknownField),
      [whole, withoutOriginal],
    ],
    [
      'that knows no duplicates, is closed as not planned',
      (sent) => (sent.state_reason === 'duplicate' ? unknownReason : null),
      [whole, withoutOriginal, notPlanned],
    ],
  ])('%s', async (_name, refusal, expected) => {
    refusalOf = refusal;
    const reason = expected.length === 3 ? 'not_planned' : 'duplicate';
    expect(await replica.update(seen, patch)).toMatchObject({
      kind: 'applied',
      item: { state: 'closed', reason, title: 'New' },
    });
    expect(bodies()).toEqual(expected);
  });

  it('that takes no reason at all, is refused in the end', async () => {
    refusalOf = (sent) => (sent.state_reason === undefined ? null : unknownReason);
    expect(await replica.update(seen, patch)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('state_reason'),
    });
    expect(bodies()).toEqual([whole, withoutOriginal, notPlanned]);
  });
});
