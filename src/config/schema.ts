import { z } from 'zod';
import { bugValueNames } from '../model/item.ts';
import { defaultLabels, defaultToGithub, defaultToTracker } from './config.ts';

/**
 * The shape of the configuration file, with its defaults; the rules that go beyond shape are in the `check-` files beside this one.
 * The descriptions end up in the JSON Schema, where editors show them.
 *
 * Texts carry no patterns here: a text may be `${VARIABLE}` in the file, and an editor must not call that wrong.
 */

/** An object that takes no other keys. The text of its unknown-key issue is the list of the keys it knows; `complaintsOf` words it. */
const closed = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined) });

const text = z.string().min(1);
const count = z.int().min(1);

export const trackerSchema = closed({
  url: text.describe('The address of the tracker that people open, without /rest.'),
  apiKey: text.optional().describe("The API key of the bridge's account. Give this or apiKeyFile."),
  apiKeyFile: text.optional().describe('A file that holds the API key. Relative to the working directory.'),
  auth: z.enum(['auto', 'query', 'header', 'bearer']).default('auto').describe('How the key is sent; auto finds out.'),
  login: text
    .optional()
    .describe("The login of the bridge's account. Trackers of 5.0 and 5.2 cannot tell it; without it check cannot look at its rights."),
  nobody: z
    .union([text, z.array(text).min(1)], { error: 'must be a login or a list of logins' })
    .optional()
    .describe('The account, or accounts, that bugs of nobody are assigned to.'),
});

const appSchema = closed({
  id: z.union([count, text], { error: 'must be the number of the App' }).describe('The App ID.'),
  installationId: z.union([count, text], { error: 'must be the number of the installation' }).describe('The installation ID.'),
  privateKey: text.optional().describe('The private key (PEM). Give this or privateKeyFile.'),
  privateKeyFile: text.optional().describe('A file that holds the private key (PEM). Relative to the working directory.'),
});

export const githubSchema = closed({
  url: text.default('https://api.github.com').describe('The address of the API; https://HOST/api/v3 for an Enterprise Server.'),
  token: text.optional().describe('A token with read and write access to issues. Give this, tokenFile or app.'),
  tokenFile: text.optional().describe('A file that holds the token. Relative to the working directory.'),
  app: appSchema.optional().describe('A GitHub App instead of a token.'),
});

export const httpSchema = closed({
  host: text.default('127.0.0.1').describe('The address to listen on. Any other than that of this machine itself needs a token.'),
  port: z.int().min(0).max(65_535).default(8080).describe('0 takes a free one, which the log tells.'),
  token: text.optional().describe('Asked of everybody who wants more than to know whether the bridge is well. Give this or tokenFile.'),
  tokenFile: text.optional().describe('A file that holds the token. Relative to the working directory.'),
  githubSecret: text.optional().describe("The secret of GitHub's webhooks. Give this or githubSecretFile; without it they are not taken."),
  githubSecretFile: text.optional().describe('A file that holds that secret. Relative to the working directory.'),
  trackerSecret: text
    .optional()
    .describe(
      "What the tracker's webhooks send in the header X-Bugferry-Secret. Give this or trackerSecretFile; without it they are not taken.",
    ),
  trackerSecretFile: text.optional().describe('A file that holds that secret. Relative to the working directory.'),
  readyLagMinutes: z.number().gt(0).default(10).describe('A side that was last read longer ago makes /readyz answer 503.'),
});

export const scheduleSchema = closed({
  poll: text.default('*/1 * * * *').describe('When changes are fetched and carried over: a cron expression, in UTC.'),
  sweep: text.default('17 3 * * *').describe('When everything is compared in full: a cron expression, in UTC.'),
});

