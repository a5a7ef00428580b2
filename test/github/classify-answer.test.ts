import { describe, expect, it } from 'vitest';
import { classifyAnswer, classifyErrors, classifyNoAnswer } from '../../src/github/connection/classify-answer.ts';
import { type Failure, readError, unwrittenOutcome, whyOf, writeOutcome } from '../../src/github/connection/failure.ts';

const now = Date.UTC(2026, 0, 10, 12, 0, 0);
const circumstances = { about: 'open an issue in acme/widget', now };
const secondary = {
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
};
const limitPage =
  '<!DOCTYPE html><html><head><title>Denied</title></head><body>You have exceeded a secondary\n rate limit.</body></html>';
const already = { message: 'API rate limit already exceeded for installation ID 7.' };
/** `Sat Jan 10 12:01:30 2026` */
const asctime = (at: number): string =>
  new Date(at).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/u, '$1 $3 $2 $5 $4');
const seconds = (at: number): string => String(at / 1000);

describe('an answer that asks for a pause', () => {
  it.each([
    ['403 with retry-after', 403, { 'retry-after': '30' }, secondary, now + 30_000],
    ['429 with retry-after', 429, { 'retry-after': '7' }, {}, now + 7_000],
    ['retry-after as a date', 429, { 'retry-after': new Date(now + 90_000).toUTCString() }, {}, now + 90_000],
    [
      'retry-after before the reset',
      403,
      { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(now + 900_000) },
      {},
      now + 5_000,
    ],
    [
      'an allowance that is used up',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(now + 900_000) },
      {},
      now + 900_000,
    ],
    [
      'the same by a GitHub clock that is 10 minutes ahead',
      429,
      {
        date: new Date(now + 600_000).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': seconds(now + 900_000),
      },
      {},
      now + 300_000,
    ],
    [
      'a reset that has passed',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(now - 5_000) },
      {},
      now,
    ],
    ['a secondary limit without a header', 403, { 'x-ratelimit-remaining': '4000' }, secondary, now + 60_000],
    ['its older name', 403, {}, { message: 'You have triggered an abuse detection mechanism.' }, now + 60_000],
    ['429 without any word', 429, {}, '', now + 60_000],
    ['an allowance that was used up before', 403, {}, already, now + 60_000],
    ['the same where its reset is told', 403, { 'x-ratelimit-reset': seconds(now + 900_000) }, already, now + 900_000],
    [
      'the same beside an allowance that is not used up',
      403,
      { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': seconds(now + 900_000) },
      already,
      now + 60_000,
    ],
    [
      'what was submitted too quickly',
      422,
      {},
      { message: 'Validation Failed', errors: [{ code: 'custom', message: 'was submitted too quickly' }] },
      now + 60_000,
    ],
    [
      'the same as a plain text',
      422,
      { 'retry-after': '20' },
      { message: 'Validation Failed', errors: ['was submitted too quickly'] },
      now + 20_000,
    ],
    ['a page that says so', 403, {}, limitPage, now + 60_000],
    ['a page of another program', 403, {}, '<h1>Error 1015</h1>You are being rate\n limited', now + 60_000],
    ['a plain text', 403, {}, secondary.message, now + 60_000],
    ['bytes', 403, {}, new TextEncoder().encode(limitPage).buffer, now + 60_000],
    ['a page with another status', 404, {}, '<p>Too&nbsp;Many <b>Requests</b></p>', now + 60_000],
    [
      'a header of no time beside the reset of the allowance',
      403,
      { 'retry-after': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(now + 900_000) },
      {},
      now + 900_000,
    ],
    ['the oldest form of a date', 429, { 'retry-after': asctime(now + 90_000) }, {}, now + 90_000],
    ['an older form of a date', 429, { 'retry-after': 'Saturday, 10-Jan-26 12:01:30 GMT' }, {}, now + 90_000],
    ['a header that means years', 429, { 'retry-after': '999999999' }, {}, now + 86_400_000],
  ])('%s is a limit', (_name, status, headers, data, at) => {
    const failure = classifyAnswer({ status, headers, data }, circumstances);
    expect(failure).toMatchObject({ kind: 'limited', at });
    expect(writeOutcome(failure)).toMatchObject({ kind: 'later', at, wholeSide: true });
    expect(readError(failure)).toMatchObject({ kind: 'later', at });
  });
});

