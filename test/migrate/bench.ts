import { migrate } from '../../src/migrate/migrate.ts';
import type { MigrateEvent, MigrateReport, Migration, Phase } from '../../src/migrate/migration.ts';
import type { Importer } from '../../src/model/migration.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { type ContextOptions, contextOn, edgesOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { edgesOf, serversOf } from '../support/edges.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

export const bot = 'bugferry-bot';

export const oneWay: Route = { ...widgetRoute, direction: 'to-github' };

/** A stage on which the bridge may import. */
export function importStage(): Stage {
  const world = stage();
  world.github.allow(repo, bot, 'admin');
  return world;
}

export interface MigrateOptions extends Partial<Omit<Migration, 'context' | 'tell'>> {
  readonly route?: Route;
  readonly context?: Partial<ContextOptions>;
  readonly events?: MigrateEvent[];
  /** Another copy of `migrate`, such as one with a planted fault. */
  readonly run?: typeof migrate;
}

/** The importer of a process on this stage, or one for which all goes as `faults` says. */
export function importerOn(world: Stage, faults?: FaultSource): Importer {
  if (faults === undefined) return edgesOn(world).importer(oneWay);
  const servers = serversOf(world);
  servers.faults = faults;
  return edgesOf({ servers, worlds: world, clock: world.clock, user: 'bridge', bot }).importer(oneWay);
}

/** One run of `migrate`, as a process of its own. */
export function migrateOn(
  world: Stage,
  { route = oneWay, context, events = [], run = migrate, ...rest }: MigrateOptions = {},
): Promise<MigrateReport> {
  const importer = importerOn(world);
  const options = { limits: testLimits, ...context };
  const tell = (event: MigrateEvent) => void events.push(event);
  return run({ context: contextOn(world, route, options), importer, numbers: 'free', limit: null, tell, ...rest });
}

/** A migration of so many bugs that a side interrupts when it enters a phase. */
export async function migratedUntil(until: Phase, bugs: number, options: MigrateOptions = {}): Promise<Stage> {
  const world = importStage();
  for (let index = 1; index <= bugs; index += 1) {
    const bug = world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'It fails.' });
    world.tracker.as('bob').comment(bug, 'For me, too.');
  }
  world.clock.advance(86_400_000);
  const run: typeof migrate = (migration) =>
    migrate({
      ...migration,
      tell(event) {
        if (event.kind === 'phase' && event.phase === until) throw new SideError('later', 'down', { side: 'github' });
      },
    });
  await migrateOn(world, { run, ...options }).catch((error) => {
    if (!(error instanceof SideError)) throw error;
  });
  return world;
}

/** What the mirror does when it goes on from here. */
export async function cyclesOn(
  world: Stage,
  count: number,
  route: Route = oneWay,
  options: Partial<ContextOptions> = {},
): Promise<readonly string[]> {
  const context = contextOn(world, route, { limits: testLimits, ...options });
  const done: string[] = [];
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const { operations } = await cycle(context, { isForced: false });
    done.push(...operations.map(({ kind, on, about }) => `${kind} ${on} ${about}`));
  }
  return done;
}

/** Requests that reached GitHub and changed something, as `METHOD path`. */
export const writesOf = ({ github }: Stage): readonly string[] =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
