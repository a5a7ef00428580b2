import { type ZodType, z } from 'zod';
import { attachmentsIn, createdAttachmentsSchema } from '../../../src/bugzilla/api/attachment.ts';
import { bugsSchema, updatedAttachmentsSchema, updatedBugsSchema } from '../../../src/bugzilla/api/bug.ts';
import { historiesIn } from '../../../src/bugzilla/api/bug-history.ts';
import { commentsIn, tagsSchema } from '../../../src/bugzilla/api/comment.ts';
import type { TrackerErrorKind } from '../../../src/bugzilla/connection/errors.ts';
import {
  createdSchema,
  fieldsSchema,
  parametersSchema,
  productsSchema,
  timeSchema,
  usersSchema,
  validLoginSchema,
  versionSchema,
} from '../../../src/bugzilla/schema.ts';
import { unwatchedRows } from '../../../src/model/runtime.ts';
import type { Recorded } from './recorded.ts';

/**
 * Errors of the tracker itself: the code as it came, the HTTP statuses it came with, and what kind the client makes of
 * it.
 */
export const errorFamilies: readonly (readonly [code: number, statuses: readonly number[], kind: TrackerErrorKind])[] =
  [
    [50, [400], 'invalid'],
    [51, [404], 'invalid'],
    [52, [400], 'invalid'],
    [53, [400], 'invalid'],
    [54, [400], 'invalid'],
    [55, [400], 'invalid'],
    [56, [400], 'invalid'],
    [57, [400], 'invalid'],
    [100, [400], 'missing'],
    [101, [404], 'missing'],
    [102, [401], 'hidden'],
    [103, [400], 'invalid'],
    [104, [400], 'invalid'],
    [105, [400], 'invalid'],
    [106, [401], 'refused'],
    [107, [400], 'invalid'],
    [108, [400], 'invalid'],
    [110, [401], 'hidden'],
    [111, [400], 'missing'],
    [112, [400], 'invalid'],
    [113, [401], 'refused'],
    [114, [400], 'invalid'],
    [115, [401], 'refused'],
    [116, [400], 'invalid'],
    [117, [400], 'invalid'],
    [118, [400], 'invalid'],
    [119, [400], 'invalid'],
    [120, [401], 'refused'],
    [121, [400], 'refused'],
    [122, [400], 'refused'],
    [123, [400], 'refused'],
    [126, [400], 'invalid'],
    [128, [400], 'invalid'],
    [129, [400], 'invalid'],
    [130, [400], 'refused'],
    [131, [400], 'refused'],
    [300, [401], 'credentials'],
    [301, [401], 'credentials'],
    [304, [401], 'refused'],
    [306, [400], 'credentials'],
    [410, [401], 'credentials'],
    [504, [401], 'invalid'],
    [505, [401], 'refused'],
    [600, [400], 'invalid'],
    [601, [400], 'invalid'],
    [604, [400], 'invalid'],
    [606, [400], 'invalid'],
    [804, [400], 'invalid'],
    [805, [400], 'refused'],
    [900, [400], 'refused'],
    [1000, [400], 'invalid'],
    [32000, [400], 'refused'],
    [32611, [400], 'invalid'],
    [32614, [404], 'absent'],
    // An unknown field of an attachment, with its code shifted.
    [67399, [400], 'invalid'],
    // The mail failed after the change was stored.
    [68000, [400], 'unknown-outcome'],
    // A failure inside, with the status of a success.
    [100500, [200, 201], 'unknown-outcome'],
  ];

/** Answers that are neither an error of the tracker nor what was asked for. */
export const strangeFamilies: readonly (readonly [
  title: string,
  is: (exchange: Recorded) => boolean,
  kind: TrackerErrorKind,
])[] = [
  ['a page for people', ({ response }) => contentType(response).startsWith('text/html'), 'unknown-outcome'],
  [
    'a script instead of JSON',
    ({ response }) => contentType(response).startsWith('text/javascript'),
    'unknown-outcome',
  ],
  [
    'nothing at all, as if all were well',
    ({ response }) => response.body === '' && response.status === 200,
    'unknown-outcome',
  ],
  [
    'an error of JSON-RPC, which is not spoken here',
    ({ response }) => JSON.stringify(response.body).includes('"error":{'),
    'unknown-outcome',
  ],
  ['nothing but a status', ({ response }) => response.body === '' && response.status === 404, 'refused'],
];

const contentType = ({ headers }: Recorded['response']): string => headers['content-type'] ?? '';

