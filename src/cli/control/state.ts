import { Argument, type Command } from 'commander';
import type { Settings } from '../../config/config.ts';
import { counted } from '../../explain/words.ts';
import { backUp, restore, type StateSummary, verify } from '../../wire/state.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';

const verbs = ['backup', 'restore', 'verify'] as const;
type Verb = (typeof verbs)[number];

export function addState(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'state',
    description:
      'The state file holds everything that the bridge remembers. You can back it up while the bridge runs; stop the bridge before you restore a backup. The replaced file is kept under another name.',
    examples: [
      ['backup bugferry.backup', 'copy it to a new file, and verify the copy'],
      ['verify', 'check every page and index of the state file'],
      ['verify bugferry.backup', 'the same for another file'],
      ['restore bugferry.backup', 'replace the state file with the backup'],
    ],
  });
  withConfig(command)
    .addArgument(new Argument('<verb>', 'the action').choices(verbs))
    .argument('[file]', 'the backup')
    .action(async (verb: Verb, file: string | undefined, options: CommonOptions) =>
      context.finish(await state(context, options, verb, file)),
    );
}

async function state(
  context: CommandContext,
  options: CommonOptions,
  verb: Verb,
  file: string | undefined,
): Promise<number> {
  const { terminal } = context;
  const done = await act(readSettings(context, options), verb, file);
  if (options.json) terminal.json(done);
  else for (const line of done.words) terminal.out(line);
  return exitCodes.well;
}

interface Done {
  readonly summary: StateSummary;
  readonly words: readonly string[];
}

async function act(config: Settings, verb: Verb, file: string | undefined): Promise<Done> {
  if (verb === 'verify') {
    const summary = verify(config, file);
    return { summary, words: [`${file ?? config.state} is intact: ${inWords(summary)}.`] };
  }
  if (file === undefined) throw new UsageError(`Name the file: bugferry state ${verb} FILE.`);
  if (verb === 'backup') {
    const summary = await backUp(config, file);
    return { summary, words: [`Backed up to ${file}: ${inWords(summary)}.`] };
  }
  const { kept, summary } = await restore(config, file);
  const before = kept === null ? [] : [`The previous state is in ${kept}; delete it once everything works.`];
  const advice =
    'The next cycle reads again what changed after the backup: check bugferry plan before you start the bridge.';
  return { summary, words: [`Restored ${config.state} from ${file}: ${inWords(summary)}.`, ...before, advice] };
}

const inWords = ({ version, pairs, ledger, parked }: StateSummary): string =>
  `version ${version}, ${counted(pairs, 'pair')}, ${counted(ledger, 'ledger line')}, ${parked} parked`;
