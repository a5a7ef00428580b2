import { createOf, missingFields, reopenedIn, type UsualName, usualNames } from '../../check/new-bugs.ts';
import { isRepository } from '../../config/check-route.ts';
import type { Config } from '../../config/config.ts';
import { parseConfig } from '../../config/load.ts';
import { ConfigProblems } from '../../config/problem.ts';
import { SideError } from '../../model/outcome.ts';
import { type CreateValues, type Direction, directions, type FurtherValues } from '../../model/route.ts';
import type { CreationField } from '../../model/survey.ts';
import { type Scouted, scoutRepository, scoutTracker } from '../../wire/edges.ts';
import { scrubberFor } from '../../wire/trouble.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { askFor } from './ask-for.ts';
import type { InitOptions } from './init.ts';
import { type Answers, configText, type Secret } from './page.ts';

/**
 * Asks for everything that the options leave open, and repeats each question until both sides accept the answer. A
 * wrong option ends the command. Throws `SideError` and `UsageError`.
 */
export async function answersFrom(context: CommandContext, options: InitOptions): Promise<Answers> {
  if (context.questions !== null) context.terminal.out('An empty answer takes the value in [brackets].');
  // Report a missing secret now, and not after the last question.
  configOf(draftOf(options, options.url ?? 'https://tracker.invalid'));
  const { draft, found } = await askFor(context, {
    ...{ given: options.url, option: '--url', question: 'Address of the tracker, as in a browser' },
    accept: async (url) => connected(context, draftOf(options, url)),
  });
  context.terminal.out(`Connected to the tracker (${found.version}) as ${found.login}.`);
  const names = found.products.map(({ name }) => name);
  const { name: product, components } = await askFor(context, {
    ...{ given: options.product, option: '--product', question: 'Product', choices: names },
    usual: names.length === 1 ? (names[0] ?? null) : null,
    accept: async (name) => {
      const seen = found.products.find((each) => each.name === name && each.components.length > 0);
      if (seen !== undefined) return seen;
      throw new UsageError(
        `The account cannot see a product "${name}" with components; it can see ${names.join(', ') || 'none'}.`,
      );
    },
  });
  const repo = await askFor(context, {
    ...{ given: options.repo, option: '--repo', question: 'Repository on GitHub, as owner/name' },
    accept: (name) => repositoryNamed(context, { ...draft, login: found.login }, name),
  });
  const direction = await directionFrom(context, options);
  const filed =
    direction === 'to-github'
      ? null
      : await askFor(context, {
          ...{ given: options.component, option: '--component', question: 'Component for new bugs' },
          choices: components,
          usual: components[0] ?? null,
          accept: async (name) => oneOf(components, name, `Product ${product} has no component`),
        });
  const vocabulary = await found.vocabulary(product);
  const usual = createOf(filed ?? '', vocabulary, await found.parameters());
  const reopened = reopenedIn(vocabulary);
  if (filed === null && options.create !== undefined)
    throw new UsageError('A route to-github files no bugs: --create belongs to --direction both or to-tracker.');
  const asked = filed === null ? [] : [...usual.unsettled.map(([name]) => name), ...givenOf(options)];
  const create = await createFrom(
    context,
    options,
    usual.create,
    usualNames.filter((name) => asked.includes(name)).map((name) => [name, vocabulary.values[name] ?? []] as const),
  );
  const createFurther =
    filed === null ? {} : await furtherFrom(context, options, { product, ...create }, await found.creationFields());
  return { ...draft, login: found.login, product, repo, components, direction, create, createFurther, reopened };
}

/** Two directions need what a route with bugs to file needs; a component says that bugs are to be filed. */
async function directionFrom(context: CommandContext, { direction, component }: InitOptions): Promise<Direction> {
  if (direction === undefined)
    context.terminal.out(
      'to-github writes nothing to the tracker, so begin with it if the tracker is in use; to-tracker writes nothing to GitHub.',
    );
  return askFor(context, {
    ...{ given: direction, option: '--direction', question: 'Direction', choices: ['to-github', 'both', 'to-tracker'] },
    usual: component === undefined ? 'to-github' : 'both',
    accept: async (name) => oneOf(directions, name, 'There is no direction'),
  });
}

const givenOf = ({ create = {} }: InitOptions): readonly string[] => Object.keys(create);

/** Takes or asks for the values that a person has to choose, or wants to. */
async function createFrom(
  context: CommandContext,
  options: InitOptions,
  usual: CreateValues,
  asked: readonly (readonly [UsualName, readonly string[]])[],
): Promise<CreateValues> {
  let create = usual;
  for (const [name, offered] of asked) {
    const value = await askFor(context, {
      ...{ given: options.create?.[name]?.toString(), option: `--create ${name}=VALUE` },
      question: `${name} of new bugs`,
      choices: offered,
      usual: create[name],
      accept: async (answer) => (offered.length === 0 ? answer : oneOf(offered, answer, `The tracker has no ${name}`)),
    });
    create = { ...create, [name]: value };
  }
  return create;
}

