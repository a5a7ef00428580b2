import { type Referred, referredIn, type Target, targetOf } from '../core/targets.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Entry, Link } from '../model/link.ts';
import type { Context } from './context.ts';

/**
 * What the texts refer to that are to be written for a link: its own comments, and bugs and issues of any route, as far as they may
 * be shown. Nothing is asked of a side: what is not in the database is not referred to.
 */
export function targetsOf({ store }: Context, link: Link, entries: readonly Entry[]): readonly Target[] {
  const waiting = entries.filter(({ text, state, digest, mirrored }) => text !== null && (state === 'pending' || digest !== mirrored));
  const referred = waiting.map(({ text, origin }) => referredIn(text ?? '', origin));
  const links = new Map<number, Link>();
  for (const found of referred.flatMap((each) => linksIn(each))) if (found !== null && found.id !== link.id) links.set(found.id, found);
  const own = waiting.length === 0 ? [] : [targetOf(link, entries)];
  return [...own, ...[...links.values()].map((each) => targetOf(each, store.entries.ofLink(each.id)))].filter((target) => target !== null);

  function linksIn({ bugs, issues }: Referred): readonly (Link | null)[] {
    const byBug = [...bugs].map((id) => store.links.byBug(bugId(id)));
    return [...byBug, ...issues.map(({ repo, number }) => store.links.byIssue(repo ?? link.repo, issueNumber(number)))];
  }
}
