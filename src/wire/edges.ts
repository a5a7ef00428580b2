/** The clients of both sides, as the configuration wants them. */

import { bugzillaAnonymousReader } from '../bugzilla/anonymous-reader.ts';
import { readProducts } from '../bugzilla/api/installation.ts';
import { bugzillaAttachments } from '../bugzilla/attachments.ts';
import type { CharacterSupport } from '../bugzilla/character-support.ts';
import { createTrackerClient, type TrackerClient } from '../bugzilla/connection/client.ts';
import { sideErrorOf } from '../bugzilla/outcome.ts';
import { readCreationFields } from '../bugzilla/survey.ts';
import { readVocabulary } from '../bugzilla/vocabulary.ts';
import type { Config } from '../config/config.ts';
import { githubFiles } from '../github/attachments/linked-files.ts';
import { githubAttachmentStore } from '../github/attachments/store.ts';
import { createGithubClient, type GithubClient } from '../github/connection/client.ts';
import type { Allowance } from '../kernel/budget.ts';
import { fieldsOfLabels } from '../labels/labels.ts';
import type { FilePorts } from '../model/attachment.ts';
import type { Side } from '../model/ids.ts';
import type { AnonymousReader } from '../model/replica.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import type { Clock } from '../model/runtime.ts';
import type { CreationField } from '../model/survey.ts';
import { systemClock } from '../runtime/clock.ts';
import { addressesOf, steadyFetch } from '../runtime/fetch.ts';
import { githubLane, trackerLane } from '../runtime/lanes.ts';

/** How long one request may take. */
const timeoutMs = 60_000;

interface FileClients {
  readonly trackerClient: TrackerClient;
  readonly githubClient: GithubClient;
  readonly characters: CharacterSupport;
  readonly warn: (message: string) => void;
}

export function filesOf({ attachments: rule }: Route, { trackerClient, githubClient, characters, warn }: FileClients): FilePorts | null {
  if (rule === null) return null;
  return {
    attachmentClient: bugzillaAttachments({ client: trackerClient, url: trackerClient.url, characters, warn }),
    attachmentStore: githubAttachmentStore(githubClient, rule),
    linked: githubFiles({ resolve: addressesOf, timeoutMs, fetch: steadyFetch(fetch) }),
  };
}

export function trackerClientOf({ tracker, limits }: Config, clock: Clock, send: typeof fetch): TrackerClient {
  return createTrackerClient({ ...tracker, lane: trackerLane(limits.tracker), timeoutMs, now: clock.now, fetch: steadyFetch(send) });
}

/** The tracker as everybody sees it. It has a lane of its own, so that neither waits for the other, and one for all routes. */
export function witnessesOf(
  { tracker: { url }, limits }: Config,
  clock: Clock,
  characters: CharacterSupport,
  warn: (message: string) => void,
): (route: Route) => AnonymousReader {
  const anonymous = { url, lane: trackerLane(limits.tracker), timeoutMs, now: clock.now, characters, warn, fetch: steadyFetch(fetch) };
  return (route) => bugzillaAnonymousReader({ ...anonymous, details: route.table, labels: fieldsOfLabels(route) });
}

export function githubClientOf({ github: { url, credential }, limits }: Config, clock: Clock, send: typeof fetch): GithubClient {
  const visibility = credential.kind === 'token' ? { token: credential.token } : { app: credential };
  return createGithubClient({ url, lane: githubLane(limits.github), timeoutMs, now: clock.now, fetch: steadyFetch(send), ...visibility });
}

/** GitHub blocks who creates too much content; the tracker's lane is limit enough for it. */
export function allowancesOf({ limits: { github } }: Config): Readonly<Record<Side, readonly Allowance[]>> {
  return {
    tracker: [],
    github: [
      { windowMs: 60_000, pointsMax: github.createsPerMinute, name: 'creations a minute' },
      { windowMs: 3_600_000, pointsMax: github.createsPerHour, name: 'creations an hour' },
    ],
  };
}

/** What a tracker tells to whoever sets a bridge up. */
export interface Scouted {
  /** Our account; null when the tracker does not tell. */
  readonly login: string | null;
  readonly version: string;
  /** What the account may see, with the names of their components. */
  readonly products: readonly { readonly name: string; readonly components: readonly string[] }[];
  vocabulary(product: string): Promise<Vocabulary>;
  /** What a new bug can say; none where the tracker does not tell. */
  creationFields(): Promise<readonly CreationField[]>;
}

/** Looks around on the tracker of a configuration whose routes are not known yet. Throws `SideError`. */
export async function scout(config: Config): Promise<Scouted> {
  const client = trackerClientOf(config, systemClock(new AbortController().signal), fetch);
  try {
    const { login, version } = await client.hello();
    const products = (await readProducts(client, undefined)) ?? [];
    return {
      login,
      version,
      products: products.map(({ name, components }) => ({ name, components: components?.map((each) => each.name) ?? [] })),
      vocabulary: (product) => readVocabulary(client, product),
      creationFields: async () => (await readCreationFields(client)) ?? [],
    };
  } catch (failure) {
    throw sideErrorOf(failure);
  }
}
