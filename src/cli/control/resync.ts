import type { Command } from 'commander';
import type { ControlCommand } from '../../model/control.ts';
import { sameName } from '../../model/named.ts';
import { findLink } from '../../wire/bridge.ts';
import type { View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, withConfig } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { named } from '../show/explain.ts';
import { queueCommands } from './retry.ts';

export function addResync(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'resync',
    description:
      'Reads both ends again with all comments and files, replans the pair and writes the differences. A running bridge does this in its next cycle; otherwise this command runs a cycle of the route.',
    examples: [
      ['bug 12', 'by bug number'],
      ['issue acme/widget#5', 'by repository and issue number'],
    ],
  });
  withConfig(command)
    .argument('<item...>', 'bug 12, issue owner/repo#5, or the address of either')
    .action(async (words: readonly string[], options: CommonOptions) =>
      context.finish(await queueCommands(context, options, (view) => commandsFor(context, view, words))),
    );
}

/** The route of a linked item; for other items, every route that could mirror it. */
function commandsFor(
  { terminal }: CommandContext,
  { store, routes }: View,
  words: readonly string[],
): readonly ControlCommand[] {
  const target = named('resync', words, routes);
  const link = findLink(store, routes, target);
  const candidates = routes.filter(
    ({ owner, repo }) => target.kind === 'bug' || sameName(`${owner}/${repo}`, target.repo),
  );
  const names = link === null ? candidates.map(({ name }) => name) : [link.route];
  if (names.length === 0) throw new UsageError(`No route has the repository of ${target.about}.`);
  if (link === null)
    terminal.note(
      `bugferry: ${target.about} is not mirrored yet; if it stays so, bugferry explain ${words.join(' ')} says why.`,
    );
  const item =
    target.kind === 'bug'
      ? { side: 'tracker' as const, ref: target.id }
      : { side: 'github' as const, ref: target.number };
  return names.map((route) => ({ kind: 'resync', route, ...item }));
}