const noTimes = ['0', '-30', '', ' ', '0.0', '1.2.3', 'soon', '60s', new Date(now - 5_000).toUTCString(), asctime(now)];
it.each(noTimes)('a limit with the header "%s" pauses as one without it', (retryAfter) => {
  for (const status of [403, 429]) {
    const failure = classifyAnswer({ status, headers: { 'retry-after': retryAfter }, data: secondary }, circumstances);
    expect(failure).toMatchObject({ kind: 'limited', at: now + 60_000, isTooFast: true });
  }
});

describe('an answer that is no limit', () => {
  it.each([
    [401, 'unauthorized', 'unauthorized', 'unauthorized'],
    [403, 'refused', 'refused', 'refused'],
    [400, 'refused', 'refused', 'refused'],
    [409, 'refused', 'refused', 'refused'],
    [422, 'refused', 'refused', 'refused'],
    [301, 'gone', 'gone', 'refused'],
    [307, 'gone', 'gone', 'refused'],
    [404, 'gone', 'gone', 'refused'],
    [410, 'gone', 'gone', 'refused'],
    [500, 'unknown', 'unknown', 'later'],
    [502, 'unknown', 'unknown', 'later'],
    [503, 'unknown', 'unknown', 'later'],
  ])('%i is %s; a write comes to %s, a read throws %s', (status, kind, outcome, error) => {
    const headers = { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': seconds(now + 900_000) };
    const failure = classifyAnswer({ status, headers, data: { message: 'No' } }, circumstances);
    expect(failure.kind).toBe(kind);
    expect(writeOutcome(failure).kind).toBe(outcome);
    expect(readError(failure).kind).toBe(error);
    expect(whyOf(failure)).toContain('open an issue in acme/widget');
  });

  it.each([
    [301, 'moved'],
    [308, 'moved'],
    [404, 'missing'],
    [410, 'deleted'],
  ])('%i says that the target is %s', (status, kind) => {
    const failure = classifyAnswer(
      { status, headers: { location: 'https://api.github.com/repositories/7/issues/3' }, data: { message: 'Moved' } },
      circumstances,
    );
    expect(failure).toMatchObject({ kind: 'gone', gone: { kind } });
    if (kind === 'moved') expect(whyOf(failure)).toContain('repositories/7/issues/3');
  });

  const pages = ['', '<html><head><title>Gone</title></head></html>', 'Not found', ['Gone'], new ArrayBuffer(3)];
  it.each(pages.flatMap((data) => [301, 302, 307, 308, 404, 410, 451].map((status) => [status, data] as const)))(
    '%i as %o is not what GitHub says of the target',
    (status, data) => {
      const headers = { location: 'https://github.com/login' };
      const failure = classifyAnswer({ status, headers, data }, circumstances);
      expect(failure).toMatchObject({ kind: 'unknown', why: expect.stringContaining('not from GitHub itself') });
    },
  );

  it.each([408, 425])('%i is a refusal of this moment', (status) => {
    const failure = classifyAnswer({ status, headers: {}, data: '' }, circumstances);
    expect(failure).toMatchObject({ kind: 'refused', isOfTime: true });
  });

  it.each([
    [422, "Could not resolve to a node with the global id of 'I_kwDO'.", {}, null],
    [422, 'Could not resolve to a node with the global id', { 'retry-after': '20' }, now + 20_000],
    [403, 'Your comment could not be saved. Please try again later.', {}, null],
  ])('%i "%s" is for later, and concerns this one issue', (status, message, headers, at) => {
    const data = {
      message: 'Validation Failed',
      errors: [{ resource: 'Issue', code: 'unprocessable', field: 'data', message }],
    };
    const failure = classifyAnswer({ status, headers, data }, circumstances);
    expect(failure).toMatchObject({ kind: 'notYet', at });
    expect(writeOutcome(failure)).toMatchObject({ kind: 'later', at, wholeSide: false });
    expect(readError(failure)).toMatchObject({ kind: 'later', at: null });
  });

  it('text of a person that sounds like a limit does not count', () => {
    const errors = [
      { resource: 'Label', code: 'invalid', field: 'name', value: 'API rate limit exceeded, try again later' },
    ];
    expect(
      classifyAnswer({ status: 422, headers: {}, data: { message: 'Validation Failed', errors } }, circumstances).kind,
    ).toBe('refused');
  });

  it.each([
    [502, { 'retry-after': '30' }, '', 30_000],
    [503, { 'retry-after': '30' }, '', 30_000],
    [504, { 'retry-after': '30' }, '', 30_000],
    [503, {}, limitPage, 60_000],
    [503, {}, secondary, 60_000],
  ])('%i that asks for a pause by %o or %o is in doubt besides', (status, headers, data, waitMs) => {
    const failure = classifyAnswer({ status, headers, data }, circumstances);
    expect(writeOutcome(failure)).toMatchObject({ kind: 'unknown', at: now + waitMs });
    expect(unwrittenOutcome(failure)).toMatchObject({ kind: 'later', at: now + waitMs, wholeSide: true });
    expect(readError(failure)).toMatchObject({ kind: 'later', at: now + waitMs });
  });

  it('nothing was written when the read before the write was in doubt', () => {
    const failure: Failure = { kind: 'unknown', why: 'dropped' };
    expect(unwrittenOutcome(failure)).toEqual({ kind: 'later', at: null, wholeSide: false, why: 'dropped' });
  });
});

describe('the reasons of a refusal', () => {
  const tooLong = 'body is too long (maximum is 65536 characters)';
  it.each([
    ['a message', [{ resource: 'Issue', code: 'custom', field: 'body', message: tooLong }], tooLong],
    [
      'a message that does not name its field',
      [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message: 'Body is too long' }],
      'data: Body is too long',
    ],
    ['a code', [{ resource: 'Issue', code: 'missing_field', field: 'title' }], 'title is missing field'],
    [
      'a code with a value',
      [{ resource: 'Issue', code: 'invalid', field: 'assignees', value: 'nobody' }],
      'assignees ("nobody") is invalid',
    ],
    ['a plain text', ['Something is odd'], 'Something is odd'],
    ['several', ['one', { field: 'title', code: 'invalid' }], 'one; title is invalid'],
  ])('tell %s in words', (_name, errors, words) => {
    const failure = classifyAnswer(
      { status: 422, headers: {}, data: { message: 'Validation Failed', errors } },
      circumstances,
    );
    expect(whyOf(failure)).toBe(
      `GitHub answered 422 when asked to open an issue in acme/widget: Validation Failed; ${words}`,
    );
  });

  it("leave out a proxy's page", () => {
    const failure = classifyAnswer({ status: 502, headers: {}, data: '<html>nginx at 10.0.0.1</html>' }, circumstances);
    expect(whyOf(failure)).toBe('GitHub answered 502 when asked to open an issue in acme/widget');
  });
});

