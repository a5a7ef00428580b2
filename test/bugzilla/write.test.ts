import { describe, expect, test } from 'vitest';
import { bugOf } from '../../src/bugzilla/map.ts';
import { bugsIn, updatedSchema } from '../../src/bugzilla/schema.ts';
import { draftBody, lostValues, patchBody, updatedBug } from '../../src/bugzilla/write.ts';
import { bugId } from '../../src/model/ids.ts';
import type { Bug } from '../../src/model/item.ts';
import type { BugDraft, BugPatch } from '../../src/model/plan/draft.ts';
import { unwatchedRows } from '../../src/model/runtime.ts';
import type { Reply, TrackerRequest } from './api/fake-tracker.ts';
import { recorded } from './api/recorded.ts';
import { replicaOf, startAt, wireBug } from './api/small-tracker.ts';

const url = 'http://tracker.example.test';
const issue = 'https://github.com/o/r/issues/77';
const draft: BugDraft = {
  product: 'Widget',
  summary: 'create test',
  description: 'desc',
  values: { component: 'Core', version: '1.0' },
  keywords: ['crash'],
  seeAlso: issue,
};

const recordedBug = (changes: Partial<Bug> = {}): Bug => {
  const [wire] = bugsIn(unwatchedRows).parse(recorded('create_ok_then_get').response.body).bugs;
  if (wire === undefined) throw new Error('nothing recorded');
  return { ...bugOf(wire, url), ...changes };
};
const changesIn = (name: string) => updatedSchema.parse(recorded(name).response.body).bugs[0]?.changes ?? {};

describe('the body of a create', () => {
  test('holds what the draft has and nothing empty, since unknown fields are refused', () => {
    expect(draftBody(draft)).toEqual({
      product: 'Widget',
      summary: 'create test',
      description: 'desc',
      component: 'Core',
      version: '1.0',
      keywords: ['crash'],
      see_also: [issue],
    });
    expect(Object.keys(draftBody({ ...draft, keywords: [], seeAlso: null }))).not.toEqual(
      expect.arrayContaining(['keywords']),
    );
    expect(draftBody({ ...draft, seeAlso: null })).not.toHaveProperty('see_also');
  });
});

describe('the body of an update', () => {
  test.each<[string, BugPatch, unknown]>([
    ['nothing', {}, {}],
    ['a summary', { summary: 'x' }, { summary: 'x' }],
    ['closing', { status: 'RESOLVED', resolution: 'FIXED' }, { status: 'RESOLVED', resolution: 'FIXED' }],
    ['a duplicate', { status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: bugId(4) }, { dupe_of: 4 }],
    ['values', { values: { severity: 'major', op_sys: 'Linux' } }, { severity: 'major', op_sys: 'Linux' }],
    ['keywords', { keywords: { add: ['a'], remove: ['b'] } }, { keywords: { add: ['a'], remove: ['b'] } }],
    ['a pointer', { seeAlso: issue }, { see_also: { add: [issue] } }],
  ])('for %s', (_name, patch, body) => {
    expect(patchBody(patch)).toEqual(body);
  });
});

