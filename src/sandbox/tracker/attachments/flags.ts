import { wireTime } from '../installation/times.ts';
import { isIn, type Viewer } from '../installation/users.ts';
import type { TrackerFlag } from '../world/state.ts';

/** A flag as bugs and attachments show it, without a requestee if it asks no one. */
export function flagShape(flag: TrackerFlag): Record<string, unknown> {
  return {
    id: flag.id,
    name: flagName(flag.type),
    type_id: flag.type,
    status: flag.status,
    setter: flag.setter,
    creation_date: wireTime(flag.createdAt),
    modification_date: wireTime(flag.changedAt),
    ...(flag.requestee === null ? {} : { requestee: flag.requestee }),
  };
}

/** `needinfo?(bob@example.test)`, as changes and history report a flag and as searches find it. */
const flagText = (flag: TrackerFlag): string =>
  `${flagName(flag.type)}${flag.status}${flag.requestee === null ? '' : `(${flag.requestee})`}`;

/**
 * Removed and added flags, joined with commas; null if there are none. Two flags may have the same text, so each counts
 * once.
 */
export function flagsChange(
  before: readonly TrackerFlag[],
  after: readonly TrackerFlag[],
): { readonly removed: string; readonly added: string } | null {
  // The setter counts, too: if another user sets the same value, it is another flag with the same text.
  const key = (flag: TrackerFlag): string => `${flag.setter}:${flagText(flag)}`;
  const removed = orderedFlags(without(before, after, key));
  const added = orderedFlags(without(after, before, key));
  if (removed.length + added.length === 0) return null;
  return { removed: removed.map(flagText).join(', '), added: added.map(flagText).join(', ') };
}

function without(
  flags: readonly TrackerFlag[],
  others: readonly TrackerFlag[],
  key: (flag: TrackerFlag) => string,
): readonly TrackerFlag[] {
  const left = others.map(key);
  return flags.filter((flag) => {
    const index = left.indexOf(key(flag));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Flags in display order: by the name of their kind, then by age; new ones still have the number 0. */
export function orderedFlags(flags: readonly TrackerFlag[]): readonly TrackerFlag[] {
  const rank = (flag: TrackerFlag): number => flagTypes.findIndex((type) => type.id === flag.type);
  const age = (flag: TrackerFlag): number => (flag.id === 0 ? Number.MAX_SAFE_INTEGER : flag.id);
  return flags.toSorted((one, other) => rank(one) - rank(other) || age(one) - age(other));
}

/** A kind of flag. All kinds here are active, and everyone may request them. */
export interface FlagType {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly target: 'bug' | 'attachment';
  /** A bug or attachment may have several flags of the kind. */
  readonly isMultiplicable: boolean;
  /** A request may name a requestee. */
  readonly isRequesteeble: boolean;
  /** The products that have it; null for all. */
  readonly products: readonly string[] | null;
  /** The group that may grant and deny it; null for everyone. */
  readonly grantGroup: string | null;
  /** The group that may ask for it and clear it; null for everyone. */
  readonly requestGroup: string | null;
}

/** The kinds of the measured installation, by name, which is the display order of flags. */
const everywhere = { products: null, grantGroup: null, requestGroup: null } as const;

const flagTypes: readonly FlagType[] = [
  {
    id: 4,
    name: 'approval',
    description: 'approve',
    target: 'attachment',
    isMultiplicable: true,
    isRequesteeble: false,
    ...everywhere,
  },
  {
    id: 2,
    name: 'blocker',
    description: 'blocks the release',
    target: 'bug',
    isMultiplicable: false,
    isRequesteeble: false,
    products: ['Widget'],
    grantGroup: 'editbugs',
    requestGroup: null,
  },
  {
    id: 1,
    name: 'needinfo',
    description: 'more info wanted',
    target: 'bug',
    isMultiplicable: true,
    isRequesteeble: true,
    ...everywhere,
  },
  {
    id: 3,
    name: 'review',
    description: 'review me',
    target: 'attachment',
    isMultiplicable: false,
    isRequesteeble: true,
    ...everywhere,
  },
];

/** The kinds of flags in a product. */
export const flagTypesOf = (target: FlagType['target'], product: string): readonly FlagType[] =>
  flagTypes.filter((type) => type.target === target && hasType(product, type));

const hasType = (product: string, { products }: FlagType): boolean => products === null || products.includes(product);

/** The flags that a bug or an attachment keeps in a product. */
export const flagsIn = (product: string, flags: readonly TrackerFlag[]): readonly TrackerFlag[] =>
  flags.filter((flag) => flagTypes.some((type) => type.id === flag.type && hasType(product, type)));

export const mayGrant = (user: Viewer, { grantGroup }: FlagType): boolean =>
  grantGroup === null || isIn(user, grantGroup);
export const mayRequest = (user: Viewer, type: FlagType): boolean =>
  type.requestGroup === null || isIn(user, type.requestGroup) || mayGrant(user, type);

/** The name of a kind by its number; empty for an unknown number. */
export const flagName = (typeId: number): string => flagTypes.find((type) => type.id === typeId)?.name ?? '';
