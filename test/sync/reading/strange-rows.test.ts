/**
 * I11: a row of a list that does not say what it is about costs no other row. I2: what a tracker lists under the wrong
 * bug is not believed.
 */

import { expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a row of an answer, which loses some of it.
type Row = any;

const nameless: Readonly<Record<string, (row: Row) => unknown>> = {
  nothing: () => null,
  'an empty object': () => ({}),
  'a text': () => 'row',
  'a row whose numbers are null': (row) => ({ ...row, id: null, number: null }),
  'a row whose numbers are words': (row) => ({ ...row, id: 'twelve', number: 'five' }),
  'a row without its numbers': ({ id: _id, number: _number, ...rest }) => rest,
};

const lists = {
  bugs: { side: 'tracker', path: /\/rest\/bug\?/u },
  issues: { side: 'github', path: /\/issues\?/u },
  'comments on issues': { side: 'github', path: /\/issues\/comments\?/u },
} as const;

const cases = Object.entries(lists).flatMap(([list, where]) =>
  Object.entries(nameless).map(([name, change]) => [list, name, where, change] as const),
);

test.each(cases)('among %s, %s: everything else crosses in the same cycle', async (_list, _name, where, change) => {
  const world = stage();
  const alice = world.tracker.as('alice');
  for (let at = 1; at <= 3; at += 1) alice.file({ summary: `Pan ${at}`, description: 'Hot.' });
  let isOdd = false;
  let oddities = 0;
  const send = world.servers[where.side];
  const odd: typeof fetch = async (input, init) => {
    const answer = await send(input, init);
    if (!isOdd || !where.path.test(String(input)) || answer.status !== 200) return answer;
    const body: Row = await answer.json();
    const rows: unknown[] = Array.isArray(body) ? body : body.bugs;
    const at = rows.findIndex((row: Row) => row?.id === 2 || row?.number === 2 || row?.body?.includes('Second'));
    if (at >= 0) {
      rows[at] = change(rows[at]);
      oddities += 1;
    }
    return new Response(JSON.stringify(body), answer);
  };
  Object.assign(world.servers, { [where.side]: odd });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const next = async (work: typeof cycle | typeof sweep, count = 1): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      world.clock.advance(61_000);
      await work(context, { isForced: true });
    }
  };
  await next(cycle, 3);
  const person = world.github.as('mona');
  isOdd = true;
  person.comment(repo, 2, 'Second');
  person.comment(repo, 1, 'First');
  alice.change(2, { summary: 'Pot 2' });
  alice.change(3, { summary: 'Pot 3' });
  await next(cycle, 2);
  const texts = (bug: number): string => JSON.stringify(world.tracker.commentsOf(bug));
  expect(oddities).toBeGreaterThan(0);
  expect([texts(1).includes('First'), world.github.issue(repo, 3)?.title]).toEqual([true, 'Pot 3']);
  isOdd = false;
  await next(sweep);
  await next(cycle, 2);
  expect([texts(2).includes('Second'), world.github.issue(repo, 2)?.title]).toEqual([true, 'Pot 2']);
});

test('a comment of another bug is not copied, and the other bugs cross', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const send = world.servers.tracker;
  let strange = 0;
  const odd: typeof fetch = async (input, init) => {
    const answer = await send(input, init);
    if (!/\/comment\b/u.test(String(input)) || answer.status !== 200) return answer;
    const body: Row = await answer.json();
    const [row] = body.bugs['1']?.comments ?? [];
    if (row !== undefined)
      strange += body.bugs['1'].comments.push({ ...row, id: 990, bug_id: 77, text: 'Other words' });
    return new Response(JSON.stringify(body), answer);
  };
  Object.assign(world.servers, { tracker: odd });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  for (let at = 1; at <= 2; at += 1) alice.file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let at = 0; at < 4; at += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: true });
  }
  expect(strange).toBeGreaterThan(0);
  const issues = world.github.issues(repo);
  expect(JSON.stringify(issues.map(({ number }) => world.github.commentsOf(repo, number)))).not.toContain(
    'Other words',
  );
  expect(issues.map(({ title }) => title)).toContain('Pan 2');
});
