import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import type { AttachmentLink } from '../../model/attachment.ts';
import type { Issue } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { PublicNeighbour } from '../../model/plan/public.ts';
import { attachmentAfter } from '../../rules/attachments/life.ts';
import { attachmentMention, bugMention, commentMention } from '../../rules/links/targets.ts';
import { publicNeighbour } from '../../rules/privacy/gate.ts';
import { isSet } from '../../text/canonical.ts';

/**
 * Copies on GitHub show the references that were known when they were written. Each is stored by name (`bug 12`); when
 * its target is copied, hidden or moves, the copies are marked stale and compared later. Nothing here sends a request.
 */

/**
 * From now on, texts can refer to the link and its comments, or no longer. The sweep corrects the copies that mention
 * them; those that mention its files are corrected at once, as the address of a copy has the name of the file.
 */
export function resolveLink(context: RouteState, { id, bug }: Link): void {
  if (bug === null) return;
  mark(context, bugMention(bug));
  for (const commentLink of context.store.commentLinks.ofLink(id)) resolveComment(context, { bug }, commentLink);
  for (const { origin, source } of context.store.attachmentLinks.ofLink(id))
    if (origin === 'tracker') resolveAttachment(context, Number(source));
}

/** A comment of a bug now has its counterpart, or lost it. */
export function resolveComment(context: RouteState, { bug }: Pick<Link, 'bug'>, { count, part }: CommentLink): void {
  if (bug !== null && count !== null && part === 1) mark(context, commentMention(bug, count));
}

/** An attachment has to be rendered differently. Comments that show it are corrected at once. */
export function resolveAttachment(context: Pick<Context, 'store'>, id: number): void {
  for (const commentLink of mark(context, attachmentMention(id))) markDirty(context, commentLink.link);
}

/** A file is not public any more. The address of its copy has its name, so that comments that show it are corrected. */
export function hideFile(context: Pick<Context, 'store'>, file: AttachmentLink): AttachmentLink {
  const hidden = attachmentAfter(file, { kind: 'hidden' });
  context.store.attachmentLinks.save(hidden);
  if (file.origin === 'tracker') resolveAttachment(context, Number(file.source));
  return hidden;
}

function mark({ store }: Pick<Context, 'store'>, mention: string): readonly CommentLink[] {
  const commentLinks = store.mentions.of(mention).flatMap((id) => store.commentLinks.byId(id) ?? []);
  const mirrored = commentLinks.filter(({ copy, state }) => copy !== null && state === 'mirrored');
  for (const commentLink of mirrored)
    if (!commentLink.isStale) store.commentLinks.save({ ...commentLink, isStale: true });
  return mirrored;
}

/** Marks links with stale copies dirty; they wait with the backfill. */
export function markMentioningStale({ store, route }: RouteState): void {
  store.transaction(() => {
    for (const id of store.commentLinks.staleLinks(route.name)) {
      const link = store.links.byId(id);
      if (link?.state === 'live' && link.urgency === 'none') store.links.save({ ...link, urgency: 'backfill' });
    }
  });
}

/** The links that this link's relations point to, as far as both sides can name them. */
export function neighboursOf(
  { store, route }: RouteState,
  { repo, tracker, github }: Pick<Link, 'repo' | 'tracker' | 'github'>,
): readonly PublicNeighbour[] {
  const found = [
    ...(tracker?.dependsOn ?? []).map((bug) => store.links.byBug(bug)),
    ...(github?.blockedBy ?? []).map((issue) => store.links.byIssue(repo, issue)),
  ];
  const neighbours = new Map<number, PublicNeighbour>();
  for (const link of found) {
    const neighbour = link?.repo === repo ? publicNeighbour(route, link) : null;
    if (neighbour !== null) neighbours.set(neighbour.bug, neighbour);
  }
  return [...neighbours.values()];
}

/** A link became whole, hidden or visible again: links that refer to it can name it now, or no longer. */
export function markDependentsDirty(context: Context, link: Link): void {
  const { repo, bug, issue } = link;
  resolveLink(context, link);
  for (const each of context.store.links.dependents(repo, bug, issue)) markDirty(context, each.id);
  const duplicates = bug === null || issue === null ? [] : context.store.links.duplicates(bug);
  for (const each of duplicates) if (isOriginalUnnamed(context, each)) markDirty(context, each.id);
}

/** Whether the bridge closed the issue as a duplicate of nothing, as the original had no issue that it could name. */
export function isOriginalUnnamed({ store }: Pick<Context, 'store'>, { id, tracker, github }: Link): boolean {
  if (tracker?.dupeOf == null || github?.reason !== 'duplicate') return false;
  const closed = store.ledger.ofLink(id).findLast(({ on, detail }) => on === 'github' && 'original' in detail);
  return closed?.detail['original'] === null;
}

/**
 * GitHub refuses a dependency that would close a circle, and from then on both sides agree to differ. Where an issue
 * has lost one that was in its way, those of the whole route are wished again.
 */
export function retryRefused({ store, route }: RouteState, before: Issue | null, after: Issue): void {
  const isLost = before?.blockedBy?.some((issue) => after.blockedBy?.includes(issue) === false) === true;
  if (!route.dependencies || !isLost) return;
  for (const links of store.links.batches(route.name)) {
    for (const link of links) {
      const [wished, taken] = [link.base?.tracker.dependsOn, link.base?.github.dependsOn];
      if (link.base === null || !isSet(wished) || !isSet(taken) || wished.every((each) => taken.includes(each)))
        continue;
      const tracker = { ...link.base.tracker, dependsOn: wished.filter((each) => taken.includes(each)) };
      store.links.save({ ...link, base: { ...link.base, tracker }, urgency: 'live' });
    }
  }
}
