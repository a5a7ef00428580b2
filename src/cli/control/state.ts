import { Argument, type Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { backUp, restore, type StateSummary, verify } from '../../wire/state.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';

const verbs = ['backup', 'restore', 'verify'] as const;
type Verb = (typeof verbs)[number];

export function addState(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'state',
    summary: 'back up the state file, put a backup back, or look whether it is whole',
    description:
      'The state file is what the bridge remembers. A backup can be made while the bridge runs; to restore one, stop the bridge first. What stood there before is kept under another name.',
    examples: [
      ['backup bugferry.backup', 'a copy in a new file, looked through'],
      ['verify', 'whether the state is whole, page by page and index by index'],
      ['verify bugferry.backup', 'the same for another file'],
      ['restore bugferry.backup', 'put it in the place of the state'],
    ],
  });
  withConfig(command)
    .addArgument(new Argument('<verb>', 'what to do').choices(verbs))
    .argument('[file]', 'the backup')
    .action(async (verb: Verb, file: string | undefined, options: CommonOptions) =>
      context.finish(await state(context, options, verb, file)),
    );
}

async function state(context: CommandContext, options: CommonOptions, verb: Verb, file: string | undefined): Promise<number> {
  const { terminal } = context;
  const done = await act(readConfig(context, options), verb, file);
  if (options.json) terminal.json(done);
  else for (const line of done.words) terminal.out(line);
  return exitCodes.well;
}

interface Done {
  readonly summary: StateSummary;
  readonly words: readonly string[];
}

async function act(config: Config, verb: Verb, file: string | undefined): Promise<Done> {
  if (verb === 'verify') {
    const summary = verify(config, file);
    return { summary, words: [`${file ?? config.state} is whole: ${inWords(summary)}.`] };
  }
  if (file === undefined) throw new UsageError(`Say which file: bugferry state ${verb} FILE.`);
  if (verb === 'backup') {
    const summary = await backUp(config, file);
    return { summary, words: [`${file} holds ${inWords(summary)}.`] };
  }
  const { kept, summary } = await restore(config, file);
  const before = kept === null ? [] : [`What stood there before is in ${kept}; delete it when all is well.`];
  const advice = 'What happened after the backup is read again in the next cycle: look at bugferry plan before you start the bridge.';
  return { summary, words: [`${config.state} is what ${file} holds: ${inWords(summary)}.`, ...before, advice] };
}

const inWords = ({ version, links, ledger, parked }: StateSummary): string =>
  `version ${version}, ${links} links, ${ledger} lines of the ledger, ${parked} parked`;
