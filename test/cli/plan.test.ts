import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openStore } from '../../src/store/open.ts';
import { type House, openHouse, runHere } from '../support/bugferry.ts';
import { plant } from '../support/plant.ts';
import { type Random, random } from '../support/random.ts';
import { scrub } from '../support/scrub.ts';
import { some } from '../tiers/depth.ts';

const repo = 'acme/widget';

let house: House;

beforeEach(async () => {
  house = await openHouse(fill);
});
afterEach(() => house.close());

function fill(tracker: TrackerWorld): void {
  for (let number = 1; number <= 6; number += 1)
    tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
  tracker.as('alice').comment(1, 'First.');
  tracker.as('alice').comment(1, 'For insiders.', { isPrivate: true });
}

/** GitHub refused the 31st creation within an hour. */
const refusedHour = { windowMs: 3_600_000, passedMax: 30, allowedMax: 30, filledAt: null, forgottenAt: null };

interface PlanDocument {
  readonly routes: readonly {
    readonly operations: readonly Operation[];
    readonly waiting: readonly { readonly operation: Operation; readonly notBeforeAt: number | null }[];
    readonly parked: readonly unknown[];
    readonly conflicts: readonly unknown[];
  }[];
}
interface Happening {
  readonly kind: string;
  readonly operation: Operation;
  readonly result: { readonly kind: string };
}

const isCreation = ({ on, kind }: Operation): boolean => on === 'github' && (kind === 'create' || kind === 'comment');
const nameOf = ({ key, on, kind, about }: Operation): string => `${key} ${kind} ${about} on ${on}`;

/** What both worlds and the state file hold. */
const everything = (): string => {
  const { tracker, github, state } = house;
  const bugs = tracker.bugs().map((bug) => [bug, tracker.commentsOf(bug.id)]);
  const issues = github.issues(repo).map((issue) => [issue, github.commentsOf(repo, issue.number)]);
  const files = ['', '-wal'].map((end) => contentOf(`${state}${end}`));
  return JSON.stringify([bugs, issues, files]);
};

function contentOf(file: string): string {
  try {
    return readFileSync(file).toString('base64');
  } catch {
    return 'none';
  }
}

/**
 * What people do: some of it to the same pair on both sides, some of it refused by the tracker, some of it without a
 * way back.
 */
const acts: readonly ((chance: Random, bug: number, issue: number) => void)[] = [
  (chance, bug) => house.tracker.as('admin').change(bug, { summary: `Renamed ${chance.below(1000)}` }),
  (chance, _bug, issue) => house.github.as('mona').edit(repo, issue, { title: `Retitled ${chance.below(1000)}` }),
  (_chance, bug) => house.tracker.as('alice').comment(bug, 'A word.'),
  (_chance, _bug, issue) => house.github.as('mona').comment(repo, issue, 'Another word.'),
  (_chance, _bug, issue) => house.github.as('mona').comment(repo, issue, 'x'.repeat(65_530)),
  (_chance, _bug, issue) => house.github.as('mona').close(repo, issue, 'not_planned'),
  (_chance, bug) => house.tracker.as('admin').change(bug, { severity: 'minor' }),
  (_chance, bug) => house.tracker.hide(bug),
  (chance) => house.tracker.as('carol').file({ summary: `New ${chance.below(1000)}`, description: 'Filed.' }),
  (chance) => house.github.as('mona').open(repo, { title: `New ${chance.below(1000)}`, body: 'Opened.' }),
  (chance) => house.github.as('mona').open(repo, { title: `Too long ${chance.below(1000)}`, body: 'x'.repeat(65_530) }),
];

