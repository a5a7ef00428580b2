import { exampleFile } from '../../config/load.ts';
import type { CreateValues, Direction, FurtherValues } from '../../model/route.ts';

/** The contents of a first configuration. */
export interface Answers {
  readonly instance: string;
  readonly trackerUrl: string;
  /** Our account, if known: some trackers do not report it. */
  readonly login: string | null;
  readonly githubUrl: string | null;
  /** The source of a secret: an environment variable or a file. */
  readonly apiKey: Secret;
  readonly token: Secret;
  readonly product: string;
  readonly repo: string;
  readonly direction: Direction;
  readonly create: CreateValues;
  /** Other fields that the tracker requires of new bugs. */
  readonly createFurther: FurtherValues;
  /** The status of a bug whose issue was reopened. */
  readonly reopened: string;
  /** The components of the product, for a comment in the file. */
  readonly components: readonly string[];
}

export type Secret =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

/** A configuration for one route, with comments at the lines that users most often change. */
export function configText(answers: Answers): string {
  const {
    instance,
    trackerUrl,
    login,
    githubUrl,
    product,
    repo,
    direction,
    create,
    createFurther,
    reopened,
    components,
  } = answers;
  const name =
    (repo.split('/')[1] ?? 'route')
      .replace(/[^A-Za-z0-9]+/gu, '-')
      .replace(/^-+|(?<!-)-+$/gu, '')
      .slice(0, 40) || 'route';
  const lines = [
    `# Written by bugferry init. ${exampleFile} explains all other keys.`,
    '# Test it: bugferry check. See what would be written: bugferry plan.',
    '',
    '# The name of this bridge in the markers that it writes into issues. Never change it once the bridge has run.',
    `instance: ${quoted(instance)}`,
    '',
    'tracker:',
    `  url: ${quoted(trackerUrl)}`,
    secretLine('apiKey', answers.apiKey),
    ...(login === null ? [] : [`  login: ${quoted(login)} # The account that owns the key.`]),
    '',
    'github:',
    ...(githubUrl === null ? [] : [`  url: ${quoted(githubUrl)}`]),
    secretLine('token', answers.token),
    '',
    '# Dashboard, health checks and metrics, for this machine only. Remove this line to turn them off.',
    'http: {}',
    '',
    'routes:',
    `  - name: ${quoted(name)}`,
    '    tracker:',
    `      product: ${quoted(product)}`,
    `      # component: [${components.map(quoted).join(', ')}]   # Remove the # to mirror only some.`,
    '    github:',
    `      repo: ${quoted(repo)}`,
    `    direction: ${direction} # both, to-github (never writes to the tracker) or to-tracker (never writes to GitHub).`,
    ...(direction === 'to-github' ? [] : createLines(create, createFurther)),
    ...(direction === 'to-github' || reopened === 'CONFIRMED' ? [] : reopenedLines(reopened)),
    '',
  ];
  return lines.join('\n');
}

function createLines(create: CreateValues, further: FurtherValues): readonly string[] {
  const names = ['component', 'version', 'op_sys', 'platform', 'severity', 'priority'] as const;
  return [
    '    # Values of bugs filed from issues.',
    '    create:',
    ...names.map((name) => `      ${name}: ${quoted(create[name])}`),
    ...Object.entries(further).map(
      ([name, value]) =>
        `      ${name}: ${typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`}`,
    ),
  ];
}

const reopenedLines = (status: string): readonly string[] => [
  '    status:',
  `      toTracker: { reopened: ${quoted(status)} }`,
];

const secretLine = (key: string, secret: Secret): string =>
  secret.kind === 'variable'
    ? `  ${key}: "\${${secret.name}}" # From the environment.`
    : `  ${key}File: ${quoted(secret.path)}`;

/** A JSON text is a YAML text; a dollar sign before a brace would name a variable. */
const quoted = (text: string): string => JSON.stringify(text);
