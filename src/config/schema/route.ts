import { z } from 'zod';
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
    .record(text, shownSchema)
    .default({ ...defaultToGithub })
    .describe('How each status appears on GitHub; closed ones by resolution, where "*" means all others.'),
  toTracker: closed({
    reopened: text.default(defaultToTracker.reopened).describe('The status of a bug whose issue was reopened.'),
    completed: closedAs.default([...defaultToTracker.completed]),
    not_planned: closedAs.default([...defaultToTracker.not_planned]),
  }).prefault({}),
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
      .describe(
        'The field of the bug: of the whiteboard, the tags in brackets; of custom fields, those with a list of values, a date or a whole number (cf_...).',
      ),
    as: z
      .union([text, closed({ type: text }), closed({ field: text })], {
        error: 'must be a label such as "severity: {value}", { type: "{value}" }, or { field: "Priority" }',
      })
      .describe('The label or the issue type, with {value} for the value; or an issue field of the organisation.'),
    both: z.boolean().default(false).describe('Whether a change on GitHub is carried back to the tracker.'),
  }),
);

/** How texts name a bug. */
const pattern = text.regex(
  /^(?:[^{}]|\{component\})*[^{}\s](?:[^{}]|\{component\})*\{bug\}(?:[^{}]|\{component\})*$/u,
  {
    error: 'must contain {bug} once, after a word or a sign: "bug {bug}"',
  },
);
const patterns = z.array(pattern).min(1);

const createShape = {
  component: text.optional().describe('The component of new bugs; by default the first component of the route.'),
  version: text.default('unspecified'),
  op_sys: text.default('All'),
  platform: text.default('All'),
  severity: text.default('normal'),
  priority: text.default('---'),
  type: text
    .exactOptional()
    .describe('For trackers whose bugs have a type, usually mandatory: defect, enhancement, task.'),
  target_milestone: text.exactOptional(),
  qa_contact: text.exactOptional().describe('A login.'),
  url: text.exactOptional(),
  whiteboard: text.exactOptional(),
};

/** Custom fields may have any name of the form cf_..., so unknown keys are reported by hand. */
export const createSchema = z
  .object(createShape)
  .catchall(
    z.union([text, z.array(text).min(1)], {
      error: 'must be a text or a list of texts; a number or a date is written in quotes',
    }),
  )
  .superRefine((create, context) => {
    const keys = Object.keys(create).filter((name) => !(name in createShape) && !/^cf_\w/u.test(name));
    if (keys.length > 0)
      context.addIssue({ code: 'unrecognized_keys', keys, message: `${Object.keys(createShape).join(', ')}, cf_...` });
  });

const attachmentsSchema = closed({
  store: z
    .enum(['branch', 'repo', 'release', 'link'])
    .default('branch')
    .describe(
      'The place for copies of files: a branch of the repository, a branch of another repository, assets of releases, or none (a link to the tracker).',
    ),
  repo: text
    .optional()
    .describe("The repository for store: repo, as owner/name; with store: release, by default the route's own."),
  branch: text.default('attachments').describe('The branch; created if missing. Nothing else should use it.'),
  tag: text
    .default('attachments')
    .describe('With store: release, the tag of the first release; later releases get a number.'),
  maxMegabytes: z.number().gt(0).lte(100).default(25).describe('A larger file is not copied; a link to it says so.'),
});

