import type { Command } from 'commander';
import { counted } from '../../explain/words.ts';
import { adoptionOf, openBridge, type RouteAdoption } from '../../wire/bridge.ts';
import { allOff } from '../chosen-routes.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { endingOf, exitCodes } from '../exit-code.ts';
import { narrate } from '../run/narrate.ts';

export function addAdopt(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'adopt',
    description:
      'Reads both sides completely and pairs bugs, issues and comments by the markers that the bridge left in them. Writes to neither side, and reports what the next cycle would write. Skips routes whose pairs are known, and lets those go on that stopped for a second bridge. You can stop it at any time and run it again.',
    examples: [
      ['', 'after you lost the state file, or moved a damaged one away'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command).action(async (options: CommonOptions) => context.finish(await adopt(context, options)));
}

async function adopt(context: CommandContext, options: CommonOptions): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(context, options), {
    mode: 'write',
    signal,
    warn,
    tell(event) {
      if (event.kind === 'polled') terminal.progress(`${event.route}: reading ${event.side}, ${event.items} more ...`);
      if (event.kind !== 'set aside') return;
      terminal.progress(null);
      terminal.note(narrate(event, bridge.store, terminal) ?? '');
    },
  });
  try {
    if (bridge.routes.length === 0) terminal.note(allOff);
    const adoptions: ({ readonly route: string } & RouteAdoption)[] = [];
    for (const each of bridge.routes) adoptions.push({ route: each.name, ...(await adoptionOf(each)) });
    terminal.progress(null);
    if (options.json) terminal.json({ routes: adoptions });
    else
      for (const { route, ...result } of adoptions)
        terminal.out(`${terminal.paint('bold', route)}  ${inWords(result)}`);
    return exitCodes.well;
  } catch (error) {
    terminal.progress(null);
    const ending = endingOf(error);
    if (ending.code === exitCodes.unreachable) warn('Progress is saved; run bugferry adopt again to continue.');
    throw error;
  } finally {
    bridge.close();
  }
}

function inWords({ adoption, goesOn }: RouteAdoption): string {
  if (goesOn) return 'this state is the only one now; the route goes on, and asks who set the values that differ';
  if (adoption === null) return 'pairs are known; nothing to adopt';
  const { pairs, alone, givenUp, operations, conflicts } = adoption;
  const parts = [
    `${counted(pairs, 'pair')} restored`,
    ...(alone.tracker > 0 ? [`${counted(alone.tracker, 'bug')} without an issue`] : []),
    ...(alone.github > 0 ? [`${counted(alone.github, 'issue')} without a bug`] : []),
    ...(givenUp > 0 ? [`${givenUp} with a deleted or hidden end`] : []),
    ...(conflicts > 0
      ? [`${counted(conflicts, 'value that differs', 'values that differ')}, resolved by the route's conflicts setting`]
      : []),
  ];
  const next =
    operations.length === 0
      ? 'nothing to write'
      : `${counted(operations.length, 'operation')} for the next cycles: see bugferry plan`;
  return `${parts.join(', ')}; ${next}`;
}