describe('no answer', () => {
  const coded = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });
  const fetchFailed = (cause: Error): Error => new TypeError('fetch failed', { cause });
  it.each([
    ['a refused connection', fetchFailed(coded('ECONNREFUSED')), 'unreached'],
    [
      'a refused connection on all addresses',
      fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])),
      'unreached',
    ],
    ['an unknown name', fetchFailed(coded('ENOTFOUND')), 'unreached'],
    ['a name server that is away', fetchFailed(coded('EAI_AGAIN')), 'unreached'],
    ['no connection in time', fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT')), 'unreached'],
    ['an expired certificate', fetchFailed(coded('CERT_HAS_EXPIRED')), 'unreached'],
    ['a certificate nobody signed', fetchFailed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 'unreached'],
    ['a reset connection', fetchFailed(coded('ECONNRESET')), 'unknown'],
    ['a closed socket', fetchFailed(coded('UND_ERR_SOCKET')), 'unknown'],
    ['a broken pipe', fetchFailed(coded('EPIPE')), 'unknown'],
    ['a timeout', new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'unknown'],
    ['something new', new Error('new'), 'unknown'],
    ['something that is no error', 'odd', 'unknown'],
  ])('after %s is recognised, however deep the cause', (_name, error, kind) => {
    const failure = classifyNoAnswer(error, 'read');
    expect(failure.kind).toBe(kind);
    expect(whyOf(failure), 'a code is said once').not.toMatch(/\b([A-Z][A-Z_]{4,})\b.*\1/u);
    const octokitError = Object.assign(new Error('wrapped', { cause: error }), { status: 500 });
    expect(classifyNoAnswer(octokitError, 'read').kind).toBe(kind);
  });

  it('before sending is for later, and concerns the whole side', () => {
    expect(writeOutcome({ kind: 'unreached', why: 'refused' })).toEqual({
      kind: 'later',
      at: null,
      wholeSide: true,
      why: 'refused',
    });
  });
});

