import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { FailedItem } from '../../model/replica.ts';
import { nextPage } from '../connection/paging.ts';
import { labelSchema, milestoneSchema, readAnswer } from '../map.ts';
import { answered, type NamedKind, type Repository } from '../repository.ts';
import { type FeedPage, issuesFeed, type Row, readPage } from './feed.ts';

/**
 * Renaming a label or a milestone changes all issues that have it, but as far as is known makes none of them newer, so
 * no list of changes shows it. The names are read every ten minutes, and when a webhook reports a change, at addresses
 * that never vary: unchanged names are answered by 304, which is free. After a change, the issues with the renamed
 * label or milestone are listed.
 *
 * A deleted label or milestone is left to the sweep: no list shows which issues had it.
 */
const nameSchema = z.tuple([z.number(), z.string()]);
const pageSchema = z.object({
  path: z.string(),
  etag: z.string().nullable(),
  /** The path of the next page; null on the last. */
  next: z.string().nullable(),
  /** Ids of labels, or numbers of milestones, with their names. */
  names: z.array(nameSchema),
});
const listedSchema = z.object({
  pages: z.array(pageSchema),
  /**
   * What was renamed, and when that was seen: the list of its issues may have lagged, so later looks list them once
   * more.
   */
  again: z.array(z.tuple([z.number(), z.number()])),
});
export const namesSchema = z.object({
  /** By the clock of the `Date` header. */
  lookedAt: z.number(),
  labels: listedSchema.optional(),
  milestones: listedSchema.optional(),
});
export type Names = z.infer<typeof namesSchema>;
type Listed = z.infer<typeof listedSchema>;
type NamePage = z.infer<typeof pageSchema>;
type Name = z.infer<typeof nameSchema>;

const looksEveryMs = 600_000;
/** How late a list may show a new name. */
const lagMaxMs = 600_000;
/** A guard against endless paging; 1,000 names. */
const namePagesMax = 10;
/** 100,000 issues of one name. */
const issuePagesMax = 1_000;

interface NamesLook {
  readonly issues: readonly Issue[];
  readonly failed: readonly FailedItem[];
  readonly names: Names | null;
}

/**
 * The issues whose labels or milestone were renamed since the last look.
 * @param isDue looks although the last look is recent
 * @throws SideError
 */
export async function renamed(
  repository: Repository,
  names: Names | null,
  readAt: number,
  isDue: boolean,
): Promise<NamesLook> {
  if (!isDue && names !== null && readAt - names.lookedAt < looksEveryMs) return { issues: [], failed: [], names };
  const rows: Row<Issue>[] = [];
  let after: Names = { lookedAt: readAt };
  for (const kind of repository.namedKinds) {
    const before = names?.[kind] ?? null;
    const pages = await readNames(repository, kind, before?.pages ?? []);
    const changed = before === null ? [] : changedNames(before, pages);
    const again = [...(before?.again ?? []), ...changed.map((id): [number, number] => [id, readAt])];
    const wanted = pages.flatMap((page) => page.names).filter(([id]) => again.some(([wantedId]) => wantedId === id));
    for (const name of wanted) rows.push(...(await issuesNamed(repository, kind, name)));
    // A stored title may now belong to another milestone.
    if (kind === 'milestones' && changed.length > 0) repository.milestones.clear();
    after = { ...after, [kind]: { pages, again: again.filter(([, at]) => readAt - at < lagMaxMs) } };
  }
  const issues = rows.flatMap(({ item }) => item ?? []);
  return { issues, failed: rows.flatMap(({ failed }) => failed ?? []), names: after };
}

function changedNames(before: Listed, pages: readonly NamePage[]): number[] {
  const known = new Map(before.pages.flatMap((page) => page.names));
  return pages.flatMap((page) => page.names).flatMap(([id, name]) => ((known.get(id) ?? name) === name ? [] : [id]));
}

const firstPath: Readonly<Record<NamedKind, string>> = { labels: '/labels?', milestones: '/milestones?state=all&' };

const namesIn = {
  labels: z.array(labelSchema.transform(({ id, name }): Name => [id, name])),
  milestones: z.array(milestoneSchema.transform(({ number, title }): Name => [number, title])),
};

/** GET /repos/{owner}/{repo}/labels, GET /repos/{owner}/{repo}/milestones */
async function readNames(repository: Repository, kind: NamedKind, known: readonly NamePage[]): Promise<NamePage[]> {
  const pages: NamePage[] = [];
  let path: string | null = `${repository.path}${firstPath[kind]}per_page=${repository.pageSize}`;
  while (path !== null && pages.length < namePagesMax) {
    const page: NamePage = await readNamePage(repository, kind, path, known.find((each) => each.path === path) ?? null);
    pages.push(page);
    path = page.next;
  }
  return pages;
}

async function readNamePage(
  repository: Repository,
  kind: NamedKind,
  path: string,
  before: NamePage | null,
): Promise<NamePage> {
  const about = `list the ${kind} of ${repository.name}`;
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: before?.etag ?? null });
  if (reply.kind === 'unchanged' && before !== null) return before;
  const answer = answered(reply, about);
  const names = readAnswer(namesIn[kind], answer, about);
  const etag = answer.headers['etag'];
  const next = nextPage(repository, answer, { path, rows: names.length })?.path ?? null;
  return { path, etag: etag === undefined ? null : String(etag), next, names };
}

/** GET /repos/{owner}/{repo}/issues, of one label or milestone; pull requests are left out. */
async function issuesNamed(repository: Repository, kind: NamedKind, [id, name]: Name): Promise<Row<Issue>[]> {
  const about = `list the issues of "${name}" in ${repository.name}`;
  const filter = kind === 'labels' ? `labels=${encodeURIComponent(name.toWellFormed())}` : `milestone=${id}`;
  const rows: Row<Issue>[] = [];
  let path: string | null = `${repository.path}/issues?state=all&${filter}&per_page=${repository.pageSize}`;
  for (let count = 0; path !== null; count += 1) {
    if (count >= issuePagesMax)
      throw new SideError('refused', `The list of the issues of "${name}" in ${repository.name} does not end.`);
    const answer = answered(await repository.client.send({ method: 'GET', path, cost: 'read', about }), about);
    const page: FeedPage<Issue> = readPage(issuesFeed, repository, { path, answer });
    rows.push(...page.rows);
    path = page.rows.length === 0 ? null : (page.next?.path ?? null);
  }
  return rows;
}
