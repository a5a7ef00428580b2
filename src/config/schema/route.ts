import * as z from 'zod/mini';
import { bugValueNames } from '../../model/item.ts';
import { defaultLabels, defaultToGithub, defaultToTracker } from '../config.ts';
import { closed, text } from './parts.ts';

const closeReason = z.enum(['completed', 'not_planned', 'duplicate']);

const shownSchema = z.union(
  [
    z.enum(['open', 'completed', 'not_planned', 'duplicate']),
    closed({ open: closed({ label: text }) }),
    z.record(text, closeReason),
  ],
  {
    error:
      'must be open, completed, not_planned or duplicate, or { open: { label: "..." } }, or one of these for each resolution',
  },
);

const closedAs = z.tuple([text, text], { error: 'must be a status and a resolution, such as [RESOLVED, FIXED]' });

const statusSchema = closed({
  toGithub: z
    ._default(z.record(text, shownSchema), { ...defaultToGithub })
    .check(z.describe('How each status appears on GitHub; closed ones by resolution, where "*" means all others.')),
  toTracker: z.prefault(
    closed({
      reopened: z
        ._default(text, defaultToTracker.reopened)
        .check(z.describe('The status of a bug whose issue was reopened.')),
      completed: z._default(closedAs, [...defaultToTracker.completed]),
      not_planned: z._default(closedAs, [...defaultToTracker.not_planned]),
    }),
    {},
  ),
});

/** Made where a file has rules for labels: its parts cost the most of all. */
const labelSchema = z.lazy(() =>
  closed({
    from: z
      .union(
        [z.enum([...bugValueNames, 'keywords', 'whiteboard', 'deadline']), z.templateLiteral(['cf_', z.string()])],
        {
          error: `must be ${bugValueNames.join(', ')}, keywords, whiteboard, deadline or a custom field (cf_...)`,
        },
      )
      .check(
        z.describe(
          'The field of the bug: of the whiteboard, the tags in brackets; of custom fields, those with a list of values, a date or a whole number (cf_...).',
        ),
      ),
    as: z
      .union([text, closed({ type: text }), closed({ field: text })], {
        error: 'must be a label such as "severity: {value}", { type: "{value}" }, or { field: "Priority" }',
      })
      .check(
        z.describe('The label or the issue type, with {value} for the value; or an issue field of the organisation.'),
      ),
    both: z
      ._default(z.boolean(), false)
      .check(z.describe('Whether a change on GitHub is carried back to the tracker.')),
  }),
);

/** How texts name a bug. */
const pattern = text.check(
  z.regex(/^(?:[^{}]|\{component\})*[^{}\s](?:[^{}]|\{component\})*\{bug\}(?:[^{}]|\{component\})*$/u, {
    error: 'must contain {bug} once, after a word or a sign: "bug {bug}"',
  }),
);
const patterns = z.array(pattern).check(z.minLength(1));

const createShape = {
  component: z
    .optional(text)
    .check(z.describe('The component of new bugs; by default the first component of the route.')),
  version: z._default(text, 'unspecified'),
  op_sys: z._default(text, 'All'),
  platform: z._default(text, 'All'),
  severity: z._default(text, 'normal'),
  priority: z._default(text, '---'),
  type: z
    .exactOptional(text)
    .check(z.describe('For trackers whose bugs have a type, usually mandatory: defect, enhancement, task.')),
  target_milestone: z.exactOptional(text),
  qa_contact: z.exactOptional(text).check(z.describe('A login.')),
  url: z.exactOptional(text),
  whiteboard: z.exactOptional(text),
};

/** Custom fields may have any name of the form cf_..., so unknown keys are reported by hand. */
export const createSchema = z
  .catchall(
    z.object(createShape),
    z.union([text, z.array(text).check(z.minLength(1))], {
      error: 'must be a text or a list of texts; a number or a date is written in quotes',
    }),
  )
  .check(
    z.superRefine((create, context) => {
      const keys = Object.keys(create).filter((name) => !(name in createShape) && !/^cf_\w/u.test(name));
      if (keys.length > 0)
        context.addIssue({
          code: 'unrecognized_keys',
          keys,
          message: `${Object.keys(createShape).join(', ')}, cf_...`,
        });
    }),
  );

const attachmentsSchema = closed({
  store: z
    ._default(z.enum(['branch', 'repo', 'release', 'link']), 'branch')
    .check(
      z.describe(
        'The place for copies of files: a branch of the repository, a branch of another repository, assets of releases, or none (a link to the tracker).',
      ),
    ),
  repo: z
    .optional(text)
    .check(
      z.describe("The repository for store: repo, as owner/name; with store: release, by default the route's own."),
    ),
  branch: z
    ._default(text, 'attachments')
    .check(z.describe('The branch; created if missing. Nothing else should use it.')),
  tag: z
    ._default(text, 'attachments')
    .check(z.describe('With store: release, the tag of the first release; later releases get a number.')),
  maxMegabytes: z
    ._default(z.number().check(z.gt(0)).check(z.lte(100)), 25)
    .check(z.describe('A larger file is not copied; a link to it says so.')),
});

