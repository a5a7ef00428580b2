import { requireRight } from '../installation/rights.ts';
import { isOn } from '../installation/settings.ts';
import { maySee } from '../installation/users.ts';
import { commentRequired, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import type { TrackerBug } from '../world/state.ts';
import { bugFor } from './bugs.ts';
import type { Draft, Edit } from './draft.ts';
import { draftOf, isCommented } from './edit.ts';

/** Makes a bug the duplicate of another, and returns the other; null if it already is. */
export function chooseDuplicate(edit: Edit, bug: Draft, wanted: string): TrackerBug | null {
  const target = wanted.trim();
  if (target === '') throw new TrackerError(50, 400, guesses.noDuplicateNamed, bug.id);
  if (String(bug.dupe_of) === target) return null;
  const other = bugFor(edit.state, edit.user, target);
  if (bug.dupe_of === other.id) return null;
  refuseLoop(edit, bug, other);
  if (isOn(edit.state.settings, 'commentonduplicate') && !isCommented(edit, bug.id)) throw commentRequired();
  requireRight(edit, bug, { field: 'dupe_of', removed: String(bug.dupe_of ?? ''), added: String(other.id) });
  bug.dupe_of = other.id;
  return other;
}

/**
 * Adds a comment about the duplicate to both bugs (on the duplicate, the last comment of the same write contains it, if
 * there is one), and adds its reporter to the other bug's cc, if the reporter may see that bug.
 */
export function commentOnDuplicate(edit: Edit, bug: Draft, other: TrackerBug): void {
  const text = `\n\n*** This bug has been marked as a duplicate of bug ${other.id} ***`;
  const own = edit.comments.findLast((comment) => comment.bug === bug.id);
  if (own === undefined) edit.comments.push({ bug: bug.id, text, isPrivate: false });
  else own.text += text;
  const counterpart = draftOf(edit, other.id);
  edit.comments.push({
    bug: other.id,
    text: `*** Bug ${bug.id} has been marked as a duplicate of this bug. ***`,
    isPrivate: false,
  });
  const reporter = edit.state.users.find(({ login }) => login === bug.creator) ?? null;
  const isOnCc = counterpart.creator === bug.creator || counterpart.cc.includes(bug.creator);
  if (!isOnCc && maySee(reporter, other)) counterpart.cc = [...counterpart.cc, bug.creator];
}

/** Follows the chain of duplicates from the target; it must not lead back. */
function refuseLoop({ state, drafts }: Edit, bug: Draft, other: TrackerBug): void {
  const seen = new Set<number>();
  let next: number | null = other.id;
  while (next !== null && !seen.has(next)) {
    if (next === bug.id) {
      const whole = guesses.loop(other.id);
      throw new TrackerError(
        118,
        400,
        `You cannot mark bug ${bug.id} as a duplicate of ${other.id === bug.id ? 'itself' : whole}.`,
        bug.id,
      );
    }
    seen.add(next);
    next = (drafts.get(next) ?? state.bugs.get(next))?.dupe_of ?? null;
  }
}
