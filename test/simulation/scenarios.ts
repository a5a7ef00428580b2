import type { Context } from '../../src/kernel/context.ts';
import type { Route } from '../../src/model/route.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { allLinks, violations } from './oracle.ts';
import type { Engine } from './simulate.ts';
import { contextOn, repo, type Stage, stage } from './stage.ts';
import { withPeople } from './world/assignments.ts';
import { onBranch } from './world/attachments.ts';
import { labelViolations, withLabels } from './world/labels.ts';
import { minimizeViolations } from './world/minimized.ts';
import { type Actions, noActions } from './world/people.ts';
import { renewalViolations } from './world/renewals.ts';
import { threadViolations } from './world/threads.ts';

/**
 * What few seeds of the simulation come upon, acted out: a mishap in the one moment in which it matters. The same judge
 * looks at it, so a fault that a scenario shows is one that the simulation would notice, too, without a search for the
 * seed whenever its draws change.
 * @returns what is wrong in the end; nothing with the engine as it is
 */
export type Scenario = (engine: Engine) => Promise<readonly string[]>;

/** How late lists show a change, where that matters; less than it takes until a doubt is settled. */
const lagMs = 9_000;

/** As the judge expects it. */
const plainRoute = withPeople(
  { ...widgetRoute, dependencies: true, table: ['alias', 'url', 'cc', 'depends_on'] },
  false,
);

interface Play {
  readonly world: Stage;
  readonly actions: Actions;
  /** The bug with which everything begins, and its issue. */
  readonly bug: number;
  readonly issue: number;
  context(): Context;
  /** One cycle, after so long. */
  turn(afterMs?: number): Promise<void>;
  sweep(): Promise<void>;
  /** Runs cycles until everything is quiet, and checks the result. */
  end(): Promise<readonly string[]>;
}

interface Options {
  readonly route?: Route;
  readonly listLagMs?: number;
  readonly writesPerCycle?: number;
}

/** A pair on both sides, at rest. */
async function begin(
  engine: Engine,
  { route = plainRoute, listLagMs = 0, writesPerCycle = 500 }: Options = {},
): Promise<Play> {
  const world = stage({ listLagMs });
  const isFiled = route.direction !== 'to-tracker';
  if (isFiled) world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  else world.github.as('mona').open(repo, { title: 'It fails', body: 'Always.', labels: ['severity: major', 'crash'] });
  const limits = { ...testLimits, writesPerCycle };
  const context = (): Context => contextOn(world, route, { limits, user: 'bridge-insider' });
  const turn = async (afterMs = 61_000): Promise<void> => {
    world.clock.advance(afterMs);
    await engine.cycle(context(), { isForced: false });
  };
  const untilQuiet = async (): Promise<void> => {
    for (let count = 0; count < 6; count += 1) await turn();
  };
  await untilQuiet();
  const actions = noActions();
  return {
    world,
    actions,
    bug: world.tracker.bugs().find(({ product }) => product === 'Widget')?.id ?? 0,
    issue: world.github.issues(repo)[0]?.number ?? 0,
    context,
    turn,
    sweep: async () => void (await engine.sweep(context(), { isForced: false })),
    async end() {
      world.faults = noFaults;
      world.between = () => undefined;
      await untilQuiet();
      return [...violations(world, actions, route.direction), ...threadViolations(world, actions, allLinks(world))];
    },
  };
}

/** The answer to the nth creation on a side from now on is lost, after it took effect. */
function loseAnswer({ world }: Play, on: 'tracker' | 'github', nth = 1): void {
  let creations = 0;
  world.faults = (side, cost) => {
    if (side !== on || cost !== 'create') return { kind: 'none' };
    creations += 1;
    return creations === nth ? { kind: 'drop', after: true } : { kind: 'none' };
  };
}

function say({ world, actions, bug }: Play, text: string): void {
  world.tracker.as('alice').comment(bug, text);
  actions.bugComments.set(text, bug);
}

