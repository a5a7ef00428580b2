import type { Side } from '../ids.ts';

export const roles = ['reported', 'assigned', 'commented'] as const;
export type Role = (typeof roles)[number];

/** A person on one side, with the counterpart on the other. */
export interface Known {
  readonly login: string;
  readonly name: string;
  readonly times: Readonly<Record<Role, number>>;
  /** The login on the other side according to `people`; null if it is not listed. */
  readonly mapped: string | null;
  readonly isNobody: boolean;
  /** A login on the other side that may belong to the same person, and why. Only for tracker users. */
  readonly proposal: { readonly login: string; readonly why: string } | null;
}

export type Roster = Readonly<Record<Side, readonly Known[]>>;
