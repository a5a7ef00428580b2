import { attachmentSeen, attachmentShape, attachmentsSeen, createAttachments } from '../attachments/attachments.ts';
import { type ChangedAttachment, changeAttachments } from '../attachments/change.ts';
import { bugsFor, type Shape } from '../bugs/bugs.ts';
import { wholeSecond, wireTime } from '../installation/times.ts';
import { way } from '../installation/versions.ts';
import { type Call, userOf } from '../server/call.ts';
import { missingArgument, TrackerError } from '../server/errors.ts';
import { scalarText } from '../server/request.ts';

/**
 * GET /rest/bug/ID/attachment?ids=...&attachment_ids=... One bug or private attachment that the caller may not see
 * fails the whole request.
 */
export function getAttachments(call: Call): unknown {
  const { name, query } = call;
  return attachmentsShape(call, [name, ...query.getAll('ids')], query.getAll('attachment_ids'));
}

/** GET /rest/bug/attachment/ID?attachment_ids=...&ids=... Missing attachments are left out. */
export function getAttachmentsById(call: Call): unknown {
  const { name, query } = call;
  return attachmentsShape(call, query.getAll('ids'), [name, ...query.getAll('attachment_ids')]);
}

/** POST /rest/bug/ID/attachment, which answers 201. Ids in the body replace the one in the path. */
export function createAttachment(call: Call): unknown {
  const { state, request } = call;
  const user = userOf(call);
  const ids = createAttachments(state, user, idsIn(call), request, wholeSecond(state.now()));
  return way(state, 'createdAttachments') === 'ids' ? { ids } : { attachments: createdShapes(call, ids) };
}

/** Flags that the row has just got still have the time of day that the database does not know yet: midnight. */
function createdShapes({ state, fields }: Call, ids: readonly number[]): Shape {
  const shapes = ids.flatMap((id) => {
    const attachment = state.attachments.get(id);
    if (attachment === undefined) return [];
    const midnight = Math.floor(attachment.createdAt / dayMs) * dayMs;
    const flags = attachment.flags.map((flag) => ({ ...flag, createdAt: midnight, changedAt: midnight }));
    return [[id, attachmentShape(state, { ...attachment, flags }, fields)] as const];
  });
  return Object.fromEntries(shapes);
}

const dayMs = 24 * 3_600_000;

/** PUT /rest/bug/attachment/ID. Ids in the body replace the one in the path. */
export function updateAttachments(call: Call): unknown {
  const { state } = call;
  const user = userOf(call);
  // Anything else would count as a value to set, including what remains of a login.
  const { ids: _ids, login: _login, password: _password, ...values } = call.request;
  const changed = changeAttachments(state, user, idsIn(call), values, wholeSecond(state.now()));
  return { attachments: changed.map((attachment) => summaryOf(call, attachment)) };
}

function attachmentsShape({ state, viewer, fields }: Call, bugIds: readonly string[], ids: readonly string[]): Shape {
  const bugs = bugsFor(state, viewer, bugIds).map((bug) => {
    const shapes = attachmentsSeen(state, viewer, bug.id).map((attachment) =>
      attachmentShape(state, attachment, fields),
    );
    return [bug.id, shapes] as const;
  });
  if (!ids.every((id) => /^\d+$/.test(id))) {
    throw new TrackerError(
      52,
      400,
      'Invalid parameter passed to Bugzilla::Attachment::new_from_list: It must be numeric.',
    );
  }
  const attachments = ids
    .map((id) => attachmentSeen(state, viewer, Number(id)))
    .filter((attachment) => attachment !== null)
    .map((attachment) => [attachment.id, attachmentShape(state, attachment, fields)] as const);
  return { bugs: Object.fromEntries(bugs), attachments: Object.fromEntries(attachments) };
}

function idsIn({ request, name }: Call): readonly string[] {
  const { ids } = request;
  if (ids === undefined) return [name];
  if (ids === null) throw missingArgument('requires', 'ids');
  return (Array.isArray(ids) ? ids : [ids]).map(scalarText);
}

/** Fields whose name in answers differs from that in the history. */
const answerNames: Readonly<Record<string, string>> = {
  description: 'summary',
  filename: 'file_name',
  mimetype: 'content_type',
  ispatch: 'is_patch',
  isprivate: 'is_private',
  isobsolete: 'is_obsolete',
};

function summaryOf({ state }: Call, { id, changes }: ChangedAttachment): Shape {
  const named = Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [answerNames[name] ?? name, change]),
  );
  return { id, last_change_time: wireTime(state.attachments.get(id)?.changedAt ?? 0), changes: named };
}
