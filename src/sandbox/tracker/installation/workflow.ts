import { noSuch, notSpecified, TrackerError } from '../server/errors.ts';
import type { Product, User } from '../world/state.ts';
import { mayConfirm } from './users.ts';

/** Each status with those that may follow it; the empty name is a bug that is being filed. */
export const workflow: Readonly<Record<string, readonly string[]>> = {
  '': ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS'],
  UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
  CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
  IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
  RESOLVED: ['UNCONFIRMED', 'CONFIRMED', 'VERIFIED'],
  VERIFIED: ['UNCONFIRMED', 'CONFIRMED'],
};

export const statuses = Object.keys(workflow).filter((name) => name !== '');
export const resolutions = ['', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME'] as const;

const closedStatuses: readonly string[] = ['RESOLVED', 'VERIFIED'];
export const isOpen = (status: string): boolean => !closedStatuses.includes(status);

/**
 * The status of a new bug. The wish of a user who may not confirm bugs is silently ignored: the bug is UNCONFIRMED if
 * its product has that status. Throws code 123 for a status in which no bug can be filed.
 */
export function statusOnCreate(user: User, product: Product, wanted: string | undefined): string {
  const available = followers('', product);
  if (!mayConfirm(user)) return available[0] ?? 'CONFIRMED';
  if (wanted === undefined || wanted === '') return 'CONFIRMED';
  const status = canonicalStatus(wanted);
  if (available.includes(status)) return status;
  throw new TrackerError(123, 400, `You are not allowed to file new bugs with the ${status} status.`);
}

/** The statuses that may follow a status, in a product that has it. */
export const followers = (status: string, product: Product): readonly string[] =>
  (workflow[status] ?? []).filter((name) => name !== 'UNCONFIRMED' || product.hasUnconfirmed);

export function canonicalStatus(name: string): string {
  if (name.trim() === '') throw notSpecified('status');
  const status = statuses.find((candidate) => candidate === name.trim().toUpperCase());
  if (status === undefined) throw noSuch('status', name);
  return status;
}

export function canonicalResolution(name: string): string {
  if (name.trim() === '') throw notSpecified('Resolution');
  const resolution = resolutions.find((candidate) => candidate === name.trim().toUpperCase());
  if (resolution === undefined) throw noSuch('Resolution', name);
  return resolution;
}
