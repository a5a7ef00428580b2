import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Side } from '../../src/model/ids.ts';
import { cyclePass } from '../../src/sync/daemon.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { some } from '../tiers/depth.ts';

/**
 * A firewall takes one text for an attack, and answers whatever would show it as if there were too many requests: that
 * costs what has the text, and nothing else.
 */
const minuteMs = 60_000;
const route = { ...widgetRoute, attachments: branchRule };
let world: Stage;
let kept: Context | null;
let met: { at: number; what: string }[];

beforeEach(() => {
  world = stage();
  kept = null;
  met = [];
});

/** Each cycle has a context of its own, as each new process has, or all have the one that is kept. */
const context = (): Context => kept ?? contextOn(world, route, { limits: { ...testLimits, attempts: 5 } });

async function turn(afterMs = minuteMs): Promise<void> {
  world.clock.advance(afterMs);
  const now = context();
  const runner = {
    ...now,
    name: 'widget',
    isConcerned: () => true,
    context: async () => now,
    known: () => now,
    renew: () => undefined,
  };
  await cyclePass([runner], { isForced: () => false, signal: new AbortController().signal });
}

async function turns(count: number, afterMs = minuteMs): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn(afterMs);
}

interface Refusal {
  readonly status: number;
  readonly retryAfter?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Guarded {
  /** Which requests are refused: those whose answer shows "evil", those that write it, or these. */
  readonly of: 'reads' | 'writes' | ((what: string) => boolean);
}

/** @returns what lifts it */
function firewall(side: Side, { status, retryAfter, headers = {} }: Refusal, { of }: Guarded): () => void {
  const send = world.servers[side];
  const asked = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const refuse = (what: string): Response => {
    met.push({ at: world.clock.now(), what });
    return new Response('<h1>Slow down</h1>', {
      status,
      headers: { 'content-type': 'text/html', ...asked, ...headers },
    });
  };
  const guarded: typeof fetch = async (input, init) => {
    const what = `${init?.method} ${new URL(String(input)).pathname}`;
    const isWritten = !what.startsWith('GET ') && sentIn(init?.body).includes('evil');
    if (typeof of === 'function' ? of(what) : of === 'writes' && isWritten) return refuse(what);
    const answer = await send(input, init);
    const isShown = what.startsWith('GET ') && (await answer.clone().text()).includes('evil');
    return of === 'reads' && isShown ? refuse(what) : answer;
  };
  Object.assign(world.servers, { [side]: guarded });
  return () => void Object.assign(world.servers, { [side]: send });
}

/** A file that is sent as it is shows as what Git would send. */
const sentIn = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString('base64') : String(body ?? '');

/** All texts of an issue or a bug. */
const textsOn = (side: Side, ref: number): string =>
  JSON.stringify(
    side === 'tracker'
      ? [world.tracker.bug(ref), world.tracker.commentsOf(ref)]
      : [world.github.issue(repo, ref), world.github.commentsOf(repo, ref)],
  );

const refusals: readonly Refusal[] = [
  { status: 429, retryAfter: '60' },
  { status: 429 },
  { status: 503, retryAfter: '120' },
  { status: 408 },
];

const alice = () => world.tracker.as('alice');
const mona = () => world.github.as('mona');

async function threePairs(): Promise<void> {
  for (const summary of ['One', 'Two', 'Three']) alice().file({ summary });
  await turns(4);
}

/** How many minutes somebody else's comment takes from now on, in this direction. */
async function minutesFor(text: string, from: Side): Promise<number> {
  if (from === 'tracker') alice().comment(2, text);
  else mona().comment(repo, 2, text);
  const isThere = (): boolean =>
    from === 'tracker'
      ? world.github.commentsOf(repo, 2).some(({ body }) => body.includes(text))
      : world.tracker.commentsOf(2).some((comment) => comment.text.includes(text));
  for (let minutes = 1; minutes < 120; minutes += 1) {
    await turn();
    if (isThere()) return minutes;
  }
  return Number.NaN;
}

const evils: Readonly<Record<Side, Readonly<Record<string, () => void>>>> = {
  tracker: {
    comment: () => void alice().comment(1, 'evil'),
    summary: () => void alice().change(1, { summary: 'evil' }),
    'new bug': () => void alice().file({ summary: 'evil' }),
    file: () => void alice().attach(1, { bytes: new TextEncoder().encode('x'), file_name: 'evil.txt' }),
  },
  github: {
    comment: () => void mona().comment(repo, 1, 'evil'),
    title: () => mona().edit(repo, 1, { title: 'evil' }),
    'new issue': () => void mona().open(repo, { title: 'evil', body: '' }),
  },
};

const cases = (['tracker', 'github'] as const).flatMap((side) =>
  Object.keys(evils[side]).flatMap((what) => refusals.map((refusal) => [side, what, refusal] as const)),
);

describe('a pause that a side asks for at what it would show', () => {
  test.each(some(cases, 7))('costs that item and no other: %s, %s, %j', async (side, what, refusal) => {
    await threePairs();
    const lift = firewall(side, refusal, { of: 'reads' });
    evils[side][what]?.();
    const waits: number[] = [];
    for (let count = 1; count <= 3; count += 1) {
      waits.push(await minutesFor(`other ${count} of the tracker.`, 'tracker'));
      waits.push(await minutesFor(`other ${count} of GitHub.`, 'github'));
      await turns(3, 4 * minuteMs);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(3);
    const ref = what.startsWith('new') ? 4 : 1;
    expect(world.store.setAside.ofRoute('widget')).toMatchObject([{ side, ref, cause: 'side' }]);
    lift();
    await turns(3, 24 * 60 * minuteMs);
    await turns(3);
    expect(world.store.setAside.ofRoute('widget')).toEqual([]);
    expect(textsOn(side === 'tracker' ? 'github' : 'tracker', ref)).toContain('evil');
  });

  test('is noticed by one process as well, and after a quiet hour', async () => {
    await threePairs();
    firewall('tracker', { status: 429, retryAfter: '60' }, { of: 'reads' });
    kept = context();
    evils.tracker['comment']?.();
    await turns(30, 10 * minuteMs);
    expect(await minutesFor('other.', 'tracker')).toBeLessThanOrEqual(3);
  });

  test('is not asked of the side again each time that the item is tried', async () => {
    await threePairs();
    firewall('github', { status: 429 }, { of: 'reads' });
    kept = context();
    evils.github['comment']?.();
    await turns(30);
    const paused = world.store.budgets.lastBackoff('github')?.until;
    await turns(96, 60 * minuteMs);
    expect(met.length).toBeGreaterThan(10);
    expect(world.store.budgets.lastBackoff('github')?.until).toBe(paused);
  });

  test('is met on many bugs at once', async () => {
    for (let bug = 1; bug <= 30; bug += 1) alice().file({ summary: `Bug ${bug}` });
    await turns(6);
    firewall('tracker', { status: 429, retryAfter: '60' }, { of: 'reads' });
    for (let bug = 3; bug <= 30; bug += 3) alice().comment(bug, 'evil');
    for (let bug = 4; bug <= 30; bug += 3) alice().comment(bug, 'good');
    await turns(4);
    expect(world.store.setAside.ofRoute('widget').map(({ ref }) => ref)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
    const copied = world.github.issues(repo).filter(({ number }) => textsOn('github', number).includes('good'));
    expect(copied).toHaveLength(9);
  });
});

/** Who writes "evil" on one side, for the other one. */
const writes = (['tracker', 'github'] as const).flatMap((side) =>
  Object.keys(evils[side === 'tracker' ? 'github' : 'tracker']).flatMap((what) =>
    refusals.map((refusal) => [side, what, refusal] as const),
  ),
);

describe('a pause that a side asks for at what it would store', () => {
  test.each(some(writes, 7))('costs that write and no other: %s, %s, %j', async (side, what, refusal) => {
    await threePairs();
    firewall(side, refusal, { of: 'writes' });
    evils[side === 'tracker' ? 'github' : 'tracker'][what]?.();
    const waits: number[] = [];
    for (let count = 1; count <= 8; count += 1) {
      waits.push(await minutesFor(`other ${count} of the tracker.`, 'tracker'));
      waits.push(await minutesFor(`other ${count} of GitHub.`, 'github'));
      await turns(5, 4 * minuteMs);
    }
    // What is answered so three times in a row gives way; files ask in two requests.
    expect(Math.max(...waits)).toBeLessThanOrEqual(5);
    expect(Math.max(...waits.slice(2))).toBeLessThanOrEqual(2);
    const before = met.length;
    expect(before).toBeLessThanOrEqual(18);
    await turns(60);
    expect(met.length - before).toBeLessThanOrEqual(3);
    expect(world.store.outbox.count('widget')).toMatchObject({
      sent: 0,
      parked: expect.toSatisfy((parked: number) => parked > 0),
    });
  });
});

test('a file at which GitHub asks for a pause comes after what else the cycle writes', async () => {
  await threePairs();
  firewall('github', { status: 429 }, { of: (what) => what.includes('/git/blobs') });
  evils.tracker['file']?.();
  alice().comment(2, 'Other words.');
  await turns(2);
  expect(met.length).toBeGreaterThan(0);
  expect(textsOn('github', 2)).toContain('Other words.');
});

/** What Git is sent of it is "evil" seven times. */
const evilBytes = Buffer.from('evil'.repeat(7), 'base64');

describe.each(['branch', 'release'] as const)('files in a %s', (store) => {
  /** How many minutes five files take that come after one that is refused. */
  async function minutesBehind(side: Side, refusal: Refusal, of: Guarded['of']): Promise<number> {
    firewall(side, refusal, { of });
    const limits = { ...testLimits, attempts: 5 };
    kept = contextOn(world, { ...route, attachments: { ...branchRule, store } }, { limits });
    alice().attach(1, { bytes: evilBytes, file_name: 'evil.bin' });
    const others = [1, 2, 2, 3, 3].map((bug, index) =>
      alice().attach(bug, { bytes: Buffer.from(`good ${index}`), file_name: `good-${index}.txt` }),
    );
    const areThere = () => others.every((id) => world.store.attachmentLinks.byAttachment(id)?.copy != null);
    for (let minutes = 1; minutes < 120; minutes += 1) {
      await turn();
      if (areThere()) return minutes;
    }
    return Number.NaN;
  }

  const all = [...refusals, { status: 500 }, { status: 502 }];

  test.each(all)('one that GitHub answers with %j holds no other', async (refusal) => {
    await threePairs();
    expect(await minutesBehind('github', refusal, 'writes')).toBeLessThanOrEqual(3);
    expect(met.length).toBeLessThanOrEqual(3);
  });

  test.each(all)('one whose content the tracker answers with %j holds no other, nor GitHub', async (refusal) => {
    await threePairs();
    expect(await minutesBehind('tracker', refusal, (what) => what.endsWith('/bug/attachment/1'))).toBeLessThanOrEqual(
      3,
    );
    expect(met.length).toBeLessThanOrEqual(3);
    expect(world.store.budgets.lastBackoff('github')).toBeNull();
    await turns(40);
    expect(met.length).toBeLessThanOrEqual(15);
    expect(world.store.budgets.lastBackoff('github')).toBeNull();
  });
});

describe('a pause that a side asks for at everything', () => {
  test.each(
    (['tracker', 'github'] as const).flatMap((side) => refusals.slice(0, 3).map((refusal) => [side, refusal] as const)),
  )('is kept to, and nothing is set aside: %s, %j', async (side, refusal) => {
    await threePairs();
    let isLimited = true;
    firewall(side, refusal, { of: () => isLimited });
    alice().comment(1, 'said to GitHub');
    mona().comment(repo, 2, 'said to the tracker');
    await turns(4 * 60);
    expect(world.store.setAside.ofRoute('widget')).toEqual([]);
    // The pauses grow to an hour. After each, a new process greets, reads, and asks whether that concerns everything.
    expect(met.length).toBeLessThanOrEqual(30);
    isLimited = false;
    await turns(65);
    expect(textsOn('github', 1)).toContain('said to GitHub');
    expect(textsOn('tracker', 2)).toContain('said to the tracker');
  });

  test.each([
    ['thread', /^GET .*\/issues\/\d+\/comments$/u],
    ['list', /^GET .*\/issues(?:\/comments)?$/u],
    ['thread of a tracker', /^GET .*\/bug\/\d+\/comment$/u],
  ] as const)('is one of all if it is one of every %s', async (what, pattern) => {
    await threePairs();
    const said = [1, 2, 3].map((issue) => mona().comment(repo, issue, 'Said.'));
    await turns(2);
    let isLimited = true;
    const side = what.endsWith('tracker') ? 'tracker' : 'github';
    firewall(side, { status: 429 }, { of: (request) => isLimited && pattern.test(request) });
    for (const comment of said) mona().deleteComment(repo, comment);
    for (const bug of [1, 2, 3]) alice().comment(bug, 'More words.');
    await turns(4 * 60);
    expect(world.store.setAside.ofRoute('widget')).toEqual([]);
    expect(met.length).toBeLessThanOrEqual(60);
    isLimited = false;
    await turns(65);
    for (const issue of [1, 2, 3]) expect(textsOn('github', issue)).toContain('More words.');
  });

  test('is kept to without a question while the hourly allowance is used up', async () => {
    await threePairs();
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(world.clock.now() / 1_000 + 1_800) };
    firewall('github', { status: 403, headers }, { of: 'reads' });
    mona().comment(repo, 1, 'evil');
    await turns(2);
    const before = met.length;
    await turns(25);
    expect([before, met.length]).toEqual([1, 1]);
  });
});
