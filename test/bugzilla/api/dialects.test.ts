import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { BugDraft } from '../../../src/model/plan/draft.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { demanded, demanding } from '../../contract/tracker/scenario.ts';
import { publicClient, trackerClient, url } from '../../support/faults/scenarios.ts';
import { fakeTracker, type Reply } from './fake-tracker.ts';

/** Differences between versions of the tracker, as live installations showed them. */
const src = resolve(import.meta.dirname, '../../../src');

/** The kind of the failure of a comment that is answered so. */
const failing = (answer: Reply) => async (src: string) => {
  const { tracker } = await publicClient(src, answer);
  return tracker.createComment(1, { comment: 'x' }).then(
    () => 'success',
    (failure: Error) => ('kind' in failure ? failure.kind : failure.name),
  );
};

const createdFile = async (src: string): Promise<unknown> => {
  const { tracker } = await publicClient(src, { body: { attachments: { 12: { id: 12, bug_id: 1 } } } });
  const file = { data: 'x', file_name: 'x', summary: 'x', content_type: 'text/plain' };
  return tracker.createAttachment(1, file).catch(() => 'not understood');
};

const changedAlias = async (src: string): Promise<unknown> => {
  const { asked, tracker } = await publicClient(src, { body: { bugs: [{ id: 1, changes: {} }] } });
  await tracker.updateBug(1, { alias: { set: ['x'] } });
  return asked.at(-1)?.body['alias'];
};

const draft: BugDraft = {
  ...{ product: 'Widget', summary: 'It fails 🐛', description: 'Words', seeAlso: null, keywords: [] },
  values: { component: 'Core', version: '1.0', severity: 'major', priority: '--' },
  further: { type: 'task' },
};

/** The bridge's port to this tracker, after a greeting. */
async function replicaOn(src: string, world: TrackerWorld) {
  const { bugzillaReplica } = (await import(
    `${src}/bugzilla/replica.ts`
  )) as typeof import('../../../src/bugzilla/replica.ts');
  const client = await trackerClient(src, { fetch: served(world), apiKey: world.user('bridge').apiKey });
  const replica = bugzillaReplica({ client, product: 'Widget', url, pageSize: 50, warn: () => {} });
  await replica.hello();
  return replica;
}

const served = (world: TrackerWorld): typeof fetch => {
  const app = trackerServer(world);
  return async (input, init) => app.request(new Request(String(input), init));
};

const worldOf = (options: Partial<Parameters<typeof createTrackerWorld>[0]>): TrackerWorld =>
  createTrackerWorld({ now: () => Date.UTC(2026, 10, 21), url, ...options });

/** A bug for a tracker that demands values of every new one. */
async function filed(src: string): Promise<unknown> {
  const replica = await replicaOn(src, worldOf(demanding));
  return (await replica.create({ ...draft, further: demanded })).kind;
}

/** The names of what a history says was changed, as harmony tells it. */
async function pastNames(src: string): Promise<unknown> {
  const names = ['bug_file_loc', 'status_whiteboard', 'dependson', 'short_desc'];
  const changes = names.map((name) => ({ field_name: name, removed: '', added: 'x' }));
  const history = [{ when: '2026-11-21T10:00:00Z', who: 'alice@example.test', changes }];
  const { tracker } = await publicClient(src, { body: { bugs: [{ id: 1, alias: null, history }] } });
  return (await tracker.bugHistory(1)).history.flatMap(({ changes: all }) => all.map(({ field_name: name }) => name));
}

/** An emoji in a summary, as the tracker shows it afterwards. */
async function keptSummary(src: string): Promise<unknown> {
  const world = worldOf({ version: '5.0' });
  const { further: _type, ...plain } = draft;
  await (await replicaOn(src, world)).create({ ...plain, values: { component: 'Core', version: '1.0' } });
  return world.bugs()[0]?.summary;
}

/** An emoji in a comment that is read by its id. */
async function readComment(src: string): Promise<unknown> {
  const world = worldOf({ version: '5.0' });
  const id = world.as('alice').comment(world.as('alice').file({ summary: 'It fails' }), 'Seen 🦊');
  const { openTracker } = (await import(
    `${src}/bugzilla/api/tracker.ts`
  )) as typeof import('../../../src/bugzilla/api/tracker.ts');
  return (await openTracker({ url, fetch: served(world) }).getComment(id)).text;
}

/** Whether a custom field has to be named. */
async function wantsCustom(src: string): Promise<unknown> {
  const { readCreationFields } = (await import(
    `${src}/bugzilla/survey.ts`
  )) as typeof import('../../../src/bugzilla/survey.ts');
  const { fetch: send } = fakeTracker(() => ({
    body: { fields: [{ name: 'cf_branch', type: 1, is_mandatory: true }] },
  }));
  return (await readCreationFields(await trackerClient(src, { fetch: send })))?.map(({ isMandatory }) => isMandatory);
}

test.each<[string, (src: string) => Promise<unknown>, unknown]>([
  ['fields that a route adds to new bugs', filed, 'applied'],
  ['mandatory custom fields', wantsCustom, [true]],
  ['a new attachment in a map by id', createdFile, [12]],
  ['one alias', changedAlias, 'x'],
  [
    'an error whose status says less than its code',
    failing({ status: 400, body: { error: true, code: 51, message: 'There is no field.' } }),
    'invalid',
  ],
  [
    'an error with a code in quotes',
    failing({ status: 404, body: { error: true, code: '101', message: 'Bug #1 does not exist.' } }),
    'missing',
  ],
  ['an error without a message', failing({ body: { error: true, code: 100500, message: null } }), 'unknown-outcome'],
  [
    'a failure of its database',
    failing({ status: 400, body: { error: true, code: 68000, message: 'Deadlock found.' } }),
    'unknown-outcome',
  ],
  ['field names in histories', pastNames, ['url', 'whiteboard', 'depends_on', 'summary']],
  ['characters beyond its set', keptSummary, 'It fails [U+1F41B]'],
  ['codes of such characters in comments', readComment, 'Seen 🦊'],
])('the client understands %s', async (_name, scenario, right) => {
  expect(await scenario(src)).toEqual(right);
});
