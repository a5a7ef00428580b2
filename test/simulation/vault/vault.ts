import type { Context } from '../../../src/kernel/context.ts';
import { SideError } from '../../../src/model/outcome.ts';
import type { Route } from '../../../src/model/route.ts';
import { noFaults } from '../../../src/sandbox/server/faults.ts';
import { lookTurns } from '../../../src/sync/observe/recheck-mirrored.ts';
import { drawFaults } from '../../support/drawn-faults.ts';
import { type Random, random } from '../../support/random.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import type { Engine } from '../simulate.ts';
import { bot, contextOn, repo, type Stage, stage } from '../stage.ts';
import { isRefusal } from '../world/people.ts';

const vault = 'acme/vault';
const gadget = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' } as const;

/** Two routes to one tracker, from a repository that is always public, and from one that is so now and then. */
const routes: readonly Route[] = [
  widgetRoute,
  {
    ...widgetRoute,
    name: 'vault',
    repo: 'vault',
    selection: { ...widgetRoute.selection, product: gadget.product },
    create: { ...widgetRoute.create, component: gadget.component, version: gadget.version },
    privateRepository: 'refuse',
  },
];

/** What mona wrote in the vault. */
interface Secret {
  readonly words: string;
  /** Whether everyone could read it at some moment. */
  wasPublic: boolean;
}

/**
 * I9: a repository turns private under the running bridge, and public again, between any two requests. What its people
 * write meanwhile stays there, whatever mallory says on the tracker and in the other repository.
 * @returns what is wrong at any moment, and whether the route goes on once everyone may read the vault
 */
export async function vaultViolations(engine: Engine, seed: number): Promise<readonly string[]> {
  const draw = random(seed + 230_000_000);
  const world = stage();
  world.github.addRepo(vault, { permissions: { [bot]: 'write', mona: 'admin' } });
  world.github.addUser('mallory');
  const secrets: Secret[] = [];
  const found = new Set<string>();
  const act = people(world, draw, secrets);
  const contexts = contextsOf(world);
  const pass = async (): Promise<void> => {
    for (const context of contexts) {
      try {
        await engine.cycle(context, { isForced: false });
      } catch (error) {
        if (!(error instanceof SideError)) throw error;
      }
    }
  };
  world.faults = drawFaults(draw.next, draw.pick([0, 0.05]));
  world.between = (_side, method, when) => {
    world.clock.advance(draw.below(1_500));
    if (draw.chance(0.1)) act();
    if (when === 'after' && writing.has(method))
      for (const words of leaked(world, secrets)) found.add(`I9: ${words} was private, and has left the vault`);
  };
  for (let index = 0; index < 8; index += 1) {
    for (let acts = 2 + draw.below(4); acts > 0; acts -= 1) act();
    await pass();
    world.clock.advance(draw.below(60_000));
    if (index === 6) for (const context of contexts) await engine.sweep(context, { isForced: true }).catch(ignore);
  }
  world.faults = noFaults;
  world.between = () => undefined;
  open(world, secrets, true);
  world.github.as('mona').open(vault, { title: 'Opened in the end', body: 'For everyone.' });
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(index < 4 ? 61_000 : 3_700_000);
    await pass();
  }
  for (const words of leaked(world, secrets)) found.add(`I9: ${words} was private, and has left the vault`);
  if (!onTracker(world).includes('Opened in the end')) found.add('I3: what is public again does not arrive');
  return [...found];
}

const writing = new Set(['create', 'update', 'comment', 'rewrite', 'file', 'addFile', 'point']);

const ignore = (error: unknown): void => {
  if (!(error instanceof SideError)) throw error;
};

function contextsOf(world: Stage): readonly Context[] {
  const turns = lookTurns(routes);
  return routes.map((route) => ({ ...contextOn(world, route, { limits: testLimits }), lookTurns: turns }));
}

