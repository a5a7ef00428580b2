import type { FilePorts } from '../model/attachment.ts';
import type { Side } from '../model/ids.ts';
import { SideError } from '../model/outcome.ts';
import type { GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { Route } from '../model/route.ts';
import type { AttachmentStoreSurvey, RepositorySurvey, Survey } from '../model/survey.ts';
import { type ReadPorts, readOnce } from './ask-once.ts';
import type { Site } from './site.ts';
import { judgeRoute } from './topics.ts';
import type { Verdict } from './verdict.ts';

/** A route with what `check` asks its two sides. */
interface CheckedRoute {
  readonly name: string;
  readonly route: Route;
  readonly survey: Survey;
  readonly tracker: Pick<TrackerReplica, 'hello' | 'vocabulary'> & ReadPorts['tracker'];
  readonly files: FilePorts | null;
  readonly anonymous: NonNullable<ReadPorts['anonymous']>;
  readonly github: Pick<GithubReplica, 'hello'>;
}

export interface Asked {
  readonly isReachable: boolean;
  readonly verdicts: readonly Verdict[];
}

/** Contacts both sides of a route, and judges their settings if both accept us. */
export async function askBoth(each: CheckedRoute, trackerUrl: string): Promise<Asked> {
  const tracker = await greet(each, 'tracker', trackerUrl);
  const github = await greet(each, 'github', `${each.route.owner}/${each.route.repo}`);
  const verdicts = [tracker.verdict, github.verdict];
  if (!tracker.isReached || !github.isReached) return { isReachable: false, verdicts };
  try {
    return { isReachable: true, verdicts: [...verdicts, ...judgeRoute(await siteOf(each, tracker.login))] };
  } catch (error) {
    // Report the findings so far nevertheless, and go on with the other routes.
    if (!(error instanceof SideError)) throw error;
    return {
      isReachable: false,
      verdicts: [...verdicts, { level: 'failure', about: `route ${each.name}`, words: error.message }],
    };
  }
}

async function siteOf(each: CheckedRoute, login: string | null): Promise<Site> {
  const { route, survey } = each;
  const attachmentStore = await attachmentStoreOf(each);
  const isServed = await survey.isServed();
  const vocabulary = await each.tracker.vocabulary();
  const repository = await survey.repository(route);
  return {
    route,
    vocabulary,
    unknownNames: await survey.unknownNames(vocabulary),
    anotherRepository: await survey.whyAnotherRepository(),
    noLabel: await survey.whyNoLabel(),
    tracker: await survey.tracker(login),
    login,
    repository,
    isRestricted: repository.right === 'triage' ? await survey.isRestricted(route) : null,
    // Asked only if a rule needs them.
    types: route.labels.some(({ isType }) => isType) ? await survey.types(route) : [],
    fields: route.labels.some(({ field }) => field !== undefined) ? await survey.fields(route) : [],
    unreadCommits: route.commits === undefined ? null : await survey.whyUnread(route, route.commits.branch),
    attachmentStore,
    place: await placeOf(each, attachmentStore),
    isServed,
    reads: await readOnce({
      tracker: each.tracker,
      files: each.files?.attachmentClient ?? null,
      anonymous: isServed === true ? each.anonymous : null,
    }),
  };
}

interface Greeting {
  readonly isReached: boolean;
  /** Our account; null if not reported. */
  readonly login: string | null;
  readonly verdict: Verdict;
}

async function greet(each: CheckedRoute, side: Side, place: string): Promise<Greeting> {
  const about = `route ${each.name}, ${side === 'tracker' ? 'tracker' : 'GitHub'}`;
  try {
    const { login, version } = await each[side].hello();
    const account = login === null ? 'it does not report our account' : `as ${login}`;
    return {
      isReached: true,
      login,
      verdict: { level: 'ok', about, words: `${place} answers (${version}), ${account}` },
    };
  } catch (error) {
    if (!(error instanceof SideError)) throw error;
    return {
      isReached: false,
      login: null,
      verdict: { level: 'failure', about, words: error.message },
    };
  }
}

async function attachmentStoreOf({ route, survey }: CheckedRoute): Promise<RepositorySurvey | string | null> {
  const rule = route.attachments;
  if (rule === null || rule.store === 'link' || (rule.owner === route.owner && rule.repo === route.repo)) return null;
  try {
    return await survey.repository(rule);
  } catch (error) {
    if (error instanceof SideError) return error.message;
    throw error;
  }
}

async function placeOf(
  { route: { attachments: rule }, survey }: CheckedRoute,
  attachmentStore: Site['attachmentStore'],
): Promise<AttachmentStoreSurvey | null> {
  return rule === null || rule.store === 'link' || typeof attachmentStore === 'string' ? null : survey.place(rule);
}
