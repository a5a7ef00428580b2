import type { Person } from '../../model/item.ts';
import type { LabelDeed } from '../../model/label-deed.ts';
import { asPerson } from './map.ts';
import type { FieldEvent, IssueEvent, Repo } from './world/records.ts';

/** Null for an issue that cannot be reached, and where nobody did so. */
export function whoLabeled({ issues }: Repo, ref: number, { deed, label, field }: LabelDeed): Person | null {
  const issue = issues.get(ref);
  if (issue?.fate.kind !== 'there') return null;
  const event = issue.events.findLast((each) =>
    'field' in each ? each.field === field : field === undefined && nameIn(each, deed)?.toLowerCase() === label.toLowerCase(),
  );
  return event === undefined ? null : asPerson(event.actor);
}

function nameIn(event: Exclude<IssueEvent, FieldEvent>, deed: LabelDeed['deed']): string | null {
  if (event.deed === 'typed') return deed === 'typed' ? event.type : deed === 'untyped' ? event.was : null;
  return event.deed === deed ? event.label.name : null;
}
