import * as z from 'zod/mini';
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
  url: text.check(z.describe('The address of the tracker that people open, without /rest.')),
  formerUrls: z
    ._default(z.array(text), [])
    .check(z.describe('Addresses that the tracker had before; links to bugs there lead to their issues, too.')),
  apiKey: z.optional(text).check(z.describe("The API key of the bridge's account. Set this or apiKeyFile.")),
  apiKeyFile: z
    .optional(text)
    .check(z.describe('A file that contains the API key. Relative to the working directory.')),
  auth: z
    ._default(z.enum(['auto', 'query', 'header', 'bearer']), 'auto')
    .check(z.describe('How the key is sent; auto detects it.')),
  login: z
    .optional(text)
    .check(
      z.describe(
        "The login of the bridge's account. Trackers of 5.0 and 5.2 do not report it; without it, check cannot verify the account's rights.",
      ),
    ),
  nobody: z
    .optional(z.union([text, z.array(text).check(z.minLength(1))], { error: 'must be a login or a list of logins' }))
    .check(z.describe('The account, or accounts, that the tracker uses for unassigned bugs.')),
});

const appSchema = closed({
  id: z.union([count, text], { error: 'must be the number of the App' }).check(z.describe('The App ID.')),
  installationId: z
    .union([count, text], { error: 'must be the number of the installation' })
    .check(z.describe('The installation ID.')),
  privateKey: z.optional(text).check(z.describe('The private key (PEM). Set this or privateKeyFile.')),
  privateKeyFile: z
    .optional(text)
    .check(z.describe('A file that contains the private key (PEM). Relative to the working directory.')),
});

export const githubSchema = closed({
  url: z
    ._default(text, 'https://api.github.com')
    .check(z.describe('The address of the API; https://HOST/api/v3 for an Enterprise Server.')),
  token: z
    .optional(text)
    .check(z.describe('A token with read and write access to issues. Set this, tokenFile or app.')),
  tokenFile: z.optional(text).check(z.describe('A file that contains the token. Relative to the working directory.')),
  app: z.optional(appSchema).check(z.describe('A GitHub App instead of a token.')),
});

export const httpSchema = closed({
  host: z
    ._default(text, httpDefaults.host)
    .check(z.describe("The address to listen on. Any address other than this machine's own needs a token.")),
  port: z
    ._default(z.int().check(z.gte(0)).check(z.lte(65_535)), httpDefaults.port)
    .check(z.describe('0 selects a free port, which the log names.')),
  token: z
    .optional(text)
    .check(z.describe('Required for everything except health checks and webhooks. Set this or tokenFile.')),
  tokenFile: z.optional(text).check(z.describe('A file that contains the token. Relative to the working directory.')),
  githubSecret: z
    .optional(text)
    .check(
      z.describe("The secret of GitHub's webhooks. Set this or githubSecretFile; otherwise they are not accepted."),
    ),
  githubSecretFile: z
    .optional(text)
    .check(z.describe('A file that contains that secret. Relative to the working directory.')),
  trackerSecret: z
    .optional(text)
    .check(
      z.describe(
        "The secret that the tracker's webhooks send in the header X-Bugferry-Secret. Set this or trackerSecretFile; otherwise they are not accepted.",
      ),
    ),
  trackerSecretFile: z
    .optional(text)
    .check(z.describe('A file that contains that secret. Relative to the working directory.')),
  readyLagMinutes: z
    ._default(z.number().check(z.gt(0)), readyLagMinutes)
    .check(
      z.describe(
        'A route of which a side was not read for longer than this is not in step: status ends with 1, and /readyz answers 503.',
      ),
    ),
});

export const scheduleSchema = closed({
  poll: z
    ._default(text, '*/1 * * * *')
    .check(z.describe('When to fetch changes and carry them over: a cron expression, in UTC.')),
  sweep: z
    ._default(text, '17 3 * * *')
    .check(z.describe('When to compare everything in full: a cron expression, in UTC.')),
});

export const limitsSchema = closed({
  writesPerCycle: z._default(count, 500).check(z.describe('The maximum number of writes in one cycle of a route.')),
  brakeShare: z
    ._default(z.number().check(z.gt(0)).check(z.lte(1)), 0.3)
    .check(z.describe("A plan that changes more than this share of a route's pairs is refused.")),
  settleSeconds: z
    ._default(z.number().check(z.gte(0)), 10)
    .check(z.describe('How long a write may take to appear in the lists of its side.')),
  attempts: z
    ._default(count, 5)
    .check(z.describe('An operation that fails this many times, over two hours or more, is parked for a person.')),
  github: z.prefault(
    closed({
      createsPerMinute: z
        .optional(count)
        .check(
          z.describe('New issues and comments a minute. Unset, the bridge finds out how many GitHub takes: 15 to 80.'),
        ),
      createsPerHour: z
        .optional(count)
        .check(
          z.describe('New issues and comments an hour. Unset, the bridge finds out how many GitHub takes: 120 to 500.'),
        ),
      pointsPerMinute: z
        ._default(z.int().check(z.gte(10)), 600)
        .check(z.describe('A read costs 1 point, a write 5; GitHub allows 900 a minute.')),
      pauseBetweenWritesMs: z
        ._default(z.int().check(z.gte(0)).check(z.lte(60_000)), 1000)
        .check(z.describe('The pause between two writes; GitHub asks for a second.')),
    }),
    {},
  ),
  tracker: z.prefault(
    closed({
      requestsPerSecond: z._default(count, 5),
      concurrency: z._default(count, 2).check(z.describe('Concurrent requests; writes go one at a time.')),
    }),
    {},
  ),
});

export const configSchema = closed({
  instance: text.check(
    z.describe('Identifies this bridge in markers, so that several bridges can share a repository. Never change it.'),
  ),
  tracker: trackerSchema,
  github: githubSchema,
  people: z._default(z.record(text, text), {}).check(z.describe('The GitHub login for each tracker login.')),
  peopleFile: z
    .optional(text)
    .check(
      z.describe('A file with more people, CSV or YAML. Relative to the configuration; reloaded when it changes.'),
    ),
  state: z
    ._default(text, 'state/bugferry.db')
    .check(z.describe('The state database. Relative to the working directory.')),
  schedule: z.prefault(scheduleSchema, {}),
  http: z
    .optional(httpSchema)
    .check(z.describe('The HTTP server for pages, health, metrics and webhooks; without it no port is opened.')),
  notify: z
    .optional(notifySchema)
    .check(z.describe('Tells people when a route begins to need somebody, and when it is well.')),
  limits: z.prefault(limitsSchema, {}),
  routes: z.array(routeSchema).check(z.minLength(1)),
});

/** The configuration as written in the file, with defaults filled in. */
export type WrittenConfig = z.output<typeof configSchema>;
