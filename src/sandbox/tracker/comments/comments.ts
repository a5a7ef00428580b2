import { bugFor } from '../bugs/bugs.ts';
import type { DraftComment, Edit } from '../bugs/draft.ts';
import { beginEdit, commit, draftOf } from '../bugs/edit.ts';
import { addWork } from '../bugs/hours.ts';
import { markdownOf } from '../installation/markdown.ts';
import { isInsider, maySee, type Viewer } from '../installation/users.ts';
import { bugHidden, missingArgument, privacyRefused, TrackerError } from '../server/errors.ts';
import type { TrackerComment, TrackerState, User } from '../world/state.ts';

const commentLengthMax = 65_535;

/** A comment with its position in the bug, which includes hidden comments. */
export interface CountedComment extends TrackerComment {
  readonly count: number;
  /** The text without the heading that the tracker adds. */
  readonly written: string;
}

/** The comments of a bug that the viewer may see, after `sinceAt` (exclusive) or all. */
export function commentsSeen(
  state: TrackerState,
  viewer: Viewer,
  bug: number,
  sinceAt: number | null,
): readonly CountedComment[] {
  return (state.comments.get(bug) ?? [])
    .map((comment, count) => ({ ...shownComment(state, comment), count, written: comment.text }))
    .filter((comment) => !comment.isPrivate || isInsider(state, viewer))
    .filter((comment) => sinceAt === null || comment.at > sinceAt);
}

/** One comment by its id. Its count includes all comments of the same second, unlike the count in the bug's list. */
export function commentById(state: TrackerState, viewer: Viewer, id: number): CountedComment {
  const comment = [...state.comments.values()].flat().find((candidate) => candidate.id === id);
  const bug = comment === undefined ? undefined : state.bugs.get(comment.bug);
  if (comment === undefined || bug === undefined) {
    throw new TrackerError(111, 400, `${id} is not a valid comment id.`);
  }
  if (!maySee(viewer, bug)) throw bugHidden(bug.id, viewer === null);
  if (comment.isPrivate && !isInsider(state, viewer)) throw new TrackerError(110, 401, `Comment id ${id} is private.`);
  const upToIts = (state.comments.get(bug.id) ?? []).filter((other) => other.at <= comment.at);
  return { ...shownComment(state, comment), count: upToIts.length - 1, written: comment.text };
}

export interface CommentWish {
  readonly idOrAlias: string;
  readonly text: string;
  readonly isPrivate: boolean;
  /** Without effect if the installation has no Markdown. */
  readonly isMarkdown?: boolean;
  readonly at: number;
  /** Hours worked, as in the write; none if absent. */
  readonly workTime?: unknown;
}

/** Writes a comment and returns its id. Hours worked are for the time-tracking group (115). */
export function writeComment(state: TrackerState, user: User, wish: CommentWish): number {
  if (wish.text.trim() === '') throw missingArgument('requires', 'comment');
  const bug = bugFor(state, user, wish.idOrAlias);
  const edit = beginEdit(state, user, wish.at);
  addComment(edit, bug.id, wish.text, wish.isPrivate, undefined, wish.isMarkdown);
  addWork(edit, draftOf(edit, bug.id), { work_time: wish.workTime });
  return commit(edit).comments[0] ?? 0;
}

/** Adds a comment to an edit, in the form that the server keeps. */
export function addComment(
  edit: Edit,
  bug: number,
  text: string,
  isPrivate: boolean,
  on?: DraftComment['on'],
  isMarkdown = false,
): void {
  if (isPrivate && !isInsider(edit.state, edit.user)) throw privacyRefused();
  draftOf(edit, bug);
  edit.comments.push({
    bug,
    text: storedText(text),
    isPrivate,
    ...styleOf(edit, isMarkdown),
    ...(on === undefined ? {} : { on }),
  });
}

/** The Markdown flag of a new comment, if the installation has Markdown. */
export const styleOf = ({ state }: Edit, isMarkdown: boolean): Pick<DraftComment, 'isMarkdown'> =>
  isMarkdown && markdownOf(state) !== 'none' ? { isMarkdown } : {};

/** Line ends become LF and white space at the end is cut; a longer text is refused (114). */
export function storedText(text: string): string {
  const stored = text.replace(/\r\n?/g, '\n').trimEnd();
  if ([...stored].length > commentLengthMax) {
    throw new TrackerError(114, 400, `Comments cannot be longer than ${commentLengthMax} characters.`);
  }
  return stored;
}

/**
 * A comment as the interface shows it. A comment on an attachment has a heading with the attachment's current summary,
 * so its text changes with the summary, without a new time.
 */
export function shownComment<Shown extends TrackerComment>(state: TrackerState, comment: Shown): Shown {
  if (comment.attachment === null || comment.attachmentEvent === null) return comment;
  const heading = attachmentHeading(
    comment.attachment,
    comment.attachmentEvent,
    state.attachments.get(comment.attachment)?.summary ?? '',
  );
  return { ...comment, text: comment.text === '' ? heading : `${heading}\n\n${comment.text}` };
}

export const attachmentHeading = (attachment: number, event: 'created' | 'updated', summary: string): string =>
  `${event === 'created' ? 'Created' : 'Comment on'} attachment ${attachment}\n${summary}`;
