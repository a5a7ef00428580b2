import type { Edit } from '../bugs/draft.ts';
import { beginEdit, commit } from '../bugs/edit.ts';
import { addComment } from '../comments/comments.ts';
import { isIn, isInsider, maySee } from '../installation/users.ts';
import { TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { flagOf, type Request, textOf } from '../server/request.ts';
import type { TrackerAttachment, TrackerState, User } from '../world/state.ts';
import { attachmentContentType, attachmentFileName, attachmentPrivacy, attachmentSummary } from './fields.ts';
import { changeAttachmentFlags } from './flag-change.ts';
import { type FlagWish, flagWishes } from './flag-request.ts';
import { flagTypesOf } from './flags.ts';
import type { AttachmentChanges, AttachmentDraft } from './rows.ts';

export interface ChangedAttachment {
  readonly id: number;
  readonly changes: AttachmentChanges;
}

/** Changes attachments, all of them or none. Source: PUT /rest/bug/attachment/ID. The content cannot be changed. */
export function changeAttachments(
  state: TrackerState,
  user: User,
  ids: readonly string[],
  request: Request,
  at: number,
): readonly ChangedAttachment[] {
  const edit = beginEdit(state, user, at);
  const drafts = ids.map((id) => attachmentDraft(edit, id));
  const { flags, comment, ...values } = request;
  for (const draft of drafts) {
    const types = flagTypesOf('attachment', state.bugs.get(draft.bug)?.product ?? '');
    changeOne(edit, draft, values, flagWishes(flags, draft.flags, types));
  }
  const text = textOf({ comment }, 'comment')?.trim() ?? '';
  for (const draft of drafts) {
    if (text !== '') addComment(edit, draft.bug, text, draft.isPrivate, { attachment: draft.id, event: 'updated' });
  }
  const { attachments } = commit(edit);
  return drafts.map(({ id }) => ({ id, changes: attachments.get(id) ?? {} }));
}

function attachmentDraft(edit: Edit, id: string): AttachmentDraft {
  if (!/^\d+$/.test(id)) {
    throw new TrackerError(
      52,
      400,
      'Invalid parameter passed to Bugzilla::Attachment::_load_from_db: It must be numeric.',
    );
  }
  const begun = edit.attachments.get(Number(id));
  if (begun !== undefined) return begun;
  const attachment = edit.state.attachments.get(Number(id));
  const bug = attachment === undefined ? undefined : edit.state.bugs.get(attachment.bug);
  if (attachment === undefined || bug === undefined)
    throw new TrackerError(32000, 400, `The attachment id ${id} is invalid.`);
  if (!maySee(edit.user, bug)) throw new TrackerError(32000, 400, guesses.attachmentsHidden(bug.id), bug.id);
  const draft = { ...attachment };
  edit.attachments.set(attachment.id, draft);
  return draft;
}

/** A user who may not edit the attachment can still change flags that they set or that ask them, and nothing else. */
function changeOne(edit: Edit, draft: AttachmentDraft, values: Request, wishes: readonly FlagWish[]): void {
  if (mayEditAttachment(edit, draft)) {
    setValues(edit, draft, values);
    changeAttachmentFlags(edit, draft, wishes);
    return;
  }
  const own = wishes.filter(({ flag }) => flag !== null && [flag.setter, flag.requestee].includes(edit.user.login));
  if (own.length === 0 || wishes.some(({ flag }) => flag === null) || Object.keys(values).length > 0) {
    throw new TrackerError(32000, 400, `You are not authorized to edit attachment ${draft.id}.`);
  }
  changeAttachmentFlags(edit, draft, own);
}

function mayEditAttachment({ state, user }: Edit, attachment: TrackerAttachment): boolean {
  if (attachment.creator === user.login) return true;
  return isIn(user, 'editbugs') && (!attachment.isPrivate || isInsider(state, user));
}

type Setter = (edit: Edit, draft: AttachmentDraft, values: Request, name: string) => void;

const setSummary: Setter = (_edit, draft, values, name) => {
  draft.summary = attachmentSummary(textOf(values, name) ?? '');
};

const setFileName: Setter = (_edit, draft, values, name) => {
  const fileName = attachmentFileName(textOf(values, name) ?? '');
  if (fileName === null) throw new TrackerError(32000, 400, guesses.noFileName);
  draft.fileName = fileName;
};

/** Making an attachment obsolete clears its requests. */
const setObsolete: Setter = (_edit, draft, values, name) => {
  const isObsolete = flagOf(values, name) ?? false;
  if (isObsolete && !draft.isObsolete) draft.flags = draft.flags.filter(({ status }) => status !== '?');
  draft.isObsolete = isObsolete;
};

/**
 * In the order in which the server sets them: the type comes last, when it is known whether this is a patch. Two also
 * have an old name.
 */
const setters: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['description', setSummary],
  ['summary', setSummary],
  ['filename', setFileName],
  ['file_name', setFileName],
  ['is_obsolete', setObsolete],
  [
    'is_patch',
    (_edit, draft, values, name) => {
      draft.isPatch = flagOf(values, name) ?? false;
    },
  ],
  [
    'is_private',
    ({ state, user }, draft, values, name) => {
      draft.isPrivate = attachmentPrivacy(state, user, flagOf(values, name) ?? false, draft.isPrivate);
    },
  ],
  [
    'content_type',
    ({ state }, draft, values, name) => {
      draft.contentType = attachmentContentType(state, textOf(values, name) ?? '', draft.isPatch);
    },
  ],
]);

/** A name that cannot be set fails in the server's own way (67399). */
function setValues(edit: Edit, draft: AttachmentDraft, values: Request): void {
  const unknown = Object.keys(values).find((name) => !setters.has(name));
  if (unknown !== undefined) {
    throw new TrackerError(67_399, 400, `The requested method 'Bugzilla::Attachment::set_${unknown}' was not found.`);
  }
  for (const [name, set] of setters) if (name in values) set(edit, draft, values, name);
}