describe('a bug after an update is what it was and what the answer says changed', () => {
  const before = recordedBug({ id: bugId(59), keywords: ['crash'], resolution: '', dupeOf: null });
  test.each<[string, Partial<Bug>, Partial<Bug>]>([
    [
      'update_many_fields',
      {},
      {
        summary: 'New title',
        values: { ...before.values, severity: 'major', priority: 'High' },
        assignee: { login: 'bob@example.test', name: 'bob' },
        milestone: '2.0',
      },
    ],
    ['update_keywords_add', { keywords: [] }, { keywords: ['crash', 'regression'] }],
    ['update_keywords_remove', { keywords: ['crash', 'regression'] }, { keywords: ['regression'] }],
    ['update_reopen_confirmed', { status: 'VERIFIED', resolution: 'WONTFIX' }, { status: 'CONFIRMED', resolution: '' }],
    ['update_resolve_dup_dupe_of_only', {}, { status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: bugId(1) }],
    [
      'update_dup_to_fixed',
      { status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: bugId(11) },
      { resolution: 'FIXED', dupeOf: null },
    ],
    [
      'see_also_http_github_com_o_r_issues_2',
      { seeAlso: ['https://a.test/'] },
      { seeAlso: ['https://a.test/', 'https://github.com/o/r/issues/2'] },
    ],
    ['err_update_no_changes', {}, {}],
  ])('%s', (name, was, becomes) => {
    const bug = { ...before, ...was };
    expect(updatedBug(bug, {}, changesIn(name), 5)).toEqual({ ...bug, ...becomes, changedAt: 5 });
  });

  test('a reopened duplicate is none any more, also where the answer does not list it', () => {
    const bug = recordedBug({ status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: bugId(4) });
    const changes = {
      status: { added: 'CONFIRMED', removed: 'RESOLVED' },
      resolution: { added: '', removed: 'DUPLICATE' },
    };
    expect(updatedBug(bug, { status: 'CONFIRMED' }, changes, 5)).toMatchObject({
      status: 'CONFIRMED',
      resolution: '',
      dupeOf: null,
    });
  });

  test('values that were replaced unseen are reported as lost', () => {
    const changes = { ...changesIn('update_many_fields'), severity: { removed: 'blocker', added: 'major' } };
    expect(lostValues({ ...before, summary: 'upd' }, changes)).toEqual([{ field: 'severity', value: 'blocker' }]);
    expect(lostValues({ ...before, summary: 'upd' }, changesIn('update_many_fields'))).toEqual([]);
    expect(lostValues({ ...before, summary: 'upd', values: {} }, changes)).toEqual([]);
  });
});

describe('sent values missing from the changes were already set', () => {
  const seen = recordedBug({ keywords: ['crash'], seeAlso: [issue] });
  test.each<[string, BugPatch, Partial<Bug>]>([
    [
      'values',
      { summary: 'x', values: { severity: 'major' } },
      { summary: 'x', values: { ...seen.values, severity: 'major' } },
    ],
    ['keywords', { keywords: { add: ['b'], remove: ['crash'] } }, { keywords: ['b'] }],
    ['a pointer', { seeAlso: issue }, { seeAlso: [issue] }],
    ['a pointer that others added', { seeAlso: `${issue}7` }, { seeAlso: [issue, `${issue}7`] }],
    [
      'a duplicate',
      { dupeOf: bugId(4), status: 'RESOLVED' },
      { dupeOf: bugId(4), status: 'RESOLVED', resolution: 'DUPLICATE' },
    ],
  ])('%s', (_name, patch, becomes) => {
    expect(updatedBug(seen, patch, {}, 5)).toEqual({ ...seen, ...becomes, changedAt: 5 });
  });

  test('and the server’s spelling wins', () => {
    const changes = {
      status: { added: 'IN_PROGRESS', removed: 'CONFIRMED' },
      keywords: { added: 'Regression', removed: '' },
      see_also: { added: 'https://github.com/o/r/issues/2', removed: '' },
    };
    const patch = {
      status: 'in_progress',
      keywords: { add: ['regression'], remove: [] },
      seeAlso: 'http://github.com/o/r/issues/2',
    };
    expect(updatedBug({ ...seen, keywords: [], seeAlso: [] }, patch, changes, 5)).toMatchObject({
      status: 'IN_PROGRESS',
      keywords: ['Regression'],
      seeAlso: ['https://github.com/o/r/issues/2'],
    });
  });
});

