import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadTrackerWorld } from '../../src/sandbox/tracker/load.ts';
import { trackerServer } from '../../src/sandbox/tracker/server.ts';
import { type Changing, createTrackerWorld, type Stamped, type TrackerWorld } from '../../src/sandbox/tracker/world.ts';
import { recordingsByCaller } from './tracker-recorded.ts';

/**
 * Exchanges with a real 5.2 server are played to the sandbox: status, code, message and body must be the same. What depends on the
 * hour (update tokens, times of writes, ids of what is created) is compared by its form only.
 */
interface Recording {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

const recording = (name: string): Recording =>
  JSON.parse(readFileSync(new URL(`../recordings/${name}.json`, import.meta.url), 'utf8')) as Recording;

/** The recorded tracker's content, with two more bugs for the updates to work on: 58 and 59. */
function recordedWorld(): TrackerWorld {
  const world = createTrackerWorld({ now: () => Date.UTC(2026, 10, 21, 9, 40), url: 'http://tracker.example.test' });
  loadTrackerWorld(world);
  return world;
}

/** Searches by time were recorded after bugs 2, 4 and 5 had been changed. */
function touch(world: TrackerWorld): void {
  const at = { 4: '09:32:13', 2: '09:32:14', 5: '09:32:16' };
  for (const [bug, time] of Object.entries(at)) {
    world.as('alice').comment(Number(bug), 'x', { stampedMsAgo: world.now() - Date.parse(`2026-11-21T${time}Z`) });
  }
}

async function play(world: TrackerWorld, { request }: Recording, caller: string): Promise<{ status: number; body: unknown }> {
  const key = caller === 'nobody' ? 'wrong'.repeat(8) : world.user(caller).apiKey;
  const { method, headers } = request;
  const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body).replaceAll('"KEY"', `"${key}"`);
  const url = `http://tracker.example.test${request.path}?${request.query.replaceAll('KEY', key)}`;
  const hasBody = request.body !== null && method !== 'GET';
  const answer = await trackerServer(world).request(url, { method, headers, ...(hasBody ? { body: text } : {}) });
  const content = await answer.text();
  return { status: answer.status, body: content === '' ? content : JSON.parse(content) };
}

/** What was recorded, with the parts that depend on the hour put in general terms. */
function expected(value: unknown, isWrite: boolean, isOutermost = true): unknown {
  if (Array.isArray(value)) return value.map((element) => expected(element, isWrite, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      if (name === 'update_token') return [name, expect.any(String)];
      if (isWrite && name === 'id' && isOutermost) return [name, expect.any(Number)];
      if (isWrite && name === 'last_change_time') return [name, expect.stringMatching(/^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)];
      return [name, expected(content, isWrite, false)];
    }),
  );
}

async function expectSame(world: TrackerWorld, name: string, caller: string): Promise<void> {
  const recorded = recording(name);
  const answer = await play(world, recorded, caller);
  const { status, body } = recorded.response;
  expect(answer).toEqual({ status, body: expected(body ?? '', recorded.request.method !== 'GET') });
}

describe('the sandbox tracker answers as a real 5.2 server did', () => {
  for (const [caller, names] of Object.entries(recordingsByCaller)) {
    it.each(names)(`to ${caller}: %s`, async (name) => {
      const world = recordedWorld();
      for (const summary of ['number 58', 'number 59']) {
        if (/\/rest\/bug\/5[89]/.test(recording(name).request.path)) world.as('alice').file({ summary, version: '1.0' });
      }
      if (name.includes('max10')) world.state.maxSearchResults = 10;
      if (/^search_(lct|order|bool)_(?!ties)/.test(name)) touch(world);
      await expectSame(world, name, caller);
    });
  }
});

/** How bugs 58 and 59 stood before the update: changes made to both of them. */
const fixed = { status: 'RESOLVED', resolution: 'FIXED' };
const updates: readonly (readonly [string, readonly Changing[]])[] = [
  ['update_resolve_fixed_with_comment', [{ status: 'IN_PROGRESS' }]],
  ['update_change_resolution_only', [fixed]],
  ['update_clear_resolution', [fixed]],
  ['update_status_resolved_only_when_resolved', [fixed]],
  ['update_resolve_again_other', [fixed]],
  ['update_reopen_confirmed', [{ status: 'RESOLVED', resolution: 'WONTFIX' }, { status: 'VERIFIED' }]],
  ['update_dup_to_fixed', [{ dupe_of: 11 }]],
  ['update_lowercase_status', [fixed, { status: 'UNCONFIRMED' }, fixed]],
  ['update_resolve_with_dup_resolution_and_dupe_of', [fixed, { status: 'UNCONFIRMED' }]],
  ['update_cc_remove', [{ cc: { add: ['bob@example.test', 'carol@example.test'] } }]],
  ['update_keywords_remove', [{ keywords: { add: ['crash', 'regression'] } }]],
  ['update_keywords_set', [{ keywords: { add: ['regression'] } }]],
  ['update_keywords_set_empty', [{ keywords: { add: ['crash', 'regression', 'security'] } }]],
  ['update_groups_remove', [{ groups: { add: ['security'] } }]],
  ['update_reset_assigned_to', [{ assigned_to: 'bob@example.test' }]],
  ['update_see_also_remove', [{ see_also: { add: ['https://github.com/o/r/issues/42'] } }]],
  ['update_collision_last_change_time_old', [{ summary: 'mine2' }]],
  ['update_collision_update_token_stale', [{ summary: 'mine3' }]],
  ['see_also_https_github_com_o_r_issues_1', [{ see_also: { add: ['https://github.com/o/r/issues/1'] } }]],
  ['see_also_http_github_com_o_r_issues_2', []],
  ['see_also_https_github_com_o_r_pull_3', []],
  ['see_also_https_github_com_o_r_issues_4_issuecomment_5', []],
  ['see_also_https_github_com_o_r_issues_5_x_1', []],
  ['see_also_https_github_com_o_r', []],
  ['see_also_https_github_com_o_r_discussions_9', []],
  ['see_also_https_github_com_o_r_commit_abcdef', []],
  ['see_also_https_www_github_com_o_r_issues_6', []],
];

describe('the sandbox tracker changes a bug as a real 5.2 server did', () => {
  it.each(updates)('%s', async (name, before) => {
    const world = recordedWorld();
    const target = Number(/\d+$/.exec(recording(name).request.path)?.[0]);
    for (let id = world.bugs().length + 1; id <= target; id++) world.as('alice').file({ summary: `number ${id}`, version: '1.0' });
    for (const change of before) world.as('alice').change(target, change);
    await expectSame(world, name, 'alice');
  });
});

describe('the sandbox tracker counts seconds as a real 5.2 server did', () => {
  const commentReads = ['minus1', 'frac', 'noz', 'offset'].map((kind) => `comments_new_since_${kind}`);
  const historyReads = ['history_new_since_exact_second', 'history_new_since_multi'];

  it.each([...commentReads, ...historyReads])('%s', async (name) => {
    const world = recordedWorld();
    const ago = (time: string): Stamped => ({ stampedMsAgo: world.now() - Date.parse(`2026-11-21T${time}Z`) });
    for (const summary of ['number 58', 'number 59']) world.as('alice').file({ summary, ...ago('09:34:20') });
    world.as('alice').comment(58, 'c1', ago('09:34:25'));
    world.as('alice').comment(58, 'c2', ago('09:34:26'));
    world.as('alice').change(59, { whiteboard: 'w1', ...ago('09:34:29') });
    world.as('alice').change(59, { whiteboard: 'w2', ...ago('09:34:30') });
    await expectSame(world, name, 'alice');
  });
});
