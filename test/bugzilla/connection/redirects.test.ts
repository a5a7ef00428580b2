import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import { cyclePass } from '../../../src/sync/daemon.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

/** What stands before a tracker sends requests elsewhere: the key goes nowhere, and no write is lost or done twice. */
let world: Stage;
let addresses: string[];
let kept: Context;

beforeEach(async () => {
  world = stage();
  addresses = [];
  kept = contextOn(world, widgetRoute, { limits: testLimits });
  world.tracker.as('alice').file({ summary: 'One' });
  world.tracker.as('alice').file({ summary: 'Two' });
  await turns(4);
});

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(60_000);
    const runner = {
      ...kept,
      name: 'widget',
      isConcerned: () => true,
      context: async () => kept,
      known: () => kept,
      renew: () => undefined,
    };
    await cyclePass([runner], { isForced: () => false, signal: new AbortController().signal });
  }
}

interface Redirect {
  readonly status: number;
  readonly location: string;
  /** Whether this request is sent elsewhere; `text` is what it writes or what it would show. */
  readonly is: (method: string, text: string) => boolean;
  /** Whether it took effect before. */
  readonly isDone?: boolean;
}

function redirect({ status, location, is, isDone = false }: Redirect): () => void {
  const send = world.servers.tracker;
  const other = (): Response => new Response('<h1>Moved</h1>', { status, headers: { location } });
  const sent: typeof fetch = async (input, init) => {
    addresses.push(String(input));
    const method = init?.method ?? 'GET';
    if (method !== 'GET') {
      if (!is(method, String(init?.body))) return send(input, init);
      if (isDone) await send(input, init);
      return other();
    }
    const answer = await send(input, init);
    return is(method, await answer.clone().text()) ? other() : answer;
  };
  Object.assign(world.servers, { tracker: sent });
  // The client of the context that is kept holds the function itself.
  kept = contextOn(world, widgetRoute, { limits: testLimits });
  return () => {
    Object.assign(world.servers, { tracker: send });
    kept = contextOn(world, widgetRoute, { limits: testLimits });
  };
}

const mona = () => world.github.as('mona');
const statuses = [301, 302, 303, 307, 308];
const said = (): readonly string[] =>
  world.tracker.commentsOf(1).flatMap(({ text }) => /said \d/u.exec(text)?.[0] ?? []);

const places = [
  ['https://bugs.example.net/rest/bug/1', 'https://bugs.example.net'],
  ['http://bugs.example.test/tracker/rest/bug', 'http://bugs.example.test/tracker'],
  ['/tracker/rest.cgi/bug', 'https://bugs.example.test/tracker'],
  ['https://login.example.net/sso?from=secret', 'https://login.example.net/sso'],
] as const;

describe('a redirect of everything', () => {
  test.each(statuses.flatMap((status) => places.map((place) => [status, ...place] as const)))(
    'is followed nowhere, and names what to configure: %i to %s',
    async (status, location, shown) => {
      const lift = redirect({ status, location, is: () => true });
      mona().comment(repo, 1, 'said 1');
      mona().edit(repo, 2, { title: 'A better title' });
      await turns(4);
      const [failed] = world.store.failures.ofRoute('widget');
      expect(failed?.why).toContain(`redirects to ${shown}; set its actual address`);
      expect(addresses.filter((address) => !address.startsWith('https://bugs.example.test/rest/'))).toEqual([]);
      lift();
      await turns(3);
      expect([said(), world.tracker.bug(2)?.summary]).toEqual([['said 1'], 'A better title']);
      expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
    },
  );
});

/** With 307 and 308, nothing took effect. */
const writes = statuses.flatMap((status) =>
  status > 303 ? [[status, false] as const] : [[status, false] as const, [status, true] as const],
);

describe('a redirect of writes alone', () => {
  test.each(writes)('loses nothing and repeats nothing: %i, after it took effect: %j', async (status, isDone) => {
    const lift = redirect({ status, location: '/index.cgi', is: (method) => method !== 'GET', isDone });
    mona().comment(repo, 1, 'said 1');
    world.clock.advance(2_000);
    mona().comment(repo, 1, 'said 2');
    mona().edit(repo, 2, { title: 'A better title' });
    mona().open(repo, { title: 'A new one', body: '' });
    await turns(20);
    const { parked } = world.store.outbox.count('widget');
    lift();
    mona().comment(repo, 1, 'said 3');
    await turns(30);
    expect([said(), world.tracker.bug(2)?.summary]).toEqual([['said 1', 'said 2', 'said 3'], 'A better title']);
    expect(world.tracker.bugs().map(({ summary }) => summary)).toEqual(['One', 'A better title', 'A new one']);
    expect([parked, world.store.outbox.count('widget')]).toEqual([0, { planned: 0, sent: 0, parked: 0 }]);
  });
});

test.each(statuses)('a redirect of what would show one text costs what has it: %i', async (status) => {
  redirect({ status, location: 'https://bugs.example.test/blocked', is: (_method, text) => text.includes('evil') });
  world.tracker.as('alice').comment(1, 'evil');
  world.tracker.as('alice').comment(2, 'hello');
  await turns(4);
  expect(world.github.commentsOf(repo, 2).map(({ body }) => body.includes('hello'))).toEqual([true]);
  expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ ref: 1, cause: 'side' }]);
});
