import type { TrackerComment, TrackerState } from './state.ts';

/**
 * A comment as it is shown. One that belongs to an attachment has a heading that is made anew at every reading from the summary that the
 * attachment has now, so that its text changes with the summary and without a new time.
 */
export function shownComment<Shown extends TrackerComment>(state: TrackerState, comment: Shown): Shown {
  if (comment.attachment === null || comment.attachmentEvent === null) return comment;
  const heading = attachmentHeading(comment.attachment, comment.attachmentEvent, state.attachments.get(comment.attachment)?.summary ?? '');
  return { ...comment, text: comment.text === '' ? heading : `${heading}\n\n${comment.text}` };
}

export const attachmentHeading = (attachment: number, event: 'created' | 'updated', summary: string): string =>
  `${event === 'created' ? 'Created' : 'Comment on'} attachment ${attachment}\n${summary}`;