export const routeSchema = closed({
  name: text.describe('A short name, used in logs and commands.'),
  enabled: z
    .boolean()
    .default(true)
    .describe('false switches the route off: it is neither read nor written, and no command but status shows it.'),
  contact: text
    .optional()
    .describe('Whom to ask about the route: a person, a mailing list or an address. Status and the dashboard show it.'),
  tracker: closed({
    product: text,
    component: z
      .union([text, z.array(text).min(1)], { error: 'must be a component or a list of components' })
      .optional()
      .describe('Only bugs of these components; by default all of the product.'),
    keyword: text.optional().describe('Only bugs with this keyword.'),
    createdSince: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], {
        error: 'must be a date such as 2024-01-31 or 2024-01-31T12:00:00Z',
      })
      .optional()
      .describe('Only bugs filed on or after this day (UTC) or moment.'),
    openOnly: z.boolean().default(false).describe('Only open bugs.'),
  }),
  github: closed({
    repo: text.describe('The repository, as owner/name.'),
    label: text.optional().describe('Only issues with this label become bugs.'),
  }),
  direction: z.enum(['both', 'to-github', 'to-tracker']).default('both'),
  visitors: z
    .enum(['welcome', 'lock', 'redirect'])
    .default('welcome')
    .describe(
      'With direction: to-github, how to treat people who write on GitHub: let them, lock mirrored issues, or redirect people who open issues.',
    ),
  conflicts: z
    .enum(['newest', 'tracker', 'github', 'ask'])
    .default('newest')
    .describe('Which side wins if both changed a field differently.'),
  pointer: z
    .enum(['now', 'with-next-change', 'never'])
    .default('with-next-change')
    .describe(
      'When a bug gets the address of its issue in See Also: now (one mail to those who follow it), with the next change of its fields that crosses, or never.',
    ),
  copies: z
    .enum(['leave', 'restore'])
    .default('leave')
    .describe('What to do with copies that were edited by hand on GitHub: leave or restore them.'),
  deletions: z
    .enum(['nothing', 'note'])
    .default('nothing')
    .describe(
      'If a comment is deleted on GitHub, its copy on the tracker stays: do nothing, or note the deletion on the bug.',
    ),
  create: createSchema
    .prefault({})
    .describe(
      'Values for a bug filed from an issue, including other fields that the tracker requires, such as type and custom fields (cf_...).',
    ),
  status: statusSchema.prefault({}),
  labels: z.array(labelSchema).default([...defaultLabels]),
  assignee: z
    .boolean()
    .optional()
    .describe('Whether assignees cross; true by default if there are people or a peopleFile.'),
  milestones: z.boolean().default(false).describe('Whether target milestones and milestones cross.'),
  mentions: z.boolean().default(false).describe('Whether texts on GitHub mention mapped people, which notifies them.'),
  attachments: attachmentsSchema
    .optional()
    .describe('Copies files in both directions; without it they stay where they are.'),
  table: z
    .array(text)
    .default([])
    .describe(
      'Fields for a collapsed table in the issue: alias, url, see_also, cc, flags, deadline, qa_contact, whiteboard, depends_on, votes, cf_...',
    ),
  thumbsUp: z
    .boolean()
    .default(false)
    .describe(
      "Whether the bug's whiteboard shows how many thumbs up its issue has, such as github+1:12; written with the next change of its fields that crosses.",
    ),
  private: z
    .enum(['refuse', 'mirror'])
    .default('refuse')
    .describe(
      'Whether issues of a private repository may be copied to the tracker: mirror allows it; with refuse, the route does not run.',
    ),
  visibilityCheck: z
    .enum(['anonymous', 'none'])
    .default('anonymous')
    .describe(
      'The visibility check. anonymous: only what a reader without an account sees is public. none: everything that the tracker does not mark private.',
    ),
  pulls: z
    .union([z.boolean(), closed({ patterns })], {
      error: 'must be true, false, or { patterns: ["bug {bug}"] }',
    })
    .default(false)
    .describe(
      'Whether bugs get a comment about pull requests that name them: by closing words, by the address of the bug, or by patterns with {bug} (true: "bug {bug}").',
    ),
  commits: z
    .union([z.boolean(), closed({ branch: text.optional(), patterns: patterns.optional() })], {
      error: 'must be true, false, or { branch: main, patterns: ["bug {bug}"] }',
    })
    .default(false)
    .describe(
      'Whether bugs get a comment about commits that name them, one for each push to a branch (true: the default branch, and "bug {bug}", "bz#{bug}" and "PR {component}/{bug}").',
    ),
  dashboard: z
    .boolean()
    .default(false)
    .describe(
      'Whether an issue of the repository lists what needs a person; written at most once an hour, when that has changed.',
    ),
  dependencies: z
    .boolean()
    .default(false)
    .describe('Whether dependencies cross in both directions, as "blocked by" on GitHub.'),
});

/** A route as written in the file, with defaults filled in. */
export type WrittenRoute = z.output<typeof routeSchema>;
