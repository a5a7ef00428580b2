import { expect, it } from 'vitest';
import { changesBetween } from '../../../scripts/github-changes.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

const description = (change: 'before' | 'after') => {
  const isAfter = change === 'after';
  const request = {
    type: 'object',
    required: ['title'],
    properties: { title: text, ...(isAfter ? { type: text } : { assignee: text }) },
  };
  const state = { type: 'string', enum: ['completed', ...(isAfter ? ['duplicate'] : [])] };
  const issue = {
    type: 'object',
    required: ['title', ...(isAfter ? [] : ['colour'])],
    properties: {
      title: isAfter ? { anyOf: [text, { type: 'null' }] } : text,
      state_reason: state,
      colour: text,
      ...(isAfter ? { pin: { type: 'object', properties: { by: text } } } : { closed_by: text }),
    },
  };
  const parameters = [{ name: 'since', in: 'query', schema: isAfter ? { type: 'string', format: 'date-time' } : text }];
  return {
    paths: {
      '/issues': {
        get: { parameters, responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/issue' } }) } },
        post: {
          requestBody: json(request),
          responses: { [isAfter ? 201 : 200]: json({ $ref: '#/components/schemas/issue' }) },
        },
        ...(isAfter ? { put: { responses: {} } } : { delete: { responses: { 204: {} } } }),
      },
    },
    components: { schemas: { issue, ...(isAfter ? { pin: text } : {}) } },
  };
};

const names = ['title', 'state_reason', 'assignee', 'closed_by', 'since', 'status'];

it('says what changed in requests and answers, and names nothing else', () => {
  const [before, after] = [description('before'), description('after')];
  const found = changesBetween(before, after, (name) => names.includes(name));
  expect(found.map(({ subject, line }) => `${subject}: ${line}`)).toEqual([
    'GET /issues: ~ parameter since: string -> string (date-time)',
    'POST /issues: - request assignee: string or absent',
    'POST /issues: - answer 200: issue',
    'POST /issues: + request type: string or absent',
    'POST /issues: + answer 201: issue',
    'DELETE /issues: is gone',
    'issue: - closed_by: string or absent',
    'issue: ~ title: string -> null or string',
    'issue: ~ state_reason: completed or absent -> completed, duplicate or absent',
    'issue: + pin: object or absent',
    'PUT /issues: is new',
  ]);
  expect(changesBetween(after, after, () => true)).toEqual([]);
});