export const limitsSchema = closed({
  writesPerCycle: count.default(500).describe('The most that one cycle of a route may write.'),
  brakeShare: z.number().gt(0).lte(1).default(0.3).describe("A plan that touches more than this share of a route's links is refused."),
  settleSeconds: z.number().min(0).default(10).describe('How long a write may take to show up in the lists of its side.'),
  attempts: count.default(5).describe('After so many failures within two hours or more an operation is parked until a person looks at it.'),
  github: closed({
    createsPerMinute: count.default(15).describe('New issues and comments a minute.'),
    createsPerHour: count.default(120).describe('New issues and comments an hour.'),
    pointsPerMinute: z.int().min(10).default(600).describe('A read costs 1 point, a write 5; GitHub allows 900 a minute.'),
    pauseBetweenWritesMs: z.int().min(0).max(60_000).default(1000).describe('From one write to the next; GitHub asks for a second.'),
  }).prefault({}),
  tracker: closed({
    requestsPerSecond: count.default(5),
    concurrency: count.default(2).describe('Requests at the same time; writes go one at a time.'),
  }).prefault({}),
});

const closeReason = z.enum(['completed', 'not_planned', 'duplicate']);

const shownSchema = z.union(
  [z.enum(['open', 'completed', 'not_planned', 'duplicate']), closed({ open: closed({ label: text }) }), z.record(text, closeReason)],
  { error: 'must be open, completed, not_planned or duplicate, or { open: { label: "..." } }, or one of these for each resolution' },
);

const closedAs = z.tuple([text, text], { error: 'must be a status and a resolution, such as [RESOLVED, FIXED]' });

const statusSchema = closed({
  toGithub: z
    .record(text, shownSchema)
    .default({ ...defaultToGithub })
    .describe('How each status looks on GitHub; closed ones by resolution, where "*" stands for the rest.'),
  toTracker: closed({
    reopened: text.default(defaultToTracker.reopened).describe('The status a bug gets when its issue is open again.'),
    completed: closedAs.default([...defaultToTracker.completed]),
    not_planned: closedAs.default([...defaultToTracker.not_planned]),
  }).prefault({}),
});

const labelSchema = closed({
  from: z
    .union([z.enum([...bugValueNames, 'keywords', 'whiteboard']), z.templateLiteral(['cf_', z.string()])], {
      error: `must be ${bugValueNames.join(', ')}, keywords, whiteboard or a custom field (cf_...)`,
    })
    .describe('The field of the bug; of the whiteboard the tags in brackets, of custom fields those with a list of values (cf_...).'),
  as: z
    .union([text, closed({ type: text }), closed({ field: text })], {
      error: 'must be a label such as "severity: {value}", { type: "{value}" }, or { field: "Priority" }',
    })
    .describe(
      'The label, the type of the issue, in both of which {value} stands for the value, or a field that issues of the organisation have.',
    ),
  both: z.boolean().default(false).describe('Whether a label changed on GitHub travels back.'),
});

const createShape = {
  component: text.optional().describe('Where new bugs go; the first component of the route when absent.'),
  version: text.default('unspecified'),
  op_sys: text.default('All'),
  platform: text.default('All'),
  severity: text.default('normal'),
  priority: text.default('---'),
  type: text.exactOptional().describe('On trackers whose bugs have a type, which they usually ask for: defect, enhancement, task.'),
  target_milestone: text.exactOptional(),
  qa_contact: text.exactOptional().describe('A login.'),
  url: text.exactOptional(),
  whiteboard: text.exactOptional(),
};

/** Custom fields may have any name of the form cf_..., so what else is no key has to be said by hand. */
export const createSchema = z
  .object(createShape)
  .catchall(z.union([text, z.array(text).min(1)], { error: 'must be a text or a list of texts; a number or a date is written in quotes' }))
  .superRefine((create, context) => {
    const keys = Object.keys(create).filter((name) => !(name in createShape) && !/^cf_\w/u.test(name));
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, message: `${Object.keys(createShape).join(', ')}, cf_...` });
  });

const attachmentsSchema = closed({
  store: z
    .enum(['branch', 'repo', 'release', 'upload', 'link'])
    .default('branch')
    .describe(
      'Where copies of files stand: on a branch of the repository, on one of another repository, as assets of releases, where GitHub keeps pictures and films of texts, or nowhere (a link to the tracker).',
    ),
  repo: text.optional().describe("The repository for store: repo, as owner/name; with store: release it may be the route's own."),
  branch: text.default('attachments').describe('The branch; it is made when it is missing, and nothing else should use it.'),
  tag: text.default('attachments').describe('With store: release, the tag of the first release; further ones get a number.'),
  maxMegabytes: z.number().gt(0).lte(100).default(25).describe('A larger file stays where it is, and a link to it says so.'),
});

