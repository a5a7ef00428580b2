import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import { askGraphql } from '../connection/graphql.ts';
import { inHalves } from '../connection/halving.ts';
import { toReason } from '../map.ts';
import { type IssueLook, type IssueProbe, probeIssue, type Repository } from '../repository.ts';
import { readRow } from '../rows.ts';

/**
 * Each write first looks at its issue. Several writes share one look by GraphQL; then each only asks whether the issue
 * changed after the second of the last change in that look. "No" is a 304, which is free, and as recent as a separate
 * look.
 *
 * The time alone is not enough: an issue may change twice within a second, and renaming a label, a milestone or a type
 * changes issues without a new time. So the shared look decides nothing: unless it shows exactly the known values, the
 * issue is read separately. It does no harm if GraphQL spells a value differently, or if a replica lags.
 */

/** The age at which a look expires. Writes are a second apart, so a longer time has no use. */
const [lookMaxMs, sharedMax] = [15_000, 15];
/** After a failure: a server without GraphQL, or without one of the fields, will fail again. */
const restMs = 600_000;
/** When a second is over for a look: a query may take ten, and times have whole ones. */
const settledMs = 12_000;

/** The issue as it is now. */
export async function lookBeforeWrite(repository: Repository, seen: Issue): Promise<IssueProbe> {
  const { announced, looks } = repository.shared;
  const look = await (held(repository, seen) ?? share(repository, seen));
  looks.delete(seen.number);
  announced.delete(seen.number);
  const isKnown = look !== null && isSame(look, seen) && look.readAt - look.changedAt >= settledMs;
  return probeIssue(repository, seen.number, isKnown ? { issue: seen, changedAt: look.changedAt } : null);
}

type Looking = Promise<IssueLook | null>;

function held({ client, shared }: Repository, { number }: Issue): Looking | null {
  const look = shared.looks.get(number);
  const ageMs = client.now() - (look?.takenAt ?? 0);
  return look !== undefined && ageMs >= 0 && ageMs < lookMaxMs ? look.answer : null;
}

/** Looks at this issue and those that are announced after it; null if it is the only one. */
function share(repository: Repository, seen: Issue): Looking | null {
  const { client, shared } = repository;
  const all = [...shared.announced];
  const from = all.indexOf(seen.number);
  const refs = from < 0 ? [] : all.slice(from, from + sharedMax);
  const takenAt = client.now();
  if (refs.length < 2 || takenAt < shared.restsUntil) return null;
  const looks = read(repository, refs, seen.type !== undefined);
  for (const ref of refs) shared.looks.set(ref, { takenAt, answer: looks.then((found) => found.get(ref) ?? null) });
  return looks.then((found) => found.get(seen.number) ?? null);
}

const named = z.object({ name: z.string() });
const lookSchema = z
  .object({
    number: z.number().int(),
    title: z.string(),
    body: z.string(),
    state: z.enum(['OPEN', 'CLOSED']),
    stateReason: z.string().nullable(),
    labels: z.object({ nodes: z.array(named) }),
    assignees: z.object({ nodes: z.array(z.object({ login: z.string() })) }),
    milestone: z.object({ title: z.string() }).nullable(),
    issueType: named.nullish(),
    updatedAt: z.iso.datetime({ offset: true }),
  })
  .nullable()
  .catch(null);
const looksSchema = z.record(z.string(), lookSchema).catch({});

const fields = `number title body state stateReason updatedAt milestone { title }
  labels(first: 100) { nodes { name } } assignees(first: 100) { nodes { login } }`;

/**
 * Leaves out what cannot be read. Source: docs.github.com, GraphQL reference, `Issue`; types are missing on older
 * servers, which also give duplicates another reason unless the query has an argument that newer ones drop. Such a look
 * differs from the known issue, so that the issue is read separately.
 */
async function read(
  repository: Repository,
  refs: readonly number[],
  hasTypes: boolean,
): Promise<ReadonlyMap<number, IssueLook>> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const looks = new Map<number, IssueLook>();
  const failure = await inHalves(refs, async (part) => {
    const wanted = part.map(
      (ref) => `issue${ref}: issue(number: ${ref}) { ${fields} ${hasTypes ? 'issueType { name }' : ''} }`,
    );
    const query = `query { repository(owner: ${owner}, name: ${name}) { ${wanted.join(' ')} } }`;
    const about = `look at ${part.length} issues of ${repository.name}`;
    const reply = await askGraphql(repository.client, query, 'read', about);
    if (reply.kind === 'failed') return { left: part, failure: reply.failure };
    for (const wire of Object.values(looksSchema.parse(reply.data['repository'])))
      if (wire !== null) {
        const part = { ref: wire.number, of: 'item', version: [wire.updatedAt, wire.title, wire.body] } as const;
        const look = readRow(repository.client.rows, part, () => lookOf(wire, reply.readAt));
        if (look.kind === 'read') looks.set(wire.number, look.value);
      }
    return { left: part.filter((ref) => !looks.has(ref)), failure: reply.failure };
  });
  if (failure !== null && looks.size === 0) repository.shared.restsUntil = repository.client.now() + restMs;
  return looks;
}

function lookOf(wire: NonNullable<z.infer<typeof lookSchema>>, readAt: number): IssueLook {
  const isOpen = wire.state === 'OPEN';
  return {
    title: wire.title,
    body: wire.body,
    state: isOpen ? 'open' : 'closed',
    reason: isOpen ? null : toReason(wire.stateReason?.toLowerCase()),
    labels: wire.labels.nodes.map((label) => label.name),
    assignees: wire.assignees.nodes.map(({ login }) => login),
    milestone: wire.milestone?.title ?? null,
    ...(wire.issueType === undefined ? {} : { type: wire.issueType?.name ?? null }),
    changedAt: Date.parse(wire.updatedAt),
    readAt,
  };
}

/** Whether a write would be compared with the same values. An earlier version is not the same, whatever it shows. */
function isSame(look: IssueLook, seen: Issue): boolean {
  const valuesOf = ({
    title,
    body,
    state,
    reason,
    milestone,
    type = null,
    labels,
    assignees,
  }: IssueLook | Issue): string =>
    JSON.stringify([title, body, state, reason, milestone, type, labels.toSorted(), assignees.toSorted()]);
  return look.changedAt >= seen.changedAt && valuesOf(look) === valuesOf(seen);
}
