import type { Command } from 'commander';
import { adoptionOf, type BridgeAdoption, openBridge } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { endingOf, exitCodes } from '../exit-code.ts';

export function addAdopt(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'adopt',
    summary: 'rebuild a lost state from what both sides show; writes to neither',
    description:
      'Reads both sides from end to end and pairs bugs, issues and comments again by the marks that the bridge left in them. Writes to neither side, and tells what the next cycle would write. Routes whose pairs are known are left alone. May be interrupted and begun again.',
    examples: [
      ['', 'after the state file was lost, or moved away because it is damaged'],
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
    },
  });
  try {
    const adoptions: { readonly route: string; readonly adoption: BridgeAdoption | null }[] = [];
    for (const each of bridge.routes) adoptions.push({ route: each.name, adoption: await adoptionOf(each) });
    terminal.progress(null);
    if (options.json) terminal.json({ routes: adoptions });
    else for (const { route, adoption } of adoptions) terminal.out(`${terminal.paint('bold', route)}  ${inWords(adoption)}`);
    return exitCodes.well;
  } catch (error) {
    terminal.progress(null);
    const ending = endingOf(error);
    if (ending.code === exitCodes.unreachable) warn('What was read so far is kept; run bugferry adopt again to go on.');
    throw error;
  } finally {
    bridge.close();
  }
}

function inWords(adoption: BridgeAdoption | null): string {
  if (adoption === null) return 'its pairs are known; there is nothing to adopt';
  const { pairs, alone, givenUp, operations, conflicts } = adoption;
  const parts = [
    `${pairs} ${pairs === 1 ? 'pair' : 'pairs'} found again`,
    ...(alone.tracker > 0 ? [`${alone.tracker} bugs without an issue`] : []),
    ...(alone.github > 0 ? [`${alone.github} issues without a bug`] : []),
    ...(givenUp > 0 ? [`${givenUp} with an end that is deleted or hidden`] : []),
    ...(conflicts > 0 ? [`${conflicts} values that differ, decided by the route's conflicts`] : []),
  ];
  const next =
    operations.length === 0 ? 'nothing is to be written' : `the next cycles write ${operations.length} things: see bugferry plan`;
  return `${parts.join(', ')}; ${next}`;
}
