/** One answer about comments that is wrong, and right ones ever after: what it cost is mended by a full comparison. */

import { expect, test } from 'vitest';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a comment of an answer, which loses some of it.
type Row = any;

const wrongs: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  'no comment': () => [],
  'not the last one': (rows) => rows.slice(0, -1),
  'the last one alone': (rows) => rows.slice(-1),
  'comments without their privacy': (rows) => rows.map(({ is_private: _lost, ...rest }) => rest),
  'one without its privacy': (rows) => rows.map((row, at) => (at === 1 ? { ...row, is_private: undefined } : row)),
  'private comments': (rows) => rows.map((row) => ({ ...row, is_private: true })),
};

/** Once each; a copy that returns comes after the others. */
const words = ({ github }: Stage) =>
  [
    ...(github.issue(repo, 1)?.body.includes('Hot.') ? ['Body'] : []),
    ...github.commentsOf(repo, 1).map(({ body }) => ['First', 'Second', 'Third'].find((each) => body.includes(each))),
  ].toSorted();

async function mended(reader: 'our account' | 'everybody', wrong: (rows: readonly Row[]) => readonly Row[]) {
  const world = stage();
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'Pan', description: 'Hot.' });
  for (const text of ['First', 'Second']) alice.comment(bug, text);
  let left = 0;
  const { tracker } = world.servers;
  const changing: typeof fetch = async (input, init) => {
    const answer = await tracker(input, init);
    const isAnonymous = !new Headers(init?.headers).has('x-bugzilla-api-key') && !String(input).includes('api_key');
    if (left === 0 || isAnonymous !== (reader === 'everybody') || !/\/comment\b/u.test(String(input))) return answer;
    left -= 1;
    const body = (await answer.json()) as { readonly bugs: Record<string, { comments: readonly Row[] }> };
    for (const thread of Object.values(body.bugs)) thread.comments = wrong(thread.comments);
    return new Response(JSON.stringify(body), answer);
  };
  Object.assign(world.servers, { tracker: changing });
  const context = contextOn(world, { ...widgetRoute, visibilityCheck: 'anonymous' }, { limits: testLimits });
  const next = async (work: typeof cycle | typeof sweep, count = 1): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      world.clock.advance(61_000);
      await work(context, { isForced: true });
    }
  };
  await next(cycle, 3);
  alice.comment(bug, 'Third');
  left = 1;
  await next(cycle);
  const wasWrong = left === 0;
  left = 0;
  await next(cycle, 3);
  await next(sweep);
  await next(cycle, 3);
  const before = world.github.requests.filter(({ method }) => method !== 'GET').length;
  await next(sweep);
  await next(cycle, 2);
  const after = world.github.requests.filter(({ method }) => method !== 'GET').length;
  return { wasWrong, words: words(world), later: after - before };
}

const rows = Object.entries(wrongs).flatMap(([name, wrong]) =>
  (['our account', 'everybody'] as const).map((reader) => [reader, name, wrong] as const),
);

test.each(rows)('%s is shown %s', async (reader, _name, wrong) => {
  expect(await mended(reader, wrong)).toEqual({
    wasWrong: true,
    words: ['Body', 'First', 'Second', 'Third'],
    later: 0,
  });
});
