import type { Writer } from '../core/writer.ts';
import type { BridgeRoute } from '../wire.ts';
import { writerOf } from '../wire-migrate.ts';
import type { Desk } from './desk.ts';
import { UsageError } from './failure.ts';
import type { MigrateOptions } from './migrate-options.ts';

/** The writer that was asked for, or that the rights allow; null when nobody agreed to a way that notifies people. Throws `SideError` and `UsageError`. */
export async function writerFor(desk: Desk, options: MigrateOptions, route: BridgeRoute): Promise<Writer | null> {
  if (options.numbers === 'keep' && options.writer === 'api')
    throw new UsageError('--numbers keep needs imports: with --writer api issues get the numbers that GitHub gives them.');
  if (options.writer !== undefined) return options.writer;
  const { writer, isByItself, why } = await writerOf(route, options.numbers);
  if (isByItself) return writer;
  desk.terminal.note(`bugferry: route ${route.name}: ${why}`);
  if (desk.questions === null || options.numbers === 'keep' || options.json === true) return null;
  const answer = await desk.questions.ask('Use --writer api (yes or no)', 'no');
  return /^y(es)?$/iu.test(answer) ? writer : null;
}
