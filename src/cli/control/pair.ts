import type { Command } from 'commander';
import { namedIn } from '../../model/named.ts';
import { announce, type CommandContext, withConfig } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { type AskedPair, type PairOptions, pairOf, queuePairs } from './queue-pairs.ts';

export function addPair(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'pair',
    description:
      'Makes an existing bug and an existing issue a pair, whoever opened them. Both must be without a pair, and the route must select the bug. Differences are conflicts of first contact: the value that loses stays in the ledger. A running bridge does this in its next cycle; otherwise this command runs a cycle of the route.',
    examples: [
      ['bug 12 acme/widget#5', 'by bug number, and by repository and issue number'],
      ['12 https://github.com/acme/widget/issues/5', 'by address'],
      ['bug 12 acme/widget#5 --dry-run', 'says whether they would become a pair'],
    ],
  });
  withConfig(command)
    .argument('<items...>', 'bug 12 and issue owner/repo#5, or their addresses')
    .option('--dry-run', 'read both sides, and only say what would happen')
    .action(async (words: readonly string[], options: PairOptions) =>
      context.finish(await queuePairs(context, options, [pairIn(words)])),
    );
}

/** The words name the bug and the issue, each in one word or more. */
function pairIn(words: readonly string[]): AskedPair {
  for (const [at] of words.entries()) {
    const [first, second] = [words.slice(0, at), words.slice(at)].map((part) => namedIn(part.join(' ')));
    const pair = pairOf(first ?? null, second ?? null);
    if (pair !== null) return { ...pair, line: null };
  }
  throw new UsageError(
    `"${words.join(' ')}" does not name a bug and an issue; try: bugferry pair bug 12 acme/widget#5`,
  );
}
