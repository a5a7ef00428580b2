import type { Context } from '../../kernel/context.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { isBy } from '../../model/people.ts';
import type { CommentOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { isOfBody } from '../../rules/comments/body.ts';
import { askInTime } from './ask-in-time.ts';

/**
 * Who made the edit that a report tells: often not the author, as a maintainer may edit every text. Null if GitHub does
 * not say, or names the bridge or the author of a later version; `waits` if it does not answer just now.
 */
export async function editedBy(
  context: Context,
  row: OutboxRow,
  { issue, github: seen }: Link,
  commentLink: CommentLink,
): Promise<string | 'waits' | null> {
  if (issue === null) return null;
  const { source, changedAt } = commentLink;
  const isBody = isOfBody(commentLink);
  const editor = await askInTime(context, row, () => context.github.editor(issue, isBody ? null : source));
  if (editor === null || editor === 'nobody') return null;
  if (editor === 'waits') return editor;
  const shownAt = (isBody ? seen?.changedAt : changedAt) ?? 0;
  if ((editor.at ?? 0) > shownAt || isBy(editor, context.session.own.github)) return null;
  return editor.login;
}

/** Whether its text begins with the name of who edited. */
export const namesEditor = ({ tells, part }: CommentOperation): boolean => tells === 'edit' && part === 1;
