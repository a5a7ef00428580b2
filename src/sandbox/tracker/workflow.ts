import type { Draft } from './edit.ts';
import { noSuch, TrackerError } from './errors.ts';
import type { Product, User } from './state.ts';
import { mayConfirm, mayEdit } from './users.ts';

/** From each status to those that may follow it; the empty name is a bug that is being filed. */
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

/** The status of a new bug. One that the reporter may not choose becomes UNCONFIRMED without a word. */
export function statusOnCreate(user: User, product: Product, wanted: string | undefined): string {
  const first = product.hasUnconfirmed && !mayConfirm(user) ? 'UNCONFIRMED' : 'CONFIRMED';
  if (wanted === undefined || wanted === '') return first;
  const status = canonicalStatus(wanted);
  if (!(workflow['']?.includes(status) ?? false)) {
    throw new TrackerError(123, 400, `You are not allowed to file new bugs with the ${status} status.`);
  }
  if (status === 'UNCONFIRMED' && !product.hasUnconfirmed) return 'CONFIRMED';
  return product.hasUnconfirmed && !mayConfirm(user) ? 'UNCONFIRMED' : status;
}

/**
 * Moves a bug to another status. Opening clears resolution and duplicate; closing wants a resolution, the one given here
 * or one that the bug has already.
 */
export function setStatus(bug: Draft, user: User, product: Product, wanted: string, resolution: string | undefined): void {
  const status = canonicalStatus(wanted);
  if (status !== bug.status && !followers(bug, user, product).includes(status)) {
    throw new TrackerError(123, 400, `You are not allowed to change the bug status from ${bug.status} to ${status}.`);
  }
  bug.status = status;
  if (!isOpen(status)) {
    setResolution(bug, resolution ?? bug.resolution);
    return;
  }
  if (resolution !== undefined && resolution !== '') throw resolutionOnOpenBug();
  bug.is_confirmed = status !== 'UNCONFIRMED';
  bug.resolution = '';
  bug.dupe_of = null;
}

/** Changes the resolution of a closed bug. Leaving DUPLICATE forgets the target. */
export function setResolution(bug: Draft, wanted: string): void {
  if (wanted === '' && !isOpen(bug.status)) {
    throw new TrackerError(121, 400, `A valid resolution is required to mark bugs as ${bug.status}.`);
  }
  const resolution = resolutions.find((name) => name === wanted.toUpperCase());
  if (resolution === undefined) throw noSuch('Resolution', wanted);
  if (isOpen(bug.status) && resolution !== '') throw resolutionOnOpenBug();
  if (resolution !== 'DUPLICATE') bug.dupe_of = null;
  bug.resolution = resolution;
}

const resolutionOnOpenBug = (): TrackerError => new TrackerError(122, 400, 'You cannot set a resolution for open bugs.');

function followers(bug: Draft, user: User, product: Product): readonly string[] {
  const all = (workflow[bug.status] ?? []).filter((status) => status !== 'UNCONFIRMED' || product.hasUnconfirmed);
  if (mayEdit(user, bug))
    return mayConfirm(user) || bug.is_confirmed ? all : all.filter((status) => !isOpen(status) || status === 'UNCONFIRMED');
  return mayConfirm(user) && bug.status === 'UNCONFIRMED' ? all.filter(isOpen) : [];
}

function canonicalStatus(name: string): string {
  const status = statuses.find((candidate) => candidate === name.toUpperCase());
  if (status === undefined) throw noSuch('status', name);
  return status;
}
