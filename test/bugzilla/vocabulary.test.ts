import { describe, expect, test } from 'vitest';
import type { Reply } from './api/fake-tracker.ts';
import { recorded } from './api/recorded.ts';
import { replicaOf } from './api/small-tracker.ts';

const values = (...names: readonly string[]) => names.map((name) => ({ name, is_active: true }));
const statusField = Object(recorded('field_bug_status').response.body)['fields'][0];
const fields = {
  fields: [
    { name: 'short_desc' },
    {
      name: 'bug_severity',
      values: [...values('major', 'normal'), { name: 'retired', is_active: false }, { name: 'old', is_active: 0 }],
    },
    { name: 'priority', values: values('High', '---') },
    { name: 'rep_platform', values: values('All') },
    { name: 'op_sys', values: values('All', 'Linux') },
    { name: 'keywords', values: [{ name: 'crash', description: 'It crashes' }] },
    statusField,
    { name: 'cf_os', type: 3, values: values('Linux', 'BSD') },
    { name: 'cf_impact', type: '2', values: [...values('---', 'high'), { name: 'retired', is_active: false }] },
    { name: 'cf_branch', type: 1, values: [] },
    { name: 'cf_strange' },
  ],
};
const products = { products: [{ name: 'Widget', components: values('Core', 'UI'), versions: values('1.0') }] };
const unknown: Reply = { status: 404, body: { error: true, code: 32614, message: 'not found' } };

const vocabularyOf = (fieldsReply: Reply, productsReply: Reply) => {
  const { replica } = replicaOf({
    meddle: (one) => (one.path === '/field/bug' ? fieldsReply : one.path === '/product' ? productsReply : null),
  });
  return replica.vocabulary();
};

describe('the vocabulary', () => {
  test('holds what may be chosen now, and the workflow between statuses', async () => {
    expect(await vocabularyOf({ body: fields }, { body: products })).toEqual({
      components: ['Core', 'UI'],
      values: {
        severity: ['major', 'normal'],
        priority: ['High', '---'],
        platform: ['All'],
        op_sys: ['All', 'Linux'],
        keywords: ['crash'],
        component: ['Core', 'UI'],
        version: ['1.0'],
        cf_os: ['Linux', 'BSD'],
        cf_impact: ['---', 'high'],
      },
      customs: { cf_os: 'several', cf_impact: 'one', cf_branch: 'other', cf_strange: 'other' },
      workflow: {
        UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
        CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
        IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
        RESOLVED: ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED'],
        VERIFIED: ['UNCONFIRMED', 'CONFIRMED'],
      },
    });
  });

  test('leaves absent what the tracker does not tell', async () => {
    expect(await vocabularyOf(unknown, unknown)).toEqual({ values: {}, workflow: null });
    expect(
      await vocabularyOf(
        { body: { fields: [{ name: 'bug_status', values: [{ name: 'NEW' }] }] } },
        { body: { products: [] } },
      ),
    ).toEqual({
      components: null,
      values: {},
      customs: {},
      workflow: null,
    });
  });

  test('is not taken for empty while the tracker is shut down', async () => {
    const down: Reply = { status: 503, headers: { 'retry-after': '60' }, body: '<html>' };
    await expect(vocabularyOf(down, down)).rejects.toMatchObject({ name: 'SideError', kind: 'later' });
  });
});

describe('whether the tracker has the product', () => {
  const hasProduct = (reply: Reply) =>
    replicaOf({ meddle: ({ path }) => (path === '/product' ? reply : null) }).replica.hasProduct();

  test('is what it says, and unknown without such a resource', async () => {
    expect(await hasProduct({ body: products })).toBe(true);
    expect(await hasProduct({ body: { products: [] } })).toBe(false);
    expect(await hasProduct(unknown)).toBeNull();
  });

  test.each([
    ['a refusal', { status: 400, body: { error: true, code: 32000, message: 'x' } }],
    ['an internal error', { status: 500, body: '<html>' }],
    ['an empty answer', { body: {} }],
    ['no list', { body: { products: null } }],
  ])('is not said by %s', async (_name, reply: Reply) => {
    await expect(hasProduct(reply)).rejects.toMatchObject({ name: 'SideError' });
  });
});
