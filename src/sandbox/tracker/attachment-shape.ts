import { type FieldChoice, isWanted, pickFields } from './field-choice.ts';
import { flagShape } from './flags.ts';
import type { TrackerAttachment } from './state.ts';
import { wireTime } from './times.ts';

/**
 * An attachment as the REST interface shows it; yes and no are 1 and 0 here. Of content that was deleted the size is null too, or 0 where
 * the content was not asked for, since the server measures what it has at hand.
 */
export function attachmentShape(attachment: TrackerAttachment, fields: FieldChoice): Record<string, unknown> {
  const sizeOfNothing = isWanted(fields, 'data') ? null : 0;
  return pickFields(fields, {
    id: attachment.id,
    bug_id: attachment.bug,
    creator: attachment.creator,
    creation_time: wireTime(attachment.createdAt),
    last_change_time: wireTime(attachment.changedAt),
    file_name: attachment.fileName,
    summary: attachment.summary,
    content_type: attachment.contentType,
    is_private: attachment.isPrivate ? 1 : 0,
    is_obsolete: attachment.isObsolete ? 1 : 0,
    is_patch: attachment.isPatch ? 1 : 0,
    size: attachment.content === null ? sizeOfNothing : attachment.size,
    data: attachment.content,
    flags: attachment.flags.map(flagShape),
  });
}
