import { beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import * as built from '../../src/sync/dashboard.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { sample } from '../tiers/depth.ts';

/**
 * An issue of its own shows what it is given: once (I4), seldom, never on the tracker, and not against the will of
 * people.
 */
const route: Route = { ...widgetRoute, dashboard: true };
const [minuteMs, hourMs] = [60_000, 3_600_000];
const title = 'What needs a person';

interface Parts {
  readonly keepDashboard: typeof built.keepDashboard;
  readonly cycle: typeof cycle;
}
const real: Parts = { ...built, cycle };

let world: Stage;
beforeEach(() => {
  world = stage();
});

const lists = () => world.github.issues(repo).filter((each) => each.title === title);
const shown = () => lists().map(({ body }) => body.split('\n')[0]);
const bugs = () => world.tracker.bugs().length;
const writes = () =>
  world.calls.filter(({ side, method }) => side === 'github' && ['create', 'update'].includes(method)).length;
const listed = () => world.calls.filter(({ side, method }) => side === 'github' && method === 'list').length;
const number = () => lists()[0]?.number ?? 0;

interface On {
  readonly route?: Route;
  readonly perHour?: number;
  /** The call of GitHub's port after which the process dies. */
  readonly diesAfter?: string;
}

/** A process that runs a cycle, and then has the issue show a text. */
async function tell(
  text: string,
  { cycle: turn, keepDashboard }: Parts = real,
  { route: of = route, perHour, diesAfter }: On = {},
) {
  let isDead = false;
  world.between = (side, method, when) => {
    if (side === 'github' && method === diesAfter && when === 'after') isDead = true;
  };
  const allowances =
    perHour === undefined
      ? {}
      : { allowances: { github: [{ windowMs: hourMs, pointsMax: perHour, name: 'creations an hour' }] } };
  const context = contextOn(world, of, { limits: testLimits, ...allowances, isDead: () => isDead });
  await turn(context, { isForced: false });
  const written = keepDashboard(context, { title, text });
  if (diesAfter === undefined) await written;
  else while (!isDead) await new Promise((done) => setImmediate(done));
}

/** What is played, and what it comes to. */
type Play = (parts: Parts) => Promise<unknown>;

const plays = {
  'it is opened once, and rewritten when its text changes, at most once an hour': async (parts) => {
    await tell('one', parts);
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(minuteMs);
      await tell('two', parts);
    }
    const soon = shown();
    world.clock.advance(hourMs);
    await tell('two', parts);
    const written = writes();
    world.clock.advance(hourMs);
    await tell('two', parts);
    return { soon, later: shown(), more: writes() - written, bugs: bugs() };
  },
  'no bug comes of it, nor of words that people write below it': async (parts) => {
    await tell('one', parts);
    world.github.as('mona').comment(repo, number(), 'I see to it.');
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(minuteMs);
      await tell('one', parts);
    }
    return { bugs: bugs(), links: world.store.links.count('widget').byState.live };
  },
  'a crash behind the request makes no second one': async (parts) => {
    await tell('one', parts, { diesAfter: 'create' });
    world.github.setListLag(() => hourMs);
    for (let count = 0; count < 4; count += 1) {
      world.clock.advance(40 * minuteMs);
      await tell('two', parts);
    }
    return { shown: shown() };
  },
  'a text that changes is shown while the creations are used up': async (parts) => {
    await tell('one', parts);
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    world.clock.advance(hourMs + minuteMs);
    await tell('two', parts, { perHour: 1 });
    return { shown: shown() };
  },
  'comments are not read to find it': async (parts) => {
    const commented = world.github.as('mona').open(repo, { title: 'A problem' });
    for (let count = 0; count < 9; count += 1) world.github.as('mona').comment(repo, commented, `Word ${count}`);
    await tell('one', parts);
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.github.as('mona').deleteIssue(repo, number());
    const before = listed();
    await parts.keepDashboard(contextOn(world, route, { limits: testLimits }), { title, text: 'two' });
    // One of issues, and the first one of comments, which tells that there are no more issues.
    return { shown: shown(), pages: listed() - before };
  },
  'a state that is lost finds it again': async (parts) => {
    for (let count = 0; count < 9; count += 1) world.github.as('mona').open(repo, { title: `Problem ${count}` });
    await tell('one', parts);
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.clock.advance(minuteMs);
    await tell('two', parts);
    return { shown: shown() };
  },
  'one that people closed is left alone until they open it again': async (parts) => {
    await tell('one', parts);
    world.github.as('mona').close(repo, number(), 'completed');
    world.clock.advance(hourMs + 1);
    await tell('two', parts);
    const closed = shown();
    world.github.as('mona').reopen(repo, number());
    world.clock.advance(hourMs + 1);
    await tell('two', parts);
    return { closed, opened: shown() };
  },
  'one that people deleted does not come back': async (parts) => {
    await tell('one', parts);
    world.github.as('mona').deleteIssue(repo, number());
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(hourMs + 1);
      await tell(`text ${count}`, parts);
    }
    return { shown: shown() };
  },
  'one whose marker people took away is theirs, and becomes a bug': async (parts) => {
    await tell('one', parts);
    world.github.as('mona').edit(repo, number(), { body: 'Our own list' });
    world.clock.advance(hourMs + 1);
    await tell('two', parts);
    return { shown: shown(), bugs: bugs() };
  },
  'a marker that people copied is not believed to be ours': async (parts) => {
    await tell('one', parts);
    const { body = '' } = lists()[0] ?? {};
    world.github.as('mona').deleteIssue(repo, number());
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.github.as('mona').open(repo, { title: 'A copy', body });
    await tell('two', parts);
    return { shown: shown(), copy: world.github.issues(repo).find((each) => each.title === 'A copy')?.body === body };
  },
  'words of people that look like a broken marker stop nothing': async (parts) => {
    world.github.as('mona').open(repo, { title: 'A list', body: '<!-- bugferry:1 somebody dashboard=%ZZ -->' });
    await tell('one', parts);
    world.github.as('mona').open(repo, { title: 'A problem' });
    world.clock.advance(minuteMs);
    await tell('one', parts);
    return { shown: shown(), bugs: bugs() };
  },
  'it waits while the creations are used up': async (parts) => {
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    await tell('one', parts, { perHour: 1 });
    const full = shown();
    world.clock.advance(hourMs + minuteMs);
    await tell('one', parts, { perHour: 1 });
    return { full, later: shown() };
  },
  'it counts against the creations': async (parts) => {
    await tell('one', parts, { perHour: 1 });
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    world.clock.advance(minuteMs);
    await tell('one', parts, { perHour: 1 });
    return { issues: world.github.issues(repo).length };
  },
  'nothing is written while a person has paused the route, or a side asked for a pause': async (parts) => {
    world.store.rests.save('widget', { at: 0, why: null });
    await tell('one', parts);
    world.store.rests.remove('widget');
    world.store.budgets.pause('github', world.clock.now() + hourMs, 'asked');
    await tell('one', parts);
    return { shown: shown() };
  },
  'it bears the label of a route that takes labelled issues only, and is found by it': async (parts) => {
    const labelled = { ...route, label: 'bridge' };
    await tell('one', parts, { route: labelled });
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await tell('two', parts, { route: labelled });
    return { shown: shown(), labels: lists()[0]?.labels, bugs: bugs() };
  },
} satisfies Readonly<Record<string, Play>>;

