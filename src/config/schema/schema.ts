import { z } from 'zod';
import { httpDefaults, readyLagMinutes } from '../http-defaults.ts';
import { notifySchema } from './notify.ts';
import { closed, count, text } from './parts.ts';
import { routeSchema } from './route.ts';

/**
 * The shape of the configuration file, with its defaults; rules beyond the shape are in the `check-` files of the
 * folder above. The JSON Schema contains the descriptions, and editors show them.
 *
 * Texts have no patterns: a text may be `${VARIABLE}` in the file, and an editor must not reject that.
 */

export const trackerSchema = closed({
  url: text.describe('The address of the tracker that people open, without /rest.'),
  formerUrls: z
    .array(text)
    .default([])
    .describe('Addresses that the tracker had before; links to bugs there lead to their issues, too.'),
  apiKey: text.optional().describe("The API key of the bridge's account. Set this or apiKeyFile."),
  apiKeyFile: text.optional().describe('A file that contains the API key. Relative to the working directory.'),
  auth: z.enum(['auto', 'query', 'header', 'bearer']).default('auto').describe('How the key is sent; auto detects it.'),
  login: text
    .optional()
    .describe(
      "The login of the bridge's account. Trackers of 5.0 and 5.2 do not report it; without it, check cannot verify the account's rights.",
    ),
  nobody: z
    .union([text, z.array(text).min(1)], { error: 'must be a login or a list of logins' })
    .optional()
    .describe('The account, or accounts, that the tracker uses for unassigned bugs.'),
});

const appSchema = closed({
  id: z.union([count, text], { error: 'must be the number of the App' }).describe('The App ID.'),
  installationId: z
    .union([count, text], { error: 'must be the number of the installation' })
    .describe('The installation ID.'),
  privateKey: text.optional().describe('The private key (PEM). Set this or privateKeyFile.'),
  privateKeyFile: text
    .optional()
    .describe('A file that contains the private key (PEM). Relative to the working directory.'),
});

export const githubSchema = closed({
  url: text
    .default('https://api.github.com')
    .describe('The address of the API; https://HOST/api/v3 for an Enterprise Server.'),
  token: text.optional().describe('A token with read and write access to issues. Set this, tokenFile or app.'),
  tokenFile: text.optional().describe('A file that contains the token. Relative to the working directory.'),
  app: appSchema.optional().describe('A GitHub App instead of a token.'),
});

export const httpSchema = closed({
  host: text
    .default(httpDefaults.host)
    .describe("The address to listen on. Any address other than this machine's own needs a token."),
  port: z.int().min(0).max(65_535).default(httpDefaults.port).describe('0 selects a free port, which the log names.'),
  token: text.optional().describe('Required for everything except health checks and webhooks. Set this or tokenFile.'),
  tokenFile: text.optional().describe('A file that contains the token. Relative to the working directory.'),
  githubSecret: text
    .optional()
    .describe("The secret of GitHub's webhooks. Set this or githubSecretFile; otherwise they are not accepted."),
  githubSecretFile: text.optional().describe('A file that contains that secret. Relative to the working directory.'),
  trackerSecret: text
    .optional()
    .describe(
      "The secret that the tracker's webhooks send in the header X-Bugferry-Secret. Set this or trackerSecretFile; otherwise they are not accepted.",
    ),
  trackerSecretFile: text.optional().describe('A file that contains that secret. Relative to the working directory.'),
  readyLagMinutes: z
    .number()
    .gt(0)
    .default(readyLagMinutes)
    .describe(
      'A route of which a side was not read for longer than this is not in step: status ends with 1, and /readyz answers 503.',
    ),
});

export const scheduleSchema = closed({
  poll: text.default('*/1 * * * *').describe('When to fetch changes and carry them over: a cron expression, in UTC.'),
  sweep: text.default('17 3 * * *').describe('When to compare everything in full: a cron expression, in UTC.'),
});

export const limitsSchema = closed({
  writesPerCycle: count.default(500).describe('The maximum number of writes in one cycle of a route.'),
  brakeShare: z
    .number()
    .gt(0)
    .lte(1)
    .default(0.3)
    .describe("A plan that changes more than this share of a route's pairs is refused."),
  settleSeconds: z
    .number()
    .min(0)
    .default(10)
    .describe('How long a write may take to appear in the lists of its side.'),
  attempts: count
    .default(5)
    .describe('An operation that fails this many times, over two hours or more, is parked for a person.'),
  github: closed({
    createsPerMinute: count
      .optional()
      .describe('New issues and comments a minute. Unset, the bridge finds out how many GitHub takes: 15 to 80.'),
    createsPerHour: count
      .optional()
      .describe('New issues and comments an hour. Unset, the bridge finds out how many GitHub takes: 120 to 500.'),
    pointsPerMinute: z
      .int()
      .min(10)
      .default(600)
      .describe('A read costs 1 point, a write 5; GitHub allows 900 a minute.'),
    pauseBetweenWritesMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(1000)
      .describe('The pause between two writes; GitHub asks for a second.'),
  }).prefault({}),
  tracker: closed({
    requestsPerSecond: count.default(5),
    concurrency: count.default(2).describe('Concurrent requests; writes go one at a time.'),
  }).prefault({}),
});

export const configSchema = closed({
  instance: text.describe(
    'Identifies this bridge in markers, so that several bridges can share a repository. Never change it.',
  ),
  tracker: trackerSchema,
  github: githubSchema,
  people: z.record(text, text).default({}).describe('The GitHub login for each tracker login.'),
  peopleFile: text
    .optional()
    .describe('A file with more people, CSV or YAML. Relative to the configuration; reloaded when it changes.'),
  state: text.default('state/bugferry.db').describe('The state database. Relative to the working directory.'),
  schedule: scheduleSchema.prefault({}),
  http: httpSchema
    .optional()
    .describe('The HTTP server for pages, health, metrics and webhooks; without it no port is opened.'),
  notify: notifySchema.optional().describe('Tells people when a route begins to need somebody, and when it is well.'),
  limits: limitsSchema.prefault({}),
  routes: z.array(routeSchema).min(1),
});

/** The configuration as written in the file, with defaults filled in. */
export type WrittenConfig = z.output<typeof configSchema>;