describe('create', () => {
  test('reads back what the tracker made of it', async () => {
    const { asked, lane, replica } = replicaOf({ bugs: [{ id: 93 }], meddle: on('POST', { body: { id: 93 } }) });
    const outcome = await replica.create({ ...draft, summary: 'Bug 93', values: {} });
    expect(outcome).toMatchObject({
      kind: 'applied',
      item: { id: 93, summary: 'Bug 93', status: 'CONFIRMED', url: `${url}/show_bug.cgi?id=93` },
    });
    expect(asked.map((one) => one.method)).toEqual(['POST', 'GET']);
    expect(asked[0]?.body).toMatchObject({ summary: 'Bug 93', see_also: [issue], api_key: 'KEY' });
    expect(lane.costs).toEqual(['create', 'read']);
  });

  test('is applied even when it cannot be read back', async () => {
    const { replica, warnings } = replicaOf({
      meddle: (one) => (one.method === 'POST' ? { body: { id: 93 } } : { status: 502, body: '' }),
    });
    const outcome = await replica.create(draft);
    expect(outcome).toMatchObject({
      kind: 'applied',
      item: { id: 93, summary: 'create test', seeAlso: [issue], values: draft.values, createdAt: startAt },
    });
    expect(warnings).toEqual([expect.stringContaining('bug 93')]);
  });

  test('files the bug without a pointer that the tracker does not take', async () => {
    const { asked, replica } = replicaOf({
      bugs: [{ id: 93 }],
      meddle: (one) => {
        if (one.method !== 'POST') return null;
        return 'see_also' in one.body ? reply('create_see_also_bad') : { body: { id: 93 } };
      },
    });
    expect(await replica.create(draft)).toMatchObject({ kind: 'applied', item: { id: 93 } });
    expect(asked.filter((one) => one.method === 'POST')).toHaveLength(2);
  });

  test.each<[string, Reply, string]>([
    ['a certain no', reply('create_bad_component'), 'refused'],
    ['a mail server that is down: the bug may be there', reply('smtp_down_update'), 'unknown'],
    ['an inner failure with a success status', reply('err_update_keyword_as_array'), 'unknown'],
    ['an answer without an id', { body: {} }, 'unknown'],
    ['an answer with an id of nothing', { body: { id: 0 } }, 'unknown'],
    ['a proxy that gave up', { status: 504, body: '<html>' }, 'unknown'],
    ['a tracker that is shut down', { status: 503, headers: { 'retry-after': '60' }, body: '<html>' }, 'later'],
    ['a wrong key', reply('auth_api_key_wrong'), 'unauthorized'],
  ])('comes to an outcome and is sent once: %s', async (_name, answer, kind) => {
    const { asked, replica } = replicaOf({ meddle: on('POST', answer) });
    expect((await replica.create(draft)).kind).toBe(kind);
    expect(asked).toHaveLength(1);
  });
});

describe('update', () => {
  const seen = bugOf(bugsIn(unwatchedRows).parse({ bugs: [wireBug({ id: 5 })] }).bugs[0] ?? never(), url);
  const updated = (changes: unknown): Reply => ({
    body: { bugs: [{ id: 5, last_change_time: '2026-11-21T10:00:07Z', changes }] },
  });

  test('is one request, and answers with the bug as the tracker has it now', async () => {
    const { asked, lane, replica } = replicaOf({
      meddle: on('PUT', updated({ severity: { removed: 'normal', added: 'major' } })),
    });
    const outcome = await replica.update(seen, { values: { severity: 'major' } });
    expect(outcome).toEqual({
      kind: 'applied',
      item: { ...seen, values: { ...seen.values, severity: 'major' }, changedAt: startAt + 7000 },
    });
    expect(asked[0]).toMatchObject({ method: 'PUT', path: '/bug/5', body: { severity: 'major', api_key: 'KEY' } });
    expect(asked[0]?.body).not.toHaveProperty('ids');
    expect(lane.costs).toEqual(['edit']);
  });

  test('keeps the time of the bug when the answer brings none', async () => {
    const { replica } = replicaOf({ meddle: on('PUT', { body: { bugs: [{ id: 5, changes: {} }] } }) });
    expect(await replica.update(seen, { summary: seen.summary })).toEqual({ kind: 'applied', item: seen });
  });

  test('that changes nothing is applied', async () => {
    const { replica } = replicaOf({ bugs: [{ id: 5 }], meddle: on('PUT', updated({})) });
    expect(await replica.update(seen, { summary: seen.summary })).toMatchObject({
      kind: 'applied',
      item: { summary: seen.summary },
    });
  });

  test('reports values that it replaced unseen', async () => {
    const { replica } = replicaOf({
      bugs: [{ id: 5 }],
      meddle: on('PUT', updated({ severity: { removed: 'blocker', added: 'major' } })),
    });
    expect(await replica.update(seen, { values: { severity: 'major' } })).toMatchObject({
      lost: [{ field: 'severity', value: 'blocker' }],
    });
  });

  test.each<[string, Reply, string]>([
    ['no right', reply('err_update_no_rights_bob'), 'refused'],
    ['a bug that is hidden', reply('err_update_private_bug'), 'gone'],
    ['a move that the workflow forbids', reply('err_update_unconfirmed_to_verified'), 'refused'],
    ['mail that cannot be sent', reply('smtp_down_update'), 'unknown'],
    ['a deadlock', reply('err_update_keyword_as_array'), 'unknown'],
  ])('returns the outcome of the write: %s', async (_name, answer, kind) => {
    const { replica } = replicaOf({ bugs: [{ id: 5 }], meddle: on('PUT', answer) });
    expect((await replica.update(seen, { summary: 'x' })).kind).toBe(kind);
  });

  test.each<[string, Reply, object]>([
    [
      'is there: the target is not, and the update is refused',
      { body: { bugs: [wireBug({ id: 5 })] } },
      { kind: 'refused' },
    ],
    ['is missing', reply('err_update_missing_bug'), { kind: 'gone', gone: { kind: 'missing' } }],
    ['is hidden', reply('err_update_private_bug'), { kind: 'gone', gone: { kind: 'hidden' } }],
    ['cannot be looked at now: nothing was written', { status: 502, body: '' }, { kind: 'later', wholeSide: false }],
  ])('to a duplicate fails for want of a bug, and the bug itself %s', async (_name, answer, outcome) => {
    const { replica } = replicaOf({
      meddle: (one) => (one.method === 'PUT' ? reply('err_update_dupe_missing') : answer),
    });
    expect(await replica.update(seen, { dupeOf: bugId(99) })).toMatchObject(outcome);
  });
});

