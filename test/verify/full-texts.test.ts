import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { linesOf, verified } from './mirror.ts';

/** GitHub takes 65,536 characters, and the tracker 65,535: such texts have no room for our lines, and cross in parts. */
const full = 65_536;
const short = 'A text with room.';

async function pairOf(body: string, comment = short) {
  const world = stage();
  const mona = world.github.as('mona');
  const issue = mona.open(repo, { title: 'Full', body });
  mona.comment(repo, issue, comment);
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  for (let turns = 0; turns < 6; turns += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: true });
  }
  return { world, issue, context, report: await verified(context) };
}

test.each([
  ['of lines', 'A line of a log that says nothing.\n'.repeat(2_000).slice(0, full - 1)],
  ['of one word', 'x'.repeat(full)],
  ['of one word in another script', '漢'.repeat(full)],
  ['that is nearly full', `${'x'.repeat(65_100)} and so on`],
])('a body %s is left out of what has to name its bug, and reads the same', async (_name, body) => {
  const { report } = await pairOf(body);
  expect(linesOf(report)).toEqual([]);
  expect(report.pairs[0]?.leftOut).toEqual([
    expect.objectContaining({ why: expect.stringContaining('has no room for the line that names its bug') }),
  ]);
});

test.each([
  ['one word', 'y'.repeat(full)],
  ['words and one long one', `begin ${'y'.repeat(full - 20)} end`],
  ['a long word between lines', `${'y'.repeat(30_000)}\n${'z'.repeat(30_500)}`],
])('a comment of %s reads the same in its parts', async (_name, comment) => {
  const { report } = await pairOf(short, comment);
  expect(linesOf(report)).toEqual([]);
  expect(report.pairs[0]?.leftOut).toEqual([]);
});

test('a body with room that names no bug is a difference, and so are other words of a full one', async () => {
  const { world, issue, context } = await pairOf(short);
  const bodyIs = (body: string) => world.github.as('mona').edit(repo, issue, { body });
  bodyIs(short);
  expect(linesOf(await verified(context))).toEqual([expect.stringContaining('does not name its bug')]);
  bodyIs('x'.repeat(full));
  expect(linesOf(await verified(context))).toEqual([expect.stringContaining('reads differently')]);
});
