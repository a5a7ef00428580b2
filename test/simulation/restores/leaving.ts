import type { Context } from '../../../src/kernel/context.ts';
import { writeCutoverNotices } from '../../../src/migrate/cutover/notice.ts';
import { takeBack } from '../../../src/migrate/cutover/take-back.ts';
import { migrate } from '../../../src/migrate/migrate.ts';
import type { Migration } from '../../../src/migrate/migration.ts';
import { untilQuiet } from '../../../src/migrate/until-quiet.ts';
import { bugId } from '../../../src/model/ids.ts';
import type { Importer } from '../../../src/model/migration.ts';
import { random } from '../../support/random.ts';
import { bot, edgesOn, repo, type Stage } from '../stage.ts';
import { isAsked } from './edits.ts';

/** A command that runs instead of a cycle. */
export type Command = (context: Context, isDead: () => boolean) => Promise<unknown>;

/** People move the whole tracker over, leave it, and come back to it. */
export interface Leaving {
  /** The first cycles are a migration. */
  readonly first: Command | null;
  /** What runs next; null for an ordinary cycle. */
  next(): Command | null;
  /** What ends all cutovers. */
  readonly end: Command;
}

const closing = { status: 'RESOLVED', resolution: 'WONTFIX' } as const;

/**
 * Draws of its own, so that seeds without it run as they did.
 * @param meanwhile called around each request of an import: people do something
 */
export function leavingOn(world: Stage, seed: number, user: string, meanwhile: () => void): Leaving {
  const draw = random(seed + 397_000_000);
  world.github.allow(repo, bot, 'admin');
  const imports = draw.chance(0.6);
  const migrationOf = (context: Context, isDead: () => boolean): Migration => ({
    context,
    importer: imports ? disturbed(edgesOn(world, { user, isDead }).importer(context.route), meanwhile) : null,
    numbers: 'free',
    limit: null,
    tell: () => undefined,
  });
  const move: Command = (context, isDead) => migrate(migrationOf(context, isDead));
  const end: Command = (context, isDead) => takeBack(migrationOf(context, isDead));
  const leave: Command = async (context, isDead) => {
    const migration = migrationOf(context, isDead);
    if ((await untilQuiet(migration, (whole) => whole, 'remainder')) !== null) return;
    await writeCutoverNotices(migration, { addsComment: true, closing: draw.chance(0.8) ? closing : null });
  };
  return {
    first: draw.chance(0.5) ? move : null,
    next: () => (draw.chance(0.3) ? draw.pick([leave, leave, end, move]) : null),
    end,
  };
}

const disturbed = (importer: Importer, meanwhile: () => void): Importer => {
  async function amid<T>(ask: () => Promise<T>): Promise<T> {
    meanwhile();
    const answer = await ask();
    meanwhile();
    return answer;
  }
  return {
    ...importer,
    begin: (draft) => amid(() => importer.begin(draft)),
    since: (at) => amid(() => importer.since(at)),
  };
};

/**
 * I3: nobody closed a bug or an issue, and it is closed. A bug that was hidden when the cutover was taken back may be
 * as the cutover left it, but once it is shown its issue is open.
 */
export function closedByNobody(world: Stage, pairs: readonly (readonly [number, number])[]): readonly string[] {
  const { tracker, github, store } = world;
  return pairs.flatMap(([bug, issue]) => {
    const rows = tracker.state.history.get(bug) ?? [];
    const isByPeople = ({ who, field, added }: (typeof rows)[number]): boolean =>
      ((field === 'status' && added === 'RESOLVED') || (field === 'resolution' && added !== '')) &&
      !who.startsWith('bridge');
    const events = github.state.repos.get(repo)?.issues.get(issue)?.events ?? [];
    const isOfPeople =
      rows.some(isByPeople) || events.some(({ action, actor }) => action === 'closed' && actor?.login !== bot);
    const link = store.links.byBug(bugId(bug));
    const isLeft = link !== null && store.cutoverNotices.get(link.id) !== null;
    const isShown = tracker.bug(bug)?.groups.length === 0;
    const isClosed = (tracker.bug(bug)?.resolution !== '' && !isLeft) || github.issue(repo, issue)?.state === 'closed';
    // Where our account set both ends last, a person is asked.
    const isOpen = link !== null && isAsked(world, link, 'status');
    return isShown && isClosed && !isOfPeople && !isOpen
      ? [`I3: nobody closed bug ${bug} or issue ${issue}, and one of them is closed`]
      : [];
  });
}
