import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTracker } from '../../src/bugzilla/api/tracker.ts';
import { decode } from '../../src/bugzilla/connection/answer.ts';
import { firstLine, TrackerError, trackerCode } from '../../src/bugzilla/connection/errors.ts';
import { outcomeOf, outcomeOfLook, sideErrorOf } from '../../src/bugzilla/outcome.ts';
import { SideError } from '../../src/model/outcome.ts';
import { rawAnswer, recorded } from './api/recorded.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const context = { about: 'GET /bug/1', now, scrub: (text: string) => text };

function failureOf(raw: Parameters<typeof decode>[0]): TrackerError {
  try {
    decode(raw, z.unknown(), context);
  } catch (failure) {
    if (failure instanceof TrackerError) return failure;
    throw failure;
  }
  throw new Error('the answer was taken for a success');
}

const page = (status: number, headers: Record<string, string> = {}, text = '<html>busy</html>') => ({
  status,
  headers: new Headers(headers),
  text,
});

describe('an error answer is classified by its code, and a write that got it comes to', () => {
  // name of the recording, HTTP status, code, kind, outcome of a write, what a read throws
  const table: readonly [string, number, number | null, string, string, string][] = [
    ['auth_api_key_wrong', 400, 306, 'credentials', 'unauthorized', 'unauthorized'],
    ['auth_api_key_disabled_user', 401, 301, 'credentials', 'unauthorized', 'unauthorized'],
    ['auth_login_bad', 401, 300, 'credentials', 'unauthorized', 'unauthorized'],
    ['auth_anon_post_comment', 401, 410, 'credentials', 'unauthorized', 'unauthorized'],
    ['auth_header_on_post', 401, 410, 'credentials', 'unauthorized', 'unauthorized'],
    ['err_bug_missing', 404, 101, 'missing', 'gone', 'refused'],
    ['err_update_missing_bug', 404, 101, 'missing', 'gone', 'refused'],
    ['err_bug_no_permission_anon', 401, 102, 'hidden', 'gone', 'refused'],
    ['err_update_private_bug', 401, 102, 'hidden', 'gone', 'refused'],
    ['create_bad_keyword', 404, 51, 'invalid', 'refused', 'refused'],
    ['create_bad_component', 404, 51, 'invalid', 'refused', 'refused'],
    ['field_missing', 404, 51, 'invalid', 'refused', 'refused'],
    ['create_bad_product', 401, 106, 'refused', 'refused', 'refused'],
    ['create_bad_cc', 401, 504, 'invalid', 'refused', 'refused'],
    ['err_update_no_rights_bob', 401, 115, 'refused', 'refused', 'refused'],
    ['attach_by_ids_one_private', 401, 304, 'refused', 'refused', 'refused'],
    ['err_comment_empty', 400, 50, 'invalid', 'refused', 'refused'],
    ['create_unknown_field', 400, 53, 'invalid', 'refused', 'refused'],
    ['err_bug_negative', 400, 100, 'missing', 'gone', 'refused'],
    ['create_summary_256', 400, 104, 'invalid', 'refused', 'refused'],
    ['search_bad_field_boolean', 400, 108, 'invalid', 'refused', 'refused'],
    ['create_see_also_bad', 400, 112, 'invalid', 'refused', 'refused'],
    ['create_comment_over_max', 400, 114, 'invalid', 'refused', 'refused'],
    ['err_update_dupe_self', 400, 118, 'invalid', 'refused', 'refused'],
    ['err_update_resolved_without_resolution', 400, 121, 'refused', 'refused', 'refused'],
    ['err_update_resolution_on_open', 400, 122, 'refused', 'refused', 'refused'],
    ['err_update_unconfirmed_to_verified', 400, 123, 'refused', 'refused', 'refused'],
    ['attach_update_missing', 400, 32000, 'refused', 'refused', 'refused'],
    ['param_comment_required_on_dup', 400, 32000, 'refused', 'refused', 'refused'],
    ['attach_update_data', 400, -32601, 'invalid', 'refused', 'refused'],
    ['auth_whoami', 404, 32614, 'absent', 'refused', 'refused'],
    ['err_unknown_resource', 404, 32614, 'absent', 'refused', 'refused'],
    ['smtp_down_comment', 400, -32000, 'unknown-outcome', 'unknown', 'later'],
    ['smtp_down_update', 400, -32000, 'unknown-outcome', 'unknown', 'later'],
    ['comment_create_deadlock_http201', 201, 100500, 'unknown-outcome', 'unknown', 'later'],
    ['err_update_keyword_as_array', 200, 100500, 'unknown-outcome', 'unknown', 'later'],
    ['err_json_array', 200, null, 'unknown-outcome', 'unknown', 'later'],
    ['ct_get_accept_html', 200, null, 'unknown-outcome', 'unknown', 'later'],
    ['head_bug', 404, null, 'refused', 'refused', 'refused'],
  ];

  test.each(table)('%s (HTTP %i, code %s): %s, %s; a read throws %s', (name, status, code, kind, outcome, thrown) => {
    const failure = failureOf(rawAnswer(recorded(name)));
    expect(failure).toMatchObject({ status, code, kind });
    expect(outcomeOf(failure).kind).toBe(outcome);
    expect(sideErrorOf(failure)).toMatchObject({ kind: thrown, message: failure.message });
    expect(sideErrorOf(failure)).toBeInstanceOf(SideError);
  });

  test('hidden and missing bugs are distinguished', () => {
    expect(outcomeOf(failureOf(rawAnswer(recorded('err_bug_missing'))))).toMatchObject({ gone: { kind: 'missing' } });
    expect(outcomeOf(failureOf(rawAnswer(recorded('err_update_private_bug'))))).toMatchObject({
      gone: { kind: 'hidden' },
    });
  });
});

