import { describe, expect, test } from 'vitest';
import { scrubber } from '../../src/runtime/scrub.ts';

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nq83vEjRWeJA=\n-----END RSA PRIVATE KEY-----\n';

describe('secrets nobody told us about are known by their form', () => {
  test.each([
    ['token ghp_AbC123def456 refused', 'token [secret] refused'],
    ['gho_a ghu_b ghr_c', '[secret] [secret] [secret]'],
    ['an installation token ghs_12345_eyJh.eyJp-x_y.sig', 'an installation token [secret]'],
    ['github_pat_11AAAA_bbbb is expired', '[secret] is expired'],
    ['GET /rest/bug?id=1&api_key=abc123&limit=5', 'GET /rest/bug?id=1&api_key=[secret]&limit=5'],
    ['/rest/version?Bugzilla_api_key=abc123', '/rest/version?Bugzilla_api_key=[secret]'],
    ['{"Authorization":"Bearer abc.def~1"}', '{"Authorization":"[secret]"}'],
    ['sent Bearer abc.def~1, and got 401', 'sent Bearer [secret], and got 401'],
    ['authorization: token abc123', 'authorization: token [secret]'],
    ['X-BUGZILLA-API-KEY: abc123', 'X-BUGZILLA-API-KEY: [secret]'],
    ['{"x-bugzilla-api-key":"abc123"}', '{"x-bugzilla-api-key":"[secret]"}'],
    ['{"api_key":"with \\" quote","id":1}', '{"api_key":"[secret]","id":1}'],
    ['https://user:pass@bugs.example.org/x', 'https://[secret]@bugs.example.org/x'],
    [`key ${pem}end`, 'key [secret]\nend'],
    [JSON.stringify({ pem, id: 1 }), '{"pem":"[secret]\\n","id":1}'],
  ])('%s', (text, clean) => {
    expect(scrubber([])(text)).toBe(clean);
  });
});

describe('ordinary text stays as it is', () => {
  test.each([
    'bug 12 and acme/widget#5 agree',
    'Basic information about the component',
    'the token is not accepted; the API key of the tracker either',
    'https://bugs.example.org/show_bug.cgi?id=1@2',
    '{"key":"value","tokens":3}',
  ])('%s', (text) => {
    expect(scrubber(['none-of-this'])(text)).toBe(text);
  });
});

test('secrets are known by value, the longer of two first', () => {
  expect(scrubber(['abcd', 'abcdefgh'])('abcdefgh abcd')).toBe('[secret] [secret]');
});

test('a private key is known line by line', () => {
  expect(scrubber([pem])('at MIIEowIBAAKCAQEA of the key')).toBe('at [secret] of the key');
});

test('an empty secret blanks nothing', () => {
  expect(scrubber(['', ' ', 'ab'])('a b ab c')).toBe('a b ab c');
});
