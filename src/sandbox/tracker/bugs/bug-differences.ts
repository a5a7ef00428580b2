import { flagsChange } from '../attachments/flags.ts';
import { customText } from '../installation/custom-fields.ts';
import type { TrackerBug, TrackerState } from '../world/state.ts';
import { hoursText } from './hours.ts';

export interface Change {
  readonly removed: string;
  readonly added: string;
}
export type Changes = Readonly<Record<string, Change>>;

/** Single-valued fields that a write may change and that changes and history report. */
const single: readonly (keyof TrackerBug)[] = [
  'product',
  'component',
  'version',
  'target_milestone',
  'summary',
  'status',
  'resolution',
  'dupe_of',
  'is_confirmed',
  'severity',
  'priority',
  'platform',
  'op_sys',
  'assigned_to',
  'qa_contact',
  'url',
  'whiteboard',
  'deadline',
  'is_cc_accessible',
  'is_creator_accessible',
];
const lists = ['alias', 'cc', 'keywords', 'see_also', 'depends_on', 'blocks', 'groups'] as const;

/**
 * The changes between two rows of a bug, as the answer to an update reports them. `spelled` has values as the write
 * spelled them, by `BUG.FIELD`: these are reported as spelled, although they are kept in another form.
 */
export function differences(
  state: TrackerState,
  before: TrackerBug,
  after: TrackerBug,
  spelled: ReadonlyMap<string, string> = new Map(),
): Changes {
  const changes: Record<string, Change> = {};
  const report = (field: string, removed: string, added: string): void => {
    if (removed !== added) changes[field] = { removed, added };
  };
  const flags = flagsChange(before.flags, after.flags);
  if (flags !== null) changes['flagtypes.name'] = flags;
  for (const field of single) report(field, asText(before[field]), asText(after[field]));
  for (const [name, field] of [['estimated', 'estimated_time'] as const, ['remaining', 'remaining_time'] as const]) {
    if (before.hours[name] === after.hours[name]) continue;
    report(field, hoursText(before.hours[name]), spelled.get(`${after.id}.${field}`) ?? String(after.hours[name]));
  }
  for (const field of lists) {
    const old: readonly (string | number)[] = before[field];
    const now: readonly (string | number)[] = after[field];
    report(
      field,
      old.filter((element) => !now.includes(element)).join(', '),
      now.filter((element) => !old.includes(element)).join(', '),
    );
  }
  for (const field of state.customFields) {
    const { removed, added } = customChange(state, field, before, after, spelled);
    report(field.name, removed, added);
  }
  return changes;
}

/** For several values, only additions and removals are reported. */
function customChange(
  state: TrackerState,
  field: TrackerState['customFields'][number],
  before: TrackerBug,
  after: TrackerBug,
  spelled: ReadonlyMap<string, string>,
): Change {
  const [removed, now] = [before, after].map((bug) => customText(state.timeZone, field, bug.custom[field.name]));
  const added = spelled.get(`${after.id}.${field.name}`) ?? now ?? '';
  if (field.kind !== 'multi') return { removed: removed ?? '', added };
  const parts = (text: string): readonly string[] => (text === '' ? [] : text.split(', '));
  const [old, wanted] = [parts(removed ?? ''), parts(added)];
  const only = (list: readonly string[], other: readonly string[]): string =>
    list.filter((value) => !other.includes(value)).join(', ');
  return { removed: only(old, wanted), added: only(wanted, old) };
}

const asText = (value: unknown): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value ?? ''));
