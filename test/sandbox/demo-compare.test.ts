import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareWorlds } from '../../src/sandbox/demo/compare.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse } from '../support/bugferry.ts';

const repo = 'acme/widget';

/** The judge of the demo must not be blind: each row makes both sides differ in one thing that was equal before. */
describe('the comparison of both worlds', () => {
  let house: House;
  let copy = 0;

  beforeAll(async () => {
    house = await openHouse(fill);
  });
  afterAll(() => house.close());

  function fill(tracker: TrackerWorld): void {
    for (let number = 1; number <= 12; number += 1)
      tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    tracker.as('alice').comment(1, 'A public word.');
    tracker.as('alice').comment(1, 'A private word.', { isPrivate: true });
    tracker.hide(12);
  }

  test('finds every bug missing before anything was mirrored', () => {
    expect(compareWorlds(house).differences).toHaveLength(11);
  });

  test('finds nothing once everything was mirrored', async () => {
    await house.run('once');
    house.github.as('mona').comment(repo, 2, 'A word from GitHub.');
    await house.run('once');
    copy = house.tracker.commentsOf(2).at(-1)?.id ?? 0;
    expect(copy).toBeGreaterThan(0);
    expect(compareWorlds(house)).toEqual({ pairs: 11, comments: 2, hidden: 2, differences: [] });
  });

  const tamperings: readonly (readonly [string, () => void, RegExp])[] = [
    ['another title', () => house.github.as('mona').edit(repo, 3, { title: 'Other' }), /title of bug 3/],
    [
      'another status',
      () => house.tracker.as('admin').change(4, { status: 'RESOLVED', resolution: 'FIXED' }),
      /status of bug 4/,
    ],
    ['another reason', () => house.github.as('mona').close(repo, 5, 'not_planned'), /status of bug 5/],
    ['a label too many', () => house.github.as('mona').label(repo, 6, 'crash'), /labels of bug 6/],
    [
      'a keyword too many',
      () => house.tracker.as('admin').change(7, { keywords: { add: ['crash'] } }),
      /labels of bug 7/,
    ],
    ['a lost comment', () => void house.tracker.as('alice').comment(8, 'Lost.'), /comment \d+ of bug 8 has 0 copies/],
    [
      'a lost comment of GitHub',
      () => void house.github.as('mona').comment(repo, 9, 'Lost.'),
      /comment \d+ of acme\/widget#9 has 0 copies/,
    ],
    [
      'a doubled comment',
      () => void house.github.as('bugferry-bot').comment(repo, 1, house.github.commentsOf(repo, 1)[0]?.body ?? ''),
      /comment \d+ of bug 1 has 2 copies/,
    ],
    [
      'a doubled issue',
      () =>
        void house.github
          .as('bugferry-bot')
          .open(repo, { title: 'Twin', body: house.github.issue(repo, 10)?.body ?? '' }),
      /bug 10 has 2 issues/,
    ],
    [
      'an issue that nobody mirrors',
      () => void house.github.as('mona').open(repo, { title: 'Alone' }),
      /acme\/widget#\d+ has no bug/,
    ],
    ['a bug that became private', () => house.tracker.hide(11), /bug 11 is private, and yet/],
  ];
  test.each(tamperings)('finds %s', (_name, tamper, words) => {
    expect(compareWorlds(house).differences.filter((line) => words.test(line))).toEqual([]);
    tamper();
    expect(compareWorlds(house).differences.filter((line) => words.test(line))).toHaveLength(1);
  });
});