describe('plan equals once', () => {
  const seeds = some(
    Array.from({ length: 12 }, (_none, index) => index + 1),
    4,
  );

  test.each(seeds)('seed %i: what plan prints is what once does, and plan writes nothing', async (seed) => {
    const chance = random(seed);
    house.configure((config) => {
      config.routes[0].conflicts = chance.pick(['newest', 'tracker', 'github', 'ask']);
      config.limits.writesPerCycle = chance.pick([500, 500, 7]);
      config.limits.brakeShare = 1;
    });
    for (let pass = 0; pass < 3; pass += 1) {
      await planAndOnce();
      for (let count = chance.below(6); count > 0; count -= 1) {
        const issue = chance.pick(house.github.issues(repo));
        try {
          chance.pick(acts)(chance, 1 + chance.below(6), issue.number);
        } catch {
          // People are refused now and then: an act that does not fit the state of the world is no act.
        }
      }
    }
    await planAndOnce();
  });

  const long = 'x'.repeat(65_530);
  const awkward: readonly (readonly [string, () => void, () => void])[] = [
    [
      'a parked comment with a new one beside it',
      () => void house.github.as('mona').comment(repo, 1, long),
      () => void house.github.as('mona').comment(repo, 1, 'Shorter.'),
    ],
    [
      'a comment on an issue whose bug the tracker refused',
      () => void house.github.as('mona').open(repo, { title: 'Too long', body: long }),
      () => void house.github.as('mona').comment(repo, 7, 'Is anybody there?'),
    ],
    [
      'a parked comment whose text becomes short enough',
      () => void house.github.as('mona').comment(repo, 1, long),
      () => house.github.as('mona').editComment(repo, house.github.commentsOf(repo, 1).at(-1)?.id ?? 0, 'Shorter.'),
    ],
    [
      'a comment of two parts for a bug that turns out to be hidden',
      () => {
        house.github.as('mona').comment(repo, 1, long);
        house.tracker.hide(1);
      },
      () => void house.github.as('mona').comment(repo, 1, 'Shorter.'),
    ],
  ];
  test.each(awkward)('%s', async (_name, first, then) => {
    await planAndOnce();
    first();
    await planAndOnce();
    then();
    await planAndOnce();
    expect((await house.run('plan')).out).toContain('Nothing to write.');
  });

  test.each([1, 2, 4, 5, 6])(
    '%i creations an hour: what exceeds them waits, and what is no creation does not',
    async (createsPerHour) => {
      house.configure((config) => {
        config.limits.github.createsPerHour = createsPerHour;
      });
      await planAndOnce();
      house.tracker.as('admin').change(1, { summary: 'Renamed meanwhile' });
      house.github.as('mona').comment(repo, 1, 'Any news?');
      await planAndOnce();
    },
  );

  test.each([3, 9, 10])(
    '%i creations an hour among issues and comments: as many are made as planned',
    async (createsPerHour) => {
      for (const bug of [2, 3, 4]) for (const text of ['One.', 'Two.']) house.tracker.as('alice').comment(bug, text);
      house.configure((config) => {
        config.limits.github.createsPerHour = createsPerHour;
      });
      const [document] = (await house.run('plan', '--json')).json<PlanDocument>();
      const { operations, waiting } = document?.routes[0] ?? { operations: [], waiting: [] };
      const wanted = waiting.filter(({ operation }) => isCreation(operation));
      expect(operations.filter(isCreation)).toHaveLength(createsPerHour);
      expect(wanted).toHaveLength(13 - createsPerHour);
      for (const { notBeforeAt } of wanted) expect(notBeforeAt).toBeGreaterThan(Date.now() + 3_500_000);
      const once = await house.run('once', '--json');
      expect(
        once.json<Happening>().filter(({ kind, operation }) => kind === 'done' && isCreation(operation)),
      ).toHaveLength(createsPerHour);
    },
  );

  async function planAndOnce(): Promise<void> {
    const before = everything();
    const writes = house.writes();
    const planned = await house.run('plan', '--json');
    expect(house.writes()).toBe(writes);
    expect(everything()).toBe(before);
    const [document] = planned.json<PlanDocument>();
    const operations = document?.routes[0]?.operations ?? [];

    const linesBefore = ledgerLength();
    const once = await house.run('once', '--json');
    const done = once.json<Happening>().filter(({ kind, result }) => kind === 'done' && result.kind !== 'already');
    expect(done.map(({ operation }) => nameOf(operation)).toSorted()).toEqual(
      unlessEnded(operations, done).map(nameOf).toSorted(),
    );
    expect(once.err).toBe('');

    const recorded = ledger().slice(linesBefore);
    const applied = done
      .filter(({ result }) => result.kind === 'applied')
      .map(({ operation }) => `${operation.link} ${operation.kind} ${operation.on}`);
    // That a bug was found hidden is written down as well; taking its copies away are operations of their own.
    const inLedger = recorded
      .filter(({ outcome, kind }) => outcome === 'applied' && kind !== 'withdraw')
      .map(({ link, kind, on }) => `${link} ${kind} ${on}`);
    expect(inLedger.toSorted()).toEqual(applied.toSorted());
  }

  /**
   * A counterpart that its side refuses, or an item that turns out to be hidden or deleted, ends the work on its link:
   * nobody can plan that. What was planned up to there is done, and nothing behind it.
   */
  function unlessEnded(operations: readonly Operation[], done: readonly Happening[]): readonly Operation[] {
    const ends = new Set(done.filter(isEnd).map(({ operation }) => operation.key));
    const ended = new Set<Operation['link']>();
    return operations.filter(({ link, key }) => {
      const isOpen = !ended.has(link);
      if (ends.has(key)) ended.add(link);
      return isOpen;
    });
  }

  const isEnd = ({ result, operation }: Happening): boolean =>
    result.kind === 'frozen' || result.kind === 'buried' || (result.kind === 'parked' && operation.kind === 'create');

  const ledger = () => {
    try {
      const store = openStore(house.state, { mode: 'read', now: () => 0, scrub });
      const lines = store.ledger.latest('widget', 10_000).toReversed();
      store.close();
      return lines;
    } catch {
      return [];
    }
  };
  const ledgerLength = (): number => ledger().length;
});

