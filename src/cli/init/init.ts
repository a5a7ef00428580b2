import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Direction, directions, type FurtherValues } from '../../model/route.ts';
import { check } from '../check/check.ts';
import { announce, type CommandContext } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { inShell } from '../terminal.ts';
import { answersFrom } from './answers.ts';
import { type Answers, configText } from './page.ts';

export interface InitOptions {
  readonly config: string;
  readonly url?: string;
  readonly login?: string;
  readonly apiKeyFile?: string;
  readonly githubUrl?: string;
  readonly tokenFile?: string;
  readonly product?: string;
  readonly component?: string;
  readonly create?: FurtherValues;
  readonly repo?: string;
  readonly direction?: Direction;
  readonly verbose?: true;
}

export function addInit(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'init',
    description:
      'Asks for everything that the options leave open, reads products and values from the tracker, runs bugferry check, and writes a commented configuration for one route if nothing fails. It takes secrets from the environment (TRACKER_API_KEY, GITHUB_TOKEN) or from files and never asks for them. Without a terminal, the options must give whatever has no default; the default direction is to-github.',
    examples: [
      ['', 'asks for everything'],
      ['--url https://bugs.example.org --product Widget --repo acme/widget', 'asks for the rest'],
      ['--api-key-file secrets/key --token-file secrets/token', 'secrets in files'],
    ],
  })
    .option(
      '--config <file>',
      'the configuration file to write; an existing file is never overwritten',
      'config/bridge.yaml',
    )
    .option('--url <address>', 'the address of the tracker, as in a browser')
    .option('--login <login>', "the login of the bridge's account, if the tracker does not report it")
    .option('--api-key-file <file>', 'a file that contains the API key, instead of the variable TRACKER_API_KEY')
    .option('--github-url <address>', 'the API of an Enterprise Server: https://HOST/api/v3')
    .option('--token-file <file>', 'a file that contains the token, instead of the variable GITHUB_TOKEN')
    .option('--product <name>', 'the product on the tracker')
    .option('--component <name>', 'the component of bugs filed from issues')
    .option('--create <field=value>', 'a value of new bugs that the tracker requires; repeatable', furtherIn)
    .option('--repo <owner/name>', 'the repository on GitHub')
    .addOption(
      new Option('--direction <which>', 'which side is written to; to-github never writes to the tracker').choices(
        directions,
      ),
    )
    .action(async (options: InitOptions) => context.finish(await init(context, options)));
}

/** Commas separate several values of one field. */
function furtherIn(text: string, before: FurtherValues = {}): FurtherValues {
  const [, name, value] = /^(\w+)=(.+)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must look like cf_team=Core.');
  return { ...before, [name]: value };
}

async function init(context: CommandContext, options: InitOptions): Promise<number> {
  const { terminal } = context;
  const { config: file } = options;
  if (existsSync(file)) throw new UsageError(`${file} exists and was not changed. Choose another file with --config.`);
  const answers = await answersFrom(context, options);
  mkdirSync(dirname(file), { recursive: true });
  // The file gets its final name only after `check` has approved it.
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, configText(answers), { mode: 0o600 });
    terminal.out('Running bugferry check:');
    const code = await check(context, { config: draft, shownAs: file });
    if (code === exitCodes.well) {
      renameSync(draft, file);
      terminal.out(`Wrote ${file}.`);
      terminal.out('Next: bugferry plan shows what would be written; bugferry run keeps both sides in step.');
    } else {
      terminal.out(`Fix the failures; ${file} was not written. With the same answers:`);
      terminal.out(`  ${repeating(options, answers)}`);
    }
    return code;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The command that needs no further answers. */
function repeating({ config, login, apiKeyFile, githubUrl, tokenFile }: InitOptions, answers: Answers): string {
  const { trackerUrl, product, repo, direction, create, createFurther } = answers;
  const given: readonly (readonly [option: string, value: string | undefined])[] = [
    ['--config', config],
    ['--url', trackerUrl],
    ['--login', login ?? answers.login ?? undefined],
    ['--api-key-file', apiKeyFile],
    ['--github-url', githubUrl],
    ['--token-file', tokenFile],
    ['--product', product],
    ['--repo', repo],
    ['--direction', direction],
    ['--component', create.component === '' ? undefined : create.component],
    ...Object.entries(createFurther).map(([name, value]) => ['--create', `${name}=${value}`] as const),
  ];
  const words = given.flatMap(([option, value]) => (value === undefined ? [] : [option, inShell(value)]));
  return ['bugferry init', ...words].join(' ');
}