/** The next start comes at once, while no list shows what was written. */
export const diesAfterWriting: Scenario = async (engine) => {
  const play = await begin(engine, { listLagMs: lagMs });
  const { world } = play;
  say(play, 'Said on the tracker no 1.');
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  world.between = (_side, method, when) => {
    if (method !== 'comment' || when !== 'after') return;
    isDead = true;
    resolve();
  };
  world.clock.advance(61_000);
  const dying = contextOn(world, plainRoute, { limits: testLimits, user: 'bridge-insider', isDead: () => isDead });
  await Promise.race([engine.cycle(dying, { isForced: false }), death]);
  world.between = () => undefined;
  await play.turn(1_000);
  return play.end();
};

/** The next cycle comes at once, while no list shows whether it arrived. */
export const losesAnswerOfBug: Scenario = async (engine) => {
  const play = await begin(engine, { listLagMs: lagMs });
  play.world.github.as('mona').open(repo, { title: 'Opened on GitHub' });
  play.world.clock.advance(lagMs);
  loseAnswer(play, 'tracker');
  await play.turn();
  await play.turn(1_000);
  return play.end();
};

/** Its first part is known by then, and the second is not. */
export const losesAnswerOfPart: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, actions, bug } = play;
  const [head, tail] = ['A long text begins', 'and ends here.'];
  world.tracker.as('alice').comment(bug, `${head}\n\n${'*'.repeat(52_000)}\n\n${tail}`);
  for (const said of [head, tail]) actions.bugComments.set(said, bug);
  loseAnswer(play, 'github', 3);
  await play.turn();
  // Longer than a comment is waited for that the issue counts.
  await play.turn(16 * 60_000);
  return play.end();
};

/** What the answer shows is known from then on, so that no list brings it as news. */
export const editsWhileWeWrite: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, actions, bug, issue } = play;
  world.tracker.as('alice').change(bug, { severity: 'major' });
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'update' || when !== 'before') return;
    world.between = () => undefined;
    world.github.as('mona').edit(repo, issue, { title: 'A better title' });
    actions.issueTitles.set(issue, 'A better title');
  };
  await play.turn();
  return play.end();
};

/** An update takes two requests, between which the issue gets another title. */
export const editsBetweenSteps: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, actions, bug, issue } = play;
  const alice = world.tracker.as('alice');
  alice.change(bug, { status: 'RESOLVED', resolution: 'FIXED' });
  await play.turn();
  alice.change(bug, { resolution: 'WONTFIX', summary: 'It fails badly' });
  world.between = (side, method, when) => {
    if (side !== 'github' || method !== 'update' || when !== 'after') return;
    world.between = () => undefined;
    world.clock.advance(1_000);
    world.github.as('mona').edit(repo, issue, { title: 'A better title' });
    actions.issueTitles.set(issue, 'A better title');
  };
  await play.turn();
  return play.end();
};

/** The issue is closed for another reason between our read and our write, which GitHub then ignores in part. */
export const closesWhileWeClose: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, bug, issue } = play;
  world.tracker.as('alice').change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  return closedAtEdit(play, issue);
};

/** The same by a program that gives no reason. */
export const closesWithoutReasonWhileWeClose: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, bug, issue } = play;
  world.tracker.as('alice').change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  return closedAtEdit(play, issue, null);
};

/** The same in an update of several requests, of which that is not the last. */
export const closesWhileWeCloseAndRelate: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, bug, issue } = play;
  const alice = world.tracker.as('alice');
  const original = alice.file({ summary: 'It failed before', description: 'Long ago.' });
  await play.turn();
  await play.turn();
  alice.change(bug, { dupe_of: original, depends_on: { add: [original] } });
  return closedAtEdit(play, issue);
};

/** Somebody closes the issue, as completed unless told otherwise, when our next edit arrives, and that stands. */
async function closedAtEdit(
  { world, turn, end }: Play,
  issue: number,
  reason: 'completed' | null = 'completed',
): Promise<readonly string[]> {
  world.faults = (side, cost) => {
    if (side !== 'github' || cost !== 'edit') return { kind: 'none' };
    world.faults = noFaults;
    world.github.as('mona').close(repo, issue, reason);
    return { kind: 'none' };
  };
  await turn();
  const found = await end();
  const shown = world.github.issue(repo, issue)?.stateReason;
  return shown === reason
    ? found
    : [...found, `I3: nobody took back that the issue was closed as ${reason}; now ${shown}`];
}