describe('comment', () => {
  test('answers with its id and the text as it is stored', async () => {
    const { asked, replica } = replicaOf({ meddle: on('POST', reply('comment_create_is_private_false')) });
    const outcome = await replica.comment(5, '  one\r\ntwo \n\n');
    expect(outcome).toMatchObject({
      kind: 'applied',
      item: {
        side: 'tracker',
        ref: 5,
        count: null,
        text: '  one\ntwo',
        isPrivate: false,
        createdAt: startAt,
        url: `${url}/show_bug.cgi?id=5`,
      },
    });
    expect(asked[0]).toMatchObject({ path: '/bug/5/comment', body: { comment: '  one\r\ntwo \n\n' } });
  });

  test.each<[string, string]>([
    ['comment_create_deadlock_http201', 'unknown'],
    ['smtp_down_comment', 'unknown'],
    ['err_json_array', 'unknown'],
    ['err_comment_empty', 'refused'],
    ['create_comment_over_max', 'refused'],
    ['err_bug_missing', 'gone'],
    ['auth_anon_post_comment', 'unauthorized'],
  ])('%s comes to %s', async (name, kind) => {
    const { replica } = replicaOf({ meddle: () => reply(name) });
    expect((await replica.comment(5, 'x')).kind).toBe(kind);
  });
});

describe('probe', () => {
  test('finds a bug that is there, and says how one is gone', async () => {
    const { replica } = replicaOf({ bugs: [{ id: 5 }, { id: 6 }], hidden: new Set([6]) });
    expect(await replica.probe(5)).toMatchObject({
      kind: 'there',
      item: { id: 5, creator: { login: 'bob@example.test', name: 'Bob' } },
    });
    expect(await replica.probe(6)).toMatchObject({ kind: 'gone', gone: { kind: 'hidden' } });
    expect(await replica.probe(7)).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
  });

  test('takes no other failure for being gone', async () => {
    const { replica } = replicaOf({ meddle: () => ({ status: 404, body: '<html>no such page</html>' }) });
    await expect(replica.probe(5)).rejects.toMatchObject({ name: 'SideError', kind: 'refused' });
  });
});

function reply(name: string): Reply {
  const { status, body } = recorded(name).response;
  return { status, body };
}

/** Answers requests of one method; all others go their way. */
function on(method: string, answer: Reply): (asked: TrackerRequest) => Reply | null {
  return (asked) => (asked.method === method ? answer : null);
}

function never(): never {
  throw new Error('nothing to parse');
}
