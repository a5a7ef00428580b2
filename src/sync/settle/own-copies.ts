import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import type { Comment, Issue } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import { bodyDigest, isCopyLeft, ownCopy } from '../../rules/comments/body.ts';
import { digestOfComment } from '../../rules/comments/version.ts';
import { plan } from '../../rules/plan/plan.ts';
import { planContextOf, planInputsOf } from '../observe/select.ts';

/** A copy that differs from what the state knows, and the digest of what it shows now. */
interface Strange {
  readonly row: CommentLink;
  readonly digest: string;
  /** Null for the body of the issue. */
  readonly comment: Comment | null;
}

/**
 * Recognises copies that the bridge itself wrote or rewrote after the state was backed up: GitHub names our account as
 * the last editor. They count as written, and are compared with the tracker again. Costs requests only for copies that
 * would be left to people. Throws `SideError`.
 */
export async function settleCopies(context: Context, links: readonly Link[]): Promise<void> {
  const own = context.session.own.github;
  for (const link of links) {
    const { github: issue } = link;
    if (issue === null || own === null) continue;
    await spareAsync(context, workOn(context, link, 'plan'), () => settleCopiesOf(context, link, issue, own));
  }
}

async function settleCopiesOf(context: Context, link: Link, issue: Issue, own: string): Promise<void> {
  const { store } = context;
  const rows = leftIn(context, link);
  for (const { row, digest, comment } of rows.length === 0 ? [] : await shownIn(context, issue, rows)) {
    const writer = await writerOf(context, issue, row, comment);
    if (writer === null || !isLogin(writer, own)) continue;
    store.transaction(() => {
      for (const each of ownCopy(row, digest, store.commentLinks.ofLink(link.id))) store.commentLinks.save(each);
    });
    markDirty(context, link.id);
  }
}

/**
 * The copies that would be left to people: those that are known to differ, and those of which the state only knows that
 * they are there, where their text would be another one by now.
 */
function leftIn(context: Context, link: Link): readonly CommentLink[] {
  const rows = context.store.commentLinks.ofLink(link.id);
  const other = otherThanPlanned(context, link);
  const isOther = ({ origin, state, source, copy, wrote }: CommentLink): boolean =>
    origin === 'tracker' && state === 'mirrored' && copy !== null && wrote === null && other.has(source);
  return rows.filter((row) => isCopyLeft(context.route, row, link.github) || isOther(row));
}

/** The sources whose copies are compared now, and neither are what would be written nor will be. */
function otherThanPlanned(context: Context, link: Link): ReadonlySet<number> {
  const { notes } = plan(planContextOf(context), planInputsOf(context, [link]));
  return new Set(
    notes.flatMap((note) =>
      note.kind === 'fresh' && !note.isRight ? (context.store.commentLinks.byId(note.commentLink)?.source ?? []) : [],
    ),
  );
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
 * Who wrote what a copy shows: who edited it last, or its author. Null if GitHub does not say: stamps have whole
 * seconds, so a comment that seems untouched may show an edit of its own second only where GitHub names no editors.
 */
async function writerOf(
  { github }: Context,
  issue: Issue,
  { copy }: CommentLink,
  comment: Comment | null,
): Promise<string | null> {
  const author = (comment ?? issue).author.login;
  const untouched = comment !== null && comment.changedAt === comment.createdAt ? author : null;
  try {
    const editor = await github.editor(issue.number, copy?.id === bodyId ? null : (copy?.id ?? null));
    return editor === 'nobody' ? author : (editor?.login ?? untouched);
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return untouched;
    throw failure;
  }
}