export const routeSchema = closed({
  name: text.describe('A short name, used in logs and commands.'),
  tracker: closed({
    product: text,
    component: z
      .union([text, z.array(text).min(1)], { error: 'must be a component or a list of components' })
      .optional()
      .describe('Only bugs of these components; all of the product when absent.'),
    keyword: text.optional().describe('Only bugs with this keyword.'),
    createdSince: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a date such as 2024-01-31 or 2024-01-31T12:00:00Z' })
      .optional()
      .describe('Only bugs filed on or after this day (UTC) or moment.'),
    openOnly: z.boolean().default(false).describe('Only bugs that are open.'),
  }),
  github: closed({
    repo: text.describe('The repository, as owner/name.'),
    label: text.optional().describe('Only issues with this label become bugs.'),
  }),
  direction: z.enum(['both', 'to-github', 'to-tracker']).default('both'),
  visitors: z
    .enum(['welcome', 'lock', 'redirect'])
    .default('welcome')
    .describe('What becomes of people who write on GitHub, where direction is to-github.'),
  conflicts: z
    .enum(['newest', 'tracker', 'github', 'ask'])
    .default('newest')
    .describe('Whose value stays when both sides changed a field differently.'),
  copies: z
    .enum(['leave', 'restore'])
    .default('leave')
    .describe('Copies on GitHub that somebody changed by hand: leave them so, or put them right.'),
  deletions: z
    .enum(['nothing', 'note'])
    .default('nothing')
    .describe('When a comment is deleted on GitHub, its copy on the tracker stays: say nothing, or note on the bug that it was deleted.'),
  create: createSchema
    .prefault({})
    .describe('What a bug filed from an issue gets: also whatever else the tracker asks for, such as type and custom fields (cf_...).'),
  status: statusSchema.prefault({}),
  labels: z.array(labelSchema).default([...defaultLabels]),
  assignee: z.boolean().optional().describe('Whether assignees cross; true when there are people or a peopleFile.'),
  milestones: z.boolean().default(false).describe('Whether target milestone and milestone cross.'),
  mentions: z.boolean().default(false).describe('Whether mapped people are mentioned in texts on GitHub, which notifies them.'),
  attachments: attachmentsSchema.optional().describe('Carries files over, both ways; without it they stay where they are.'),
  table: z
    .array(text)
    .default([])
    .describe(
      'Fields that a folded table in the issue shows: alias, url, see_also, cc, flags, deadline, qa_contact, whiteboard, depends_on, cf_...',
    ),
  private: z
    .enum(['refuse', 'mirror'])
    .default('refuse')
    .describe(
      'Whether what is written in a private repository may be copied to the tracker: mirror says yes, else the route does not run.',
    ),
  publicProof: z
    .enum(['anonymous', 'none'])
    .default('anonymous')
    .describe('What counts as public: what a reader without an account is shown, or none: what the tracker does not call private.'),
  dependencies: z.boolean().default(false).describe('Whether bugs that wait for others show so on GitHub (blocked by), both ways.'),
});

export const configSchema = closed({
  instance: text.describe('Names this bridge in markers, so that several can share a repository. Never change it.'),
  tracker: trackerSchema,
  github: githubSchema,
  people: z.record(text, text).default({}).describe('GitHub login for each login of the tracker.'),
  peopleFile: text.optional().describe('A file with more people, CSV or YAML. Relative to the configuration; read again when it changes.'),
  state: text.default('state/bugferry.db').describe('The state database. Relative to the working directory.'),
  schedule: scheduleSchema.prefault({}),
  http: httpSchema.optional().describe('Pages, health, metrics and webhooks over HTTP; without it no port is opened.'),
  limits: limitsSchema.prefault({}),
  routes: z.array(routeSchema).min(1),
});

/** The configuration as it stands in the file, defaults filled in. */
export type WrittenConfig = z.output<typeof configSchema>;
export type WrittenRoute = z.output<typeof routeSchema>;
