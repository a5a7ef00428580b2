import type { Command } from 'commander';
import type { ControlCommand } from '../../model/control.ts';
import { type Bridge, isStateTaken, openBridge, retryable } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { workPass } from '../run/pass.ts';

interface RetryOptions extends CommonOptions {
  readonly all?: true;
}

export function addRetry(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'retry',
    summary: 'try again at once what is parked or waits for its time',
    description:
      'Gives operations another chance: those with the numbers that bugferry status shows, or all that are parked or waiting. A running bridge takes it up in its next cycle; without one, a cycle of the route is done here.',
    examples: [
      ['7', 'the operation that status calls 7'],
      ['7 8 9', 'several'],
      ['--all', 'all of every route'],
    ],
  });
  withConfig(command)
    .argument('[numbers...]', 'as bugferry status shows them')
    .option('--all', 'all that are parked or waiting')
    .action(async (numbers: readonly string[], options: RetryOptions) =>
      context.finish(await leaveCommands(context, options, (bridge) => commandsIn(context, bridge, numbers, options))),
    );
}

function commandsIn(
  { terminal }: CommandContext,
  bridge: Bridge,
  numbers: readonly string[],
  { all }: RetryOptions,
): readonly ControlCommand[] {
  if ((all === true) === numbers.length > 0)
    throw new UsageError('retry needs the numbers of operations, or --all; bugferry status shows them.');
  const wanted = numbers.map(Number);
  const found = bridge.routes.map(({ route }) => {
    const rows = retryable({ store: bridge.store, route }).map(({ number }) => number);
    return { kind: 'retry' as const, route: route.name, numbers: all ? rows : rows.filter((number) => wanted.includes(number)) };
  });
  const known = new Set(found.flatMap((command) => command.numbers));
  const strange = numbers.filter((number) => !known.has(Number(number)));
  if (strange.length > 0)
    throw new UsageError(`Nothing that is parked or waits has the number ${strange.join(', ')}; bugferry status shows what there is.`);
  if (known.size === 0) terminal.out('Nothing is parked, and nothing waits for its time.');
  return found.filter((command) => command.numbers.length > 0);
}

/**
 * Leaves commands for whoever may write the state: a running bridge takes them up in its next cycle, and without one this process does a
 * cycle of their routes itself. Answers the exit code.
 */
export async function leaveCommands(
  context: CommandContext,
  options: CommonOptions,
  asked: (bridge: Bridge) => readonly ControlCommand[],
): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const quiet = { signal, warn: terminal.note, tell: () => {} };
  const looking = openBridge(config, { ...quiet, mode: 'read' });
  let commands: readonly ControlCommand[];
  try {
    commands = asked(looking);
    for (const command of commands) looking.controlQueue.add(command);
  } finally {
    looking.close();
  }
  if (commands.length === 0) return exitCodes.well;
  try {
    return await workPass(context, options, { routes: new Set(commands.map(({ route }) => route)), isSwept: false, isForced: false });
  } catch (error) {
    if (!isStateTaken(error)) throw error;
    const words = 'The running bridge takes it up in its next cycle (schedule.poll); bugferry status and its log tell how that went.';
    if (options.json) terminal.json({ kind: 'left', commands });
    else terminal.out(words);
    return exitCodes.well;
  }
}