/** Nothing but the sweep tells of tags. */
export const tagsQuietThread: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, visibilityCheck: 'anonymous' } });
  const { world, bug } = play;
  const comment = world.tracker.as('alice').comment(bug, 'Buy this.');
  await play.turn();
  await play.turn();
  world.tracker.as('admin').tag(comment, { add: ['Spam'] });
  await play.sweep();
  const found = await play.end();
  return [...found, ...minimizeViolations(world, allLinks(world), 'both', tagging)];
};

/** A seed whose simulation has tags and checks visibility. */
const tagging = 8;

/** Only its marker tells then what the comment is. */
export const losesAnswerOfRemark: Scenario = async (engine) => {
  const play = await begin(engine, { route: withLabels(plainRoute) });
  const { world, issue } = play;
  world.github.as('mona').label(repo, issue, 'component: Nope');
  loseAnswer(play, 'github');
  await play.turn();
  const found = await play.end();
  return [...found, ...labelViolations(world, allLinks(world))];
};

/** Only its name tells then whose the file is. */
export const losesAnswerOfFile: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, attachments: onBranch } });
  const { world, actions, issue } = play;
  const [content, said] = ['Dropped into an issue no 1.', 'Said around a file no 1.'];
  const mona = world.github.as('mona');
  const url = mona.upload({
    name: 'drop.bin',
    type: 'application/octet-stream',
    bytes: new TextEncoder().encode(content),
  });
  const id = mona.comment(repo, issue, `${said}\n\n[drop.bin](${url})`);
  actions.issueComments.set(said, { issue, id });
  actions.files.dropped.set(content, { issue, said });
  loseAnswer(play, 'tracker');
  await play.turn();
  return play.end();
};

/** The comment that came with it waits, and nothing but that tells of it again. */
export const storesLate: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, attachments: onBranch } });
  const { world, actions, bug } = play;
  const [content, said] = ['Content of a file no 1.', 'Said with a file no 1.'];
  const id = world.tracker
    .as('alice')
    .attach(bug, { bytes: new TextEncoder().encode(content), file_name: 'a.bin', comment: said });
  actions.files.attached.set(content, { bug, id, said });
  actions.bugComments.set(said, bug);
  let isDown = true;
  world.faults = (side, cost) => {
    if (side !== 'github' || cost === 'read' || !isDown) return { kind: 'none' };
    isDown = false;
    return { kind: 'status', status: 503, isHtml: false, after: false };
  };
  await play.turn();
  return play.end();
};

/** What it waits for comes after it, and a cycle may do but one of them. */
export const waitsForAnother: Scenario = async (engine) => {
  const play = await begin(engine, { writesPerCycle: 1 });
  const { world, bug } = play;
  const alice = world.tracker.as('alice');
  const original = alice.file({ summary: 'It failed before', description: 'Long ago.' });
  alice.change(bug, { dupe_of: original });
  return play.end();
};

/** Programs are not answered; what they put wrong is put right all the same, although a cycle may do but one thing. */
export const labelledByPrograms: Scenario = async (engine) => {
  const play = await begin(engine, { route: withLabels(plainRoute), writesPerCycle: 1 });
  const { world, issue } = play;
  world.github.addUser('robot[bot]');
  world.github.allow(repo, 'robot[bot]', 'write');
  for (const label of ['component: Nope', 'area: nowhere']) world.github.as('robot[bot]').label(repo, issue, label);
  const found = await play.end();
  return [...found, ...labelViolations(world, allLinks(world))];
};