describe('what plan says', () => {
  test('in words, with the titles of what it would make', async () => {
    const { out, code } = await house.run('plan');
    expect(code).toBe(0);
    expect(out).toContain('bug 1 -> acme/widget      open an issue "Problem 1"');
    expect(out).toContain('copy a comment');
    expect(out).toMatch(/\d+ writes\./);
    expect(out).not.toContain('\u001b');
  });

  test('what would wait for the hourly allowance', async () => {
    house.configure((config) => {
      config.limits.github.createsPerHour = 3;
    });
    const { out } = await house.run('plan');
    expect(out.match(/open an issue|copy a comment/g)).toHaveLength(7);
    expect(out.match(/waits, .* creations an hour are used up/g)?.length).toBeGreaterThanOrEqual(4);
    expect(out).toMatch(
      /open an issue "Problem 6".* waits, to be tried in 60 min .*: the creations an hour are used up/,
    );
    await house.run('once');
    expect(house.github.issues(repo).length).toBeLessThanOrEqual(3);
    expect((await house.run('status')).out).toMatch(/all 3 creations an hour are used, the next in \d+ min/);
  });

  test('first the totals by kind, the time needed, and who gets mail', async () => {
    const { out } = await house.run('plan');
    expect(out.split('\n').slice(0, 5)).toEqual([
      'Route widget  Widget <-> acme/widget',
      '  To GitHub: 6 issues to open, 1 comment to copy.',
      '  To the tracker: 6 bugs to name their issues.',
      expect.stringMatching(/^ {2}This takes about \d+ s, because of .+\.$/u),
      '  The tracker sends 6 mails about 6 bugs, to all who follow them.',
    ]);
    house.configure((config) => {
      config.routes[0].direction = 'to-github';
    });
    expect((await house.run('plan')).out).toContain('The tracker sends no mail.');
  });

  test('the time that a backlog needs under the limits, and what waits only once', async () => {
    for (let number = 7; number <= 130; number += 1)
      house.tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    house.configure((config) => {
      config.limits.github.createsPerHour = 60;
    });
    const { out } = await house.run('plan');
    expect(out).toContain('To GitHub: 130 issues to open, 1 comment to copy.');
    expect(out).toContain('This takes about 2 h, because of the creations that GitHub allows: done about ');
    expect(out).toContain('GitHub notifies the watchers of 130 new issues. bugferry migrate imports them without that');
    expect(out.match(/ waits, /gu)).toHaveLength(3);
    expect(out).toMatch(/^ +and \d+ more wait: the creations an hour are used up$/mu);
    await house.run('once');
    expect((await house.run('status')).out).toMatch(/catching up: 59 of 130 mirrored, 142 writes to go, done about /u);
  });

  test.each([{ createsPerMinute: 4 }, { createsPerMinute: 4, createsPerHour: 5 }, { createsPerHour: 4 }])(
    'no less time than its last line waits: %j',
    async (limits) => {
      house.configure((config) => {
        Object.assign(config.limits.github, limits);
        config.routes[0].direction = 'to-github';
      });
      const [document] = (await house.run('plan', '--json')).json<{
        readonly routes: readonly {
          readonly totals: { readonly doneAt: number };
          readonly waiting: PlanDocument['routes'][number]['waiting'];
        }[];
      }>();
      const { totals, waiting } = document?.routes[0] ?? { totals: { doneAt: 0 }, waiting: [] };
      const last = Math.max(...waiting.map(({ notBeforeAt }) => notBeforeAt ?? 0));
      expect(last).toBeGreaterThan(Date.now());
      expect(totals.doneAt).toBeGreaterThanOrEqual(last);
    },
  );

  test('the same time as status, which knows that the rate rises', async () => {
    for (let number = 7; number <= 130; number += 1)
      house.tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    house.configure((config) => {
      config.routes[0].direction = 'to-github';
      config.limits.github = { pauseBetweenWritesMs: 0, pointsPerMinute: 100_000 };
    });
    const [, planned = ''] =
      /This takes about (\d+) min, because of the creations that GitHub allows/u.exec((await house.run('plan')).out) ??
      [];
    await house.run('once');
    const { out: standing } = await house.run('status', '--json');
    const left = Number(/"catchUpMs":(\d+)/u.exec(standing)?.[1]) / 60_000;
    // With 120 an hour throughout it would be one hour; with 500, not three minutes.
    expect([Number(planned) > 15, Number(planned) < 30, Math.abs(Number(planned) - Number(left)) < 3]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('the same time as a trial of migrate through the API, at the rate that GitHub was found to take', async () => {
    for (let number = 7; number <= 130; number += 1)
      house.tracker.as('alice').file({ summary: `Problem ${number}`, description: 'It fails.' });
    house.configure((config) => {
      config.routes[0].direction = 'to-github';
      config.limits.github = { pauseBetweenWritesMs: 0, pointsPerMinute: 100_000 };
    });
    const timesTold = async () => {
      const planned = (await house.run('plan')).out;
      const trial = await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'preview.html'));
      return [
        /about (.+), because of the creations that GitHub allows/u.exec(planned)?.[1],
        /With --writer api: .* at least (.+) \(the creations that GitHub allows\)/u.exec(trial.out)?.[1],
      ];
    };
    const [planned, tried] = await timesTold();
    expect([planned, tried]).toEqual([expect.stringMatching(/^2\d min$/u), planned]);
    const store = openStore(house.state, { mode: 'write', now: Date.now, scrub });
    const at = Date.now();
    store.budgets.keepLimit('github', { ...refusedHour, passedAt: at, refusedAt: at });
    store.close();
    const [slower, triedSlower] = await timesTold();
    expect([slower, triedSlower]).toEqual([expect.stringMatching(/^5\d min$/u), slower]);
  });

  test('one route only', async () => {
    expect((await house.run('plan', '--route', 'widget')).out).toContain('Route widget');
    expect(await house.run('plan', '--route', 'wodget')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no route wodget'),
    });
  });

  test('with a page of the new issues, in which nothing is alive', async () => {
    house.tracker.as('alice').comment(2, '<script>alert(1)</script> and\n> a quotation');
    house.github.as('mona').open(repo, { title: 'From <b>GitHub</b>', body: 'It fails.' });
    const page = join(house.folder, 'plan.html');
    expect(await house.run('plan', '--html', page)).toMatchObject({ code: 0, out: expect.stringContaining(page) });
    const html = readFileSync(page, 'utf8');
    expect(html.match(/<section class="issue"/gu)).toHaveLength(6);
    expect(html).toMatch(/<title>Plan of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · bugferry/u);
    expect(html).toContain('<h2><bdi>Problem 1</bdi></h2>');
    expect(html).toContain('<blockquote>');
    expect(html).toContain('file a bug &quot;From &lt;b&gt;GitHub&lt;/b&gt;&quot;');
    expect(html).not.toMatch(/<script|For insiders/u);
  });

  test('on that page, comments of one bug are one line, which says whether they wait', async () => {
    await house.run('once');
    for (let number = 1; number <= 22; number += 1) house.tracker.as('bob').comment(2, `Thought ${number}.`);
    const page = join(house.folder, 'plan.html');
    const lines = () => [...readFileSync(page, 'utf8').matchAll(/<tr><td>.*?<\/tr>/gu)].map(([line]) => line);
    await house.run('plan', '--html', page);
    const what = '<tr><td>bug 2</td><td>acme/widget#2</td><td>22 comments to copy</td>';
    expect(lines()).toEqual([`${what}<td>next cycle</td></tr>`]);
    house.configure((config) => {
      config.limits.github.createsPerHour = 1;
    });
    await house.run('plan', '--html', page);
    expect(lines()).toEqual([expect.stringMatching(`^${what}<td>the creations an hour are used up</td></tr>$`)]);
    // Without new issues it is the same page: its name, its date and the route.
    expect(readFileSync(page, 'utf8')).toMatch(
      /<title>Plan of [^<]* UTC · bugferry<.*class="brand"><svg.*>Plan of [^<]* UTC<.*<h1>widget: Widget ↔ acme\/widget</su,
    );
  });

  test('in each form which bug it says nothing of, as it fails on it itself', async () => {
    const from = '  const { status, ...expressed } = source;';
    const to = `${from}\n  if (JSON.stringify(bug).includes('Problem 2')) throw new RangeError('of ours');`;
    const folder = plant({ file: 'rules/plan/create.ts', from, to });
    const { runCommand }: typeof import('../../src/cli/program.ts') = await import(join(folder, 'cli/program.ts'));
    const page = join(house.folder, 'plan.html');
    const run = (...args: readonly string[]) =>
      runHere(['plan', ...args, '--config', join(house.folder, 'bridge.yaml')], runCommand);
    const words = 'bugferry itself failed while both sides were being compared';
    expect(await run('--html', page)).toMatchObject({ code: 1, out: expect.stringMatching(`bug 2.*${words}`) });
    expect(readFileSync(page, 'utf8')).toMatch(new RegExp(`<td>bug 2.*${words}.*resync bug 2`, 'u'));
    const { routes } = JSON.parse((await run('--json')).out);
    expect(routes[0].setAside).toMatchObject([{ side: 'tracker', ref: 2, stage: 'plan', cause: 'fault' }]);
  });

  test('that there is nothing to do', async () => {
    await house.run('once');
    expect(await house.run('plan')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to write.') });
  });
});

test('of a paused route, the plan says until when nothing is written, and forecasts nothing', async () => {
  await house.run('once');
  house.tracker.as('alice').file({ summary: 'Later' });
  await house.run('pause', 'widget', '--why', 'the tracker moves');
  const { out } = await house.run('plan');
  expect(out).toMatch(/None of this .* a person paused it .*: the tracker moves; bugferry resume widget ends that\./u);
  expect(out).toContain('waits: a person has paused the route');
  expect(out).not.toMatch(/to be tried|This takes|done about/u);
  const [document] = (await house.run('plan', '--json')).json<{ readonly routes: readonly unknown[] }>();
  expect(document?.routes).toMatchObject([{ route: 'widget', rest: { why: 'the tracker moves' } }]);
});

test('a route that takes nothing says so, and by which keys, before "in step" is believed', async () => {
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
    config.routes[0].tracker.createdSince = '2099-01-01';
  });
  const words = 'The route takes no bug of Widget (only by createdSince).';
  for (const command of ['plan', 'once', 'status'])
    expect(await house.run(command)).toMatchObject({ code: 0, out: expect.stringContaining(words) });
});

test('a clock that is wrong is named, as by once and status', async () => {
  await house.close();
  house = await openHouse(fill, { now: () => Date.now() - 6 * 3_600_000 });
  const words = /clock +.*6 h/u;
  for (const command of ['plan', 'once', 'status'])
    expect(await house.run(command)).toMatchObject({ code: 1, out: expect.stringMatching(words) });
});
