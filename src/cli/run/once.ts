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
    description:
      'Reads both sides, carries over the changes, and exits. For cron jobs, scripts and a careful first run.',
    examples: [
      ['', 'one cycle of every route'],
      ['--sweep', 'compare everything in full first, which finds deleted and hidden items'],
      ['--force', 'carry out a plan that the brake refused; check it with bugferry plan first'],
      ['--json', 'one JSON line for each event'],
    ],
  });
  withConfig(command)
    .option('--sweep', 'compare everything in full first, as the daemon does on schedule.sweep')
    .option('--force', 'carry out a plan that the brake would refuse')
    .action(async (options: OnceOptions) =>
      context.finish(
        await workPass(context, options, { isSwept: options.sweep === true, isForced: options.force === true }),
      ),
    );
}
