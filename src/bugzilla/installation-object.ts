/** What a tracker says of itself: not part of the interface's sections, and of every version something else. */
import { z } from 'zod';
import { instant } from './time.ts';
import { flag, list, textOrNothing, whole } from './value.ts';

export interface FieldValue {
  /** Null (or empty) in the row of a status field that says how a new bug may begin. */
  readonly name: string | null;
  /** False for a value that was retired: it stays on old bugs and is not accepted for new ones. */
  readonly is_active?: boolean;
  readonly is_open?: boolean;
  /** Of a status: where this account may move a bug from here. */
  readonly can_change_to?: readonly { readonly name: string; readonly comment_required?: boolean }[];
}

/** From `/rest/field/bug`. Names are the old internal ones: `bug_status`, `short_desc`, `cf_...`. */
export interface Field {
  readonly name: string;
  readonly display_name?: string;
  /** 1 text, 2 one of several, 3 several, 4 large text, 5 time, 6 bug id; others on some versions. */
  readonly type?: number;
  readonly is_custom?: boolean;
  readonly is_mandatory?: boolean;
  readonly is_on_bug_entry?: boolean;
  /** Absent for a field that takes any value. */
  readonly values?: readonly FieldValue[];
}

export interface ProductPart {
  readonly name: string;
  readonly is_active?: boolean;
}

/** From `/rest/product`. */
export interface Product {
  readonly id?: number;
  readonly name: string;
  readonly description?: string;
  readonly is_active?: boolean;
  readonly has_unconfirmed?: boolean;
  readonly default_milestone?: string;
  readonly components?: readonly ProductPart[];
  readonly versions?: readonly ProductPart[];
  readonly milestones?: readonly ProductPart[];
}

/** From `/rest/time`. Epoch milliseconds; null when the tracker does not tell that one. */
export interface TrackerTime {
  /** The clock that stamps bugs. */
  readonly db_time: number | null;
  /** The clock of the web server. */
  readonly web_time: number | null;
}

const text = textOrNothing.exactOptional();
const move = z.object({ name: z.string(), comment_required: flag.exactOptional() });
const fieldValue: z.ZodType<FieldValue> = z.object({
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? null),
  is_active: flag.exactOptional(),
  is_open: flag.exactOptional(),
  can_change_to: z.array(move).exactOptional(),
});
const field: z.ZodType<Field> = z.object({
  name: z.string(),
  display_name: text,
  type: whole.exactOptional(),
  is_custom: flag.exactOptional(),
  is_mandatory: flag.exactOptional(),
  is_on_bug_entry: flag.exactOptional(),
  values: z.array(fieldValue).exactOptional(),
});
const part: z.ZodType<ProductPart> = z.object({ name: z.string(), is_active: flag.exactOptional() });
const product: z.ZodType<Product> = z.object({
  id: whole.exactOptional(),
  name: z.string(),
  description: text,
  is_active: flag.exactOptional(),
  has_unconfirmed: flag.exactOptional(),
  default_milestone: text,
  components: z.array(part).exactOptional(),
  versions: z.array(part).exactOptional(),
  milestones: z.array(part).exactOptional(),
});

export const fieldListSchema = z.object({ fields: z.array(field) });
export const productListSchema = z.object({ products: z.array(product) });
const told = instant.nullish().transform((at) => at ?? null);
export const trackerTimeSchema: z.ZodType<TrackerTime> = z.object({ db_time: told, web_time: told });
export const parameterListSchema = z.object({
  parameters: z.record(z.string(), z.union([z.string(), z.number().transform(String), list.transform(String)])),
});
