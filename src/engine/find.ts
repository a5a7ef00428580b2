import { type Named, sameName } from '../core/named.ts';
import { type Story, storyOf } from '../core/story.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import type { Store } from '../model/store.ts';

/** The link of a bug or an issue that somebody names, whatever the case of the repository's name; null when there is none. */
export function findLink(store: Store, routes: readonly Pick<Route, 'owner' | 'repo'>[], target: Named): Link | null {
  if (target.kind === 'bug') return store.links.byBug(bugId(target.id));
  const repo = routes.map(({ owner, repo }) => `${owner}/${repo}`).find((each) => sameName(each, target.repo));
  return store.links.byIssue(repo ?? target.repo, issueNumber(target.number));
}

/** All that the state database can tell of one link, in words. */
export function tellStory(store: Store, link: Link): Story {
  const read = (side: 'tracker' | 'github') => store.cursors.get(link.route, side)?.isComplete ?? false;
  return storyOf({
    link,
    entries: store.entries.ofLink(link.id),
    rows: store.outbox.ofLink(link.id),
    ...store.findings.ofLink(link.id),
    ledger: store.ledger.ofLink(link.id),
    isComplete: { tracker: read('tracker'), github: read('github') },
  });
}