const expected: Readonly<Record<keyof typeof plays, unknown>> = {
  'it is opened once, and rewritten when its text changes, at most once an hour': {
    soon: ['one'],
    later: ['two'],
    more: 0,
    bugs: 0,
  },
  'no bug comes of it, nor of words that people write below it': { bugs: 0, links: 0 },
  'a crash behind the request makes no second one': { shown: ['two'] },
  'a text that changes is shown while the creations are used up': { shown: ['two'] },
  'comments are not read to find it': { shown: ['two'], pages: 2 },
  'a state that is lost finds it again': { shown: ['two'] },
  'one that people closed is left alone until they open it again': { closed: ['one'], opened: ['two'] },
  'one that people deleted does not come back': { shown: [] },
  'one whose marker people took away is theirs, and becomes a bug': { shown: ['Our own list'], bugs: 1 },
  'a marker that people copied is not believed to be ours': { shown: ['two'], copy: true },
  'words of people that look like a broken marker stop nothing': { shown: ['one'], bugs: 1 },
  'it waits while the creations are used up': { full: [], later: ['one'] },
  'it counts against the creations': { issues: 1 },
  'nothing is written while a person has paused the route, or a side asked for a pause': { shown: [] },
  'it bears the label of a route that takes labelled issues only, and is found by it': {
    shown: ['two'],
    labels: ['bridge'],
    bugs: 0,
  },
};

