import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import type { Scenario } from './scenarios.ts';
import type { Engine } from './simulate.ts';
import { contextOn, repo, type Stage, stage } from './stage.ts';

/** What few seeds of the canaries come upon: somebody hides a bug in the one moment in which it matters (I9). */

interface Play {
  readonly world: Stage;
  /** A bug that everybody may see, with its issue, at rest. */
  readonly bug: number;
  readonly issue: number;
  turn(afterMs?: number): Promise<void>;
}

interface Options {
  readonly route: Route;
  readonly listLagMs?: number;
  /** It is always the turn of another route of the tracker to look whether mirrored bugs are still shown. */
  readonly looksElsewhere?: boolean;
}

async function begin(
  engine: Engine,
  user: string,
  { route, listLagMs = 0, looksElsewhere = false }: Options,
): Promise<Play> {
  const world = stage({ listLagMs });
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const turn = async (afterMs = 61_000): Promise<void> => {
    world.clock.advance(afterMs);
    const context = contextOn(world, route, { limits: testLimits, user });
    const lookTurns = looksElsewhere ? { ...context.lookTurns, isDue: () => false } : context.lookTurns;
    await engine.cycle({ ...context, lookTurns }, { isForced: false });
  };
  for (let count = 0; count < 4; count += 1) await turn();
  return { world, bug, issue: world.github.issues(repo)[0]?.number ?? 0, turn };
}

const hide = ({ world, bug }: Play): void => world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });

/**
 * For an account that no longer sees the bug, only the visibility check detects it; the same cycle reports the outcome
 * of the request.
 */
export const hidesWhileInDoubt: Scenario = async (engine) => {
  const play = await begin(engine, 'bridge', {
    route: { ...widgetRoute, visibilityCheck: 'anonymous' },
    looksElsewhere: true,
  });
  const { world, bug } = play;
  world.tracker.as('alice').change(bug, { summary: 'Canary title' });
  world.faults = (side, cost) =>
    side === 'github' && cost === 'edit' ? { kind: 'drop', after: false } : { kind: 'none' };
  await play.turn();
  world.faults = () => ({ kind: 'none' });
  hide(play);
  await play.turn();
  const lines = world.store.links.after('widget', null, 9).flatMap(({ id }) => world.store.ledger.ofLink(id));
  const settled = lines.filter(({ kind }) => kind === 'settle');
  return [
    ...(settled.length === 1 ? [] : [`the doubt was settled ${settled.length} times`]),
    ...(JSON.stringify(lines).includes('Canary title')
      ? ['I9: the ledger got the title of a bug that was hidden before']
      : []),
  ];
};

/** A cycle that fails reads what an update without an answer did; the bug is hidden before the next one settles that. */
export const hidesBeforeItIsSettled: Scenario = async (engine) => {
  const play = await begin(engine, 'bridge', { route: { ...widgetRoute, visibilityCheck: 'anonymous' } });
  const { world, bug } = play;
  world.tracker.as('alice').change(bug, { summary: 'Canary title' });
  world.faults = (side, cost) =>
    side === 'github' && cost === 'edit' ? { kind: 'drop', after: true } : { kind: 'none' };
  await play.turn();
  world.faults = () => ({ kind: 'none' });
  world.between = (_side, method) => {
    if (method === 'lookAt') throw new SideError('later', 'The tracker is down', { side: 'tracker' });
  };
  await play.turn().catch(() => undefined);
  world.between = () => undefined;
  hide(play);
  await play.turn();
  const lines = world.store.links.after('widget', null, 9).flatMap(({ id }) => world.store.ledger.ofLink(id));
  const settled = lines.filter(({ kind, outcome }) => kind === 'settle' && outcome === 'had arrived');
  return [
    ...(settled.length === 1 ? [] : [`the doubt was settled ${settled.length} times`]),
    ...(JSON.stringify(lines).includes('Canary title')
      ? ['I9: the ledger got the title of a bug that was hidden before']
      : []),
  ];
};

/** What the write answers is younger than what the list shows, and says nothing of who may see the bug. */
export const hidesBeforeWeWrite: Scenario = async (engine) => {
  const play = await begin(engine, 'bridge-insider', { route: widgetRoute, listLagMs: 4_000, looksElsewhere: true });
  const { world, bug, issue } = play;
  world.github.as('mona').edit(repo, issue, { title: 'It fails at night' });
  world.between = (side, method, when) => {
    if (side !== 'tracker' || method !== 'update' || when !== 'before') return;
    world.between = () => undefined;
    hide(play);
    world.clock.advance(3_000);
  };
  await play.turn();
  world.tracker.as('alice').comment(bug, 'Canary comment');
  await play.turn(2_000);
  const shown = JSON.stringify([world.github.issues(repo), world.github.commentsOf(repo, issue)]);
  return ['It fails', 'Canary comment']
    .filter((words) => shown.includes(words))
    .map((words) => `I9: "${words}" is hidden and stands on GitHub`);
};

/**
 * The bug was checked, and is hidden, renamed and shown again before it gets its issue: of the old title, our account
 * may not know.
 */
export const renamesWhileHidden: Scenario = async (engine) => {
  const { world, turn } = await begin(engine, 'bridge', { route: { ...widgetRoute, visibilityCheck: 'anonymous' } });
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'Canary title', description: 'Always.' });
  world.faults = (side, cost) =>
    side === 'github' && cost === 'create' ? { kind: 'limited', status: 429, retryAfterSeconds: 20 } : { kind: 'none' };
  await turn();
  world.faults = () => ({ kind: 'none' });
  const began = world.calls.length;
  alice.change(bug, { groups: { add: ['security'] } });
  alice.change(bug, { summary: 'It fails' });
  world.between = (side, method, when) => {
    if (side !== 'tracker' || method !== 'lookAt' || when !== 'before') return;
    world.between = () => undefined;
    alice.change(bug, { groups: { remove: ['security'] } });
  };
  for (let count = 0; count < 4; count += 1) await turn();
  const titles = world.github.issues(repo).map(({ title }) => title);
  const sent = world.calls
    .slice(began)
    .filter(({ side, args }) => side === 'github' && JSON.stringify(args).includes('Canary title'));
  return [
    ...(titles.join() === 'It fails,It fails' ? [] : [`I3: the issues are called ${titles.join()}`]),
    ...sent.map(({ method }) => `I9: ${method} on GitHub sent the title that was given up while the bug was hidden`),
  ];
};
