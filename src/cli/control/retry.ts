import type { Command } from 'commander';
import { decisionInWords } from '../../explain/words.ts';
import type { ControlCommand } from '../../model/control.ts';
import { type BridgeEvent, retryable } from '../../wire/bridge.ts';
import { leaveToBridge } from '../../wire/leave-to-bridge.ts';
import { openView, type View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { workPass } from '../run/pass.ts';
import { visible } from '../terminal.ts';

interface RetryOptions extends CommonOptions {
  readonly all?: true;
}

export function addRetry(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'retry',
    description:
      'Retries the operations with the given numbers (see bugferry status), or all that are parked, waiting or set aside. A running bridge does this in its next cycle; otherwise this command runs a cycle of the route.',
    examples: [
      ['7', 'operation 7 in bugferry status'],
      ['7 8 9', 'several'],
      ['--all', 'all operations of all routes'],
    ],
  });
  withConfig(command)
    .argument('[numbers...]', 'the numbers in bugferry status')
    .option('--all', 'all parked and waiting operations, and what is set aside')
    .action(async (numbers: readonly string[], options: RetryOptions) =>
      context.finish(await queueCommands(context, options, (reader) => commandsIn(context, reader, numbers, options))),
    );
}

function commandsIn(
  { terminal }: CommandContext,
  { store, routes }: View,
  numbers: readonly string[],
  { all }: RetryOptions,
): readonly ControlCommand[] {
  if ((all === true) === numbers.length > 0)
    throw new UsageError('retry needs operation numbers (see bugferry status) or --all.');
  const wanted = numbers.map(Number);
  const aside = all ? routes.flatMap(({ name }) => store.setAside.ofRoute(name)) : [];
  const found = routes.map((route) => {
    const rows = retryable({ store, route }).map(({ number }) => number);
    return {
      kind: 'retry' as const,
      route: route.name,
      numbers: all ? rows : rows.filter((number) => wanted.includes(number)),
    };
  });
  const known = new Set(found.flatMap((command) => command.numbers));
  const unknown = numbers.filter((number) => !known.has(Number(number)));
  if (unknown.length > 0)
    throw new UsageError(`No parked or waiting operation has the number ${unknown.join(', ')}; see bugferry status.`);
  if (known.size === 0 && aside.length === 0) terminal.out('Nothing is parked, waiting or set aside.');
  const resyncs = aside.map(({ route, side, ref }) => ({ kind: 'resync' as const, route, side, ref }));
  return [...found.filter((command) => command.numbers.length > 0), ...resyncs];
}

/**
 * Queues commands for the process that may write the state: a running bridge takes them in its next cycle; without one,
 * this process runs a cycle of their routes itself. Returns the exit code.
 */
export async function queueCommands(
  context: CommandContext,
  options: CommonOptions,
  asked: (reader: View) => readonly ControlCommand[],
  mode: 'read' | 'copy' = 'read',
): Promise<number> {
  const { terminal, signal } = context;
  const settings = readSettings(context, options);
  const reader = openView(settings, { signal, warn: terminal.note }, mode);
  let commands: readonly ControlCommand[];
  let resting: readonly string[];
  try {
    commands = asked(reader);
    resting = reader.routes.map(({ name }) => name).filter((name) => reader.store.pauses.of(name) !== null);
  } finally {
    reader.close();
  }
  if (commands.length === 0) return exitCodes.well;
  const tell = (event: BridgeEvent): void => {
    if (event.kind !== 'decided') return;
    if (options.json) terminal.json(event);
    else terminal.out(visible(`${event.route}: ${decisionInWords(event)}`));
  };
  if (!leaveToBridge(settings, commands, { signal, warn: () => {}, tell })) {
    const routes = new Set(commands.map(({ route }) => route));
    return workPass(context, options, { routes, isSwept: false, isForced: false });
  }
  for (const { route, kind } of commands)
    if (resting.includes(route) && kind !== 'decide')
      terminal.note(`bugferry: route ${route} is paused: it is done once somebody runs bugferry resume ${route}.`);
  const words =
    'Queued for the next cycle of the running bridge (schedule.poll); bugferry status and its log show the result.';
  if (options.json) terminal.json({ kind: 'left', commands });
  else terminal.out(words);
  return exitCodes.well;
}