export const routeSchema = closed({
  name: text.check(z.describe('A short name, used in logs and commands.')),
  enabled: z
    ._default(z.boolean(), true)
    .check(
      z.describe('false switches the route off: it is neither read nor written, and no command but status shows it.'),
    ),
  contact: z
    .optional(text)
    .check(
      z.describe(
        'Whom to ask about the route: a person, a mailing list or an address. Status and the dashboard show it.',
      ),
    ),
  tracker: closed({
    product: text,
    component: z
      .optional(
        z.union([text, z.array(text).check(z.minLength(1))], { error: 'must be a component or a list of components' }),
      )
      .check(z.describe('Only bugs of these components; by default all of the product.')),
    keyword: z.optional(text).check(z.describe('Only bugs with this keyword.')),
    createdSince: z
      .optional(
        z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
          error: 'must be a date such as 2024-01-31 or 2024-01-31T12:00:00Z',
        }),
      )
      .check(z.describe('Only bugs filed on or after this day (UTC) or moment.')),
    openOnly: z._default(z.boolean(), false).check(z.describe('Only open bugs.')),
  }),
  github: closed({
    repo: text.check(z.describe('The repository, as owner/name.')),
    label: z.optional(text).check(z.describe('Only issues with this label become bugs.')),
  }),
  direction: z._default(z.enum(['both', 'to-github', 'to-tracker']), 'both'),
  visitors: z
    ._default(z.enum(['welcome', 'lock', 'redirect']), 'welcome')
    .check(
      z.describe(
        'With direction: to-github, how to treat people who write on GitHub: let them, lock mirrored issues, or redirect people who open issues.',
      ),
    ),
  conflicts: z
    ._default(z.enum(['newest', 'tracker', 'github', 'ask']), 'newest')
    .check(z.describe('Which side wins if both changed a field differently.')),
  pointer: z
    ._default(z.enum(['now', 'with-next-change', 'never']), 'with-next-change')
    .check(
      z.describe(
        'When a bug gets the address of its issue in See Also: now (one mail to those who follow it), with the next change of its fields that crosses, or never.',
      ),
    ),
  copies: z
    ._default(z.enum(['leave', 'restore']), 'leave')
    .check(z.describe('What to do with copies that were edited by hand on GitHub: leave or restore them.')),
  deletions: z
    ._default(z.enum(['nothing', 'note']), 'nothing')
    .check(
      z.describe(
        'If a comment is deleted on GitHub, its copy on the tracker stays: do nothing, or note the deletion on the bug.',
      ),
    ),
  create: z
    .prefault(createSchema, {})
    .check(
      z.describe(
        'Values for a bug filed from an issue, including other fields that the tracker requires, such as type and custom fields (cf_...).',
      ),
    ),
  status: z.prefault(statusSchema, {}),
  labels: z._default(z.array(labelSchema), [...defaultLabels]),
  assignee: z
    .optional(z.boolean())
    .check(z.describe('Whether assignees cross; true by default if there are people or a peopleFile.')),
  milestones: z._default(z.boolean(), false).check(z.describe('Whether target milestones and milestones cross.')),
  mentions: z
    ._default(z.boolean(), false)
    .check(z.describe('Whether texts on GitHub mention mapped people, which notifies them.')),
  attachments: z
    .optional(attachmentsSchema)
    .check(z.describe('Copies files in both directions; without it they stay where they are.')),
  table: z
    ._default(z.array(text), [])
    .check(
      z.describe(
        'Fields for a collapsed table in the issue: alias, url, see_also, cc, flags, deadline, qa_contact, whiteboard, depends_on, votes, cf_...',
      ),
    ),
  thumbsUp: z
    ._default(z.boolean(), false)
    .check(
      z.describe(
        "Whether the bug's whiteboard shows how many thumbs up its issue has, such as github+1:12; written with the next change of its fields that crosses.",
      ),
    ),
  private: z
    ._default(z.enum(['refuse', 'mirror']), 'refuse')
    .check(
      z.describe(
        'Whether issues of a private repository may be copied to the tracker: mirror allows it; with refuse, the route does not run.',
      ),
    ),
  visibilityCheck: z
    ._default(z.enum(['anonymous', 'none']), 'anonymous')
    .check(
      z.describe(
        'The visibility check. anonymous: only what a reader without an account sees is public. none: everything that the tracker does not mark private.',
      ),
    ),
  pulls: z
    ._default(
      z.union([z.boolean(), closed({ patterns })], {
        error: 'must be true, false, or { patterns: ["bug {bug}"] }',
      }),
      false,
    )
    .check(
      z.describe(
        'Whether bugs get a comment about pull requests that name them: by closing words, by the address of the bug, or by patterns with {bug} (true: "bug {bug}").',
      ),
    ),
  commits: z
    ._default(
      z.union([z.boolean(), closed({ branch: z.optional(text), patterns: z.optional(patterns) })], {
        error: 'must be true, false, or { branch: main, patterns: ["bug {bug}"] }',
      }),
      false,
    )
    .check(
      z.describe(
        'Whether bugs get a comment about commits that name them, one for each push to a branch (true: the default branch, and "bug {bug}", "bz#{bug}" and "PR {component}/{bug}").',
      ),
    ),
  dashboard: z
    ._default(z.boolean(), false)
    .check(
      z.describe(
        'Whether an issue of the repository lists what needs a person; written at most once an hour, when that has changed.',
      ),
    ),
  dependencies: z
    ._default(z.boolean(), false)
    .check(z.describe('Whether dependencies cross in both directions, as "blocked by" on GitHub.')),
});

/** A route as written in the file, with defaults filled in. */
export type WrittenRoute = z.output<typeof routeSchema>;