it.each([
  [
    403,
    'Must have admin rights to Repository.',
    /: Must have admin rights to Repository\. Check that the account may write issues there\.$/,
  ],
  [401, 'Bad credentials', /: Bad credentials\. Check the token/],
  [301, 'Moved Permanently', /: Moved Permanently\. It has moved\.$/],
])('the advice on a %i that says "%s" is a sentence of its own', (status, message, words) => {
  expect(whyOf(classifyAnswer({ status, headers: {}, data: { message } }, circumstances))).toMatch(words);
});

const allowList =
  'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.';
const saml =
  'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.';

const advised: readonly (readonly [status: number, message: string, words: RegExp])[] = [
  [403, saml, /to this organization\. Authorize the token for single sign-on to the organization\.$/],
  [403, allowList, /this resource\. Ask an owner of the organization to add the address of this machine/],
  [
    403,
    'Repository was archived so is read-only.',
    /read-only\. Unarchive the repository, or remove it from the routes\.$/,
  ],
  [403, 'Unable to create comment because issue is locked.', /is locked\. Unlock the issue, or give the account/],
  [
    403,
    'Commenting is disabled on issues with more than 2500 comments',
    /2500 comments\. GitHub accepts no further comment/,
  ],
  [403, 'Repository access blocked', /access blocked\. Ask GitHub Support about the repository\.$/],
  [451, 'Repository access blocked', /access blocked\. Ask GitHub Support about the repository\.$/],
  [403, 'Sorry. Your account was suspended', /suspended\. Ask GitHub Support about the account\.$/],
  [403, 'User is blocked', /is blocked\. Ask the owner of the repository to unblock the account\.$/],
  [403, 'Resource not accessible by personal access token', /access token\. Grant the token or the App the permission/],
  [403, 'The acme organization forbids access via a personal access token (classic).', /\. Use a token of a kind/],
  [
    403,
    'Issue creation is restricted in this repository',
    /this repository\. Give the account the write role, or lift/,
  ],
  [403, 'Issue creation is limited to collaborators.', /to collaborators\. Give the account the write role, or lift/],
  [
    403,
    'Interactions on this repository have been restricted to collaborators only',
    /only\. Lift the interaction limits of the repository/,
  ],
  [400, 'Problems parsing JSON', /: Problems parsing JSON$/],
];

const headers = { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=AABB' };
const link = 'Authorize the token for single sign-on at https://github.com/orgs/acme/sso?authorization_request=AABB.';

describe('the advice on a refusal', () => {
  it.each(advised)('%i "%s" fits it', (status, message, words) => {
    const why = whyOf(classifyAnswer({ status, headers: {}, data: { message } }, circumstances));
    expect(why).toMatch(words);
    expect(why).not.toContain('..');
    expect(why.includes('may write issues there')).toBe(false);
  });

  it('shows where to authorize a token, if GitHub says it', () => {
    expect(whyOf(classifyAnswer({ status: 403, headers, data: { message: saml } }, circumstances))).toContain(link);
  });

  it('is the same for a refusal by GraphQL', () => {
    const answer = { status: 200, headers, data: {} };
    const failure = classifyErrors(answer, [{ type: 'FORBIDDEN', message: saml }], circumstances);
    expect(failure).toMatchObject({ kind: 'refused', why: expect.stringContaining(link) });
  });
});

it.each(['Issues are disabled for this repo', 'Issues has been disabled in this repository.'])(
  '410 "%s" does not mean that the issue was deleted',
  (message) => {
    const failure = classifyAnswer({ status: 410, headers: {}, data: { message } }, circumstances);
    expect(failure).toMatchObject({
      kind: 'off',
      why: expect.stringContaining('Enable issues in the settings of the repository'),
    });
    expect(writeOutcome(failure)).toMatchObject({ kind: 'later', wholeSide: true });
    expect(readError(failure)).toMatchObject({ kind: 'refused', side: 'github' });
  },
);
