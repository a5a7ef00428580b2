import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Direction, directions, type FurtherValues } from '../../model/route.ts';
import { check } from '../check/check.ts';
import { announce, type CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { answersFrom } from './answers.ts';
import { configText } from './page.ts';

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
    summary: 'ask a few questions, and write a configuration that check has tried',
    description:
      'Asks for what the options do not tell, reads products and values from the tracker, writes a commented configuration for one route, and runs bugferry check on it. Secrets come from the environment (TRACKER_API_KEY, GITHUB_TOKEN) or from files, and are not asked for. Without a terminal, options have to tell everything.',
    examples: [
      ['', 'asks'],
      ['--url https://bugs.example.org --product Widget --repo acme/widget', 'asks for the rest'],
      ['--api-key-file secrets/key --token-file secrets/token', 'secrets in files'],
    ],
  })
    .option('--config <file>', 'the configuration file to write; an existing one is left alone', 'config/bridge.yaml')
    .option('--url <address>', 'of the tracker, as people open it')
    .option('--login <login>', "of the bridge's account on the tracker, where that cannot tell")
    .option('--api-key-file <file>', 'holds the API key, in place of the variable TRACKER_API_KEY')
    .option('--github-url <address>', 'of the API of an Enterprise Server: https://HOST/api/v3')
    .option('--token-file <file>', 'holds the token, in place of the variable GITHUB_TOKEN')
    .option('--product <name>', 'the product on the tracker')
    .option('--component <name>', 'where bugs go that are filed from issues')
    .option('--create <field=value>', 'what else the tracker wants of a new bug; may be given several times', furtherIn)
    .option('--repo <owner/name>', 'the repository on GitHub')
    .addOption(new Option('--direction <which>', 'who may be written to').choices(directions))
    .action(async (options: InitOptions) => context.finish(await init(context, options)));
}

/** Several values of one field are told apart by commas. */
function furtherIn(text: string, before: FurtherValues = {}): FurtherValues {
  const [, name, value] = /^(\w+)=(.+)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It has to look like cf_team=Core.');
  return { ...before, [name]: value };
}

async function init(context: CommandContext, options: InitOptions): Promise<number> {
  const { terminal } = context;
  const { config: file } = options;
  if (existsSync(file)) throw new UsageError(`There is a file ${file} already, and it is left as it is. Name another one with --config.`);
  const answers = await answersFrom(context, options);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, configText(answers), { flag: 'wx', mode: 0o600 });
  terminal.out(`Written to ${file}. This is what bugferry check says:`);
  const code = await check(context, { config: file });
  const next =
    code === 0
      ? 'Next: bugferry plan shows what would be written, and bugferry run keeps both sides in step.'
      : 'Put right what failed, and run bugferry check again.';
  terminal.out(next);
  return code;
}
