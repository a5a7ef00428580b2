import * as z from 'zod';
import { issueNumber } from '../../model/ids.ts';
import type { Begun, ImportDraft, Importer, ImportHome, ImportJob } from '../../model/migration.ts';
import { withoutSlash } from '../../model/named.ts';
import type { NotApplied } from '../../model/outcome.ts';
import type { Answer, GithubClient } from '../connection/client.ts';
import { inSentences, noContent, unwrittenOutcome, whyOf, writeOutcome } from '../connection/failure.ts';
import { nextPage } from '../connection/paging.ts';
import { parseAnswer, readAnswer } from '../map.ts';
import { wholeSeconds } from '../reading/feed.ts';
import { answered, get, type Repository, repositoryOf } from '../repository.ts';
import { namedPart, readRow } from '../rows.ts';
import { milestoneBody } from '../writing/milestones.ts';
import { closeAll } from './close-all.ts';
import { minimizeAll } from './minimize-all.ts';

interface GithubImporterOptions {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
}

/**
 * GitHub's issue import. It is not part of the documented API; a page by GitHub's staff describes it
 * (gist.github.com/jonmagic/5282384165e0f86ef105), and libraries wrap it. Only administrators of a repository may use
 * it.
 */
const accept = 'application/vnd.github.golden-comet-preview+json';
const pageSize = 100;

/** A guard against endless paging. */
const pagesMax = 1_000;

const jobSchema = z.object({
  id: z.number(),
  status: z.string(),
  created_at: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  issue_url: z.string().nullish(),
  errors: z
    .array(
      z.object({
        location: z.string().nullish(),
        resource: z.string().nullish(),
        field: z.string().nullish(),
        value: z.unknown().optional(),
        code: z.string().nullish(),
      }),
    )
    .nullish(),
});
type WireJob = z.infer<typeof jobSchema>;

const homeSchema = z.object({
  html_url: z.string(),
  permissions: z.object({ admin: z.boolean().optional() }).nullish(),
});

export function githubImporter({ client, owner, repo }: GithubImporterOptions): Importer {
  const repository = repositoryOf(client, { owner, repo }, pageSize);
  return {
    home: () => home(repository),
    begin: (draft) => begin(repository, draft),
    since: (at) => since(repository, at),
    close: (closings) => closeAll(client, { owner, repo }, closings),
    minimize: (requests) => minimizeAll(client, { owner, repo }, requests),
  };
}

/** GET /repos/{owner}/{repo} */
async function home(repository: Repository): Promise<ImportHome> {
  const about = `look at the repository ${repository.name}`;
  const found = readAnswer(homeSchema, answered(await get(repository, '', about), about), about);
  return { url: withoutSlash(found.html_url), mayImport: found.permissions?.admin ?? null };
}

/** POST /repos/{owner}/{repo}/import/issues, which answers 202. */
async function begin(repository: Repository, draft: ImportDraft): Promise<Begun> {
  const milestone = await milestoneBody(repository, null, draft);
  if (milestone.kind === 'failed') return begun(unwrittenOutcome(milestone.failure));
  const about = `import an issue into ${repository.name}`;
  const body = bodyOf(draft, milestone.body.milestone ?? null);
  const address = `${repository.path}/import/issues`;
  const reply = await repository.client.send({ method: 'POST', path: address, cost: 'edit', about, accept, body });
  if (reply.kind === 'unchanged') return noContent(about);
  if (reply.kind === 'answered') return jobIn(reply, about);
  const { failure } = reply;
  // It is sent again, as one of thousands is bound to come at a bad moment.
  if (failure.kind === 'refused' && failure.isOfTime) return { kind: 'unknown', why: failure.why };
  const mayBeClosed = failure.kind === 'gone' || (failure.kind === 'refused' && failure.isOfContent !== true);
  if (!mayBeClosed) return begun(writeOutcome(failure));
  const refusal = whyOf(failure);
  return { kind: 'unauthorized', why: inSentences(refusal, noRights(repository)), refusal };
}

