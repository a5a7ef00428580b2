import { InvalidArgumentError } from 'commander';
import type { Writer } from '../../people/writer.ts';
import type { Bridge, BridgeRoute } from '../../wire/bridge.ts';
import { writerOf } from '../../wire/migrate.ts';
import type { CommandContext, CommonOptions } from '../context.ts';
import { UsageError } from '../exit-code.ts';

export interface MigrateOptions extends CommonOptions {
  readonly route?: string;
  readonly dryRun?: true;
  readonly preview: string;
  readonly html?: string;
  /** Whether both sides are compared afterwards. */
  readonly verify: boolean;
  readonly samples: number;
  readonly limit?: number;
  /** Absent takes what the rights of our account allow. */
  readonly writer?: Writer;
  /** The repository of a rehearsal, as owner/name. */
  readonly rehearse?: string;
  readonly numbers: 'free' | 'keep';
}

/** The routes of a migration. With kept numbers each repository takes one: the first route would hold the numbers of the others' bugs. Throws `UsageError`. */
export function migratedRoutes(bridge: Bridge, { route: name, numbers }: MigrateOptions): readonly BridgeRoute[] {
  const chosen = chosenRoutes(bridge, name);
  const repoOf = ({ route }: BridgeRoute): string => `${route.owner}/${route.repo}`;
  for (const route of numbers === 'keep' ? chosen : []) {
    const other = bridge.routes.find((each) => each !== route && repoOf(each).toLowerCase() === repoOf(route).toLowerCase());
    if (other === undefined) continue;
    throw new UsageError(
      `--numbers keep takes a repository for each route, and ${route.name} and ${other.name} share ${repoOf(route)}: closed issues of the one would hold the numbers of the other's bugs. Make one route of them, give each its repository, or leave --numbers keep away.`,
    );
  }
  return chosen;
}

/** The routes that were asked for. */
export function chosenRoutes({ routes }: Bridge, name: string | undefined): readonly BridgeRoute[] {
  const found = name === undefined ? routes : routes.filter((route) => route.name === name);
  if (found.length > 0) return found;
  throw new UsageError(`There is no route ${name}. The configuration has ${routes.map((route) => route.name).join(', ')}.`);
}

/** A whole number from 1. */
export function countIn(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It has to be a whole number from 1.');
}

/** The writer that was asked for, or that the rights allow; null when nobody agreed to a way that notifies people. Throws `SideError` and `UsageError`. */
export async function writerFor(context: CommandContext, options: MigrateOptions, route: BridgeRoute): Promise<Writer | null> {
  if (options.numbers === 'keep' && options.writer === 'api')
    throw new UsageError('--numbers keep needs imports: with --writer api issues get the numbers that GitHub gives them.');
  if (options.writer !== undefined) return options.writer;
  const { writer, isByItself, why } = await writerOf(route, options.numbers);
  if (isByItself) return writer;
  context.terminal.note(`bugferry: route ${route.name}: ${why}`);
  if (context.questions === null || options.numbers === 'keep' || options.json === true) return null;
  const answer = await context.questions.ask('Use --writer api (yes or no)', 'no');
  return /^y(es)?$/iu.test(answer) ? writer : null;
}
