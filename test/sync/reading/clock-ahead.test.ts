import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

/**
 * The clock of this machine is ahead from some request of a cycle to its end, and right in the next one. No wait that a
 * side causes in between may get longer than it is.
 */
const hour = 3_600_000;

async function house(aheadMs: number) {
  const world = stage();
  const skew = { now: 0 };
  const clock = { ...world.clock, now: () => world.clock.now() + skew.now };
  Object.assign(world, { store: openStore(':memory:', { mode: 'write', now: clock.now, scrub }) });
  const asked = { answer: (_line: string): Response | null => null };
  for (const side of ['tracker', 'github'] as const) {
    const send = world.servers[side];
    const answering: typeof send = async (input, init) => {
      const answer = asked.answer(`${side} ${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
      if (answer === null) return send(input, init);
      skew.now = aheadMs;
      return answer;
    };
    Object.assign(world.servers, { [side]: answering });
  }
  const context = contextOn({ ...world, clock }, widgetRoute, { limits: { ...testLimits, settleMs: 1_000 } });
  const pass = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      world.clock.advance(61_000);
      await cycle(context, { isForced: false }).catch((error: Error) => error);
      skew.now = 0;
    }
  };
  for (const number of [1, 2, 3])
    world.tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
  await pass(4);
  return { ...world, asked, pass };
}

const busy = (status: number, body: unknown) => () => Response.json(body, { status, headers: { 'retry-after': '60' } });
const limited = busy(403, { message: 'You have exceeded a secondary rate limit' });
const failing = () => Response.json({ message: 'Server Error' }, { status: 500 });

test.each([
  ['GitHub asks for a minute at a read', 'github GET /repos/acme/widget/issues', limited],
  ['GitHub asks for a minute at a write', 'github POST /repos/acme/widget/issues/1/comments', limited],
  ['the tracker asks for a minute', 'tracker GET /rest/bug', busy(503, { error: true, message: 'busy' })],
  ['the comments of a bug fail', 'tracker GET /rest/bug/1/comment', failing],
  ['a write to GitHub fails', 'github POST /repos/acme/widget/issues/1/comments', failing],
])('%s, and it is over in minutes', async (_name, line, answer) => {
  for (const aheadMs of [20 * hour, 400 * 24 * hour]) {
    const { tracker, github, asked, pass } = await house(aheadMs);
    tracker.as('alice').comment(1, 'Seen again.');
    let answers = 0;
    asked.answer = (each) => {
      if (each !== line) return null;
      answers += 1;
      return answer();
    };
    await pass(1);
    asked.answer = () => null;
    await pass(12);
    const crossed = github.commentsOf(repo, 1).filter(({ body }) => body.includes('Seen again.')).length;
    expect([answers > 0, crossed]).toEqual([true, 1]);
  }
});
