import type { Link } from '../../../src/model/link.ts';
import { canonicalTitle } from '../../../src/text/canonical.ts';
import { repo, type Stage } from '../stage.ts';

/** I8 on a route to the tracker: what GitHub says, the bug says. What is missing on GitHub says nothing. */
export function truths(stage: Stage, links: readonly Link[]): readonly string[] {
  const found: string[] = [];
  for (const link of links.filter((each) => each.state === 'live' && !isWornOut(stage, each))) {
    const [bug, issue] = [stage.tracker.bug(link.bug ?? 0), stage.github.issue(repo, link.issue ?? 0)];
    if (bug === null || issue === null || isParked(stage, link)) continue;
    const say = (what: string, here: unknown, there: unknown) =>
      found.push(`I8: ${what} of bug ${bug.id} and issue ${issue.number}: ${String(here)} / ${String(there)}`);
    if (canonicalTitle(bug.summary) !== canonicalTitle(issue.title)) say('titles', bug.summary, issue.title);
    if ((bug.resolution !== '') !== (issue.state === 'closed'))
      say('states', `${bug.status} ${bug.resolution}`, issue.state);
    const labels = issue.labels.map((label) => label.toLowerCase());
    const reason = { FIXED: 'completed', DUPLICATE: 'duplicate' }[bug.resolution] ?? 'not_planned';
    if (issue.state === 'closed' && (issue.stateReason ?? 'completed') !== reason)
      say('reasons', bug.resolution, issue.stateReason);
    if (issue.state === 'open' && labels.includes('status: in progress') && bug.status !== 'IN_PROGRESS')
      say('progress', bug.status, labels);
    const severities = labels.flatMap((label) =>
      label.startsWith('severity: ') ? [label.slice('severity: '.length)] : [],
    );
    const known = severities.filter((each) => each !== 'huge');
    if (known.length === 1 && known[0] !== bug.severity) say('severity', bug.severity, labels);
    for (const keyword of ['crash', 'regression'])
      if (labels.includes(keyword) && !bug.keywords.includes(keyword)) say(keyword, bug.keywords, labels);
    if (issue.milestone !== null && issue.milestone !== 'Sprint 5' && issue.milestone !== bug.target_milestone)
      say('milestones', bug.target_milestone, issue.milestone);
  }
  return found;
}

/** What people changed again and again on a mirror is left, and the bridge says so. */
export const isWornOut = ({ store }: Stage, { id }: Link): boolean =>
  store.findings.ofLink(id).skips.some(({ reason }) => reason.includes('times within a day and differs again'));

const isParked = ({ store }: Stage, { id }: Link): boolean =>
  store.outbox.ofLink(id).some(({ state }) => state === 'parked');
