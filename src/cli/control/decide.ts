import { type Command, Option } from 'commander';
import { decidedIn } from '../../explain/queued.ts';
import { decideCommand, isOpen } from '../../explain/verdict.ts';
import { agreedInWords, changedInWords, linkInWords, sideInWords, valueInWords } from '../../explain/words.ts';
import type { ControlCommand } from '../../model/control.ts';
import { type Side, sides } from '../../model/ids.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import { openView, statusesIn, type View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { visible } from '../terminal.ts';
import { allOpen, openOf, type Undecided } from './open-conflicts.ts';
import { queueCommands } from './retry.ts';

interface DecideOptions extends CommonOptions {
  readonly all?: true;
  readonly keep?: Side;
  readonly field?: string;
}

export function addDecide(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'decide',
    description:
      'Without a bug or an issue, lists the conflicts that need a person, with both values. With one, or --all, and --keep, the value of that side wins, at once; the next cycle writes it to the other side. Without a running bridge, this command runs a cycle of the route.',
    examples: [
      ['', 'the open conflicts; needs no secrets'],
      ['bug 12 --keep tracker', "the tracker's values win"],
      ['acme/widget#5 --field title --keep github', 'only one field'],
      ['--all --field title --keep tracker', 'all conflicts of titles'],
    ],
  });
  withConfig(command)
    .argument('[item...]', 'bug 12, issue owner/repo#5, or the address of either')
    .addOption(new Option('--keep <side>', 'the side whose value wins').choices([...sides]))
    .option('--field <name>', 'only this field')
    .option('--all', 'all open conflicts of all routes')
    .action(async (words: readonly string[], options: DecideOptions) =>
      context.finish(
        words.length === 0 && options.all !== true ? list(context, options) : await decide(context, options, words),
      ),
    );
}

type Open = RouteStatus['conflicts'][number];

function list(context: CommandContext, options: DecideOptions): number {
  const { terminal, signal } = context;
  if (options.keep !== undefined || options.field !== undefined)
    throw new UsageError('Name the bug or the issue: bugferry decide bug 12 --keep tracker, or give --all.');
  const reader = openView(readSettings(context, options), { signal, warn: terminal.note });
  try {
    const open = statusesIn(reader).flatMap(({ route, conflicts }) =>
      conflicts.filter(isOpen).map((conflict) => ({ route, ...conflict })),
    );
    if (options.json) terminal.json({ conflicts: open });
    else if (open.length === 0) terminal.out('There is no conflict to decide.');
    else for (const conflict of open) print(context, reader, conflict);
    return exitCodes.well;
  } finally {
    reader.close();
  }
}

function print({ terminal: { out, paint } }: CommandContext, { store }: View, conflict: Open): void {
  out(`${paint('bold', conflict.about)}  ${conflict.field}`);
  for (const side of sides) {
    const who = changedInWords(conflict.changed?.[side]);
    out(
      `  ${side.padEnd(8)} ${visible(`${valueInWords(conflict[side], conflict.field)}${who === '' ? '' : `  ${who}`}`)}`,
    );
  }
  const before = agreedInWords(store.links.byId(conflict.link), conflict.field);
  if (before !== null) out(`  before   ${visible(before)}`);
  out(paint('dim', visible(`  ${decideCommand(conflict.about)}`)));
}

async function decide(context: CommandContext, options: DecideOptions, words: readonly string[]): Promise<number> {
  const { all, keep, field } = options;
  if (keep === undefined) throw new UsageError('Say which side wins: --keep tracker, or --keep github.');
  if (all === true && words.length > 0) throw new UsageError('Give either a bug or an issue, or --all.');
  return queueCommands(context, options, (reader) => {
    const pairs =
      all === true ? allOpen(reader, field) : [undecided(context, reader, openOf(reader, words, field), keep)];
    if (pairs.length === 0) context.terminal.out('There is no conflict to decide.');
    return pairs.flatMap(({ link, open }) =>
      open.map(({ field: name, tracker, github }): ControlCommand => {
        const [winner, loser] = keep === 'tracker' ? [tracker, github] : [github, tracker];
        const line = `${linkInWords(link)}: ${name} ${valueInWords(winner, name)} of ${sideInWords(keep)} wins over ${valueInWords(loser, name)}`;
        context.terminal.note(visible(line));
        const decision = { link: link.id, field: name, tracker, github, keep };
        return { kind: 'decide', route: link.route, decision };
      }),
    );
  });
}

/** Two opposite decisions would cancel each other, and the same twice is the same. Throws `UsageError`. */
function undecided(
  { terminal }: CommandContext,
  { controlQueue }: View,
  { link, open }: Undecided,
  keep: Side,
): Undecided {
  const commands = controlQueue.of(link.route);
  const left = open.filter((conflict) => {
    const decided = decidedIn(commands, conflict);
    if (decided === null) return true;
    const isDecided = `The ${conflict.field} of ${linkInWords(link)} is decided already: ${sideInWords(decided)} wins, and the running bridge carries that over.`;
    if (decided !== keep) throw new UsageError(`${isDecided} Change the value on either side if you want another one.`);
    terminal.note(isDecided);
    return false;
  });
  return { link, open: left };
}
