import { missingRight, requireRight } from '../installation/rights.ts';
import { isOn } from '../installation/settings.ts';
import { canonicalResolution, canonicalStatus, followers, isOpen } from '../installation/workflow.ts';
import { commentRequired, TrackerError } from '../server/errors.ts';
import type { Product } from '../world/state.ts';
import type { Draft, Edit } from './draft.ts';
import { chooseDuplicate, commentOnDuplicate } from './duplicate.ts';
import { isCommented } from './edit.ts';

/** Status, resolution and duplicate of an update; undefined if not mentioned. */
export interface StatusWish {
  readonly status: string | undefined;
  readonly resolution: string | undefined;
  readonly dupeOf: string | undefined;
}

/**
 * Changes status, resolution and duplicate. An open status drops the other two; a resolution other than DUPLICATE drops
 * the target. A target alone sets status and resolution, too.
 */
export function changeStatus(
  edit: Edit,
  bug: Draft,
  product: Product,
  { status, resolution, dupeOf }: StatusWish,
): void {
  if (status !== undefined) setStatus(edit, bug, product, status, { resolution, dupeOf });
  else if (resolution !== undefined) setResolution(edit, bug, resolution, dupeOf);
  else if (dupeOf !== undefined) markDuplicate(edit, bug, product, dupeOf);
}

/** A new duplicate gets the installation's status for duplicates, whatever its status was, even VERIFIED. */
function markDuplicate(edit: Edit, bug: Draft, product: Product, dupeOf: string): void {
  const other = chooseDuplicate(edit, bug, dupeOf);
  if (other === null) return;
  if (bug.resolution !== 'DUPLICATE') {
    const status = edit.state.settings.duplicate_or_move_bug_status;
    setStatus(edit, bug, product, status, { resolution: 'DUPLICATE', dupeOf: undefined });
  }
  commentOnDuplicate(edit, bug, other);
}

/**
 * Moves a bug to another status. Opening clears resolution and duplicate; closing needs a resolution, a new one or the
 * present one.
 */
function setStatus(edit: Edit, bug: Draft, product: Product, wanted: string, more: Omit<StatusWish, 'status'>): void {
  const status = canonicalStatus(wanted);
  const before = bug.status;
  if (status !== before) {
    const canFollow = followers(before, product).includes(status);
    const mayMove = missingRight(edit, bug, { field: 'status', removed: before, added: status }) === null;
    if (!canFollow || !mayMove) {
      throw new TrackerError(123, 400, `You are not allowed to change the bug status from ${before} to ${status}.`);
    }
  }
  bug.status = status;
  if (!isOpen(status)) {
    setResolution(edit, bug, more.resolution ?? bug.resolution, more.dupeOf);
    if (status !== before) bug.hours = { ...bug.hours, remaining: 0 };
    return;
  }
  bug.is_confirmed = status !== 'UNCONFIRMED';
  bug.resolution = '';
  bug.dupe_of = null;
}

/** Changes the resolution of a closed bug. Leaving DUPLICATE drops the target; DUPLICATE needs one. */
function setResolution(edit: Edit, bug: Draft, wanted: string, dupeOf: string | undefined): void {
  if (wanted.trim() === '' && !isOpen(bug.status)) {
    throw new TrackerError(121, 400, `A valid resolution is required to mark bugs as ${bug.status}.`);
  }
  const before = bug.resolution;
  const resolution = canonicalResolution(wanted);
  if (isOpen(bug.status)) throw new TrackerError(122, 400, 'You cannot set a resolution for open bugs.');
  if (resolution !== before) {
    if (resolution === 'FIXED') refuseOpenBlockers(edit, bug);
    if (isOn(edit.state.settings, 'commentonchange_resolution') && !isCommented(edit, bug.id))
      throw commentRequired(
        `comment when changing the Resolution of a bug from ${before === '' ? '(empty)' : before} to ${resolution}`,
      );
    requireRight(edit, bug, { field: 'resolution', removed: before, added: resolution });
    if (before === 'DUPLICATE') bug.dupe_of = null;
    if (resolution === 'DUPLICATE') bug.hours = { ...bug.hours, remaining: 0 };
  }
  bug.resolution = resolution;
  if (resolution !== 'DUPLICATE') return;
  if (dupeOf !== undefined && dupeOf !== '') {
    const other = chooseDuplicate(edit, bug, dupeOf);
    if (other !== null) commentOnDuplicate(edit, bug, other);
  } else if (bug.dupe_of === null)
    throw new TrackerError(119, 400, 'You must specify a bug id to mark this bug as a duplicate of.', bug.id);
}

function refuseOpenBlockers({ state, drafts }: Edit, bug: Draft): void {
  if (!isOn(state.settings, 'noresolveonopenblockers')) return;
  const open = bug.depends_on.filter((id) => isOpen((drafts.get(id) ?? state.bugs.get(id))?.status ?? 'RESOLVED'));
  if (open.length === 0) return;
  const what = `Bug ${bug.id} has ${open.length} unresolved ${open.length === 1 ? 'dependency' : 'dependencies'}.`;
  const how =
    'They must either be resolved or removed from the "Depends on" field before you can resolve this bug as FIXED.';
  throw new TrackerError(32000, 400, `${what} ${how}`, bug.id);
}
