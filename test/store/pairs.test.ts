import { expect, test } from 'vitest';
import { bugId, issueNumber, type LinkId } from '../../src/model/ids.ts';
import { pairFilters } from '../../src/model/link.ts';
import { openStore } from '../../src/store/open.ts';
import { buried, conflictOf, frozen, halfLink, sampleBug, skipOf, updateOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

const every = [[11, 2], [9, 8], [8], [3], [5], [4]];
const expected = [
  [[11, 10, 9, 8, 6, 5, 4, 3, 2, 1], ...every],
  [[11, 10, 9, 8, 6, 5, 4, 3, 2, 1], ...every],
  [[8], [2], [8], [8], [3], [5], [4]],
  [[6], [], [], [], [], [], []],
];

/** The contract of the store says what each list is. */
test('each list on the page has its pairs, with and without a search', () => {
  const store = openStore(':memory:', { mode: 'write', now: () => 0, scrub });
  const add = (bug: number, summary: string, change: object = {}): LinkId =>
    store.links.add({
      ...halfLink(bug),
      urgency: 'none',
      tracker: { ...sampleBug, id: bugId(bug), summary },
      github: null,
      ...change,
    }).id;
  add(1, 'Same in step');
  add(2, 'Same live', { urgency: 'live' });
  add(3, 'Same frozen', frozen);
  add(4, 'Same buried', buried);
  add(5, 'Same withdrawn', { isWithdrawn: true });
  add(6, 'Other title', { github: { title: 'The same elsewhere' }, issue: issueNumber(9) });
  add(7, 'Same route', { route: 'pot' });
  const [parked, conflict, left, planned] = [
    add(8, 'Same 8'),
    add(9, 'Same 9'),
    add(10, 'Same 10'),
    add(11, 'Same 11'),
  ];
  store.outbox.replace('kettle', [parked], [updateOf(parked, 'one', 'A')]);
  store.outbox.mark(updateOf(parked, 'one', 'A').key, { state: 'parked' });
  store.outbox.replace('kettle', [planned], [updateOf(planned, 'two', 'A')]);
  store.findings.replace(conflict, [conflictOf(conflict, null, 'B')], [], 1);
  store.findings.replace(left, [], [skipOf(left, 'why')], 1);
  const list = (words: string, before: LinkId | null, limit: number) =>
    pairFilters.map((filter) =>
      store.pairs.list({ route: 'kettle', filter, words, before }, limit).map(({ bug }) => Number(bug)),
    );
  expect([list('', null, 20), list('same', null, 20), list('', conflict, 1), list('oth', null, 20)]).toEqual(expected);
  store.close();
});
