import { sameName } from '../model/named.ts';
import { SideError } from '../model/outcome.ts';
import { type Account, accountIn } from '../model/people.ts';
import type { GithubReplica } from '../model/replica.ts';
import type { Route } from '../model/route.ts';
import type { InTime } from '../model/runtime.ts';
import { type GithubHello, type Kept, nothingKept } from '../model/survey.ts';
import { keptSince, recalled } from '../runtime/recall.ts';
import type { GithubClient } from './connection/client.ts';
import { type Failure, isUnanswered, readError } from './connection/failure.ts';
import { placeOf, renamedInWords, repositoryId, repositoryName } from './connection/new-name.ts';
import { appAnswerSchema, readFact, userAnswerSchema } from './map.ts';
import { type CommitSource, changes } from './reading/changes.ts';
import { closerOf } from './reading/closer.ts';
import { withDependencies } from './reading/dependencies.ts';
import { bodyVersionsOf, editorOf, firstTextOf } from './reading/editor.ts';
import { lastActors } from './reading/issue-events.ts';
import { list } from './reading/list.ts';
import { madeSince } from './reading/made-since.ts';
import { offeredFields } from './reading/offered-fields.ts';
import { originalOf } from './reading/original.ts';
import { threads } from './reading/threads.ts';
import { answered, issuesAreOff, type NamedKind, probeIssue, type Repository, repositoryOf } from './repository.ts';
import { lookAtRepository } from './survey.ts';
import { amend, erase, hasComment, minimize, rewrite } from './writing/comments.ts';
import { lock } from './writing/lock.ts';
import { update } from './writing/update.ts';
import { createComment, createIssue } from './writing/write.ts';

export interface GithubReplicaOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
  /** At most 100, which is GitHub's own limit. */
  readonly pageSize?: number;
  /** Whether to read which issues block others, which takes a request for each blocked issue. */
  readonly dependencies?: boolean;
  /** Whose renames are looked for. */
  readonly namedKinds?: readonly NamedKind[];
  /** Whose commits are read; null or absent for none. */
  readonly commits?: CommitSource | null;
  /** The answers of earlier greetings. */
  readonly kept?: Kept;
}

/** The issues of one repository. Pull requests, and comments on them, never appear. */
export function githubReplica(options: GithubReplicaOptions): GithubReplica {
  const {
    client,
    owner,
    repo,
    pageSize = 100,
    dependencies = false,
    namedKinds = [],
    commits = null,
    kept = nothingKept,
  } = options;
  const repository = repositoryOf(client, { owner, repo }, pageSize, namedKinds, kept);
  /** Lists share the time for pages that fail. */
  const reading = <T>(inTime: InTime | undefined, read: (of: Repository) => Promise<T>): Promise<T> => {
    const of = { ...repository, patience: { untilAt: null } };
    return inTime?.during(() => read(of)) ?? read(of);
  };
  const replica: GithubReplica = {
    side: 'github',
    hello: () => hello(repository, { owner, repo }, kept),
    account: (sinceAt) => account(repository, kept, sinceAt),
    placeOf: (place) => placeOf(client, place),
    idOf: (name) => repositoryId(client, name),
    nameOf: (id) => repositoryName(client.send, id),
    standing: async () => (await lookAtRepository(client, { owner, repo }, client.now, kept)).survey,
    changes: (cursor, isRenamed = false, inTime = undefined) =>
      reading(inTime, (of) => changes(of, cursor, isRenamed, commits)),
    list: (page, inTime) => reading(inTime, (of) => list(of, page)),
    threads: (asks, inTime) => threads(repository, asks, inTime),
    async probe(ref) {
      const found = await probeIssue(repository, ref);
      if (found.kind === 'there') return { kind: 'there', item: found.issue };
      if (found.failure.kind === 'gone') return { kind: 'gone', gone: found.failure.gone };
      throw readError(found.failure);
    },
    madeSince: (at, isKnown, own) => madeSince(repository, at, isKnown, own),
    create: (draft) => createIssue(repository, draft),
    announce(refs) {
      repository.shared.announced = new Set(refs.length > 1 ? refs : []);
      repository.shared.looks.clear();
    },
    update: (seen, patch, mayGoOn) => update(repository, seen, patch, mayGoOn),
    comment: (ref, text) => createComment(repository, ref, text),
    rewrite: (ref, comment, text, mayReplace) => rewrite(repository, { ref, comment }, text, mayReplace),
    amend: (ref, comment, change) => amend(repository, { ref, comment }, change),
    hasComment: (ref, comment) => hasComment(repository, { ref, comment }),
    erase: (ref, comment) => erase(repository, { ref, comment }),
    minimize: (ref, comment, wanted) => minimize(repository, { ref, comment }, wanted),
    lock: (ref, isLocked) => lock(repository, ref, isLocked),
    original: (ref) => originalOf(repository, ref),
    closer: (ref) => closerOf(repository, ref),
    editor: (ref, comment) => editorOf(repository, ref, comment),
    firstText: (ref, comment) => firstTextOf(repository, ref, comment),
    bodyVersions: (ref) => bodyVersionsOf(repository, ref),
    lastActors: (ref, asked) => lastActors(repository, ref, asked),
    whoDid: async (ref, event) => (await lastActors(repository, ref, [[event]]))?.[0] ?? null,
    fields: () => offeredFields(client, { owner, repo }),
    hasLabel: (name) => hasLabel(repository, name),
  };
  return dependencies ? withDependencies(repository, replica) : replica;
}

