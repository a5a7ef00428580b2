import { describe, expect, it } from 'vitest';
import { validateRequest, validateResponse } from '../../openapi/openapi.ts';

const issues = '/repos/acme/widget/issues';

describe('the check of requests', () => {
  it.each([
    [
      'a list',
      'GET',
      issues,
      { state: 'all', sort: 'updated', per_page: 100, since: '2026-01-01T00:00:00Z' },
      undefined,
    ],
    ['a page behind a Link', 'GET', '/repositories/5/issues', { state: 'all', after: 'abc' }, undefined],
    ['the comments of a repository', 'GET', `${issues}/comments`, { sort: 'updated', direction: 'desc' }, undefined],
    ['a new issue', 'POST', issues, {}, { title: 'T', body: 'B', labels: ['bug'] }],
    ['a duplicate', 'PATCH', `${issues}/4`, {}, { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: 99 }],
  ])('accepts %s', (_name, method, path, query, body) => {
    expect(validateRequest(method, path, query, body)).toEqual([]);
  });

  it.each([
    ['an unknown address', 'GET', '/repos/acme/widget/bugs', {}, undefined, 'describes no'],
    ['an unknown verb', 'DELETE', `${issues}/4`, {}, undefined, 'describes no'],
    ['an unknown parameter', 'GET', issues, { status: 'all' }, undefined, 'takes no parameter status'],
    ['a wrong value of a parameter', 'GET', issues, { state: 'any' }, undefined, 'parameter state'],
    ['a number that is none', 'GET', issues, { per_page: 'many' }, undefined, 'parameter per_page'],
    ['a time that is none', 'GET', issues, { since: 'yesterday' }, undefined, 'parameter since'],
    ['a body without what is needed', 'POST', issues, {}, { body: 'B' }, 'title'],
    ['no body where one is needed', 'POST', issues, {}, undefined, 'needs a body'],
    ['a body where none is taken', 'GET', issues, {}, { title: 'T' }, 'takes no body'],
    ['an unknown reason', 'PATCH', `${issues}/4`, {}, { state: 'closed', state_reason: 'wontfix' }, 'body'],
    ['an unknown key', 'PATCH', `${issues}/4`, {}, { reason: 'completed' }, 'takes no reason'],
  ])('refuses %s', (_name, method, path, query, body, words) => {
    expect(validateRequest(method, path, query, body).join('\n')).toContain(words);
  });
});

describe('the check against other servers', () => {
  it('refuses what the newest interface no longer takes', () => {
    const body = { title: 'T', assignee: 'mona' };
    expect(validateRequest('POST', issues, {}, body)).toEqual(['POST /repos/{owner}/{repo}/issues takes no assignee']);
  });

  it('knows what an older Enterprise Server lacks, and of what it has everything', () => {
    expect(validateRequest('GET', `${issues}/4/dependencies/blocked_by`, {}, undefined)).toEqual([]);
    expect(validateRequest('GET', '/orgs/acme/issue-fields', {}, undefined)).toEqual([]);
    expect(validateRequest('PATCH', `${issues}/4`, {}, { state: 'shut' }).join('\n')).toContain('Enterprise Server: ');
  });

  it('holds answers to the version that was asked for', () => {
    const body = { resources: {}, rate: {} };
    const [older, newest] = ['2022-11-28', '2026-03-10'].map((version) =>
      validateResponse('GET', '/rate_limit', 200, { resources: body.resources }, version).join('\n'),
    );
    expect(older).toContain("'rate'");
    expect(newest).not.toContain("'rate'");
  });
});

describe('the check of answers', () => {
  it.each([
    ['an issue that lacks most', 'GET', `${issues}/4`, 200, { id: 1 }, 'html_url'],
    ['a list that is none', 'GET', issues, 200, {}, 'must be array'],
    ['a status that is not described', 'GET', `${issues}/4`, 218, {}, 'not described'],
    ['a body where there is none', 'DELETE', `${issues}/comments/4`, 204, {}, 'no body'],
    ['an error without words', 'PATCH', `${issues}/4`, 422, {}, 'message'],
  ])('refuses %s', (_name, method, path, status, body, words) => {
    expect(validateResponse(method, path, status, body).join('\n')).toContain(words);
  });

  it('accepts an error that any request may get', () => {
    expect(validateResponse('GET', '/user', 502, { message: 'Server Error' })).toEqual([]);
  });
});
