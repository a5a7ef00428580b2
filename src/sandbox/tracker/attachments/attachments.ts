import { bugFor } from '../bugs/bugs.ts';
import type { Edit } from '../bugs/draft.ts';
import { beginEdit, commit, draftOf } from '../bugs/edit.ts';
import { addComment } from '../comments/comments.ts';
import { type FieldChoice, isWanted, pickFields } from '../installation/field-choice.ts';
import { personRecord } from '../installation/person.ts';
import { wireTime } from '../installation/times.ts';
import { isInsider, maySee, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { bugHidden, missingArgument, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { flagOf, type Request, textOf } from '../server/request.ts';
import type { TrackerAttachment, TrackerState, User } from '../world/state.ts';
import {
  attachmentContentType,
  attachmentFileName,
  attachmentPrivacy,
  attachmentSummary,
  contentOf,
} from './fields.ts';
import { changeAttachmentFlags } from './flag-change.ts';
import { flagWishes } from './flag-request.ts';
import { flagShape, flagTypesOf } from './flags.ts';
import type { AttachmentDraft } from './rows.ts';

/** The attachments of a bug that the viewer may see, oldest first: private ones are for insiders and their creator. */
export function attachmentsSeen(state: TrackerState, viewer: Viewer, bug: number): readonly TrackerAttachment[] {
  return [...state.attachments.values()]
    .filter((attachment) => attachment.bug === bug)
    .filter((attachment) => !attachment.isPrivate || isInsider(state, viewer) || attachment.creator === viewer?.login)
    .sort((one, other) => one.id - other.id);
}

/**
 * One attachment by its id; null if there is none. Throws 102 for one of a hidden bug and 304 for a private one: by id,
 * even its creator sees it only as an insider.
 */
export function attachmentSeen(state: TrackerState, viewer: Viewer, id: number): TrackerAttachment | null {
  const attachment = state.attachments.get(id);
  const bug = attachment === undefined ? undefined : state.bugs.get(attachment.bug);
  if (attachment === undefined || bug === undefined) return null;
  if (!maySee(viewer, bug)) throw bugHidden(bug.id, viewer === null);
  if (attachment.isPrivate && !isInsider(state, viewer)) {
    throw new TrackerError(304, 401, `Sorry, you are not authorized to access attachment #${id}.`);
  }
  return attachment;
}

/**
 * Adds the same attachment to each of the bugs, with a comment that says so, and returns the new ids. All or none.
 * Source: POST /rest/bug/ID/attachment.
 */
export function createAttachments(
  state: TrackerState,
  user: User,
  bugs: readonly string[],
  request: Request,
  at: number,
): readonly number[] {
  const data = textOf(request, 'data');
  if (data === undefined || request['data'] === null) throw missingArgument('requires', 'data');
  const ids = bugs.map((bug) => bugFor(state, user, bug).id);
  const edit = beginEdit(state, user, at);
  const drafts = ids.map((bug) => createOne(edit, bug, data, request));
  commit(edit);
  return drafts.map(({ id }) => id);
}

function createOne(edit: Edit, bug: number, data: string, request: Request): AttachmentDraft {
  const draft = newAttachment(edit, bug, data, request);
  edit.attachments.set(draft.id, draft);
  changeAttachmentFlags(
    edit,
    draft,
    flagWishes(request['flags'], [], flagTypesOf('attachment', draftOf(edit, bug).product)),
  );
  addComment(edit, bug, textOf(request, 'comment') ?? '', draft.isPrivate, { attachment: draft.id, event: 'created' });
  return draft;
}

/** The checks come in the server's order, which decides the error that is reported first. */
function newAttachment({ state, user, at }: Edit, bug: number, data: string, request: Request): AttachmentDraft {
  const content = contentOf(state, data);
  const summary = attachmentSummary(textOf(request, 'summary') ?? '');
  const fileName = attachmentFileName(textOf(request, 'file_name') ?? '');
  if (fileName === null) throw new TrackerError(603, 400, guesses.noFile);
  const isPatch = flagOf(request, 'is_patch') ?? false;
  const isPrivate = attachmentPrivacy(state, user, flagOf(request, 'is_private') ?? false, false);
  const declared = attachmentContentType(state, textOf(request, 'content_type') ?? '', isPatch);
  const isPull = declared === 'text/plain' && way(state, 'pullRequests') && isPullAddress(content.text);
  return {
    id: state.nextAttachment++,
    bug,
    creator: user.login,
    fileName,
    summary,
    contentType: isPull ? 'text/x-github-pull-request' : declared,
    isPatch: isPatch && !isPull,
    isPrivate,
    isObsolete: false,
    content: content.text,
    size: content.size,
    flags: [],
    createdAt: at,
    changedAt: at,
  };
}

/** Whether a content, in base64, is the address of a pull request on GitHub and nothing else. */
const isPullAddress = (content: string): boolean =>
  /^\s*https:\/\/github\.com\/[^/]+\/[^/]+\/pull\/\d+\/?\s*$/iu.test(Buffer.from(content, 'base64').toString());

/**
 * An attachment as the REST interface shows it; yes and no are 1 and 0 in most versions. For deleted content, the size
 * is often null, too, or 0 if the content was not requested: the server measures the content that it has loaded.
 */
export function attachmentShape(
  state: TrackerState,
  attachment: TrackerAttachment,
  fields: FieldChoice,
): Record<string, unknown> {
  const sizeOfNothing = isWanted(fields, 'data') ? way(state, 'deletedSize') : 0;
  const flag = (is: boolean): unknown => (way(state, 'attachmentFlags') === 'booleans' ? is : Number(is));
  const isRich = way(state, 'attachmentKeys') === 'rich';
  return pickFields(fields, {
    id: attachment.id,
    bug_id: attachment.bug,
    creator: attachment.creator,
    creation_time: wireTime(attachment.createdAt),
    last_change_time: wireTime(attachment.changedAt),
    file_name: attachment.fileName,
    summary: attachment.summary,
    content_type: attachment.contentType,
    is_private: flag(attachment.isPrivate),
    is_obsolete: flag(attachment.isObsolete),
    is_patch: flag(attachment.isPatch),
    size: attachment.content === null ? sizeOfNothing : attachment.size,
    data: attachment.content ?? way(state, 'deletedContent'),
    flags: attachment.flags.map(flagShape),
    ...(isRich ? richKeys(state, attachment) : {}),
  });
}

const richKeys = (state: TrackerState, { creator, summary }: TrackerAttachment): Record<string, unknown> => ({
  attacher: creator,
  creator_detail: personRecord(state, creator),
  description: summary,
});