/**
 * Checks the credentials, and that the repository and its issues are readable.
 * Sources: GET /user, or GET /app; GET /repos/{owner}/{repo}.
 * @throws SideError
 */
async function hello(repository: Repository, place: Pick<Route, 'owner' | 'repo'>, kept: Kept): Promise<GithubHello> {
  const { version: inUse } = repository.client;
  const learnt = kept.recent<string>('interface version');
  inUse.begin(learnt);
  const ours = await recalled(kept, 'account', () => self(repository, kept), isUnanswered);
  const { survey, enterprise } = await lookAtRepository(
    repository.client,
    place,
    repository.client.now,
    kept,
    isUnanswered,
  );
  // Behind a proxy that follows redirects, the answer is about the repository that has the name no longer.
  if (!sameName(survey.name, repository.name))
    throw new SideError('refused', `${renamedInWords(repository.name, survey.name)}.`, { side: 'github' });
  if (!survey.hasIssues) throw new SideError('refused', issuesAreOff(repository), { side: 'github' });
  if (inUse.current() !== learnt) kept.keep('interface version', inUse.current());
  const interfaceVersion = `API ${inUse.current()}`;
  const version = enterprise === null ? interfaceVersion : `Enterprise Server ${enterprise}, ${interfaceVersion}`;
  return { ...ours, version, repository: survey };
}

/** GET /repos/{owner}/{repo}/labels/{name}; the repository itself has just answered. */
async function hasLabel({ client, path, name: repo }: Repository, name: string): Promise<boolean> {
  const about = `read the label "${name}" of ${repo}`;
  const reply = await client.send({
    method: 'GET',
    path: `${path}/labels/${encodeURIComponent(name)}`,
    cost: 'read',
    about,
  });
  if (reply.kind === 'failed' && isMissing(reply.failure)) return false;
  answered(reply, about);
  return true;
}

type Self = Pick<GithubHello, 'login' | 'id'>;

async function self(repository: Repository, kept: Kept): Promise<Self> {
  const found = await (repository.client.isApp ? ourApp(repository) : ourUser(repository));
  // Whoever could tell before is the same: a refusal of today says nothing else.
  return found ?? kept.last<Self>('account') ?? { login: null };
}

/** Our account as GitHub said at `sinceAt` or later. Throws `SideError`. */
async function account(repository: Repository, kept: Kept, sinceAt: number): Promise<Account | null> {
  return accountIn(await recalled(keptSince(kept, sinceAt), 'account', () => self(repository, kept), isUnanswered));
}

/** An App writes as its slug with `[bot]`. */
async function ourApp({ client }: Repository): Promise<Self> {
  const about = 'say which App we are';
  const answer = answered(await client.send({ method: 'GET', path: '/app', cost: 'read', about, role: 'app' }), about);
  return { login: `${readFact(appAnswerSchema, answer, about).slug}[bot]` };
}

/**
 * Null for a token without a user, such as that of an Actions job: it may not ask, but may write. Also null if the
 * server cannot tell.
 */
async function ourUser({ client }: Repository): Promise<Self | null> {
  const about = 'say who we are';
  const reply = await client.send({ method: 'GET', path: '/user', cost: 'read', about });
  if (reply.kind === 'failed' && (reply.failure.kind === 'refused' || isMissing(reply.failure))) return null;
  return accountIn(readFact(userAnswerSchema, answered(reply, about), about));
}

const isMissing = (failure: Failure): boolean => failure.kind === 'gone' && failure.gone.kind === 'missing';
