/** The clients of both sides, built from the configuration. */

import { bugzillaAnonymousReader } from '../bugzilla/anonymous-reader.ts';
import { readParameters, readProducts } from '../bugzilla/api/installation.ts';
import { bugzillaAttachments } from '../bugzilla/attachments.ts';
import { createTrackerClient, type TrackerClient } from '../bugzilla/connection/client.ts';
import type { CharacterSupport } from '../bugzilla/map.ts';
import { sideErrorOf } from '../bugzilla/outcome.ts';
import { bugzillaReplica } from '../bugzilla/replica.ts';
import { readCreationFields } from '../bugzilla/survey.ts';
import { readVocabulary } from '../bugzilla/vocabulary.ts';
import type { Config } from '../config/config.ts';
import type { SecretBook } from '../config/secret-book.ts';
import { githubFiles } from '../github/attachments/linked-files.ts';
import { githubAttachmentStore } from '../github/attachments/store.ts';
import { createGithubClient, type GithubClient } from '../github/connection/client.ts';
import { type GithubReplicaOptions, githubReplica } from '../github/replica.ts';
import { surveyRepository } from '../github/survey.ts';
import type { Sides } from '../kernel/context.ts';
import type { AnonymousReader } from '../model/anonymous-reader.ts';
import type { FilePorts } from '../model/attachment.ts';
import type { Side } from '../model/ids.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import type { Clock, Fetch, RowReader } from '../model/runtime.ts';
import type { CreationField, Kept, RepositorySurvey } from '../model/survey.ts';
import { fieldsOfLabels } from '../rules/labels/labels-and-fields.ts';
import { systemClock } from '../runtime/clock.ts';
import { addressesOf, steadyFetch } from '../runtime/fetch.ts';
import { httpFetch } from '../runtime/http-fetch.ts';
import { githubLane, trackerLane } from '../runtime/rate-limit.ts';

/** How long one request may take. */
const timeoutMs = 60_000;

/** Trackers may return fewer bugs at once; GitHub returns at most a hundred. */
const trackerPageSize = 500;

interface Clients {
  readonly tracker: TrackerClient;
  readonly github: GithubClient;
}

interface SideOptions {
  readonly characters: CharacterSupport;
  readonly kept: Readonly<Record<Side, Kept>>;
  readonly warn: (message: string) => void;
}

/** Both sides of a route, and its files. */
export function sidesOf(
  route: Route,
  clients: Clients,
  { kept, ...options }: SideOptions,
): Omit<Sides, 'anonymousReader'> {
  const { tracker, github } = clients;
  return {
    tracker: bugzillaReplica({
      ...{ ...options, client: tracker, url: tracker.url, product: route.selection.product, pageSize: trackerPageSize },
      ...{ details: route.table, labels: fieldsOfLabels(route), kept: kept.tracker },
    }),
    github: githubReplica({ client: github, ...readOf(route), kept: kept.github }),
    files: filesOf(route, clients, { ...options, kept: kept.tracker }),
  };
}

function filesOf(
  { attachments: rule }: Route,
  { tracker, github }: Clients,
  options: Omit<SideOptions, 'kept'> & { readonly kept: Kept },
): FilePorts | null {
  if (rule === null) return null;
  return {
    attachmentClient: bugzillaAttachments({ ...options, client: tracker, url: tracker.url }),
    attachmentStore: githubAttachmentStore(github, rule),
    // Their size is not known, so they must not be in memory as a whole.
    linked: githubFiles({ resolve: addressesOf, timeoutMs, fetch: steadyFetch(fetch) }),
  };
}

/** When the last pause ends or ended that a side asked for. */
export type LastPause = (side: Side) => number | null;

interface Known<Secret extends keyof SecretBook> {
  readonly secrets: Pick<SecretBook, Secret>;
  readonly lastPause?: LastPause;
}

