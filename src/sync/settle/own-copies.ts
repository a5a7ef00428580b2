import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import type { Comment, Issue } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import { bodyDigest, isCopyLeft, ownCopy } from '../../rules/comments/body.ts';
import { digestOfComment } from '../../rules/comments/version.ts';

/** A copy that differs from what the state knows, and the digest of what it shows now. */
interface Strange {
  readonly row: CommentLink;
  readonly digest: string;
  /** Null for the body of the issue. */
  readonly comment: Comment | null;
}

/**
 * Recognises copies that the bridge itself rewrote after the state was backed up: GitHub names our account as the last
 * editor. They count as written, and are compared with the tracker again. Costs requests only for copies that would be
 * left to people. Throws `SideError`.
 */
export async function settleCopies(context: Context, links: readonly Link[]): Promise<void> {
  const { store, session } = context;
  const own = session.own.github;
  for (const { github: issue, id } of links) {
    const rows = store.commentLinks.ofLink(id).filter((row) => isCopyLeft(context.route, row, issue));
    if (issue === null || own === null || rows.length === 0) continue;
    for (const { row, digest, comment } of await shownIn(context, issue, rows)) {
      const writer = (await editorOf(context, issue, row)) ?? untouchedBy(comment);
      if (writer === null || !isLogin(writer, own)) continue;
      store.transaction(() => store.commentLinks.save(ownCopy(row, digest)));
      markDirty(context, id);
    }
  }
}

/** What the copies show now: the comments are read before their editors, so that a later edit has another editor. */
async function shownIn(context: Context, issue: Issue, rows: readonly CommentLink[]): Promise<readonly Strange[]> {
  const isOfComment = rows.some(({ copy }) => copy?.id !== bodyId);
  const threads = isOfComment ? await context.github.threads([{ ref: issue.number, sinceAt: null }]) : [];
  return rows.flatMap((row): readonly Strange[] => {
    if (row.copy?.id === bodyId) return [{ row, digest: bodyDigest(issue.body), comment: null }];
    const comment = threads.flatMap(({ comments }) => comments).find(({ id }) => id === row.copy?.id);
    return comment === undefined ? [] : [{ row, digest: digestOfComment(comment), comment }];
  });
}

/**
 * Who wrote a comment that nobody edited; null if that is unknown. Stamps have whole seconds, so an edit may show the
 * second of the comment: only GitHub's editor tells.
 */
const untouchedBy = (comment: Comment | null): string | null =>
  comment !== null && comment.changedAt === comment.createdAt ? comment.author.login : null;

/** Null if nobody edited it, or if GitHub does not say. */
async function editorOf({ github }: Context, issue: Issue, { copy }: CommentLink): Promise<string | null> {
  try {
    const editor = await github.editor(issue.number, copy?.id === bodyId ? null : (copy?.id ?? null));
    return editor?.login ?? null;
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return null;
    throw failure;
  }
}