describe('an answer that is not the tracker speaking', () => {
  // status, headers, kind, outcome of a write, earliest next try in seconds from now
  const table: readonly [number, Record<string, string>, string, string, number | null][] = [
    [429, {}, 'limited', 'later', null],
    [429, { 'retry-after': '60' }, 'limited', 'later', 60],
    [503, { 'retry-after': '3600' }, 'unavailable', 'later', 3600],
    [429, { 'retry-after': '-5' }, 'limited', 'later', null],
    [429, { 'retry-after': '1.5' }, 'limited', 'later', null],
    [429, { 'retry-after': '9'.repeat(400) }, 'limited', 'later', 86_400],
    [503, { 'retry-after': '9999999' }, 'unavailable', 'later', 86_400],
    [503, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 'unavailable', 'later', 86_400],
    [503, { 'retry-after': 'Sat, 21 Nov 1970 10:00:00 GMT' }, 'unavailable', 'later', 0],
    [429, { 'retry-after': 'soon' }, 'limited', 'later', null],
    [
      503,
      { 'retry-after': 'Sat, 21 Nov 2026 10:02:00 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
      'unavailable',
      'later',
      120,
    ],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }, 'unavailable', 'later', 120],
    [503, {}, 'unknown-outcome', 'unknown', null],
    [500, {}, 'unknown-outcome', 'unknown', null],
    [502, {}, 'unknown-outcome', 'unknown', null],
    [504, {}, 'unknown-outcome', 'unknown', null],
    [414, {}, 'invalid', 'refused', null],
    [413, {}, 'invalid', 'refused', null],
    [403, {}, 'refused', 'refused', null],
    // What sends a write elsewhere may have done it, unless it says that the same is to be sent there.
    [301, { location: 'https://elsewhere.example.test/rest/bug' }, 'refused', 'unknown', null],
  ];

  test.each(table)('HTTP %i %o is %s, and a write comes to %s', (status, headers, kind, outcome, seconds) => {
    const failure = failureOf(page(status, headers));
    expect(failure).toMatchObject({
      kind,
      status,
      code: null,
      retryAt: seconds === null ? null : now + seconds * 1000,
    });
    expect(outcomeOf(failure)).toMatchObject(
      outcome === 'later' ? { kind: outcome, at: failure.retryAt, wholeSide: true } : { kind: outcome },
    );
  });

  test.each([
    ['https://me:s3cret@bugs.example.test/rest/bug/1?api_key=s3cret#x', 'https://bugs.example.test'],
    ['//me:s3cret@bugs.example.test/', '//bugs.example.test/'],
    ['/elsewhere?summary=s3cret', '/elsewhere'],
    ['?s3cret', 'another address'],
  ])('a redirect to %s is reported as one to %s', (location, target) => {
    expect(failureOf(page(302, { location })).message).toContain(`redirects to ${target};`);
  });

  test('a redirect says where to', () => {
    expect(failureOf(page(301, { location: 'https://elsewhere.example.test/' })).message).toContain(
      'https://elsewhere.example.test/',
    );
  });

  test('an error without a code in a JSON body is judged by the status', () => {
    expect(failureOf(page(400, {}, '{"error":"Contact the administrator"}'))).toMatchObject({ kind: 'refused' });
    expect(failureOf(page(200, {}, '{"error":1,"message":"no"}'))).toMatchObject({ kind: 'unknown-outcome' });
    expect(failureOf(page(429, {}, '{"error":true,"code":32000,"message":"slow down"}'))).toMatchObject({
      kind: 'limited',
    });
  });

  test('an answer of another shape than expected is not a success', () => {
    expect(() =>
      decode(
        page(200, {}, '{"bugs":[{"id":"x"}]}'),
        z.object({ bugs: z.array(z.object({ id: z.number() })) }),
        context,
      ),
    ).toThrow(/bugs\.0\.id/);
  });
});

