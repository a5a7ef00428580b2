import insider from '../../world-data/insider.json' with { type: 'json' };
import { orderedFlags } from '../attachments/flags.ts';
import { keptSummary, keptText } from '../installation/characters.ts';
import { customDefault } from '../installation/custom-fields.ts';
import { choicesIn } from '../installation/installation.ts';
import { way } from '../installation/versions.ts';
import { attachmentRow, flagRow, type WireAttachment, type WireFlag } from './load-attachment.ts';
import type { HistoryRow, TrackerBug, TrackerComment, TrackerState } from './state.ts';
import type { TrackerWorld } from './world.ts';

/** A tracker's content as an insider reads it over REST: bugs, comments and attachments by bug, and histories. */
export interface WorldContent {
  readonly bugs: readonly WireBug[];
  readonly comments: Readonly<Record<string, { readonly comments: readonly WireComment[] }>>;
  readonly attachments: Readonly<Record<string, readonly WireAttachment[]>>;
  readonly history: readonly { readonly id: number; readonly history: readonly WireChangeset[] }[];
}

interface WireBug extends Omit<TrackerBug, 'custom' | 'flags' | 'hours' | 'createdAt' | 'changedAt'> {
  readonly creation_time: string;
  readonly last_change_time: string;
  readonly actual_time: number;
  readonly estimated_time: number;
  readonly remaining_time: number;
  readonly flags: readonly WireFlag[];
  readonly [field: string]: unknown;
}

interface WireComment {
  readonly id: number;
  readonly bug_id: number;
  readonly attachment_id: number | null;
  readonly creator: string;
  readonly time: string;
  readonly is_private: boolean;
  readonly text: string;
  readonly tags: readonly string[];
}

interface WireChangeset {
  readonly when: string;
  readonly who: string;
  readonly changes: readonly WireChange[];
}

interface WireChange {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment_id?: number;
}

/** Where the content was read; links to this address are rewritten to the world that loads it. */
const sourceUrl = 'http://tracker.example.test';

/** When the measured installation was last changed; its content does not contain that. */
const insiderAuditedAt = Date.UTC(2026, 10, 21, 9, 26, 24);

/**
 * Fills an empty world with content, by default that of a measured 5.2 installation: 57 bugs in the products Widget,
 * Gadget and Secret, some of them and some comments private.
 */
export function loadTrackerWorld(world: TrackerWorld, content: WorldContent = insider): void {
  const { state } = world;
  for (const bug of content.bugs) state.bugs.set(bug.id, bugRow(state, bug));
  for (const attachment of Object.values(content.attachments).flat())
    state.attachments.set(attachment.id, attachmentRow(state, attachment));
  for (const [id, { comments }] of Object.entries(content.comments)) {
    state.comments.set(Number(id), comments.map(commentRow));
  }
  for (const { id, history } of content.history) state.history.set(id, history.flatMap(historyRows));
  if (content === insider) state.auditedAt = insiderAuditedAt;
  state.nextBug = Math.max(0, ...state.bugs.keys()) + 1;
  state.nextAttachment = Math.max(0, ...state.attachments.keys()) + 1;
  const flags = [...state.bugs.values(), ...state.attachments.values()].flatMap((row) => row.flags);
  state.nextFlag = Math.max(0, ...flags.map(({ id }) => id)) + 1;
  state.nextComment = Math.max(0, ...[...state.comments.values()].flat().map(({ id }) => id)) + 1;
}

function bugRow(state: TrackerState, bug: WireBug): TrackerBug {
  const { severity, priority } = choicesIn(state);
  const [type] = way(state, 'types');
  return {
    id: bug.id,
    alias: way(state, 'aliases') === 'many' ? bug.alias : bug.alias.slice(0, 1),
    product: bug.product,
    component: bug.component,
    version: bug.version,
    target_milestone: bug.target_milestone,
    summary: keptSummary(state, bug.summary),
    status: bug.status,
    resolution: bug.resolution,
    dupe_of: bug.dupe_of,
    is_confirmed: bug.is_confirmed,
    // As the script that filled the other servers chose.
    severity: severity.values.includes(bug.severity) ? bug.severity : 'minor',
    priority: priority.values.includes(bug.priority) ? bug.priority : priority.fallback,
    ...(type === undefined ? {} : { type }),
    platform: bug.platform,
    op_sys: bug.op_sys,
    creator: bug.creator,
    assigned_to: bug.assigned_to,
    qa_contact: bug.qa_contact,
    cc: bug.cc,
    keywords: bug.keywords,
    see_also: bug.see_also.map((url) => url.replace(sourceUrl, state.url)),
    depends_on: bug.depends_on,
    blocks: bug.blocks,
    groups: bug.groups,
    url: bug.url,
    whiteboard: keptText(state, bug.whiteboard),
    deadline: bug.deadline,
    is_cc_accessible: bug.is_cc_accessible,
    is_creator_accessible: bug.is_creator_accessible,
    flags: orderedFlags(bug.flags.map(flagRow)),
    custom: Object.fromEntries(
      state.customFields.map((field) => [field.name, keptValue(state, bug[field.name]) ?? customDefault(field)]),
    ),
    hours: { actual: bug.actual_time, estimated: bug.estimated_time, remaining: bug.remaining_time },
    createdAt: Date.parse(bug.creation_time),
    changedAt: Date.parse(bug.last_change_time),
  };
}

/** Texts of custom fields in the form of the version. */
const keptValue = (state: TrackerState, value: unknown): unknown =>
  typeof value === 'string' ? keptText(state, value).replaceAll('\r\n', way(state, 'lineEnds')) : value;

const commentRow = (comment: WireComment): TrackerComment => ({
  id: comment.id,
  bug: comment.bug_id,
  creator: comment.creator,
  at: Date.parse(comment.time),
  isPrivate: comment.is_private,
  ...writtenText(comment),
  attachment: comment.attachment_id,
  workTime: 0,
  tags: comment.tags,
});

/** The text that the person wrote, without the heading that the tracker shows above a comment on an attachment. */
function writtenText(comment: WireComment): Pick<TrackerComment, 'text' | 'attachmentEvent'> {
  const { attachment_id: attachment, text } = comment;
  if (attachment === null) return { text, attachmentEvent: null };
  const event = text.startsWith('Created') ? 'created' : 'updated';
  const [, , ...written] = text.split('\n');
  return { text: written.join('\n').trimStart(), attachmentEvent: event };
}

const historyRows = ({ when, who, changes }: WireChangeset): readonly HistoryRow[] =>
  changes.map(({ field_name, removed, added, attachment_id }) => ({
    at: Date.parse(when),
    who,
    field: field_name,
    removed,
    added,
    attachment: attachment_id ?? null,
  }));
