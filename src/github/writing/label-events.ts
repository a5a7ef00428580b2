import * as z from 'zod';
import type { Person } from '../../model/item.ts';
import type { LabelEvent } from '../../model/label-event.ts';
import { nextPage } from '../connection/paging.ts';
import { readAnswer, toPerson, userSchema } from '../map.ts';
import { answered, type Repository } from '../repository.ts';

const named = z.object({ name: z.string().nullish() }).nullish();
const eventSchema = z.object({
  event: z.string(),
  actor: userSchema,
  label: named,
  issue_type: named,
  prev_issue_type: named,
  issue_field: named,
});
const eventsSchema = z.array(eventSchema);

/** The limit of event pages; an issue with more events has an unknown last actor. */
const pagesMax = 20;

/**
 * Who last did this to a label, the type or a field; null if GitHub does not report it. GET /repos/{owner}/{repo}/issues/{issue_number}/events, the oldest first.
 * @throws SideError if GitHub is unreachable
 */
export async function whoLabeled(repository: Repository, ref: number, labelEvent: LabelEvent): Promise<Person | null> {
  const about = `list the events of ${repository.name}#${ref}`;
  let path: string | null = `${repository.path}/issues/${ref}/events?per_page=100`;
  let last: Person | null = null;
  for (let pages = 0; path !== null && pages < pagesMax; pages += 1) {
    const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind === 'failed' && (reply.failure.kind === 'gone' || reply.failure.kind === 'refused')) return null;
    const answer = answered(reply, about);
    const events = readAnswer(eventsSchema, answer, about);
    const found = events.findLast((each) => isThat(each, labelEvent));
    if (found !== undefined) last = toPerson(found.actor);
    const next = nextPage({ ...repository, pageSize: 100 }, answer, { path, rows: events.length });
    path = next === null || next.isGuess ? null : next.path;
  }
  return path === null ? last : null;
}

/** Events about fields have been observed as `issue_field_...`; their content is not documented, so the last one counts if none has a name. */
function isThat(event: z.infer<typeof eventSchema>, { event: kind, label, field }: LabelEvent): boolean {
  if (field !== undefined) return event.event.startsWith('issue_field_') && (event.issue_field?.name ?? field) === field;
  return nameIn(event, kind)?.toLowerCase() === label.toLowerCase();
}

/** The subject of an event. Those about types are recognised by their content, which is documented; their names are not. */
function nameIn(event: z.infer<typeof eventSchema>, kind: LabelEvent['event']): string | null | undefined {
  if (kind === 'typed') return event.issue_type?.name;
  if (kind === 'untyped') return event.prev_issue_type?.name;
  return event.event === kind ? event.label?.name : null;
}