const begun = (outcome: NotApplied): Begun =>
  outcome.kind === 'unauthorized' ? { ...outcome, refusal: null } : outcome;

const noRights = ({ name }: Repository): string =>
  `Imports need an account with the admin role in ${name}, on a server that offers them. Give it the role, or, unless you keep numbers, use --writer api, which writes through the normal REST API, notifies people and is subject to GitHub's content limits.`;

function jobIn(answer: Answer, about: string): Begun {
  const parsed = parseAnswer(jobSchema, answer, about);
  if (parsed.kind === 'failed') return { kind: 'unknown', why: whyOf(parsed.failure) };
  return { kind: 'applied', item: toJob(parsed.value) };
}

/** GET /repos/{owner}/{repo}/import/issues?since= */
async function since(repository: Repository, at: number): Promise<readonly ImportJob[]> {
  const about = `list the imports of ${repository.name}`;
  const jobs = new Map<number, ImportJob>();
  const met = new Set<number>();
  let path = `${repository.path}/import/issues?since=${wholeSeconds(at)}&per_page=${pageSize}`;
  for (let pages = 1; pages <= pagesMax; pages += 1) {
    const answer = answered(await repository.client.send({ method: 'GET', path, cost: 'read', about, accept }), about);
    const wires = readAnswer(z.array(jobSchema), answer, about);
    const isNews = wires.some(({ id }) => !met.has(id));
    for (const { id } of wires) met.add(id);
    for (const wire of wires) {
      const { id, status } = wire;
      const read = readRow(repository.client.rows, namedPart(`import job ${id}`, id, status), () => toJob(wire));
      if (read.kind === 'read') jobs.set(id, read.value);
    }
    const next = nextPage(repository, answer, { path, rows: wires.length });
    if (next === null || (next.isGuess && !isNews)) break;
    path = next.path;
  }
  return [...jobs.values()];
}

function bodyOf(draft: ImportDraft, milestone: number | null): Readonly<Record<string, unknown>> {
  const { title, body, labels, assignee, isClosed, createdAt, changedAt } = draft;
  const issue = {
    title,
    body,
    created_at: wholeSeconds(createdAt),
    updated_at: wholeSeconds(changedAt),
    closed: isClosed,
    ...(isClosed ? { closed_at: wholeSeconds(changedAt) } : {}),
    ...(assignee === undefined ? {} : { assignee }),
    ...(milestone === null ? {} : { milestone }),
    ...(labels.length === 0 ? {} : { labels }),
  };
  return {
    issue,
    comments: draft.comments.map((comment) => ({ body: comment.body, created_at: wholeSeconds(comment.createdAt) })),
  };
}

function toJob({ id, status, issue_url: url, errors, created_at: createdAt }: WireJob): ImportJob {
  const number = Number(/\/issues\/(\d+)\/?$/u.exec(url ?? '')?.[1]);
  const faults = (errors ?? []).flatMap(({ field, location }) => field ?? location ?? []);
  if (status === 'failed')
    return {
      id,
      createdAt,
      state: 'failed',
      issue: null,
      faults,
      why: (errors ?? []).map(inWords).join('; ') || 'GitHub gave no reason',
    };
  const isThere = status === 'imported' && Number.isInteger(number);
  return {
    id,
    createdAt,
    state: isThere ? 'imported' : 'pending',
    issue: isThere ? issueNumber(number) : null,
    faults: [],
    why: null,
  };
}

function inWords({ resource, field, location, value, code }: NonNullable<WireJob['errors']>[number]): string {
  const what = [resource, field ?? location].filter((part) => part !== null && part !== undefined).join(' ');
  const which = typeof value === 'string' || typeof value === 'number' ? ` ("${value}")` : '';
  return `${what || 'something'}${which} is ${(code ?? 'invalid').replaceAll('_', ' ').replace(/^custom$/u, 'not accepted')}`;
}