export function trackerClientOf(
  { tracker, limits }: Config,
  clock: Clock,
  send: Fetch,
  { secrets, lastPause = () => null }: Known<'apiKey'>,
): TrackerClient {
  return createTrackerClient({
    ...tracker,
    apiKey: secrets.apiKey,
    lastPause: () => lastPause('tracker'),
    lane: trackerLane(limits.tracker),
    timeoutMs,
    now: clock.now,
    fetch: steadyFetch(send),
  });
}

/** The anonymous readers. They share one lane, apart from that of our account, so that neither waits for the other. */
export function anonymousReadersOf(
  { tracker: { url }, limits }: Config,
  clock: Clock,
  options: Omit<SideOptions, 'kept'>,
  lastPause: LastPause,
): (route: Route, rows: RowReader, kept: Kept) => AnonymousReader {
  const anonymous = {
    url,
    lane: trackerLane(limits.tracker),
    timeoutMs,
    now: clock.now,
    ...options,
    lastPause: () => lastPause('tracker'),
    fetch: steadyFetch(httpFetch),
  };
  return (route, rows, kept) =>
    bugzillaAnonymousReader({ ...anonymous, rows, kept, details: route.table, labels: fieldsOfLabels(route) });
}

export function githubClientOf(
  { github: { url }, limits }: Pick<Config, 'github' | 'limits'>,
  clock: Clock,
  send: Fetch,
  { secrets, lastPause = () => null }: Known<'credential'>,
): GithubClient {
  const credential = secrets.credential();
  const current = (): string => {
    const found = secrets.credential();
    return found.kind === 'app' ? found.privateKey : found.token;
  };
  const login = credential.kind === 'token' ? { token: current } : { app: { ...credential, privateKey: current } };
  return createGithubClient({
    url,
    lane: githubLane(limits.github),
    timeoutMs,
    now: clock.now,
    fetch: steadyFetch(send),
    lastPause: () => lastPause('github'),
    ...login,
  });
}

/** A route's repository, and which of its data the bridge reads. */
export const readOf = ({
  owner,
  repo,
  dependencies,
  milestones,
  commits,
}: Route): Omit<GithubReplicaOptions, 'client'> => ({
  owner,
  repo,
  dependencies,
  namedKinds: milestones ? ['labels', 'milestones'] : ['labels'],
  commits: commits === undefined ? null : { branch: commits.branch },
});

/** What the setup of a new bridge needs to know about a tracker. */
export interface Scouted {
  /** Our account; null when the tracker does not say. */
  readonly login: string | null;
  readonly version: string;
  /** The products that the account may see, with their components. */
  readonly products: readonly { readonly name: string; readonly components: readonly string[] }[];
  vocabulary(product: string): Promise<Vocabulary>;
  /** Its parameters, with its own defaults for new bugs; empty if the tracker reports none. */
  parameters(): Promise<Readonly<Record<string, string>>>;
  /** The fields of a new bug; empty if the tracker does not report them. */
  creationFields(): Promise<readonly CreationField[]>;
}

/** Reads products and values of the tracker, for a configuration without routes. Throws `SideError`. */
export async function scoutTracker(config: Config): Promise<Scouted> {
  const clock = systemClock(new AbortController().signal);
  const client = trackerClientOf(config, clock, httpFetch, { secrets: { apiKey: () => config.tracker.apiKey } });
  try {
    const { login, version } = await client.hello();
    const products = (await readProducts(client, undefined)) ?? [];
    return {
      login,
      version,
      products: products.map(({ name, components }) => ({
        name,
        components: components?.map((each) => each.name) ?? [],
      })),
      vocabulary: (product) => readVocabulary(client, product),
      parameters: async () => (await readParameters(client)) ?? {},
      creationFields: async () => (await readCreationFields(client)) ?? [],
    };
  } catch (failure) {
    throw sideErrorOf(failure);
  }
}

/** A repository as our account sees it. Throws `SideError`. */
export async function scoutRepository(config: Config, name: string): Promise<RepositorySurvey> {
  const clock = systemClock(new AbortController().signal);
  const [owner = '', repo = ''] = name.split('/');
  const client = githubClientOf(config, clock, httpFetch, {
    secrets: { credential: () => config.github.credential },
  });
  return surveyRepository(client, { owner, repo }, clock.now);
}