/** What the bridge explained is not listed yet when the thread is read; then people delete something of theirs. */
export const deletesAfterRemark: Scenario = async (engine) => {
  const route: Route = { ...withLabels(plainRoute), deletions: 'note' };
  const play = await begin(engine, { route, listLagMs: lagMs });
  const { world, actions, issue } = play;
  const mona = world.github.as('mona');
  mona.label(repo, issue, 'component: Nope');
  await play.turn();
  const said = mona.comment(repo, issue, 'Said on GitHub no 1.');
  await play.turn(1_000);
  await play.turn();
  mona.deleteComment(repo, said);
  actions.renewals.deleted.set(`https://github.com/${repo}/issues/${issue}#issuecomment-${said}`, issue);
  await play.sweep();
  const found = await play.end();
  return [...found, ...renewalViolations(world, actions, allLinks(world), 'both', recording)];
};

/** A seed whose simulation notes deletions. */
const recording = 8;

/**
 * A replica has not heard of the issue when the first of several comments is sent, and has when the others could be.
 */
export const waitsForReplica: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, issue } = play;
  world.github.state.heardAt.set(world.github.issue(repo, issue)?.id ?? 0, world.clock.now() + 63_000);
  for (const said of ['first', 'second', 'third']) {
    say(play, said);
    world.clock.advance(1_000);
  }
  await play.turn(59_000);
  await play.turn(5_000);
  return play.end();
};

/** Somebody changes whatever can be changed on a mirror. */
export const changesMirrorOnGithub: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, direction: 'to-github' } });
  const { world, bug, issue } = play;
  world.tracker.as('alice').change(bug, { keywords: { add: ['crash'] } });
  await play.turn();
  const mona = world.github.as('mona');
  mona.edit(repo, issue, { title: 'A visitor was here' });
  mona.close(repo, issue, 'not_planned');
  mona.label(repo, issue, 'severity: trivial', 'regression');
  mona.unlabel(repo, issue, 'crash');
  await play.turn();
  return play.end();
};

/** The same where the tracker is the mirror. */
export const changesMirrorOnTracker: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, direction: 'to-tracker' } });
  const { world, bug } = play;
  const change = { summary: 'Somebody was here', severity: 'minor', keywords: { set: ['regression'] } };
  world.tracker.as('admin').change(bug, { ...change, status: 'RESOLVED', resolution: 'FIXED' });
  await play.turn();
  return play.end();
};

/** An earlier version saw what a visitor changed, and let it be: no list brings it as news again. */
export const changedMirrorBefore: Scenario = async (engine) => {
  const play = await begin(engine, { route: { ...plainRoute, direction: 'to-github' } });
  const { world, issue } = play;
  world.github.as('mona').edit(repo, issue, { title: 'A visitor was here' });
  const [link] = allLinks(world);
  const probe = await play.context().github.probe(issue);
  if (link === undefined || probe.kind !== 'there' || probe.item.kind !== 'issue') throw new Error('there is no pair');
  world.store.links.save({ ...link, github: probe.item, urgency: 'none' });
  await play.turn();
  await play.sweep();
  return play.end();
};

/** The sweep shows what the tracker stored, and would be the first to. */
export const losesEditInSilence: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, actions, issue } = play;
  world.github.as('mona').edit(repo, issue, { title: 'GitHub title no 1.' });
  actions.issueTitles.set(issue, 'GitHub title no 1.');
  loseInSilence(play, 'edit');
  await play.turn();
  await play.turn();
  await play.sweep();
  return play.end();
};

/** Whether the comment is there, no list tells. */
export const losesCommentInSilence: Scenario = async (engine) => {
  const play = await begin(engine);
  const { world, actions, issue } = play;
  const said = 'Said on GitHub no 1.';
  const id = world.github.as('mona').comment(repo, issue, said);
  actions.issueComments.set(said, { issue, id });
  loseInSilence(play, 'create');
  await play.turn();
  return play.end();
};

/** The next write of this cost to the tracker is answered as done, and nothing of it is stored. */
function loseInSilence({ world }: Play, cost: 'create' | 'edit'): void {
  let isLost = false;
  world.faults = (side, each) => {
    if (side !== 'tracker' || each !== cost || isLost) return { kind: 'none' };
    isLost = true;
    return { kind: 'lost' };
  };
}
