import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { ownVersion } from '../../config/version.ts';
import type { Progress } from '../../model/rehearsal.ts';
import { begunProgress, now, openRehearsalAt, UnsuitableRepository, usualMs } from '../../wire/rehearse.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { yesOrNo } from '../terminal.ts';
import { introduction, resultOf } from './account.ts';
import { rehearsalMeter } from './meter.ts';
import { recorderInto } from './recorder.ts';
import { checkWritable, readRehearsed, saveProgress } from './result-file.ts';

interface RehearseOptions extends CommonOptions {
  readonly repo: string;
  readonly second?: string;
  readonly yes?: true;
  readonly out: string;
  readonly record?: string;
}

export function addRehearse(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'rehearse',
    description:
      'Tests every assumption of the bridge about GitHub, or about an Enterprise Server, on the configured server, and says whether each holds. Writes only into a repository that is empty or was used by an earlier rehearsal, asks before it begins, and cleans up. Run the same command to resume an interrupted rehearsal. It does not contact the tracker.',
    examples: [
      ['--repo acme/scratch', 'ask, then run all cases and print what differs'],
      ['--repo acme/scratch --second acme/scratch-2', 'also test transfers of issues'],
      ['--repo acme/scratch --yes --json', 'without asking, and print the result as JSON'],
      ['--repo acme/scratch --record exchanges', 'also keep all requests and answers, without secrets'],
    ],
  });
  withConfig(command)
    .requiredOption('--repo <repository>', 'an empty repository (owner/name), best created with a README')
    .option('--second <repository>', 'another empty repository of the same owner, to transfer issues to')
    .option('--yes', 'begin without asking')
    .option(
      '--out <file>',
      'where the result is kept, for resuming and for check --measured',
      'bugferry-rehearsal.json',
    )
    .option('--record <folder>', 'keep every exchange as a file in this folder')
    .action(async (options: RehearseOptions) => context.finish(await rehearse(context, options)));
}

async function rehearse(context: CommandContext, options: RehearseOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const [owner = '', repo = ''] = repositoryIn(config, options.repo);
  const second = options.second === undefined ? null : secondIn(config, options.second, options.repo);
  const progress = resumed(options, config);
  const record = options.record === undefined ? () => {} : recorderInto(options.record, config);
  checkWritable(
    options.out,
    (why) => `cannot write the result to ${options.out}: ${why}. Choose another file with --out.`,
  );
  let isKept = progress.serverVersion !== '';
  const meter = rehearsalMeter(terminal, { isQuiet: options.json === true, now });
  try {
    const save = (next: Progress): void => {
      saveProgress(options.out, next);
      isKept = true;
    };
    const rehearsal = await openRehearsalAt(config, {
      owner,
      repo,
      second,
      progress,
      save,
      record,
      signal,
      tell: meter.tell,
    });
    if (
      !(await isAgreed(
        context,
        options,
        introduction(rehearsal.home, progress, { leastMs: usualMs(config), server: config.github.url }),
      ))
    ) {
      terminal.note('Nothing was written.');
      return exitCodes.usage;
    }
    const measured = await rehearsal.run();
    meter.end();
    if (options.json) terminal.json(measured);
    else for (const line of resultOf(measured, terminal, options.out)) terminal.out(line);
    return measured.cases.some(({ verdict }) => verdict === 'differs') ? exitCodes.attention : exitCodes.well;
  } catch (error) {
    if (error instanceof UnsuitableRepository)
      throw new UsageError(`Nothing was written: ${error.message}`, { cause: error });
    if (!signal.aborted) throw error;
    const rest = isKept
      ? `Run the same command to resume; ${options.out} knows what was done.`
      : 'Nothing was written.';
    terminal.note(`bugferry: stopped. ${rest}`);
    return exitCodes.attention;
  } finally {
    meter.end();
  }
}

/** Owner and name. Throws `UsageError`. */
function repositoryIn(config: Config, repository: string): readonly string[] {
  if (!/^[\w.-]+\/[\w.-]+$/u.test(repository))
    throw new UsageError(`--repo takes a repository as owner/name, not ${repository}.`);
  if (config.routes.some(({ github }) => github.repo.toLowerCase() === repository.toLowerCase()))
    throw new UsageError(
      `${repository} is the repository of a route. Rehearse in another one that you can delete afterwards.`,
    );
  return repository.split('/');
}

/** Its name. Throws `UsageError`. */
function secondIn(config: Config, repository: string, repo: string): string {
  const [other = '', name = ''] = repositoryIn(config, repository);
  const [owner = ''] = repo.split('/');
  if (other.toLowerCase() === owner.toLowerCase() && repository.toLowerCase() !== repo.toLowerCase()) return name;
  throw new UsageError(
    `--second takes another repository of ${owner}, not ${repository}: GitHub transfers issues only within one owner.`,
  );
}

/** Resumes an interrupted rehearsal in the same repository; begins anew otherwise. Throws `UsageError`. */
function resumed({ out, repo }: RehearseOptions, { github: { url } }: Config): Progress {
  const earlier = readRehearsed(out);
  const isSame = earlier?.repository.toLowerCase() === repo.toLowerCase() && earlier.server === url;
  if (earlier !== null && !isSame)
    throw new UsageError(
      `${out} is of a rehearsal in ${earlier.repository} at ${earlier.server}. Choose another file with --out.`,
    );
  if (earlier !== null && earlier.endedAt === null) return earlier;
  return begunProgress({ bugferry: ownVersion(), server: url, repository: repo }, now());
}

async function isAgreed(
  { terminal, questions }: CommandContext,
  { yes, json }: RehearseOptions,
  lines: readonly string[],
): Promise<boolean> {
  if (json !== true) for (const line of lines) terminal.out(line);
  if (yes === true) return true;
  if (questions === null)
    throw new UsageError(
      'A rehearsal writes to GitHub and asks first: confirm it with --yes, or run it in a terminal.',
    );
  const answer = await questions.ask({ question: 'Begin', ...yesOrNo });
  return /^y(es)?$/iu.test(answer);
}
