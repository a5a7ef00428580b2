import * as z from 'zod';
import type { IssueEvent, LabelEvent } from '../../model/label-event.ts';
import type { Actor, LastAsk } from '../../model/replica.ts';
import { nextPage } from '../connection/paging.ts';
import { readAnswer, time, toPerson, userSchema } from '../map.ts';
import { answered, type Repository } from '../repository.ts';

const named = z.object({ name: z.string().nullish() }).nullish();
const eventSchema = z.object({
  event: z.string(),
  actor: userSchema,
  created_at: time.nullish(),
  label: named,
  issue_type: named,
  prev_issue_type: named,
  issue_field: named,
  rename: z.object({ to: z.string() }).nullish(),
  assignee: userSchema,
  milestone: z.object({ title: z.string() }).nullish(),
});
const eventsSchema = z.array(eventSchema);

/** How many pages of events are read, and how long; an issue with more events has an unknown last actor. */
const [pagesMax, patienceMs] = [20, 90_000];

/**
 * Who last did each of these things to an issue, and when; null for what nobody did, and as a whole if GitHub does not
 * report it. GET /repos/{owner}/{repo}/issues/{issue_number}/events, the oldest first.
 * @throws SideError if GitHub is unreachable
 */
export async function lastActors(
  repository: Repository,
  ref: number,
  asked: LastAsk,
): Promise<readonly (Actor | null)[] | null> {
  const about = `list the events of ${repository.name}#${ref}`;
  let path: string | null = `${repository.path}/issues/${ref}/events?per_page=100`;
  const last: (Actor | null)[] = asked.map(() => null);
  const untilAt = repository.client.now() + patienceMs;
  for (let pages = 0; path !== null && pages < pagesMax && repository.client.now() < untilAt; pages += 1) {
    const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind === 'failed' && (reply.failure.kind === 'gone' || reply.failure.kind === 'refused')) return null;
    const answer = answered(reply, about);
    const events = readAnswer(eventsSchema, answer, about);
    for (const [index, any] of asked.entries()) {
      const found = events.findLast((each) => any.some((event) => isThat(each, event)));
      if (found !== undefined) last[index] = { ...toPerson(found.actor), at: found.created_at ?? null };
    }
    const next = nextPage({ ...repository, pageSize: 100 }, answer, { path, rows: events.length });
    path = next === null || next.isGuess ? null : next.path;
  }
  return path === null ? last : null;
}

type WireEvent = z.infer<typeof eventSchema>;

function isThat(wire: WireEvent, wanted: IssueEvent): boolean {
  if ('label' in wanted) return isThatLabel(wire, wanted);
  if (wire.event !== wanted.event || wanted.name === null) return wire.event === wanted.event;
  return (wire.rename?.to ?? wire.assignee?.login ?? wire.milestone?.title ?? '') === wanted.name;
}

/**
 * Events about fields have been observed as `issue_field_...`; their content is not documented, so the last one counts
 * if none has a name.
 */
function isThatLabel(event: WireEvent, { event: kind, label, field }: LabelEvent): boolean {
  if (field !== undefined)
    return event.event.startsWith('issue_field_') && (event.issue_field?.name ?? field) === field;
  return nameIn(event, kind)?.toLowerCase() === label.toLowerCase();
}

/**
 * The subject of an event. Those about types are recognised by their content, which is documented; their names are not.
 */
function nameIn(event: WireEvent, kind: LabelEvent['event']): string | null | undefined {
  if (kind === 'typed') return event.issue_type?.name;
  if (kind === 'untyped') return event.prev_issue_type?.name;
  return event.event === kind ? event.label?.name : null;
}
