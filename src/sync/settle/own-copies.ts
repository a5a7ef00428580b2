import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { type LeftOut, spareComments } from '../../kernel/spare-comments.ts';
import type { LinkId } from '../../model/ids.ts';
import { type Comment, type Issue, stampMs } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { LedgerLine } from '../../model/store.ts';
import { bodyDigest, editNews, isCopyLeft, ownCopy, unknownCopies } from '../../rules/comments/body.ts';
import { digestAsSent } from '../../rules/comments/copy.ts';
import { copyNow } from '../../rules/comments/render.ts';
import { digestOfComment } from '../../rules/comments/version.ts';
import { plan } from '../../rules/plan/plan.ts';
import { planContextOf, planInputOf, planInputsOf } from '../observe/select.ts';
import { isInDoubt, noteUnknown } from './second-bridge.ts';

/** How far our clock may be from that of GitHub. */
const clocksMs = 60_000;

/** A copy that differs from what the state knows, and the digest of what it shows now. */
interface Strange {
  readonly row: CommentLink;
  readonly digest: string;
  /** Null for the body of the issue. */
  readonly comment: Comment | null;
}

/**
 * Recognises copies that our own account wrote or rewrote, and the state does not know: GitHub names it as the last
 * editor. They count as written, and are compared with the tracker again. Costs requests only for copies that would be
 * left to people, or told as an edit by people. Throws `SideError`.
 * @returns pairs of which GitHub does not say it now: they must not be planned
 */
export async function settleCopies(context: Context, links: readonly Link[]): Promise<ReadonlySet<LinkId>> {
  const own = context.session.own.github;
  const waiting = new Set<LinkId>();
  for (const link of links) {
    const { github: issue } = link;
    if (issue === null || own === null) continue;
    const work = () => settleCopiesOf(context, link, issue, own);
    if ((await spareAsync(context, workOn(context, link, 'plan'), work)) === 'later') waiting.add(link.id);
  }
  return waiting;
}

async function settleCopiesOf(context: Context, link: Link, issue: Issue, own: Account): Promise<'later' | null> {
  const { store } = context;
  const all = store.commentLinks.ofLink(link.id);
  const isOlder = store.olderPairs.get(link.id) !== null;
  const unknown = new Set(isOlder ? [] : unknownCopies(all));
  const isLeft = isOlder ? leftIn(context, link) : (row: CommentLink) => unknown.has(row);
  const news = new Set(editNews(context.route, all, issue));
  const rows = all.filter((row) => news.has(row) || isLeft(row));
  try {
    const shown = rows.length === 0 ? [] : await shownIn(context, issue, rows);
    if (shown === null) return 'later';
    for (const strange of shown) {
      const { row, digest } = strange;
      const writer = await writerOf(context, issue, strange);
      if (writer === null || !isBy(writer, own)) continue;
      if (isBeside(context, link, strange, writer) && !isAsNow(context, link, strange)) continue;
      const isAsKnown = unknown.has(row) && digest === row.copy?.digest;
      const isUnknown = !isAsKnown && isUnknownRewrite(issue, strange, writer);
      if (!isUnknown && !isLeft(row)) continue;
      store.transaction(() => {
        if (isUnknown && !isInDoubt(context, link))
          noteUnknown(context, 'github', { url: (strange.comment ?? issue).url, createdAt: writer.at ?? 0 });
        for (const each of ownCopy(row, digest, store.commentLinks.ofLink(link.id))) store.commentLinks.save(each);
      });
      markDirty(context, link.id);
    }
    return null;
  } catch (failure) {
    if (!(failure instanceof SideError) || failure.kind !== 'later' || failure.at !== null) throw failure;
    return 'later';
  }
}

/**
 * Whether what people wrote may stand there, although we edited it last: a table is written beside what a body shows by
 * then, and the address of a hidden file is taken out of any text. What nobody edited is as our account wrote it.
 */
