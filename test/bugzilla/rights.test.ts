import { expect, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/client.ts';
import { mayEditBugs } from '../../src/bugzilla/rights.ts';
import { fakeTracker, openLane, type Told } from './fake-tracker.ts';

const login = 'bridge@example.test';
const url = 'http://tracker.example.test';

const rows: readonly (readonly [string, Told, boolean | null])[] = [
  ['an account in the group', { body: { users: [{ groups: [{ name: 'canconfirm' }, { name: 'editbugs' }] }] } }, true],
  ['an account outside it', { body: { users: [{ groups: [{ name: 'editbugs-nearly' }] }] } }, false],
  ['an account in no group', { body: { users: [{ groups: [] }] } }, false],
  ['a tracker that hides groups', { body: { users: [{ name: login }] } }, null],
  ['a tracker that knows no such user', { status: 404, body: { error: true, code: 51, message: 'no user' } }, null],
  ['a tracker without this resource', { status: 404, body: { error: true, code: 32614, message: 'no resource' } }, null],
];

test.each(rows)('the right to edit bugs: %s', async (_name, told, expected) => {
  const { fetch, asked } = fakeTracker(() => told);
  const client = createTrackerClient({ url, apiKey: 'KEY', auth: 'query', lane: openLane(), timeoutMs: 1000, now: () => 0, fetch });
  expect(await mayEditBugs(client, login)).toBe(expected);
  expect(asked[0]).toMatchObject({ method: 'GET', path: '/user' });
  expect(asked[0]?.query.get('names')).toBe(login);
});
