import { expect, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { surveyTracker } from '../../src/bugzilla/survey.ts';
import { fakeTracker, openLane, type Reply } from './api/fake-tracker.ts';

const login = 'bridge@example.test';
const url = 'http://tracker.example.test';
const absent: Reply = { status: 404, body: { error: true, code: 32614, message: 'no resource' } };

/** What one resource tells; the others are not there. */
async function surveyOf(path: string, reply: Reply) {
  const { fetch, asked } = fakeTracker((ask) => (ask.path === path ? reply : absent));
  const client = createTrackerClient({
    url,
    apiKey: 'KEY',
    auth: 'query',
    lane: openLane(),
    timeoutMs: 1000,
    now: () => 0,
    fetch,
  });
  return { survey: await surveyTracker(client, { product: 'Widget', login, now: () => 7 }), asked };
}

const rows: readonly (readonly [string, Reply, readonly string[] | null])[] = [
  [
    'of an account',
    { body: { users: [{ groups: [{ name: 'canconfirm' }, { name: 'editbugs' }] }] } },
    ['canconfirm', 'editbugs'],
  ],
  ['of an account in none', { body: { users: [{ groups: [] }] } }, []],
  ['that a tracker hides', { body: { users: [{ name: login }] } }, null],
  [
    'of a user whom the tracker does not know',
    { status: 404, body: { error: true, code: 51, message: 'no user' } },
    null,
  ],
  ['of a tracker without this resource', absent, null],
];

test.each(rows)('groups %s', async (_name, reply, groups) => {
  const { survey, asked } = await surveyOf('/user', reply);
  expect(survey).toMatchObject({ groups, askedAt: 7 });
  expect(asked[0]).toMatchObject({ method: 'GET', path: '/user' });
  expect(asked[0]?.query.get('names')).toBe(login);
});

test('a tracker that reveals nothing causes no complaint', async () => {
  const { survey } = await surveyOf('/nothing', absent);
  const untold = {
    groups: null,
    takesBugs: null,
    parameters: null,
    creationFields: null,
    clockAt: null,
    timeZone: null,
  };
  expect(survey).toEqual({ ...untold, askedAt: 7 });
});

test('an inactive product takes no bugs from anyone', async () => {
  const { survey } = await surveyOf('/product', { body: { products: [{ id: 1, is_active: 0 }] } });
  expect(survey.takesBugs).toBe(false);
});
