import type { Operation, Plan } from '../model/operation.ts';
import { byKind, type PerKind } from '../model/per-kind.ts';

/** With fewer links than this, a share is meaningless. */
const linksMin = 10;

export interface Refusal {
  readonly touched: number;
  readonly links: number;
  readonly why: string;
}

/**
 * Refuses a plan that would change too much of what is already mirrored: then a fault in a side, a clock or the
 * configuration is more likely than that many real changes. New counterparts and comments only add, so they do not count; neither do
 * corrected copies whose source is unchanged.
 * @param links how many live links with two ends the route has
 * @param share between 0 and 1
 * @returns null when the plan may be carried out
 */
export function brake(plan: Plan, links: number, share: number): Refusal | null {
  const fresh = new Set(plan.operations.filter(({ kind }) => kind === 'create').map(({ link }) => link));
  const changed = plan.operations.filter((each) => isChange(each) && !fresh.has(each.link)).map(({ link }) => link);
  return refuse(new Set(changed).size, links, share, 'the plan would change');
}

const isChange = (operation: Operation): boolean => byKind(changes, operation);

const never = (): boolean => false;

const changes: PerKind<boolean> = {
  update: () => true,
  rewrite: ({ isEdit }) => isEdit,
  create: never,
  comment: never,
  erase: never,
  minimize: never,
  point: never,
  file: never,
  remark: never,
  lock: never,
};

/** The same for links whose other end has vanished, as far as they were counted: a tracker that shows nothing is broken, not empty. */
export const brakeVanished = (vanished: number, links: number, share: number): Refusal | null =>
  refuse(vanished, links, share, 'the full comparison would give up at least');

function refuse(touched: number, links: number, share: number, action: string): Refusal | null {
  if (links < linksMin || touched <= links * share) return null;
  const percent = Math.round((touched / links) * 100);
  const allowed = Math.round(share * 100);
  const why = `${action} ${touched} of ${links} links (${percent} %, at most ${allowed} % allowed)`;
  return { touched, links, why };
}
