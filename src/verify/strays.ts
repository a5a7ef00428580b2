import type { RouteState } from '../kernel/context.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Difference, LeftOut, PairReport } from '../model/reports/verification.ts';
import { pendingOf } from './backlog.ts';
import { noFindings } from './compare/difference.ts';
import type { SeenIssue } from './compare/seen-pair.ts';
import type { Stray } from './read-github.ts';
import { reportOf } from './read-tracker.ts';

const notReadBack =
  'it is not read back yet: the next cycles do that, or bugferry migrate if a migration was interrupted';

/** Shows what must not be shown, whatever else is not known of a pair yet. */
const judgedAtOnce: ReadonlySet<Difference['aspect']> = new Set(['private', 'double', 'counterpart', 'lock']);

/** An imported pair whose texts nobody has found on GitHub yet is not judged: to say that they are missing is wrong. */
export function withoutUnread(state: RouteState, link: Link, report: PairReport): PairReport {
  const isJudged = ({ aspect }: Difference): boolean => judgedAtOnce.has(aspect);
  if (link.state !== 'live' || link.urgency !== 'backfill' || link.issue === null) return report;
  if (link.bug === null || report.differences.every(isJudged) || pendingOf(state, link).length === 0) return report;
  const left: LeftOut = { about: `bug ${link.bug}`, why: notReadBack, isUnjudged: true };
  return { ...report, differences: report.differences.filter(isJudged), leftOut: [...report.leftOut, left] };
}

/** What issues without a link are. Those of bugs without an issue were imported, and are not judged. */
export function sortStrays(
  { store, route }: RouteState,
  strays: readonly Stray[],
): {
  readonly ofBugs: readonly PairReport[];
  readonly ofPeople: readonly SeenIssue[];
  readonly notJudged: readonly LeftOut[];
} {
  const ofBugs: PairReport[] = [];
  const ofPeople: SeenIssue[] = [];
  const unread: number[] = [];
  for (const { issue, bug } of strays) {
    if (store.links.byIssue(`${route.owner}/${route.repo}`, issueNumber(issue.number)) !== null) continue;
    const link = bug === null ? null : store.links.byBug(bugId(bug));
    if (bug === null) ofPeople.push(issue);
    else if (link === null) ofBugs.push(ofUnknown(issue, bug));
    else if (link.issue === null && link.state === 'live') unread.push(issue.number);
    else ofBugs.push(doubleReport(issue, bug));
  }
  const about = `#${unread[0]}${unread.length > 1 ? ` and ${unread.length - 1} more` : ''}`;
  return { ofBugs, ofPeople, notJudged: unread.length === 0 ? [] : [{ about, why: notReadBack }] };
}

export function doubleReport(issue: SeenIssue, bug: number): PairReport {
  return reportOfIssue(issue, { aspect: 'double', words: `is a surplus issue for bug ${bug}`, tracker: `bug ${bug}` });
}

const ofUnknown = (issue: SeenIssue, bug: number): PairReport =>
  reportOfIssue(issue, {
    aspect: 'counterpart',
    words: `is of bug ${bug}, which the state does not know`,
    tracker: null,
  });

function reportOfIssue(issue: SeenIssue, found: Pick<Difference, 'aspect' | 'words' | 'tracker'>): PairReport {
  const difference = { ...found, about: `#${issue.number}`, github: issue.url };
  return reportOf(null, { issue }, { ...noFindings, differences: [difference] });
}
