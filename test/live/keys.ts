import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Who acts on the live tracker, and where: the file that `--keys` names. docs/trackers.md has an example. */
const account = z.object({ login: z.string(), key: z.string().min(1) });

const values = z.record(z.string(), z.string());

const keysSchema = z.object({
  /** The bridge's own account: editbugs, canconfirm, no insider. */
  bridge: account,
  /** Sees and makes what is private. */
  insider: account,
  /** An ordinary member of the project who may edit bugs. */
  member: account,
  product: z.string(),
  /** What a new bug needs besides product, summary and description, such as component and version. */
  bug: values,
  /** The route's `create`: what the bridge gives new bugs. */
  create: values,
  /** A group that hides a bug of the product. */
  group: z.string(),
  /**
   * A second product with a route of its own: people move bugs between both. What a bug needs `there` and `back` goes
   * with its product, such as component, version and target milestone.
   */
  moves: z.object({ product: z.string(), there: values, back: values, create: values }).optional(),
});

export type Keys = z.infer<typeof keysSchema>;
export type Account = z.infer<typeof account>;

/** A product and the repository of its route. */
export interface Routed {
  readonly product: string;
  readonly repo: string;
  readonly create: Readonly<Record<string, string>>;
}

/** @param repo of the first route */
export const routedBy = ({ product, create, moves }: Keys, repo: string): readonly Routed[] => [
  { product, repo, create },
  ...(moves === undefined ? [] : [{ product: moves.product, repo: `${repo}-moved`, create: moves.create }]),
];

/** Throws with words for people when the file is missing or lacks something. */
export function readKeys(file: string): Keys {
  const parsed = keysSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} cannot be used:\n${z.prettifyError(parsed.error)}`);
}
