import type { Bug, Issue } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Gone, Probe } from '../model/outcome.ts';
import type { Findings, PairReport } from '../model/reports/verification.ts';
import { saysOfNoBug } from '../rules/privacy/neutral.ts';
import { saysMoved } from '../text/marker.ts';
import { noFindings } from './compare/difference.ts';
import { compareHidden, comparePair } from './compare/pair.ts';
import type { Pair } from './compare/seen-pair.ts';
import { type Inspection, judgePair, reading, tellProgress } from './inspection.ts';
import { bodyOf, type GithubSeen, pairOf, type TrackerSeen, textOf } from './pair-of.ts';
import { planInputsOf, reportOf } from './read-tracker.ts';

/**
 * One pair alone, both ends read again in full: items missing from the lists, and pairs that differed at first, since
 * people may have edited one side between the two readings. Null if the pair no longer exists.
 */
export async function lookAgain(inspection: Inspection, id: Link['id']): Promise<PairReport | null> {
  const { context } = inspection;
  const link = context.store.links.byId(id);
  if (link === null || link.bug === null || link.issue === null) return null;
  const { bug: bugRef, issue: issueRef } = link;
  const issue: Probe<Issue> = await reading(inspection, 'github', 'again', () => context.github.probe(issueRef));
  const bug: Probe<Bug> = await reading(inspection, 'tracker', 'again', () => context.tracker.probe(bugRef));
  const github = issue.kind === 'gone' ? null : await githubSeen(inspection, link, issue.item);
  if (issue.kind !== 'gone' && github === null) return null;
  const tracker = bug.kind === 'gone' ? null : ((await planInputsOf(inspection, [bug.item], 'again'))[0] ?? null);
  tellProgress(inspection, 'again', 1);
  const findings = judgePair(inspection, link, () => findingsOf(inspection, link, [bug, tracker], [issue, github]));
  return findings === null
    ? null
    : { ...reportOf(bug.kind === 'gone' ? null : bug.item, github, findings), bug: bugRef, issue: issueRef };
}

async function githubSeen(inspection: Inspection, link: Link, { body, ...issue }: Issue): Promise<GithubSeen | null> {
  const { context } = inspection;
  const [thread] = await reading(inspection, 'github', 'again', () =>
    context.github.threads([{ ref: issue.number, sinceAt: null }]),
  );
  return judgePair(inspection, link, () => {
    const comments = (thread?.comments ?? []).map((comment) => textOf(context, comment, true));
    const inOrder = comments.sort((one, other) => one.createdAt - other.createdAt || one.id - other.id);
    return { issue, texts: [bodyOf(context, { ...issue, body }, true), ...inOrder] };
  });
}

/** The bug was deleted, and its issue is a placeholder or withdrawn. This says nothing about comments. */
function heldFindings(about: string, { texts: [_body, ...comments] }: GithubSeen): Findings {
  const found = compareHidden(about, 'is deleted on the tracker', comments);
  return found.differences.length > 0
    ? found
    : { ...noFindings, leftOut: [{ about, why: 'it is only a placeholder for its number' }] };
}

/** The bug is public, and of a product that the route does not take: its issue stays, and says where the bug is. */
function movedFindings({ route, bug }: Pair, { body }: Issue): Findings {
  const about = `bug ${bug.id}`;
  const why = 'moved to a product that the route does not take';
  if (saysMoved(route.instance, body)) return { ...noFindings, leftOut: [{ about, why: `it ${why}` }] };
  const words = `${why}, and its issue does not say so`;
  return { ...noFindings, differences: [{ aspect: 'counterpart', about, words, tracker: bug.product, github: null }] };
}

function findingsOf(
  { context }: Inspection,
  link: Link,
  [bug, tracker]: readonly [Probe<Bug>, TrackerSeen | null],
  [issue, github]: readonly [Probe<Issue>, GithubSeen | null],
): Findings | null {
  const about = `bug ${link.bug}`;
  const isFinal = link.state === 'tombstone';
  const leftOut = [{ about, why: link.reason ?? 'its link was given up' }];
  if (issue.kind === 'gone' || github === null) {
    if (isFinal || link.state === 'frozen') return { ...noFindings, leftOut };
    return missing('has an issue that does not exist', link.reason, issue, 'github');
  }
  if (bug.kind === 'there' && tracker !== null && link.state === 'live') {
    const pair = pairOf(context, link, tracker, github);
    // A bug whose issue people transferred keeps its product.
    const isHere = [context.route.selection.product, link.takenFrom].includes(pair.bug.product);
    return pair.bug.isPrivate || isHere ? comparePair(pair) : movedFindings(pair, issue.item);
  }
  if (bug.kind === 'there' && !bug.item.isPrivate) return link.state === 'live' ? null : { ...noFindings, leftOut };
  if (bug.kind === 'gone' && bug.gone.kind !== 'hidden') {
    if (link.state !== 'live') return { ...noFindings, leftOut };
    return saysOfNoBug(issue.item) ? heldFindings(about, github) : missing('does not exist', null, bug, 'tracker');
  }
  return compareHidden(
    about,
    bug.kind === 'gone' ? 'is hidden on the tracker' : 'is private on the tracker',
    github.texts,
  );

  function missing(
    words: string,
    reason: string | null,
    probe: { kind: string; gone?: Gone },
    side: 'tracker' | 'github',
  ): Findings {
    const why = reason ?? probe.gone?.why ?? null;
    const values = { tracker: side === 'tracker' ? why : null, github: side === 'github' ? why : null };
    return { ...noFindings, differences: [{ aspect: 'counterpart', about, words, ...values }] };
  }
}
