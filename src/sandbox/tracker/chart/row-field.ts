import { flagName } from '../attachments/flags.ts';
import type { Scope } from '../search/scope.ts';
import type { TrackerAttachment, TrackerBug, TrackerFlag } from '../world/state.ts';
import { bit, type ChartField, type ChartFields, field, single } from './field.ts';

type Values = ChartField['values'];

const ofAttachments =
  (value: (attachment: TrackerAttachment) => string | number | null): Values =>
  (bug, scope) =>
    scope.attachmentsOf(bug).flatMap((attachment) => value(attachment) ?? []);

const ofFlags =
  (value: (flag: TrackerFlag) => string): Values =>
  (bug, scope) =>
    flagsOf(bug, scope).map(value);

/** The flags of a bug and of all its attachments, including private ones. */
function flagsOf(bug: TrackerBug, { allAttachmentsOf }: Scope): readonly TrackerFlag[] {
  return [...bug.flags, ...allAttachmentsOf(bug).flatMap(({ flags }) => flags)];
}

const number = { measure: 'number', empty: 0 } as const;
const person = { isPerson: true } as const;

/** Fields of rows that belong to a bug: comments, attachments, flags and personal tags. */
export const rowFields: ChartFields = {
  longdesc: field('each', (bug, scope) => scope.commentsOf(bug).map(({ text }) => text)),
  'longdescs.isprivate': field(
    'several',
    (bug, scope) => scope.commentsOf(bug).map(({ isPrivate }) => bit(isPrivate)),
    number,
  ),
  'longdescs.count': single((bug, scope) => scope.commentsOf(bug).length, number),
  commenter: field('people', (bug, scope) => scope.commentsOf(bug).map(({ creator }) => creator), person),
  comment_tag: field('several', (bug, scope) => scope.commentsOf(bug).flatMap(({ tags }) => tags)),
  content: field('content', () => []),
  'attachments.description': field(
    'several',
    ofAttachments(({ summary }) => summary),
  ),
  'attachments.filename': field(
    'several',
    ofAttachments(({ fileName }) => fileName),
  ),
  'attachments.mimetype': field(
    'several',
    ofAttachments(({ contentType }) => contentType),
  ),
  'attachments.ispatch': field(
    'several',
    ofAttachments(({ isPatch }) => bit(isPatch)),
    number,
  ),
  'attachments.isobsolete': field(
    'several',
    ofAttachments(({ isObsolete }) => bit(isObsolete)),
    number,
  ),
  'attachments.isprivate': field(
    'several',
    ofAttachments(({ isPrivate }) => bit(isPrivate)),
    number,
  ),
  'attachments.submitter': field(
    'people',
    ofAttachments(({ creator }) => creator),
    person,
  ),
  'attach_data.thedata': field(
    'several',
    ofAttachments(({ content }) => (content === null ? null : Buffer.from(content, 'base64').toString('latin1'))),
  ),
  'flagtypes.name': field(
    'flags',
    ofFlags(({ type, status }) => `${flagName(type)}${status}`),
  ),
  'requestees.login_name': field(
    'people',
    ofFlags(({ requestee }) => requestee ?? ''),
    person,
  ),
  'setters.login_name': field(
    'people',
    ofFlags(({ setter }) => setter),
    person,
  ),
  tag: field('several', () => []),
};
