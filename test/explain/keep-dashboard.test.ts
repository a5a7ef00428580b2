import { beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { keepDashboard } from '../../src/sync/dashboard.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

/**
 * The dashboard issue: bugferry creates one (I4), rarely updates it, never mirrors it to the tracker, and respects what
 * people do to it.
 */
const route: Route = { ...widgetRoute, dashboard: true };
const [minuteMs, hourMs] = [60_000, 3_600_000];
const title = 'What needs a person';

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

/** Runs a cycle, and then keeps the dashboard issue with this text. */
async function tell(text: string, { route: of = route, perHour, diesAfter }: On = {}) {
  let isDead = false;
  world.between = (side, method, when) => {
    if (side === 'github' && method === diesAfter && when === 'after') isDead = true;
  };
  const allowances =
    perHour === undefined
      ? {}
      : { allowances: { github: [{ windowMs: hourMs, pointsMax: perHour, name: 'creations an hour' }] } };
  const context = contextOn(world, of, { limits: testLimits, ...allowances, isDead: () => isDead });
  await cycle(context, { isForced: false });
  const written = keepDashboard(context, { title, text });
  if (diesAfter === undefined) await written;
  else while (!isDead) await new Promise((done) => setImmediate(done));
}

const plays = {
  'it is opened once, and rewritten when its text changes, at most once an hour': async () => {
    await tell('one');
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(minuteMs);
      await tell('two');
    }
    const soon = shown();
    world.clock.advance(hourMs);
    await tell('two');
    const written = writes();
    world.clock.advance(hourMs);
    await tell('two');
    return { soon, later: shown(), more: writes() - written, bugs: bugs() };
  },
  'no bug comes of it, nor of words that people write below it': async () => {
    await tell('one');
    world.github.as('mona').comment(repo, number(), 'I see to it.');
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(minuteMs);
      await tell('one');
    }
    return { bugs: bugs(), links: world.store.links.count('widget').byState.live };
  },
  'a crash behind the request makes no second one': async () => {
    await tell('one', { diesAfter: 'create' });
    world.github.setListLag(() => hourMs);
    for (let count = 0; count < 4; count += 1) {
      world.clock.advance(40 * minuteMs);
      await tell('two');
    }
    return { shown: shown() };
  },
  'a text that changes is shown while the creations are used up': async () => {
    await tell('one');
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    world.clock.advance(hourMs + minuteMs);
    await tell('two', { perHour: 1 });
    return { shown: shown() };
  },
  'comments are not read to find it': async () => {
    const commented = world.github.as('mona').open(repo, { title: 'A problem' });
    for (let count = 0; count < 9; count += 1) world.github.as('mona').comment(repo, commented, `Word ${count}`);
    await tell('one');
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.github.as('mona').deleteIssue(repo, number());
    const before = listed();
    await keepDashboard(contextOn(world, route, { limits: testLimits }), { title, text: 'two' });
    // One of issues, and the first one of comments, which tells that there are no more issues.
    return { shown: shown(), pages: listed() - before };
  },
  'a state that is lost finds it again': async () => {
    for (let count = 0; count < 9; count += 1) world.github.as('mona').open(repo, { title: `Problem ${count}` });
    await tell('one');
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.clock.advance(minuteMs);
    await tell('two');
    return { shown: shown() };
  },
  'one that people closed is left alone until they open it again': async () => {
    await tell('one');
    world.github.as('mona').close(repo, number(), 'completed');
    world.clock.advance(hourMs + 1);
    await tell('two');
    const closed = shown();
    world.github.as('mona').reopen(repo, number());
    world.clock.advance(hourMs + 1);
    await tell('two');
    return { closed, opened: shown() };
  },
  'one that people deleted does not come back': async () => {
    await tell('one');
    world.github.as('mona').deleteIssue(repo, number());
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(hourMs + 1);
      await tell(`text ${count}`);
    }
    return { shown: shown() };
  },
  'one whose marker people took away is theirs, and becomes a bug': async () => {
    await tell('one');
    world.github.as('mona').edit(repo, number(), { body: 'Our own list' });
    world.clock.advance(hourMs + 1);
    await tell('two');
    return { shown: shown(), bugs: bugs() };
  },
  'a marker that people copied is not believed to be ours': async () => {
    await tell('one');
    const { body = '' } = lists()[0] ?? {};
    world.github.as('mona').deleteIssue(repo, number());
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    world.github.as('mona').open(repo, { title: 'A copy', body });
    await tell('two');
    return { shown: shown(), copy: world.github.issues(repo).find((each) => each.title === 'A copy')?.body === body };
  },
  'words of people that look like a broken marker stop nothing': async () => {
    world.github.as('mona').open(repo, { title: 'A list', body: '<!-- bugferry:1 somebody dashboard=%ZZ -->' });
    await tell('one');
    world.github.as('mona').open(repo, { title: 'A problem' });
    world.clock.advance(minuteMs);
    await tell('one');
    return { shown: shown(), bugs: bugs() };
  },
  'it waits while the creations are used up': async () => {
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    await tell('one', { perHour: 1 });
    const full = shown();
    world.clock.advance(hourMs + minuteMs);
    await tell('one', { perHour: 1 });
    return { full, later: shown() };
  },
  'it counts against the creations': async () => {
    await tell('one', { perHour: 1 });
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    world.clock.advance(minuteMs);
    await tell('one', { perHour: 1 });
    return { issues: world.github.issues(repo).length };
  },
  'nothing is written while a person has paused the route, or a side asked for a pause': async () => {
    world.store.pauses.save('widget', { at: 0, why: null });
    await tell('one');
    world.store.pauses.remove('widget');
    world.store.budgets.backOff('github', world.clock.now() + hourMs, 'asked');
    await tell('one');
    return { shown: shown() };
  },
  'it bears the label of a route that takes labelled issues only, and is found by it': async () => {
    const labelled = { ...route, label: 'bridge' };
    await tell('one', { route: labelled });
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await tell('two', { route: labelled });
    return { shown: shown(), labels: lists()[0]?.labels, bugs: bugs() };
  },
};

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
    expect(await plays[name]()).toEqual(expected[name]);
    expect(lists().every(({ author }) => author === bot)).toBe(true);
  });
});
