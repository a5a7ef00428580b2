import { attachmentSeen, attachmentShape, attachmentsSeen, createAttachments } from '../attachments/attachments.ts';
import { type ChangedAttachment, changeAttachments } from '../attachments/change.ts';
import { bugsFor, type Shape } from '../bugs/bugs.ts';
import { wholeSecond, wireTime } from '../installation/times.ts';
import { type Call, userOf } from '../server/call.ts';
import { missingArgument, TrackerError } from '../server/errors.ts';
import { scalarText } from '../server/request.ts';

/**
 * GET /rest/bug/ID/attachment?ids=...&attachment_ids=... One bug or private attachment that the caller may not see fails the whole request.
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
  return { ids: createAttachments(state, user, idsIn(call), request, wholeSecond(state.now())) };
}

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
    const shapes = attachmentsSeen(state, viewer, bug.id).map((attachment) => attachmentShape(attachment, fields));
    return [bug.id, shapes] as const;
  });
  if (!ids.every((id) => /^\d+$/.test(id))) {
    throw new TrackerError(52, 400, 'Invalid parameter passed to Bugzilla::Attachment::new_from_list: It must be numeric.');
  }
  const attachments = ids
    .map((id) => attachmentSeen(state, viewer, Number(id)))
    .filter((attachment) => attachment !== null)
    .map((attachment) => [attachment.id, attachmentShape(attachment, fields)] as const);
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
  const named = Object.fromEntries(Object.entries(changes).map(([name, change]) => [answerNames[name] ?? name, change]));
  return { id, last_change_time: wireTime(state.attachments.get(id)?.changedAt ?? 0), changes: named };
}
