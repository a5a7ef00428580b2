import { describe, expect, test } from 'vitest';
import { type Exchange, recordingOf } from '../../src/rehearse/recording.ts';
import { scrub } from '../support/scrub.ts';

const exchange = (change: { path?: string; headers?: Record<string, string>; body?: unknown }): Exchange => ({
  request: { method: 'GET', path: change.path ?? '/repos/acme/scratch?per_page=1', body: null },
  response: { status: 200, headers: change.headers ?? {}, body: change.body ?? null },
});
const kept = (change: Parameters<typeof exchange>[0]) => recordingOf('one', exchange(change), scrub.words);

describe('a recording of a rehearsal', () => {
  test('has path and query apart, as the recordings of trackers', () => {
    expect(kept({}).request).toMatchObject({
      method: 'GET',
      path: '/repos/acme/scratch',
      query: 'per_page=1',
      body: null,
    });
  });

  test('keeps the headers that the bridge reads, and no others', () => {
    const headers = {
      etag: '"a"',
      'set-cookie': 'a=b',
      'x-github-request-id': 'F00D',
      'x-ratelimit-used': '3',
      server: 'github.com',
    };
    expect(kept({ headers }).response.headers).toEqual({ etag: '"a"', 'x-ratelimit-used': '3' });
  });

  test.each([
    ['a token', { note: 'ghp_abcdefghijklmnop' }, 'ghp_'],
    ['a token of an installation with dots', { note: 'ghs_1_eyJh.eyJi.c' }, 'eyJ'],
    ['an address of mail', { commit: { author: { email: 'mona@example.test' } } }, 'mona@'],
    ['an address that grants access', { url: 'https://x.test/a?jwt=SECRETVALUE' }, 'SECRETVALUE'],
  ])('leaves out %s', (_what, body, secret) => {
    expect(JSON.stringify(kept({ body }))).not.toContain(secret);
  });

  test('leaves out what an account tells of itself, but not its login', () => {
    const body = {
      login: 'mona',
      name: 'Mona',
      email: 'mona@example.test',
      plan: { name: 'pro' },
      two_factor_authentication: true,
    };
    expect(kept({ path: '/user', body }).response.body).toEqual({
      login: 'mona',
      name: null,
      email: null,
      plan: null,
      two_factor_authentication: null,
    });
  });

  test('cuts long texts', () => {
    expect(kept({ body: { body: 'a'.repeat(65_536) } }).response.body).toEqual({
      body: expect.stringContaining('(65536 characters)'),
    });
  });
});
