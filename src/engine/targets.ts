import { lacksParts } from '../core/further-parts.ts';
import { type PublicTarget, publicTarget } from '../core/gate.ts';
import { type Referred, referredIn } from '../core/targets.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Entry, Link } from '../model/link.ts';
import type { Context } from './context.ts';

/**
 * What the texts refer to that are to be written for a link: its own comments, and bugs and issues of any route, as far as they may
 * be shown. Nothing is asked of a side: what is not in the database is not referred to.
 */
export function targetsOf({ store, route }: Context, link: Link, entries: readonly Entry[]): readonly PublicTarget[] {
  const waiting = entries.filter((entry) => isToWrite(entry, entries));
  const referred = waiting.map(({ text, origin }) => referredIn(text ?? '', origin));
  const links = new Map<number, Link>();
  for (const found of referred.flatMap((each) => linksIn(each))) if (found !== null && found.id !== link.id) links.set(found.id, found);
  const own = waiting.length === 0 ? [] : [publicTarget(route, link, entries, store.enclosures.ofLink(link.id))];
  const others = [...links.values()].map((each) =>
    publicTarget(route, each, store.entries.ofLink(each.id), store.enclosures.ofLink(each.id)),
  );
  return [...own, ...others].filter((target) => target !== null);

  function linksIn({ bugs, attachments, issues }: Referred): readonly (Link | null)[] {
    const byFile = [...attachments].map((id) => store.enclosures.byAttachment(id)).map((file) => file && store.links.byId(file.link));
    const byBug = [...bugs].map((id) => store.links.byBug(bugId(id)));
    return [...byBug, ...byFile, ...issues.map(({ repo, number }) => store.links.byIssue(repo ?? link.repo, issueNumber(number)))];
  }
}

/** A text of the tracker is kept only while something of it is to be written. */
function isToWrite(entry: Entry, entries: readonly Entry[]): boolean {
  const { text, state, digest, mirrored, origin } = entry;
  return text !== null && (origin === 'tracker' || state === 'pending' || digest !== mirrored || lacksParts(entry, entries));
}