/** The same of all other fields. Throws `UsageError` if an option names a field that new bugs do not have. */
async function furtherFrom(
  context: CommandContext,
  options: InitOptions,
  said: FurtherValues,
  fields: readonly CreationField[],
): Promise<FurtherValues> {
  const others = fields.map(({ name }) => name).filter((name) => !(name in said));
  const given = givenOf(options).filter((name) => usualNames.every((usual) => usual !== name));
  const stray = given.find((name) => !others.includes(name));
  if (stray !== undefined)
    throw new UsageError(`--create cannot set ${stray}; it can set ${[...usualNames, ...others].join(', ')}.`);
  const missing = missingFields(fields, said);
  const asked = fields.filter((field) => missing.includes(field) || given.includes(field.name));
  const further: Record<string, string | readonly string[]> = {};
  for (const { name, label, values, isList } of asked) {
    further[name] = await askFor<string | readonly string[]>(context, {
      ...{ given: options.create?.[name]?.toString(), option: `--create ${name}=VALUE` },
      question: name === label ? `${name} of new bugs` : `${label} of new bugs, ${name}`,
      choices: values ?? [],
      usual: values?.[0] ?? null,
      accept: async (answer) => {
        const chosen = isList ? answer.split(/(?<!\s)\s*,\s*/u) : [answer];
        for (const each of values === null ? [] : chosen) oneOf(values ?? [], each, `${label} has no value`);
        return isList ? chosen : answer;
      },
    });
  }
  return further;
}

function oneOf<Name extends string>(known: readonly Name[], name: string, complaint: string): Name {
  const found = known.find((each) => each === name);
  if (found === undefined) throw new UsageError(`${complaint} "${name}"; it can be ${known.join(', ')}.`);
  return found;
}

/** The repository as GitHub names it now. */
async function repositoryNamed({ terminal }: CommandContext, draft: Answers, name: string): Promise<string> {
  if (!isRepository(name)) throw new UsageError(`"${name}" is not a repository; it must be owner/name.`);
  const seen = await scoutRepository(configOf({ ...draft, repo: name }), name);
  if (seen.isArchived) throw new UsageError(`${seen.name} is archived, so nobody can write to it.`);
  if (seen.name.toLowerCase() !== name.toLowerCase()) terminal.out(`${name} is called ${seen.name} now.`);
  return seen.name;
}

async function connected(
  context: CommandContext,
  draft: Answers,
): Promise<{ readonly draft: Answers; readonly found: Scouted }> {
  context.terminal.hide(scrubberFor(configOf(draft)));
  return {
    draft,
    found: await scoutWithLogin(context, (login) => configOf({ ...draft, login: login ?? draft.login })),
  };
}

/** Problems come from answers and options, not from a file, so they have no lines and columns. */
function configOf(draft: Answers): Config {
  try {
    return parseConfig(configText(draft), 'the configuration');
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    const words = error.problems.map(({ message }) => message.replace(/; set it, or (?:replace|write) .*$/u, ''));
    const advice = words.some((each) => each.startsWith('the environment variable'))
      ? '\n  init reads the credentials from TRACKER_API_KEY and GITHUB_TOKEN, or from the files named by --api-key-file and --token-file'
      : '';
    throw new UsageError(`These settings do not work:\n${words.map((each) => `  ${each}`).join('\n')}${advice}`, {
      cause: error,
    });
  }
}

/** The settings that are needed to contact the tracker. */
function draftOf(options: InitOptions, trackerUrl: string): Answers {
  return {
    instance: new URL(URL.canParse(trackerUrl) ? trackerUrl : 'http://bridge').hostname
      .replace(/[^a-z0-9.]+/gu, '-')
      .slice(0, 40),
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

/**
 * Reads products and rights from the tracker. If the tracker does not report the owner of the key, the user enters the
 * login until the tracker confirms it: without the login, the rights of the account cannot be checked. Throws
 * `SideError` and `UsageError`.
 * @param configWith returns the configuration with this login
 */
async function scoutWithLogin(context: CommandContext, configWith: (login: string | null) => Config): Promise<Scouted> {
  const found = await scoutTracker(configWith(null));
  if (found.login !== null) return found;
  const { questions, terminal } = context;
  if (questions === null)
    throw new UsageError('The tracker does not report whose key this is: give the login of the account with --login.');
  for (;;) {
    const login = await questions.ask({
      question: 'Login of the account that owns the key, which this tracker does not report',
    });
    try {
      return await scoutTracker(configWith(login));
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'unauthorized') throw error;
      terminal.note(`The key does not belong to this login: ${error.message}`);
    }
  }
}