const names = Object.keys(plays) as readonly (keyof typeof plays)[];

describe('an issue that lists what needs a person', () => {
  test.each(names)('%s', async (name) => {
    expect(await plays[name](real)).toEqual(expected[name]);
    expect(lists().every(({ author }) => author === bot)).toBe(true);
  });
});

const faults: readonly (Fault & { readonly name: string; readonly play: keyof typeof plays })[] = [
  {
    name: 'it is written as soon as the text changes',
    file: 'sync/dashboard.ts',
    from: 'isWithin(kept.sentAt, restMs, clock.now()) || kept.digest',
    to: 'kept.digest',
    play: 'it is opened once, and rewritten when its text changes, at most once an hour',
  },
  {
    name: 'it is written although its text is the same',
    file: 'sync/dashboard.ts',
    from: ' || kept.digest === digest',
    to: '',
    play: 'it is opened once, and rewritten when its text changes, at most once an hour',
  },
  {
    name: 'it becomes a bug',
    file: 'rules/links/match.ts',
    from: 'if (isDashboard(issue.body))',
    to: 'if (route.label === issue.body)',
    play: 'no bug comes of it, nor of words that people write below it',
  },
  {
    name: 'nobody looks whether a lost request made it',
    file: 'sync/dashboard.ts',
    from: 'await madeSince(context, kept.sentAt)',
    to: 'null',
    play: 'a crash behind the request makes no second one',
  },
  {
    name: 'nobody looks whether it is there already',
    file: 'sync/dashboard.ts',
    from: 'kept === null ? await listed(context)',
    to: 'kept === null ? null',
    play: 'a state that is lost finds it again',
  },
  {
    name: 'only the first page is looked at',
    file: 'sync/dashboard.ts',
    from: 'found !== undefined || comments.length > 0 || next === null',
    to: 'found !== undefined || comments.length > 0 || next !== undefined',
    play: 'a state that is lost finds it again',
  },
  {
    name: 'a closed one is written',
    file: 'sync/dashboard.ts',
    from: "found.item.state === 'closed' || ",
    to: '',
    play: 'one that people closed is left alone until they open it again',
  },
  {
    name: 'what people made their own is overwritten',
    file: 'sync/dashboard.ts',
    from: ' || !isOurs(context, found.item)',
    to: '',
    play: 'one whose marker people took away is theirs, and becomes a bug',
  },
  {
    name: 'whoever has the marker is ours',
    file: 'sync/dashboard.ts',
    from: '(own === null || isLogin(author.login, own))',
    to: '(own !== author.login || own === author.login)',
    play: 'a marker that people copied is not believed to be ours',
  },
  {
    name: 'limits do not hold for it',
    file: 'sync/dashboard.ts',
    from: "if (heldFor(context, 'github', kept?.issue == null ? 'create' : 'edit') !== null) return;",
    to: '',
    play: 'nothing is written while a person has paused the route, or a side asked for a pause',
  },
  {
    name: 'a text that changes waits for creations',
    file: 'sync/dashboard.ts',
    from: "kept?.issue == null ? 'create' : 'edit'",
    to: "'create'",
    play: 'a text that changes is shown while the creations are used up',
  },
  {
    name: 'all comments are read to find it',
    file: 'sync/dashboard.ts',
    from: ' || comments.length > 0',
    to: '',
    play: 'comments are not read to find it',
  },
  {
    name: 'it is no creation',
    file: 'sync/dashboard.ts',
    from: "markSent(context, null, 'create')",
    to: "markSent(context, null, 'edit')",
    play: 'it counts against the creations',
  },
  {
    name: 'it lacks the label of the route',
    file: 'sync/dashboard.ts',
    from: 'route.label === null ? [] : [route.label]',
    to: '[]',
    play: 'it bears the label of a route that takes labelled issues only, and is found by it',
  },
];

test.each(sample(faults.map((each) => [each.name, each] as const)))(
  'a planted fault is caught: %s',
  async (_name, { play, ...fault }) => {
    const folder = plant(fault);
    const parts: Parts = {
      ...(await import(`${folder}/sync/dashboard.ts`)),
      ...(await import(`${folder}/sync/cycle.ts`)),
    };
    expect(await plays[play](parts)).not.toEqual(expected[play]);
  },
);
