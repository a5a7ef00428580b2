import { z } from 'zod';
import type { BugValueName } from '../model/item.ts';
import type { RowReader } from '../model/runtime.ts';
import { commentText, flag, instant, one, text, texts, whole, wholes } from './connection/answer.ts';
import { bugRow, commentRow, row } from './connection/rows.ts';

/** The parts of the tracker's answers that the bridge reads. */
const user = z.object({ id: whole.nullish().catch(null), name: text, real_name: text });

const values = {
  component: text,
  severity: text,
  priority: text,
  platform: text,
  op_sys: text,
  version: text,
} satisfies Readonly<Record<BugValueName, typeof text>>;

export const bugSchema = z.looseObject({
  id: whole,
  product: one,
  summary: one,
  status: one,
  resolution: text,
  dupe_of: whole.nullish(),
  ...values,
  keywords: texts,
  assigned_to: text,
  assigned_to_detail: user.nullish(),
  target_milestone: text,
  depends_on: wholes.optional(),
  see_also: texts,
  groups: texts,
  creator: text,
  creator_detail: user.nullish(),
  creation_time: instant,
  last_change_time: instant,
});
export type WireBug = z.infer<typeof bugSchema>;

/** Requested by name, so that answers are small and fast. `*_detail` contains the real name on 5.x. */
export const bugFields = Object.keys(bugSchema.shape).join(',');

export const bugsIn = (rows: RowReader) => z.object({ bugs: z.array(row(rows, bugSchema, bugRow)) });
export const changeTimesSchema = z.object({ bugs: z.array(z.object({ last_change_time: instant })) });

const bugIdSchema = z.object({ id: whole });
/** A row without a number names nothing that can be asked for. If the answer has no others, it is an unexpected one. */
const bugIds = z.array(z.unknown()).transform((rows, context) => {
  const named = rows.flatMap((each) => bugIdSchema.safeParse(each).data ?? []);
  if (named.length === 0 && rows.length > 0)
    context.issues.push({ code: 'custom', message: 'no bug has an id', input: rows });
  return named;
});
export const bugIdsSchema = z.object({ bugs: bugIds });

export const commentSchema = z.object({
  id: whole,
  bug_id: whole.nullish(),
  count: whole.nullish(),
  text: commentText,
  creator: text,
  is_private: flag.nullish(),
  tags: texts,
  is_markdown: flag.nullish(),
  creation_time: instant.optional(),
  time: instant.optional(),
});
export type WireComment = z.infer<typeof commentSchema>;

export const commentsIn = (rows: RowReader) =>
  z.object({
    bugs: z.record(z.string(), z.object({ comments: z.array(row(rows, commentSchema, commentRow)) })),
  });

/** An answer without an id is not a success: there must never be a bug 0. */
export const createdSchema = z.object({ id: whole.refine((id) => id > 0, 'not an id') });

const changeSchema = z.object({ added: text, removed: text });
export const updatedSchema = z.object({
  bugs: z
    .array(
      z.object({
        id: whole,
        last_change_time: instant.nullish(),
        changes: z.record(z.string(), changeSchema).nullish(),
      }),
    )
    .min(1),
});
export type WireChanges = Readonly<Record<string, z.infer<typeof changeSchema>>>;

export const versionSchema = z.object({ version: z.union([z.string(), z.number().transform(String)]) });
export const timeSchema = z.object({ db_time: instant.nullish() });
export const whoamiSchema = z.object({ id: whole.nullish(), name: text, login: text });
export const usersSchema = z.object({
  users: z.array(z.object({ id: whole.nullish(), groups: z.array(z.object({ name: text })).nullish() })),
});
/** harmony answers with the plain value. */
export const validLoginSchema = z.union([z.object({ result: flag }), z.boolean().transform((result) => ({ result }))]);
export const parametersSchema = z.object({ parameters: z.record(z.string(), z.unknown()) });

const choice = z.object({ name: text, is_active: flag.nullish() });
const statusMove = z.object({ name: z.string() });
const fieldValue = choice.extend({ can_change_to: z.array(statusMove).nullish() });
export const fieldsSchema = z.object({
  fields: z.array(z.object({ name: z.string(), type: whole.nullish(), values: z.array(fieldValue).nullish() })),
});
export type WireField = z.infer<typeof fieldsSchema>['fields'][number];

export const productsSchema = z.object({
  products: z.array(
    z.object({
      name: z.string(),
      components: z.array(choice).nullish(),
      versions: z.array(choice).nullish(),
      milestones: z.array(choice).nullish(),
    }),
  ),
});
export type WireChoice = z.infer<typeof choice>;