describe('codes', () => {
  test.each([
    [101, 101],
    ['101', 101],
    [68000, -32000],
    ['68000', -32000],
    [67399, -32601],
    ['-32000', -32000],
    [32000, 32000],
    [100500, 100500],
    [null, null],
    ['boom', null],
    [true, null],
  ])('%s is understood as %s', (raw, code) => {
    expect(trackerCode(raw)).toBe(code);
  });
});

describe('messages for operators', () => {
  test('holds the first line of the message and no stack trace', () => {
    const message = failureOf(rawAnswer(recorded('comment_create_deadlock_http201'))).message;
    expect(message).toContain('Deadlock found when trying to get lock');
    expect(message).not.toMatch(/Bugzilla::|\.pm|UPDATE bugs|\n/);
    expect(firstLine('Not a HASH reference at Bugzilla/Bug.pm line 2492.\n')).toBe('Not a HASH reference');
  });

  test('keeps what the tracker says to its users', () => {
    const message = failureOf(rawAnswer(recorded('err_update_resolution_on_open'))).message;
    expect(message).toContain('You cannot set a resolution for open bugs.');
    expect(message).toContain('code 122');
  });
});

/** The error of a read on which the connection fails so. */
async function failing(failure: unknown): Promise<TrackerError> {
  const fetch = () => Promise.reject(failure);
  const error: unknown = await openTracker({ url: 'https://bugs.example.test', fetch })
    .getComment(1)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof TrackerError)) throw new Error('The read did not fail', { cause: error });
  return error;
}

describe('a connection that fails', () => {
  const system = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
  const table: readonly [string, unknown, string, string][] = [
    ['refused', fetchFailed(system('ECONNREFUSED', 'connect')), 'unavailable', 'later'],
    [
      'refused on every address',
      fetchFailed(new AggregateError([system('ECONNREFUSED', 'connect')])),
      'unavailable',
      'later',
    ],
    ['without a name in the DNS', fetchFailed(system('ENOTFOUND', 'getaddrinfo')), 'unavailable', 'later'],
    [
      'too slow to connect',
      fetchFailed(Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' })),
      'unavailable',
      'later',
    ],
    [
      'with an expired certificate',
      fetchFailed(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' })),
      'unavailable',
      'later',
    ],
    ['without a route', fetchFailed(system('EHOSTUNREACH', 'connect')), 'unavailable', 'later'],
    ['that lost its route', fetchFailed(system('EHOSTUNREACH', 'read')), 'unknown-outcome', 'unknown'],
    [
      'with a broken record',
      fetchFailed(Object.assign(new Error('x'), { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' })),
      'unknown-outcome',
      'unknown',
    ],
    ['dropped', fetchFailed(system('ECONNRESET', 'read')), 'unknown-outcome', 'unknown'],
    [
      'closed by the other side',
      fetchFailed(Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' })),
      'unknown-outcome',
      'unknown',
    ],
    ['timed out', new DOMException('timed out', 'TimeoutError'), 'unknown-outcome', 'unknown'],
  ];

  test.each(table)('%s', async (_name, failure, kind, outcome) => {
    const error = await failing(failure);
    expect(error.kind).toBe(kind);
    expect(outcomeOf(error).kind).toBe(outcome);
  });

  test.each([
    [new DOMException('timed out', 'TimeoutError'), /: the time for an answer was over$/u],
    [fetchFailed(Object.assign(new Error('x'), { code: 'CERT_NOT_YET_VALID' })), /the clock of this machine right$/u],
    [fetchFailed(system('ECONNREFUSED', 'connect')), /: connect ECONNREFUSED$/u],
  ])('says why: %s', async (failure, words) => {
    expect((await failing(failure)).message).toMatch(words);
  });

  test('leaves nothing in doubt when only a look failed', () => {
    expect(outcomeOfLook(new TrackerError('unknown-outcome', 'x'))).toMatchObject({ kind: 'later', wholeSide: false });
    expect(outcomeOfLook(new TrackerError('missing', 'x'))).toMatchObject({ kind: 'gone' });
  });

  test('our own mistakes are thrown on', () => {
    expect(() => outcomeOf(new RangeError('ours'))).toThrow('ours');
  });
});

test.each([
  ['"a\\ud800b"', 'a\ufffdb'],
  ['"a\\uDC00b"', 'a\ufffdb'],
  ['"\\ud83d\\ude00"', '😀'],
  ['"\\ud83d\\ud83d\\ude00\\ude00"', '\ufffd😀\ufffd'],
  ['"\\\\ud800"', '\\ud800'],
  ['"plain"', 'plain'],
])('half a character in %s is none', (text, value) => {
  const schema = z.object({ keywords: z.array(z.string()) });
  const raw = { status: 200, headers: new Headers(), text: `{"keywords":[${text}]}` };
  expect(decode(raw, schema, context).body.keywords).toEqual([value]);
});
