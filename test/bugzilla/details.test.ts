import { describe, expect, test } from 'vitest';
import { detailedBug, extraFields } from '../../src/bugzilla/map.ts';
import { bugSchema } from '../../src/bugzilla/schema.ts';

const wire = {
  id: 12,
  product: 'Widget',
  summary: 'It leaks',
  status: 'CONFIRMED',
  groups: [],
  creation_time: '2026-11-21T10:00:00Z',
  last_change_time: '2026-11-21T10:00:00Z',
};
const detailsOf = (fields: object, names: readonly string[]) =>
  detailedBug(bugSchema.parse({ ...wire, ...fields }), 'https://bugs.example.test', { details: names, labels: [] })
    .details;

const filed = { creator: 'bob@example.test', creator_detail: { real_name: 'Bob Builder' } };

describe('a detail of a bug', () => {
  test.each<readonly [string, string, object, readonly string[]]>([
    ['an alias of 5.x', 'alias', { alias: ['oven', 'stove'] }, ['oven', 'stove']],
    ['an alias of BMO', 'alias', { alias: 'oven' }, ['oven']],
    ['no alias', 'alias', { alias: null }, []],
    ['a page', 'url', { url: 'https://example.test/' }, ['https://example.test/']],
    ['an empty page', 'url', { url: '' }, []],
    ['one who follows', 'cc', { cc: ['bob@example.test'] }, ['1 person']],
    ['many who follow', 'cc', { cc: ['a@example.test', 'b@example.test'] }, ['2 people']],
    ['nobody who follows', 'cc', { cc: [] }, []],
    ['a flag', 'flags', { flags: [{ id: 1, name: 'blocker', status: '+', setter: 'bob@example.test' }] }, ['blocker+']],
    [
      'a question',
      'flags',
      { flags: [{ name: 'needinfo', status: '?', requestee: 'bob@example.test' }] },
      ['needinfo? (bob)'],
    ],
    [
      'who tests it, as over comments',
      'qa_contact',
      { qa_contact: 'q@example.test', qa_contact_detail: { real_name: 'Quinn' } },
      ['q'],
    ],
    ['who filed and tests it', 'qa_contact', { ...filed, qa_contact: 'bob@example.test' }, ['Bob Builder']],
    [
      'who filed it and is asked',
      'flags',
      { ...filed, flags: [{ name: 'ni', status: '?', requestee: 'bob@example.test' }] },
      ['ni? (Bob Builder)'],
    ],
    ['nobody who tests it', 'qa_contact', { qa_contact: '' }, []],
    ['a choice that was not made', 'cf_fixed_in', { cf_fixed_in: '---' }, []],
    ['several choices', 'cf_os', { cf_os: ['Linux', 'BSD'] }, ['Linux', 'BSD']],
    ['a number, which may be a hidden bug', 'cf_cause', { cf_cause: 77 }, []],
  ])('%s becomes words', (_what, name, fields, words) => {
    expect(detailsOf(fields, [name])).toEqual({ [name]: words });
  });

  test('that was not shown is absent, and a route that shows none has none', () => {
    expect(detailsOf({}, ['alias', 'cc'])).toEqual({});
    expect(detailsOf({ alias: ['oven'] }, [])).toBeUndefined();
  });

  test('that labels show as well is asked for once', () => {
    expect(extraFields({ details: ['alias', 'qa_contact'], labels: ['alias'] })).toEqual(['alias', 'qa_contact']);
  });
});

describe('what labels show besides the usual fields', () => {
  const shown = (fields: object, labels: readonly string[]) => {
    const { whiteboard, customs } = detailedBug(bugSchema.parse({ ...wire, ...fields }), '', { details: [], labels });
    return { whiteboard, customs };
  };

  test('is as the tracker gives it: a choice, or several', () => {
    const fields = { whiteboard: '[easy] later', cf_area: ['net', 'ui'], cf_impact: 'high', cf_other: 'x' };
    expect(shown(fields, ['whiteboard', 'cf_area', 'cf_impact'])).toEqual({
      whiteboard: '[easy] later',
      customs: { cf_area: ['net', 'ui'], cf_impact: 'high' },
    });
  });

  test('is absent where the tracker does not show it, or nobody asked, and where it is no choice', () => {
    expect(shown({ cf_cause: 77 }, ['whiteboard', 'cf_cause', 'cf_area'])).toEqual({
      whiteboard: undefined,
      customs: {},
    });
    expect(shown({ whiteboard: 'x', cf_area: [] }, [])).toEqual({ whiteboard: undefined, customs: undefined });
  });

  test('is asked for once, also where the table shows it too', () => {
    expect(extraFields({ details: ['whiteboard'], labels: ['whiteboard', 'cf_area'] })).toEqual([
      'whiteboard',
      'cf_area',
    ]);
  });
});
