/** Pairs that a person names: an existing bug and an existing issue, whoever opened them. */

import type { Bug, Issue } from '../../model/item.ts';
import { aboutOf, isFormer, type Link } from '../../model/link.ts';
import type { OwnAccounts } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { isDashboard, saysMoved } from '../../text/marker.ts';
import { claimOf, isWhole, whyNotSelected } from './match.ts';

/** The two items that a person names, and the links that they have. */
export interface NamedPair {
  readonly bug: Bug;
  readonly issue: Issue;
  readonly ofBug: Link | null;
  readonly ofIssue: Link | null;
}

/**
 * Why the two do not become a pair; null if they do. The person vouches for the pair, so neither its author nor the
 * label of the issue counts; but nothing is taken from another pair, and nothing that is not selected is published.
 */
export function whyNotPaired(route: Route, pair: NamedPair, accounts: OwnAccounts): string | null {
  const { bug, issue, ofBug, ofIssue } = pair;
  if (ofBug !== null && ofBug.id === ofIssue?.id) return 'they are a pair already';
  const unselected = whyNotSelected(route, bug);
  if (unselected !== null) return `bug ${bug.id} is not selected: ${unselected}`;
  const about = `${route.owner}/${route.repo}#${issue.number}`;
  if (isDashboard(issue.body)) return `${about} is the dashboard of the bridge`;
  if (saysMoved(route.instance, issue.body)) return `the bug of ${about} moved to another product`;
  return (
    whyNotFree(route, `bug ${bug.id}`, ofBug) ??
    whyNotFree(route, about, ofIssue) ??
    whyOthers(`the bridge filed bug ${bug.id} from issue #`, claimOf(route, bug, accounts), issue.number) ??
    whyOthers(`the bridge opened ${about} for bug `, claimOf(route, issue, accounts), bug.id)
  );
}

function whyNotFree(route: Route, about: string, link: Link | null): string | null {
  if (link === null) return null;
  if (link.route !== route.name) return `${about} belongs to route ${link.route}`;
  if (link.movedTo !== null || isFormer(link)) return `${about} moved to another product`;
  if (link.state === 'tombstone') return `${about} was given up: ${link.reason}`;
  if (isWhole(link)) return `${about} has a pair already: ${aboutOf(link, 'tracker')} = ${aboutOf(link, 'github')}`;
  return link.state === 'frozen' ? `${about} is frozen: ${link.reason}` : null;
}

/** What the bridge made belongs to the item that it was made for. */
const whyOthers = (words: string, claim: ReturnType<typeof claimOf>, wanted: number): string | null =>
  claim?.isOurs === true && claim.ref !== wanted ? `${words}${claim.ref}` : null;