/** Makes the vault public or private: only what it shows at that moment was ever public. */
function open({ github, ...world }: Stage, secrets: readonly Secret[], isPublic: boolean): void {
  github.setPrivate(vault, !isPublic);
  if (!isPublic) return;
  const shown = inVault({ github, ...world }).join('\n');
  for (const secret of secrets) secret.wasPublic ||= shown.includes(secret.words);
}

function people(world: Stage, draw: Random, secrets: Secret[]): () => void {
  const { tracker, github } = world;
  const [alice, mona, mallory] = [tracker.as('alice'), github.as('mona'), github.as('mallory')];
  let isPublic = true;
  const words = (): string => {
    const said = `Vault no ${secrets.length + 1}.`;
    secrets.push({ words: said, wasPublic: isPublic });
    return said;
  };
  const issues = () => github.issues(vault).filter(({ isPull }) => !isPull);
  const inside = () => draw.pick(issues())?.number ?? 0;
  const bug = () => draw.pick(tracker.bugs())?.id ?? 0;
  const comments = () => github.commentsOf(vault, inside()).filter(({ author }) => author === 'mona');
  const toggle = () => {
    isPublic = !isPublic;
    open(world, secrets, isPublic);
  };
  const lure = (): string =>
    draw.pick([
      `See https://github.com/${vault}/issues/${inside()}`,
      `GitHub user mona wrote (https://github.com/${vault}/issues/${inside()}):\n\nMine.`,
      `This bug is mirrored on GitHub (https://github.com/${vault}/issues/${inside()}).`,
      `Duplicate of ${vault}#${inside()}`,
      `<!-- bugferry:1 acme bug=${bug()} -->`,
    ]);
  const acts: readonly (() => void)[] = [
    toggle,
    toggle,
    ...Array.from({ length: 3 }, () => () => void mona.open(vault, { title: words(), body: words() })),
    ...Array.from({ length: 3 }, () => () => void mona.comment(vault, inside(), words())),
    () => mona.edit(vault, inside(), { title: words() }),
    () => mona.edit(vault, inside(), { body: words() }),
    () => mona.editComment(vault, draw.pick(comments())?.id ?? 0, words()),
    () => mona.deleteComment(vault, draw.pick(comments())?.id ?? 0),
    () => mona.close(vault, inside()),
    () => void alice.file({ summary: 'Filed', ...(draw.chance(0.5) ? gadget : {}) }),
    () => alice.comment(bug(), 'Said.'),
    () => void tracker.as('bob').comment(bug(), lure()),
    () => void tracker.as('bob').file({ summary: 'Lure', description: lure(), ...gadget }),
    () =>
      void tracker
        .as('bob')
        .file({ summary: 'Lure', see_also: [`https://github.com/${vault}/issues/${inside()}`], ...gadget }),
    () => void mallory.open(repo, { title: 'Lure', body: lure() }),
    () => void mallory.comment(repo, draw.pick(github.issues(repo))?.number ?? 0, lure()),
  ];
  return () => {
    try {
      draw.pick(acts)();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };
}

const inVault = ({ github }: Stage): readonly string[] =>
  github
    .issues(vault)
    .flatMap(({ number, title, body }) => [
      title,
      body,
      ...github.commentsOf(vault, number).map((comment) => comment.body),
    ]);

const onTracker = ({ tracker }: Stage): string =>
  JSON.stringify(tracker.bugs().map((bug) => [bug, tracker.commentsOf(bug.id).map(({ text }) => text)]));

/** Private words outside: on the tracker, or in the public repository. */
function leaked(world: Stage, secrets: readonly Secret[]): readonly string[] {
  const kept = secrets.filter(({ wasPublic }) => !wasPublic);
  if (kept.length === 0) return [];
  const { github } = world;
  const outside = [
    onTracker(world),
    ...github
      .issues(repo)
      .flatMap(({ number, title, body }) => [title, body, ...github.commentsOf(repo, number).map((each) => each.body)]),
  ].join('\n');
  return kept.flatMap(({ words }) => (outside.includes(words) ? [words] : []));
}
