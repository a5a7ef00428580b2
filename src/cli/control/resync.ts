import type { Command } from 'commander';
import { type Named, sameName } from '../../links/named.ts';
import type { ControlCommand } from '../../model/control.ts';
import { type Bridge, findLink } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, withConfig } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { named } from '../show/explain.ts';
import { leaveCommands } from './retry.ts';

export function addResync(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'resync',
    summary: 'read one bug or issue and its other end afresh, and carry over what differs',
    description:
      'Reads both ends with all comments and files, whatever was read of them before, plans the pair anew and writes what is missing. A running bridge takes it up in its next cycle; without one, a cycle of the route is done here.',
    examples: [
      ['bug 12', 'by the number of the bug'],
      ['issue acme/widget#5', 'by repository and number of the issue'],
    ],
  });
  withConfig(command)
    .argument('<item...>', 'bug 12, issue owner/repo#5, or the address of either')
    .action(async (words: readonly string[], options: CommonOptions) =>
      context.finish(await leaveCommands(context, options, (bridge) => commandsFor(bridge, named('resync', words)))),
    );
}

/** What is linked belongs to its route; what is not, to every route that could take it. */
function commandsFor(bridge: Bridge, target: Named): readonly ControlCommand[] {
  const routes = bridge.routes.map(({ route }) => route);
  const link = findLink(bridge.store, routes, target);
  const near = routes.filter(({ owner, repo }) => target.kind === 'bug' || sameName(`${owner}/${repo}`, target.repo));
  const names = link === null ? near.map(({ name }) => name) : [link.route];
  if (names.length === 0) throw new UsageError(`No route has the repository of ${target.about}.`);
  const item = target.kind === 'bug' ? { side: 'tracker' as const, ref: target.id } : { side: 'github' as const, ref: target.number };
  return names.map((route) => ({ kind: 'resync', route, ...item }));
}