function isBeside({ store, route }: RouteState, { id }: Link, { comment }: Strange, { at }: Writer): boolean {
  if (at === null) return false;
  const isTabled = comment === null && route.table.length > 0;
  const isThen = (line: LedgerLine): boolean => line.on === 'github' && Math.abs(line.at - at) < clocksMs;
  return store.ledger.ofLink(id).some((line) => isThen(line) && (isTabled || 'hides' in line.detail));
}

/** Whether the copy shows what we would write: then these are no words of people. */
function isAsNow(context: Context, link: Link, { row, digest }: Strange): boolean {
  const text = copyNow(context.route, planInputOf(context, link), row.id)?.texts[row.part - 1];
  return text !== undefined && digestAsSent(row, text) === digest;
}

/**
 * Whether our account wrote over a copy what the state does not know. Replicas may be behind: the editor has to be that
 * of the version which is shown, and that version none from before the one which is known.
 */
function isUnknownRewrite(issue: Issue, { row, digest, comment }: Strange, { at }: Writer): boolean {
  const known = row.changedAt ?? 0;
  if (digest === row.wrote || at === null) return false;
  if (comment === null) return at > known && at <= issue.changedAt + stampMs;
  return comment.changedAt >= known && Math.abs(at - comment.changedAt) <= stampMs;
}

/**
 * The copies that would be left to people: those that are known to differ, and those of which the state only knows that
 * they are there, where their text would be another one by now.
 */
function leftIn(context: Context, link: Link): (row: CommentLink) => boolean {
  const other = otherThanPlanned(context, link);
  const isOther = ({ origin, state, source, copy, wrote }: CommentLink): boolean =>
    origin === 'tracker' && state === 'mirrored' && copy !== null && wrote === null && other.has(source);
  return (row) => isCopyLeft(context.route, row, link.github) || isOther(row);
}

/**
 * The sources whose copies are compared now, and neither are what would be written nor will be: also those that would
 * only lose the address of a hidden file, as if their words were people's.
 */
function otherThanPlanned(context: Context, link: Link): ReadonlySet<number> {
  const planned = (left: LeftOut) => plan(planContextOf(context), planInputsOf(context, [link], left));
  const { notes = [], operations = [] } = spareComments(context, link, 'plan', planned) ?? {};
  const compared = notes.flatMap((note) => (note.kind === 'fresh' && !note.isRight ? [note.commentLink] : []));
  const unlinked = operations.flatMap((each) =>
    each.kind === 'rewrite' && each.hides !== undefined ? [each.commentLink] : [],
  );
  return new Set([...compared, ...unlinked].flatMap((id) => context.store.commentLinks.byId(id)?.source ?? []));
}

/**
 * What the copies show now: the comments are read before their editors, so that a later edit has another editor.
 * @returns null if GitHub fails on the thread
 */
async function shownIn(
  context: Context,
  issue: Issue,
  rows: readonly CommentLink[],
): Promise<readonly Strange[] | null> {
  const isOfComment = rows.some(({ copy }) => copy?.id !== bodyId);
  const threads = isOfComment ? await context.github.threads([{ ref: issue.number, sinceAt: null }]) : [];
  if (isOfComment && threads.length === 0) return null;
  return rows.flatMap((row): readonly Strange[] => {
    if (row.copy?.id === bodyId) return [{ row, digest: bodyDigest(issue.body), comment: null }];
    const comment = threads.flatMap(({ comments }) => comments).find(({ id }) => id === row.copy?.id);
    return comment === undefined ? [] : [{ row, digest: digestOfComment(comment), comment }];
  });
}

/** Who wrote what a copy shows, and when if that was an edit. */
type Writer = Account & { readonly at: number | null };

/**
 * Who edited it last, or its author. Null if GitHub does not say: stamps have whole seconds, so a comment that seems
 * untouched may show an edit of its own second only where GitHub names no editors.
 */
async function writerOf({ github }: Context, issue: Issue, { comment }: Strange): Promise<Writer | null> {
  const author: Writer = { ...(comment ?? issue).author, at: null };
  const untouched = comment !== null && comment.changedAt === comment.createdAt ? author : null;
  try {
    const editor = await github.editor(issue.number, comment?.id ?? null);
    return editor === 'nobody' ? author : (editor ?? untouched);
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return untouched;
    throw failure;
  }
}
