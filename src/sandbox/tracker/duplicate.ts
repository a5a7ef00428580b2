import { bugFor } from './bugs.ts';
import { type Draft, draftOf, type Edit } from './edit.ts';
import { TrackerError } from './errors.ts';
import type { Product } from './state.ts';
import { setStatus } from './workflow.ts';

/**
 * Marks a bug as the duplicate of another: it becomes RESOLVED as DUPLICATE, both get a comment that says so (the last comment
 * of the same write carries it, if there is one), and the reporter is put on the other bug's cc.
 */
export function markDuplicate(edit: Edit, bug: Draft, product: Product, target: string): void {
  const other = bugFor(edit.state, edit.user, target).id;
  if (other === bug.id) throw new TrackerError(118, 400, `You cannot mark bug ${bug.id} as a duplicate of itself.`);
  if (bug.dupe_of === other) return;
  if (bug.resolution !== 'DUPLICATE') setStatus(bug, edit.user, product, 'RESOLVED', 'DUPLICATE');
  bug.dupe_of = other;
  const note = `\n\n*** This bug has been marked as a duplicate of bug ${other} ***`;
  const own = edit.comments.findLast((comment) => comment.bug === bug.id);
  if (own === undefined) edit.comments.push({ bug: bug.id, text: note, isPrivate: false });
  else own.text += note;
  const counterpart = draftOf(edit, other);
  edit.comments.push({ bug: other, text: `*** Bug ${bug.id} has been marked as a duplicate of this bug. ***`, isPrivate: false });
  if (counterpart.creator !== bug.creator && !counterpart.cc.includes(bug.creator)) {
    counterpart.cc = [...counterpart.cc, bug.creator];
  }
}
