import type { Command } from 'commander';
import { announce, type CommandContext, type CommonOptions, withConfig } from '../context.ts';
import { workPass } from './pass.ts';

interface OnceOptions extends CommonOptions {
  readonly force?: true;
  readonly sweep?: true;
}

export function addOnce(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'once',
    summary: 'one cycle of every route, then end',
    description: 'Reads both sides, carries over what has changed, and ends. For cron jobs, scripts and a careful first run.',
    examples: [
      ['', 'one cycle of every route'],
      ['--sweep', 'first compare everything in full, which finds what was deleted or hidden'],
      ['--force', 'carry out a plan that the brake refused, after looking at it with bugferry plan'],
      ['--json', 'one JSON line for each event'],
    ],
  });
  withConfig(command)
    .option('--sweep', 'compare everything in full first, as the daemon does by schedule.sweep')
    .option('--force', 'carry out what the brake would refuse')
    .action(async (options: OnceOptions) =>
      context.finish(await workPass(context, options, { isSwept: options.sweep === true, isForced: options.force === true })),
    );
}
