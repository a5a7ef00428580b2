import type { Person } from '../../model/item.ts';
import type { LabelDeed } from '../../model/operation.ts';
import { asPerson } from './map.ts';
import type { LabelEvent, Repo } from './records.ts';

/** Null for an issue that cannot be reached, and where nobody did so. */
export function whoLabeled({ issues }: Repo, ref: number, { deed, label }: LabelDeed): Person | null {
  const issue = issues.get(ref);
  if (issue?.fate.kind !== 'there') return null;
  const isMeant = (each: LabelEvent) => each.deed === deed && each.label.name.toLowerCase() === label.toLowerCase();
  const event = issue.labelEvents.findLast(isMeant);
  return event === undefined ? null : asPerson(event.actor);
}
