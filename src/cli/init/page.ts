import type { CreateValues, Direction, FurtherValues } from '../../model/route.ts';

/** Everything that a first configuration needs. */
export interface Answers {
  readonly instance: string;
  readonly trackerUrl: string;
  /** Our account, where it is known: some trackers cannot tell it. */
  readonly login: string | null;
  readonly githubUrl: string | null;
  /** Where secrets come from: `KEY` of the environment, or a file. */
  readonly apiKey: Secret;
  readonly token: Secret;
  readonly product: string;
  readonly repo: string;
  readonly direction: Direction;
  readonly create: CreateValues;
  /** What else the tracker wants of a new bug. */
  readonly createFurther: FurtherValues;
  /** The status of a bug whose issue is open again. */
  readonly reopened: string;
  /** What the tracker accepts, for the comments. */
  readonly components: readonly string[];
}

export type Secret = { readonly kind: 'variable'; readonly name: string } | { readonly kind: 'file'; readonly path: string };

/** A configuration for one route, with a comment where somebody will want to change something. */
export function configText(answers: Answers): string {
  const { instance, trackerUrl, login, githubUrl, product, repo, direction, create, createFurther, reopened, components } = answers;
  const name =
    (repo.split('/')[1] ?? 'route')
      .replace(/[^A-Za-z0-9]+/gu, '-')
      .replace(/^-+|-+$/gu, '')
      .slice(0, 40) || 'route';
  const lines = [
    '# Written by bugferry init. Every other key is explained in config/bridge.example.yaml.',
    '# Try it: bugferry check. See what would be written: bugferry plan.',
    '',
    '# Names this bridge in the marks that it leaves in issues. Never change it once the bridge has run.',
    `instance: ${quoted(instance)}`,
    '',
    'tracker:',
    `  url: ${quoted(trackerUrl)}`,
    secretLine('apiKey', answers.apiKey),
    ...(login === null ? [] : [`  login: ${quoted(login)} # The account of the key.`]),
    '',
    'github:',
    ...(githubUrl === null ? [] : [`  url: ${quoted(githubUrl)}`]),
    secretLine('token', answers.token),
    '',
    '# The dashboard, health checks and metrics, for this machine only. Without this line there are none.',
    'http: {}',
    '',
    'routes:',
    `  - name: ${quoted(name)}`,
    '    tracker:',
    `      product: ${quoted(product)}`,
    `      # component: [${components.map(quoted).join(', ')}]   # Take out the # to mirror only some.`,
    '    github:',
    `      repo: ${quoted(repo)}`,
    `    direction: ${direction} # both, to-github (the tracker is never written to) or to-tracker (GitHub is never written to).`,
    ...(direction === 'to-github' ? [] : createLines(create, createFurther)),
    ...(direction === 'to-github' || reopened === 'CONFIRMED' ? [] : reopenedLines(reopened)),
    '',
  ];
  return lines.join('\n');
}

function createLines(create: CreateValues, further: FurtherValues): readonly string[] {
  const names = ['component', 'version', 'op_sys', 'platform', 'severity', 'priority'] as const;
  return [
    '    # What a bug gets that is filed from an issue.',
    '    create:',
    ...names.map((name) => `      ${name}: ${quoted(create[name])}`),
    ...Object.entries(further).map(
      ([name, value]) => `      ${name}: ${typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`}`,
    ),
  ];
}

const reopenedLines = (status: string): readonly string[] => ['    status:', `      toTracker: { reopened: ${quoted(status)} }`];

const secretLine = (key: string, secret: Secret): string =>
  secret.kind === 'variable' ? `  ${key}: "\${${secret.name}}" # From the environment.` : `  ${key}File: ${quoted(secret.path)}`;

/** A JSON text is a YAML text; a dollar sign before a brace would name a variable. */
const quoted = (text: string): string => JSON.stringify(text);
