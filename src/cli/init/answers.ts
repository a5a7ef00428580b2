import { isRepository } from '../../config/check-route.ts';
import type { Config } from '../../config/config.ts';
import { parseConfig } from '../../config/load.ts';
import { ConfigProblems } from '../../config/problem.ts';
import { wantedOfNewBugs } from '../../links/create.ts';
import { SideError } from '../../model/outcome.ts';
import type { CreateValues, Vocabulary } from '../../model/route.ts';
import { scrubberFor } from '../../wire/bridge.ts';
import { type Scouted, scout } from '../../wire/edges.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import type { InitOptions } from './init.ts';
import { type Answers, configText, type Secret } from './page.ts';

/** Asks for everything that the options leave open, once the tracker has listed the choices. */
export async function answersFrom(context: CommandContext, options: InitOptions): Promise<Answers> {
  const ask = (given: string | undefined, option: string, question: string, usual: string | null = null): Promise<string> => {
    if (given !== undefined) return Promise.resolve(given);
    if (context.questions !== null) return context.questions.ask(question, usual);
    if (usual !== null) return Promise.resolve(usual);
    throw new UsageError(`Cannot ask without a terminal: give ${option} (${question}).`);
  };
  const trackerUrl = await ask(options.url, '--url', 'Address of the tracker, as in a browser');
  const draft = draftOf(options, trackerUrl);
  context.terminal.hide(scrubberFor(configOf(draft)));
  const found = await scoutWithLogin(context, (login) => configOf({ ...draft, login: login ?? draft.login }));
  context.terminal.out(`Connected to the tracker (${found.version}) as ${found.login}.`);
  const names = found.products.map(({ name }) => name);
  const product = await ask(options.product, '--product', `Product (${names.join(', ')})`, names.length === 1 ? (names[0] ?? null) : null);
  const components = found.products.find(({ name }) => name === product)?.components ?? [];
  if (components.length === 0)
    throw new UsageError(`The account cannot see a product "${product}" with components; it can see ${names.join(', ') || 'none'}.`);
  const repo = await ask(options.repo, '--repo', 'Repository on GitHub, as owner/name');
  if (!isRepository(repo)) throw new UsageError(`"${repo}" is not a repository; it must be owner/name.`);
  const isOneWay = options.direction === 'to-github';
  const component = isOneWay
    ? ''
    : await ask(options.component, '--component', `Component for new bugs (${components.join(', ')})`, components[0] ?? null);
  const vocabulary = await found.vocabulary(product);
  const create = createOf(component, vocabulary);
  const fields = isOneWay ? [] : wantedOfNewBugs(await found.creationFields(), { product, ...create });
  const createFurther: Record<string, string | readonly string[]> = {};
  for (const { name, label, values, isList } of fields.filter((field) => !(field.name in create))) {
    const choice = values === null ? '' : `: ${values.join(', ')}`;
    const question = `${label} for new bugs (${name}${choice})`;
    const answer = await ask(options.create?.[name]?.toString(), `--create ${name}=VALUE`, question, values?.[0] ?? null);
    createFurther[name] = isList ? answer.split(/\s*,\s*/u) : answer;
  }
  return {
    ...draft,
    login: found.login,
    product,
    repo,
    components,
    direction: options.direction ?? 'both',
    create,
    createFurther,
    reopened: reopenedIn(vocabulary),
  };
}

/** Every problem comes from an answer or option, not from a file yet: so no lines and columns. */
function configOf(draft: Answers): Config {
  try {
    return parseConfig(configText(draft), 'the configuration');
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    const words = error.problems.map(({ message }) => message.replace(/; set it, or write .*$/u, ''));
    const advice = words.some((each) => each.startsWith('the environment variable'))
      ? '\n  init reads the credentials from TRACKER_API_KEY and GITHUB_TOKEN, or from the files named by --api-key-file and --token-file'
      : '';
    throw new UsageError(`These settings do not work:\n${words.map((each) => `  ${each}`).join('\n')}${advice}`, { cause: error });
  }
}

/** The settings before the tracker was asked; enough to ask it. */
function draftOf(options: InitOptions, trackerUrl: string): Answers {
  return {
    instance: new URL(URL.canParse(trackerUrl) ? trackerUrl : 'http://bridge').hostname.replace(/[^a-z0-9.]+/gu, '-').slice(0, 40),
    trackerUrl,
    login: options.login ?? null,
    githubUrl: options.githubUrl ?? null,
    apiKey: secretOf(options.apiKeyFile, 'TRACKER_API_KEY'),
    token: secretOf(options.tokenFile, 'GITHUB_TOKEN'),
    product: 'unknown',
    repo: 'unknown/unknown',
    direction: 'to-github',
    createFurther: {},
    create: { component: '', version: '', op_sys: '', platform: '', severity: '', priority: '' },
    reopened: 'CONFIRMED',
    components: [],
  };
}

const secretOf = (file: string | undefined, name: string): Secret =>
  file === undefined ? { kind: 'variable', name } : { kind: 'file', path: file };

/** Values that the tracker accepts: the usual value if it has that, otherwise its first. */
function createOf(component: string, { values }: Vocabulary): CreateValues {
  const pick = (field: 'version' | 'op_sys' | 'platform' | 'severity' | 'priority', usual: string): string => {
    const known = values[field];
    return known === undefined || known.includes(usual) ? usual : (known[0] ?? usual);
  };
  return {
    component,
    version: pick('version', 'unspecified'),
    op_sys: pick('op_sys', 'All'),
    platform: pick('platform', 'All'),
    severity: pick('severity', 'normal'),
    priority: pick('priority', '---'),
  };
}

/** Trackers with the older workflow have no CONFIRMED. */
function reopenedIn({ workflow }: Vocabulary): string {
  const known = Object.keys(workflow ?? { CONFIRMED: [] });
  return ['CONFIRMED', 'REOPENED', 'NEW'].find((status) => known.includes(status)) ?? 'CONFIRMED';
}

/**
 * Reads products and rights from the tracker. If the tracker does not report the owner of the key, the user enters the login until the
 * tracker confirms it: without the login, the rights of the account cannot be checked. Throws `SideError` and `UsageError`.
 * @param configWith returns the configuration with this login
 */
async function scoutWithLogin(context: CommandContext, configWith: (login: string | null) => Config): Promise<Scouted> {
  const found = await scout(configWith(null));
  if (found.login !== null) return found;
  const { questions, terminal } = context;
  if (questions === null)
    throw new UsageError('The tracker does not report whose key this is: give the login of the account with --login.');
  for (;;) {
    const login = await questions.ask('Login of the account that owns the key (this tracker does not report it)', null);
    try {
      return await scout(configWith(login));
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'unauthorized') throw error;
      terminal.note(`The key does not belong to this login: ${error.message}`);
    }
  }
}
