import { describe, expect, it } from 'vitest';
import type { CustomField } from '../../../src/sandbox/tracker/world/state.ts';
import type { TrackerWorldOptions } from '../../../src/sandbox/tracker/world/world.ts';
import { openWriting } from '../recorded/writes.ts';

const more: readonly CustomField[] = [
  { name: 'cf_day', label: 'Day', kind: 'date', values: [] },
  { name: 'cf_parent', label: 'Parent', kind: 'bug', values: [] },
];

const open = (options: Partial<TrackerWorldOptions> = {}) => openWriting({ customFields: more, ...options });

/** What is written to a field, what the answer tells of it, and what reads show. */
const written: readonly (readonly [field: string, value: unknown, reported: string, read: unknown])[] = [
  ['cf_branch', ' release/1 ', ' -> release/1', 'release/1'],
  ['cf_branch', 7, ' -> 7', '7'],
  ['cf_notes', 'l1\nl2\r\nl3', ' -> l1\r\nl2\r\nl3', 'l1\r\nl2\r\nl3'],
  ['cf_impact', 'HIGH', '--- -> high', 'high'],
  ['cf_area', ['ui', 'docs'], ' -> ui, docs', ['docs', 'ui']],
  ['cf_area', 'net', ' -> net', ['net']],
  ['cf_area', 'ui,net', ' -> ui, net', ['net', 'ui']],
  ['cf_due', '2027-05-06', ' -> 2027-05-06', '2027-05-06T00:00:00Z'],
  ['cf_due', '2027-05-06 07:08', ' -> 2027-05-06 07:08', '2027-05-06T07:08:00Z'],
  ['cf_due', '2027-05-06 07:08:09', ' -> 2027-05-06 07:08:09', '2027-05-06T07:08:09Z'],
  ['cf_day', '2027-05-06', ' -> 2027-05-06', '2027-05-06T00:00:00Z'],
  ['cf_parent', 2, ' -> 2', 2],
  ['cf_parent', 'second', ' -> 2', 2],
];

describe('a custom field', () => {
  it.each(written)('%s takes %j', async (field, value, reported, read) => {
    const { world, put, get, file } = open();
    world.as('alice').change(2, { alias: 'second' });
    expect(await put('alice', 1, { [field]: value })).toEqual({ [field]: reported });
    expect((await get('alice', 1))[field]).toEqual(read);
    await file('alice', { [field]: value });
    expect((await get('alice', 3))[field]).toEqual(read);
  });

  it('is there on every bug from the beginning', async () => {
    const { get } = open();
    expect(await get('bob', 1)).toMatchObject({
      cf_branch: '',
      cf_area: [],
      cf_due: null,
      cf_notes: '',
      cf_impact: '---',
      cf_day: null,
      cf_parent: null,
    });
  });

  it.each([
    ['cf_branch', 'b', '', 'b -> ', ''],
    ['cf_area', ['ui', 'net'], ['net', 'docs'], 'ui -> docs', ['docs', 'net']],
    ['cf_area', ['ui'], [], 'ui -> ', []],
    ['cf_area', ['ui'], '', 'ui -> ', []],
    ['cf_due', '2027-05-06', '', '2027-05-06 00:00:00 -> ', null],
    ['cf_due', '2027-05-06', '0000-00-00', '2027-05-06 00:00:00 -> ', null],
    ['cf_due', '2027-05-06 07:08', '2027-05-06 07:08:00', undefined, '2027-05-06T07:08:00Z'],
    ['cf_due', '2027-05-06', '2027-05-06', '2027-05-06 00:00:00 -> 2027-05-06', '2027-05-06T00:00:00Z'],
    ['cf_parent', 2, null, '2 -> ', null],
  ])('%s that was %j takes %j', async (field, first, second, reported, read) => {
    const { put, get } = open();
    await put('alice', 1, { [field]: first });
    expect(await put('alice', 1, { [field]: second })).toEqual(reported === undefined ? {} : { [field]: reported });
    expect((await get('alice', 1))[field]).toEqual(read);
  });

  it.each([
    ['cf_branch', 'x'.repeat(256), '400 104'],
    ['cf_impact', 'nope', '404 51'],
    ['cf_impact', '', '400 50'],
    ['cf_area', ['ui', 'nope'], '404 51'],
    ['cf_due', '2027-05-06T07:08:09Z', '400 56'],
    ['cf_due', 'tomorrow', '400 56'],
    ['cf_due', '2027-02-30', '400 56'],
    ['cf_due', '2027-02-03 25:00', '400 32000'],
    ['cf_day', '2027-13-01', '400 56'],
    ['cf_parent', 99, '404 101'],
    ['cf_parent', 'nope', '400 100'],
    ['cf_parent', 1, '400 32000'],
  ])('%s refuses %j', async (field, value, expected) => {
    const { put, get } = open();
    const before = await get('alice', 1);
    expect(await put('alice', 1, { [field]: value })).toBe(expected);
    expect(await get('alice', 1)).toEqual(before);
  });

  it('of times is in the time zone of the tracker', async () => {
    const { put, get, history, tick } = open({ timeZone: 'America/New_York' });
    await put('alice', 1, { cf_due: '2027-07-04 12:00' });
    tick();
    await put('alice', 1, { cf_due: '2027-01-04 12:00:00' });
    expect(await get('alice', 1)).toMatchObject({ cf_due: '2027-01-04T17:00:00Z' });
    expect(await history('alice', 1)).toEqual([
      'alice: cf_due  -> 2027-07-04 12:00',
      'alice: cf_due 2027-07-04 12:00:00 -> 2027-01-04 12:00:00',
    ]);
  });

  it('is for those who may edit the bug', async () => {
    const { world, put } = open();
    const other = world.as('alice').file({ summary: 'not bob’s', component: 'Core' });
    expect(await put('bob', other, { cf_branch: 'b' })).toBe('401 115');
    expect(await put('bob', 1, { cf_branch: 'b' })).toEqual({ cf_branch: ' -> b' });
  });
});