export interface SuccessFamily {
  readonly request: RegExp;
  readonly status: 200 | 201;
  readonly schema: ZodType;
  /** What the client puts before the list or in its place; the whole body where it is left out. */
  readonly part?: (body: Readonly<Record<string, unknown>>) => unknown;
}

const anything = z.unknown();

/** Answers to what was asked for, by `METHOD /path`. A bug is named by its number or its alias. */
export const successFamilies: readonly SuccessFamily[] = [
  { request: /^GET \/rest(\.cgi)?\/bug(\/(\d+|orig-bug))?$/, status: 200, schema: bugsSchema },
  { request: /^GET \/rest\/bug\/\d+\/history$/, status: 200, schema: historiesIn(unwatchedRows) },
  { request: /^GET \/rest\/bug\/(\w|-)+\/comment$/, status: 200, schema: commentsIn(unwatchedRows) },
  { request: /^GET \/rest\/bug\/comment\/\d+$/, status: 200, schema: commentsIn(unwatchedRows) },
  {
    request: /^GET \/rest\/bug\/(\d+\/attachment|attachment\/\d+)$/,
    status: 200,
    schema: attachmentsIn(unwatchedRows),
  },
  { request: /^GET \/rest\/bug\/comment\/tags\/\w+$/, status: 200, schema: tagsSchema },
  { request: /^PUT \/rest\/bug\/comment\/\d+\/tags$/, status: 200, schema: tagsSchema },
  { request: /^POST \/rest\/bug$/, status: 200, schema: createdSchema },
  { request: /^POST \/rest\/bug\/\d+\/comment$/, status: 201, schema: createdSchema },
  {
    request: /^POST \/rest\/bug\/\d+\/attachment$/,
    status: 201,
    schema: createdAttachmentsSchema,
    part: ({ ids }) => ids,
  },
  { request: /^PUT \/rest\/bug\/(\d+|orig-bug)$/, status: 200, schema: updatedBugsSchema },
  { request: /^PUT \/rest\/bug\/attachment\/\d+$/, status: 200, schema: updatedAttachmentsSchema },
  { request: /^GET \/rest\/version$/, status: 200, schema: versionSchema },
  { request: /^GET \/rest\/time$/, status: 200, schema: timeSchema, part: ({ db_time }) => ({ db_time }) },
  { request: /^GET \/rest\/valid_login$/, status: 200, schema: validLoginSchema },
  { request: /^GET \/rest\/parameters$/, status: 200, schema: parametersSchema },
  {
    request: /^GET \/rest\/field\/bug(\/\w+)?$/,
    status: 200,
    schema: fieldsSchema,
    part: ({ fields }) => ({ fields: named(fields) }),
  },
  {
    request: /^GET \/rest\/product(\/\w+)?$/,
    status: 200,
    schema: productsSchema,
    part: ({ products }) => ({ products: named(products) }),
  },
  { request: /^GET \/rest\/user(\/\S+)?$/, status: 200, schema: usersSchema, part: () => ({}) },
  // What the client does not read; it is a success all the same.
  {
    request: /^GET \/rest\/(extensions|last_audit_time|login|logout|group|flag_type\/.*|product_\w+)$/,
    status: 200,
    schema: anything,
  },
  { request: /^GET \/rest\/field\/bug\/component\/\d+\/values$/, status: 200, schema: anything },
  { request: /^POST \/jsonrpc\.cgi$/, status: 200, schema: anything },
];

const named = (list: unknown): unknown =>
  Array.isArray(list) ? list.map((element: { readonly name: string }) => ({ name: element.name })) : list;

/** A read that leaves out a field which the client always asks for. What comes is not enough for it, and it says so. */
export function isNarrow({ request }: Recorded): boolean {
  const included = new URLSearchParams(request.query).getAll('include_fields').flatMap((text) => text.split(/[\s,+]+/));
  if (request.method !== 'GET' || included.length === 0) return false;
  const isAny = (...names: readonly string[]): boolean => names.some((name) => included.includes(name));
  if (/\/comment(\/\d+)?$/.test(request.path))
    return !(isAny('id') && isAny('bug_id') && isAny('time', 'creation_time'));
  if (/\/attachment(\/\d+)?$/.test(request.path)) return !(isAny('id') && isAny('bug_id'));
  return (
    /\/bug(\/(\d+|orig-bug))?$/.test(request.path) &&
    !request.path.includes('field') &&
    !isAny('id', '_all', '_default')
  );
}
