import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/item.ts';
import { advance, baseOfCreated, settleFields } from '../../src/rules/fields/move-base.ts';

const base = { tracker: { title: 'old', severity: 'normal' }, github: { title: 'old', severity: 'normal' } };
const wrote = (target: Fields, replaces: Fields, source: Fields = target) => ({ target, source, replaces });

describe('the base after an answer', () => {
  test.each([
    { name: 'the target arrived', answered: { title: 'new' }, tracker: 'new' },
    { name: 'the server ignores the wish', answered: { title: 'old' }, tracker: 'old' },
    { name: 'the server stores it its own way', answered: { title: 'ne' }, tracker: 'ne' },
  ])('when $name', ({ answered, tracker }) => {
    const after = advance(base, 'tracker', wrote({ title: 'new' }, { title: 'old' }), answered);
    expect(after.tracker.title).toBe(tracker);
    expect(after.github.title).toBe('new');
    expect(after.github.severity).toBe('normal');
  });

  test.each([
    { name: 'a label that somebody changed a moment before', answered: { severity: 'minor' }, github: 'major' },
    { name: 'a label that arrived', answered: { severity: 'major' }, github: 'major' },
    { name: 'a label that GitHub ignores', answered: { severity: 'normal' }, github: 'normal' },
  ])('$name', ({ answered, github }) => {
    const after = advance(base, 'github', wrote({ severity: 'major' }, { severity: 'normal' }), answered);
    expect([after.tracker.severity, after.github.severity]).toEqual(['major', github]);
  });

  test.each([
    ['shows no value', {}],
    ['has none', { severity: null }],
  ])('a label that somebody gave a moment before to an issue that %s', (_name, replaces: Fields) => {
    const after = advance(base, 'github', wrote({ severity: 'major' }, replaces), { severity: 'minor' });
    expect([after.tracker.severity, after.github.severity]).toEqual(['major', 'major']);
  });

  test.each([
    {
      name: 'somebody closed just before for another reason',
      answered: 'completed',
      foreign: ['status'] as const,
      github: 'duplicate',
    },
    {
      name: 'somebody closed again as it was before',
      answered: 'not_planned',
      foreign: ['status'] as const,
      github: 'duplicate',
    },
    { name: 'the server has no such reason', answered: 'not_planned', foreign: [], github: 'not_planned' },
  ])('$name', ({ answered, foreign, github }) => {
    const closed = { ...wrote({ status: 'duplicate' }, { status: 'not_planned' }), foreign };
    const after = advance(base, 'github', closed, { status: answered });
    expect([after.tracker.status, after.github.status]).toEqual(['duplicate', github]);
  });

  test('keeps both spellings when the server has its own', () => {
    const after = advance(base, 'github', wrote({ severity: 'major' }, { severity: 'major' }), { severity: 'MAJOR' });
    expect([after.tracker.severity, after.github.severity]).toEqual(['major', 'major']);
  });

  test('leaves alone what was not carried, although the server shows it', () => {
    const after = advance(base, 'tracker', wrote({ title: 'new' }, { title: 'old' }), {
      title: 'new',
      severity: 'major',
    });
    expect(after.tracker.severity).toBe('normal');
  });

  test('moves only the elements of a set that travelled', () => {
    const known = { tracker: { keywords: ['easy'] }, github: { keywords: ['easy'] } };
    const written = wrote(
      { keywords: ['easy', 'perf'] },
      { keywords: ['easy', 'crash'] },
      { keywords: ['easy', 'perf'] },
    );
    const after = advance(known, 'github', written, { keywords: ['crash', 'easy', 'perf'] });
    expect(after.github.keywords).toEqual(['easy', 'perf']);
  });
});

describe('elements of a set that the answer to an earlier write did not show', () => {
  const base = { tracker: { keywords: ['crash', 'perf'] }, github: { keywords: ['crash'] } };

  test('count as agreed once both sides have them', () => {
    const written = wrote({ keywords: ['perf'] }, { keywords: ['crash', 'perf'] }, { keywords: ['perf'] });
    const after = advance(base, 'github', written, { keywords: ['perf'] });
    expect([after.tracker.keywords, after.github.keywords]).toEqual([['perf'], ['perf']]);
  });

  test('count as dropped once both sides lack them', () => {
    const written = wrote({ keywords: ['easy'] }, { keywords: [] }, { keywords: ['easy'] });
    const after = advance(base, 'github', written, { keywords: ['easy'] });
    expect([after.tracker.keywords, after.github.keywords]).toEqual([['easy'], ['easy']]);
  });
});

test('a new counterpart agrees on what it was made with, and what it could not express travels next', () => {
  const carried = { target: { title: 'Crash' }, source: { title: 'Crash' } };
  const made = baseOfCreated('github', carried, { title: 'Crash', status: 'open' });
  expect(made).toEqual({ tracker: { title: 'Crash', status: 'open' }, github: { title: 'Crash', status: 'open' } });
});

describe('the base after a lost answer', () => {
  const carried = wrote({ title: 'new', status: 'completed' }, { title: 'old', status: 'open' });
  test.each([
    { name: 'everything arrived', shown: { title: 'new', status: 'completed' }, title: 'new', status: 'completed' },
    { name: 'nothing arrived', shown: { title: 'old', status: 'not_planned' }, title: 'old', status: undefined },
    { name: 'the status is on its way', shown: { title: 'new', status: 'open' }, title: 'new', status: 'open' },
    {
      name: 'somebody has edited it since',
      shown: { title: 'theirs', status: 'completed' },
      title: 'old',
      status: 'completed',
    },
  ])('when $name', ({ shown, title, status }) => {
    const after = settleFields(base, 'github', carried, ['open'], shown);
    expect([after.github.title, after.github.status]).toEqual([title, status]);
  });

  test('counts a status on its way as agreed by both, so that whatever the original says now travels', () => {
    expect(settleFields(base, 'github', carried, ['open'], { status: 'open' }).tracker.status).toBe('open');
  });
});
