import { InvalidArgumentError } from 'commander';
import type { Writer } from '../../model/migration.ts';
import type { Bridge, BridgeRoute } from '../../wire/bridge.ts';
import { writerOf } from '../../wire/migrate.ts';
import { chosenRoutes } from '../chosen-routes.ts';
import type { CommandContext, CommonOptions } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { yesOrNo } from '../terminal.ts';

export interface MigrateOptions extends CommonOptions {
  readonly route?: string;
  readonly dryRun?: true;
  readonly preview: string;
  readonly html?: string;
  /** Whether to compare both sides afterwards. */
  readonly verify: boolean;
  readonly samples: number;
  readonly limit?: number;
  /** If absent, the rights of our account decide. */
  readonly writer?: Writer;
  /** The repository of a rehearsal, as owner/name. */
  readonly rehearse?: string;
  readonly numbers: 'free' | 'keep';
}

/**
 * The routes to migrate. With --numbers keep, a repository can have only one route, because the first route would use
 * the numbers of the others. Throws `UsageError`.
 */
export function migratedRoutes(bridge: Bridge, { route: name, numbers }: MigrateOptions): readonly BridgeRoute[] {
  const chosen = chosenRoutes(bridge.routes, name);
  const repoOf = ({ route }: BridgeRoute): string => `${route.owner}/${route.repo}`;
  for (const route of numbers === 'keep' ? chosen : []) {
    const other = bridge.routes.find(
      (each) => each !== route && repoOf(each).toLowerCase() === repoOf(route).toLowerCase(),
    );
    if (other === undefined) continue;
    throw new UsageError(
      `--numbers keep needs a separate repository for each route, but ${route.name} and ${other.name} share ${repoOf(route)}: closed issues of one would take the numbers of the other's bugs. Merge the routes, give each its own repository, or omit --numbers keep.`,
    );
  }
  return chosen;
}

/** A positive whole number. */
export function countIn(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number, 1 or greater.');
}

/**
 * The requested writer, or the best one that the account's rights allow; null if it would notify people and the user
 * declined. Throws `SideError` and `UsageError`.
 */
export async function writerFor(
  context: CommandContext,
  options: MigrateOptions,
  route: BridgeRoute,
): Promise<Writer | null> {
  if (options.numbers === 'keep' && options.writer === 'api')
    throw new UsageError('--numbers keep needs the import: with --writer api, GitHub chooses the numbers.');
  if (options.writer !== undefined) return options.writer;
  const { writer, isByItself, why } = await writerOf(route, options.numbers);
  if (isByItself) return writer;
  context.terminal.note(`bugferry: route ${route.name}: ${why}`);
  if (context.questions === null || options.numbers === 'keep' || options.json === true) return null;
  const answer = await context.questions.ask({ question: 'Use --writer api', ...yesOrNo });
  return /^y(es)?$/iu.test(answer) ? writer : null;
}
