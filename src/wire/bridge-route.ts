import type { TrackerClient } from '../bugzilla/connection/client.ts';
import { surveyTracker } from '../bugzilla/survey.ts';
import type { PeopleBook } from '../config/people-book.ts';
import { keepTokenEnd, tokenEndIn } from '../explain/token-end.ts';
import { surveyAttachmentStore } from '../github/attachments/survey.ts';
import type { GithubClient } from '../github/connection/client.ts';
import { githubImporter } from '../github/imports/importer.ts';
import { whyUnread } from '../github/reading/commits.ts';
import { readIssueFields } from '../github/reading/offered-fields.ts';
import { repositoryOf } from '../github/repository.ts';
import { isRestricted, readIssueTypes, surveyRepository } from '../github/survey.ts';
import type { Context, Session } from '../kernel/context.ts';
import type { AnonymousReader } from '../model/anonymous-reader.ts';
import type { FilePorts } from '../model/attachment.ts';
import type { Importer } from '../model/migration.ts';
import { SideError } from '../model/outcome.ts';
import type { GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { Route } from '../model/route.ts';
import type { RepositorySurvey, Survey } from '../model/survey.ts';
import { whyRefused } from '../rules/privacy/gate.ts';
import { greetBothSides } from '../sync/adopt.ts';
import { whyNoLabel } from '../sync/lost-filter.ts';
import { markAssignedDirty } from '../sync/observe/reassign.ts';
import { isConcerned } from '../sync/observe/reread.ts';
import type { RouteRunner } from '../sync/route-runner.ts';
import { followRepository, rememberRepository, unknownNames, whyAnotherRepository } from '../sync/settle/renamed.ts';
import { inheritDoubts } from '../sync/settle/settle.ts';
import { tellDashboard } from './dashboard.ts';
import { type Greeter, unlessLookedAt } from './greeting.ts';
import type { View } from './view.ts';

/** A route with its two sides. Its context is made on first use, because a side may be down at the start. */
export interface BridgeRoute extends RouteRunner {
  readonly route: Route;
  readonly tracker: TrackerReplica;
  readonly github: GithubReplica;
  readonly survey: Survey;
  readonly importer: Importer;
  readonly files: FilePorts | null;
  /** When GitHub's token expires, as GitHub said at the last login; null if it does not, or did not say. */
  tokenEndsAt(): number | null;
  /** The tracker as the anonymous reader sees it, whether or not the route checks visibility. */
  readonly anonymous: AnonymousReader;
}

type Common = Omit<Context, 'session'> & Pick<View, 'controlQueue' | 'strays'>;

interface Clients {
  readonly tracker: TrackerClient;
  readonly github: GithubClient;
}

export function bridgeRoute(
  common: Common,
  clients: Clients,
  book: PeopleBook,
  { announced, greeting, served }: Greeter,
): Omit<BridgeRoute, 'anonymous'> {
  const { route, tracker, github } = common;
  let session: Session | null = null;
  let isFresh = false;
  let standing: Pick<RepositorySurvey, 'id' | 'isPrivate'> = { id: null, isPrivate: null };
  let { people, webHost } = route;
  const contextOf = (of: Session): Context => ({
    ...common,
    route: { ...route, webHost, people: book.current() },
    session: of,
  });
  const isServed = anonymousService(common, greeting, served);
  const admitted = async (of: 'cycle' | undefined, letsGo: boolean): Promise<Session> => {
    greeting.begin();
    const { session: found, repository } = await greetBothSides(common);
    announced(repository.retirement);
    if (greeting.isKept) keepTokenEnd(common.store.greetings, repository.tokenEndsAt, common.clock.now());
    // The address of the API may be that of a proxy.
    webHost = repository.webHost ?? route.webHost;
    const why = whyRefused(route, {
      isPrivate: repository.isPrivate,
      isServed: await isServed(of === 'cycle'),
    });
    if (why !== null) throw new SideError('refused', why);
    if (greeting.isKept) await followRepository(common, repository.id, letsGo);
    standing = repository;
    return found;
  };
  return {
    name: route.name,
    store: common.store,
    clock: common.clock,
    tell: common.tell,
    controlQueue: common.controlQueue,
    route,
    tracker,
    github,
    async context(of, letsGo = false) {
      const isFirst = session === null;
      isFresh &&= !greeting.isOutdated();
      if (session === null || !isFresh) session = await admitted(of, letsGo);
      if (isFirst && greeting.isKept) inheritDoubts(common);
      if (greeting.isKept) rememberRepository(common, standing);
      isFresh = true;
      const context = contextOf(session);
      if (context.route.people !== people) markAssignedDirty(context);
      people = context.route.people;
      return context;
    },
    ...(route.dashboard === true
      ? { report: () => tellDashboard(session === null ? null : contextOf(session), common.strays) }
      : {}),
    tokenEndsAt: () => tokenEndIn(common.store.greetings),
    known: () => (session === null ? null : contextOf(session)),
    survey: surveyOf(common, clients, isServed),
    files: common.files,
    importer: githubImporter({ client: clients.github, owner: route.owner, repo: route.repo }),
    isConcerned: (hint) => isConcerned(common, hint),
    renew() {
      isFresh = false;
      greeting.renew();
    },
  };
}

type IsServed = (isCycle?: boolean) => Promise<boolean | null>;

/**
 * Whether the tracker serves anonymous readers; null if the route does not check visibility. A cycle that checks bugs
 * anonymously anyway does not ask.
 */
function anonymousService(
  { route, anonymousReader, store, lookTurns }: Common,
  { tracker }: Greeter['greeting'],
  served: Greeter['served'],
): IsServed {
  if (anonymousReader === null) return async () => null;
  const looksAnyway = (): boolean => store.looks.inTurn('anonymous', lookTurns.sharing(route), 1).length > 0;
  return (isCycle = false) => unlessLookedAt(tracker, isCycle && looksAnyway(), () => served(anonymousReader.isServed));
}

function surveyOf(common: Common, { tracker, github }: Clients, isServed: IsServed): Survey {
  const { route, clock } = common;
  return {
    unknownNames: (vocabulary) => unknownNames(common, vocabulary),
    whyNoLabel: () => whyNoLabel(common),
    whyAnotherRepository: () => whyAnotherRepository(common),
    tracker: (login) => surveyTracker(tracker, { product: route.selection.product, login, now: clock.now }),
    repository: (place) => surveyRepository(github, place, clock.now),
    whyUnread: (place, branch) => whyUnread(repositoryOf(github, place), branch),
    isRestricted: (place) => isRestricted(github, place),
    types: (place) => readIssueTypes(github, place),
    fields: (place) => readIssueFields(github, place),
    isServed: () => isServed(),
    place: (rule) => surveyAttachmentStore(github, rule),
  };
}
