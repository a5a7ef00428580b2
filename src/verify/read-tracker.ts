import type { Attachment } from '../model/attachment.ts';
import { bugId, issueNumber, type LinkId } from '../model/ids.ts';
import type { Bug, Comment } from '../model/item.ts';
import { issueNumberIn } from '../model/named.ts';
import type { Findings, LeftOut, PairReport } from '../model/reports/verification.ts';
import { whyNotSelected } from '../rules/links/match.ts';
import { whyHidden } from '../rules/privacy/gate.ts';
import { parseTrackerMarker } from '../text/marker.ts';
import { noFindings, sinceLook } from './compare/difference.ts';
import { comparePair } from './compare/pair.ts';
import { type Inspection, judgePair, letOthersRun, reading, tellProgress } from './inspection.ts';
import { type GithubSeen, lookedAt, pairOf, type TrackerSeen } from './pair-of.ts';
import type { GithubBook } from './read-github.ts';

/** The result of the walk over the tracker. */
export interface Walked {
  readonly met: ReadonlySet<LinkId>;
  readonly reports: Map<LinkId, PairReport>;
  /** Bugs without an issue that should have one. */
  readonly alone: readonly PairReport[];
  readonly leftOut: readonly LeftOut[];
}

/** Bugs that share a request for their comments. */
const batch = 50;

/** Compares every bug of the route, page by page, with its comments and files, with the GitHub side. */
export async function walkTracker(inspection: Inspection, book: GithubBook): Promise<Walked> {
  const { context } = inspection;
  const walked = {
    met: new Set<LinkId>(),
    reports: new Map<LinkId, PairReport>(),
    alone: [] as PairReport[],
    leftOut: [] as LeftOut[],
  };
  let page: string | null = null;
  do {
    const listing = await reading(inspection, 'tracker', 'bugs', () => context.tracker.list(page));
    for (let at = 0; at < listing.items.length; at += batch) {
      const bugs = listing.items.slice(at, at + batch);
      const chosen = bugs.filter((bug) => isOfInterest(inspection, bug));
      const inputs = await planInputsOf(inspection, chosen);
      for (const { id } of chosen.filter((bug) => inputs.every((input) => input.bug !== bug)))
        leaveOut(inspection, walked, id, noThread);
      for (const input of inputs) {
        compareBug(inspection, book, input, walked);
        await letOthersRun(inspection);
      }
      for (const bug of bugs) if (!isOfInterest(inspection, bug)) walked.leftOut.push(leftOutBug(inspection, bug));
      tellProgress(inspection, 'bugs', bugs.length);
    }
    for (const { ref, why } of listing.failed ?? []) leaveOut(inspection, walked, ref, why);
    page = listing.next;
  } while (page !== null);
  return walked;
}

/** A bug that the tracker fails on is not judged; its issue is not without a bug either. */
function leaveOut(
  { context: { store }, unjudged }: Inspection,
  walked: { met: Set<LinkId> },
  ref: number,
  why: string,
): void {
  unjudged.set(`bug ${ref}`, why);
  const link = store.links.byBug(bugId(ref));
  if (link !== null) walked.met.add(link.id);
}

const noThread = 'its comments cannot be read';

const isOfInterest = ({ context: { store, route } }: Inspection, bug: Bug): boolean =>
  store.links.byBug(bug.id) !== null || whyNotSelected(route, bug) === null;

const leftOutBug = ({ context: { route } }: Inspection, bug: Bug): LeftOut => ({
  about: `bug ${bug.id}`,
  why: whyNotSelected(route, bug) ?? 'the route does not take it',
});

/** The comments and files of bugs in one request each; unreadable bugs are left out. */
export async function planInputsOf(
  inspection: Inspection,
  bugs: readonly Bug[],
  phase: 'bugs' | 'again' = 'bugs',
): Promise<readonly TrackerSeen[]> {
  const { context } = inspection;
  const ids = bugs.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { files } = context;
  const threads = await reading(inspection, 'tracker', phase, () =>
    context.tracker.threads(ids.map((ref) => ({ ref, sinceAt: null }))),
  );
  const attachments: ReadonlyMap<number, readonly Attachment[]> | null =
    files === null ? null : await reading(inspection, 'tracker', phase, () => files.attachmentClient.list(ids));
  return bugs.flatMap((bug): readonly TrackerSeen[] => {
    const thread = threads.find(({ ref }) => ref === bug.id)?.comments;
    return thread === undefined
      ? []
      : [{ bug, thread, attachments: attachments === null ? null : (attachments.get(bug.id) ?? []) }];
  });
}

function compareBug(
  inspection: Inspection,
  book: GithubBook,
  input: TrackerSeen,
  walked: Walked & { alone: PairReport[]; met: Set<LinkId> },
): void {
  const { context } = inspection;
  const { bug } = input;
  const link = context.store.links.byBug(bug.id);
  if (link === null || link.issue === null) {
    walked.alone.push({
      ...reportOf(bug, null, aloneFindings(inspection, input)),
      title: bug.isPrivate ? '' : bug.summary,
    });
    if (link !== null) walked.met.add(link.id);
    return;
  }
  const github = link.route === context.route.name && link.state === 'live' ? book.find(link) : null;
  if (github === null) return;
  walked.met.add(link.id);
  const findings = judgePair(inspection, link, () => comparePair(pairOf(context, link, input, github)));
  if (findings !== null) walked.reports.set(link.id, reportOf(bug, github, findings));
}

/** A bug without an issue: it is a second mirror of an issue, or lacks its own. */
function aloneFindings({ context }: Inspection, { bug, thread }: TrackerSeen): Findings {
  const { route, store } = context;
  const about = `bug ${bug.id}`;
  const left = (why: string): Findings => ({ ...noFindings, leftOut: [{ about, why }] });
  const link = store.links.byBug(bug.id);
  if (bug.isPrivate) return left('the bug is private');
  const hidden = link === null ? null : whyHidden(route, link);
  if (hidden !== null) return left(hidden);
  const issue = sourceOf(thread) === null ? null : issueNumberIn(route, sourceOf(thread) ?? '');
  const owner = issue === null ? null : store.links.byIssue(`${route.owner}/${route.repo}`, issueNumber(issue));
  if (owner !== null && owner.bug !== null && owner.bug !== bug.id) {
    const words = `is a second bug for issue ${issue}, which has bug ${owner.bug}`;
    return { ...noFindings, differences: [{ aspect: 'double', about, words, tracker: bug.url, github: `#${issue}` }] };
  }
  if (link !== null && link.state !== 'live') return left(link.reason ?? 'its link was given up');
  const why = whyNotSelected(route, bug);
  if (why !== null) return left(why);
  if (route.direction === 'to-tracker') return left('the route goes to the tracker only');
  const words = `has no issue${sinceLook(bug.createdAt > lookedAt(context, 'tracker'))}`;
  return { ...noFindings, differences: [{ aspect: 'counterpart', about, words, tracker: bug.summary, github: null }] };
}

/** The issue that the bug was filed from, according to its description. */
const sourceOf = (thread: readonly Comment[]): string | null => {
  const description = thread.find(({ count }) => count === 0);
  return description === undefined ? null : (parseTrackerMarker(description.text)?.url ?? null);
};

export function reportOf(bug: Bug | null, github: Pick<GithubSeen, 'issue'> | null, findings: Findings): PairReport {
  return {
    ...findings,
    bug: bug?.id ?? null,
    issue: github?.issue.number ?? null,
    known: [],
    waiting: [],
    title: github?.issue.title ?? '',
    bugUrl: bug?.url ?? null,
    issueUrl: github?.issue.url ?? null,
  };
}
