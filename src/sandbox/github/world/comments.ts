import { forbidden, invalid, locked, tooManyComments } from '../server/errors.ts';
import { isTooLong } from './issues.ts';
import { type CommentRecord, type IssueRecord, mayPush, type Repo, type User } from './records.ts';
import { commentWithId, freshId, type GithubState, listedNow, stamp } from './state.ts';
import { edited } from './text/edits.ts';
import { commentReader } from './versions.ts';

/**
 * POST .../issues/{n}/comments. Throws 422 if the body is blank or too long, 403 on a locked issue unless the user may
 * push.
 */
export function createComment(
  state: GithubState,
  user: User,
  { repo, issue }: { repo: Repo; issue: IssueRecord },
  body: string,
): CommentRecord {
  if (issue.isLocked && !mayPush(user, repo)) throw locked('create comment');
  if (issue.comments.length >= state.limits.commentsPerIssue) throw tooManyComments(state.limits.commentsPerIssue);
  checkBody(body);
  const createdAt = stamp(state);
  const comment = {
    id: freshId(state),
    author: user,
    body,
    minimized: null,
    lastEdit: null,
    createdAt,
    updatedAt: createdAt,
    madeAt: state.now(),
  };
  issue.comments.push(comment);
  issue.updatedAt = createdAt;
  return comment;
}

/** PATCH .../issues/comments/{id}. An edit also makes the issue newer. */
export function editComment(
  state: GithubState,
  user: User,
  repo: Repo,
  edit: { id: number; body: string },
): CommentRecord {
  const { issue, comment } = commentWithId(repo, edit.id);
  checkRights(user, repo, { issue, comment });
  checkBody(edit.body);
  if (comment.body === edit.body) return comment;
  comment.updatedAt = stamp(state);
  const { author: by, body: text, updatedAt } = comment;
  comment.lastEdit = edited(comment.lastEdit, { by, text }, { by: user, text: edit.body }, updatedAt);
  comment.body = edit.body;
  issue.updatedAt = comment.updatedAt;
  return comment;
}

/** DELETE .../issues/comments/{id}. It leaves no trace in any list, and the issue does not become newer. */
export function deleteComment(user: User, repo: Repo, id: number): void {
  const { issue, comment } = commentWithId(repo, id);
  checkRights(user, repo, { issue, comment });
  issue.comments = issue.comments.filter((other) => other !== comment);
}

/**
 * GraphQL's minimizeComment and unminimizeComment, for users with write access, and for the author. As far as is known,
 * neither the comment nor its issue becomes newer.
 */
export function minimizeComment(user: User, repo: Repo, id: number, reason: string | null): CommentRecord {
  const { comment } = commentWithId(repo, id);
  if (!mayPush(user, repo) && comment.author !== user) throw forbidden();
  comment.minimized = reason;
  return comment;
}

export interface PlacedComment {
  readonly issue: IssueRecord;
  readonly comment: CommentRecord;
}

/** Comments of these issues that lists show by now, changed at `sinceAt` or later, ordered by id. */
export function listedComments(
  state: GithubState,
  issues: readonly IssueRecord[],
  sinceAt: number | null,
): readonly PlacedComment[] {
  const [listed, asShown] = [listedNow<CommentRecord>(state), commentReader(state, 'list')];
  // Large repositories have hundreds of thousands, and a list is asked for page by page.
  const found: PlacedComment[] = [];
  for (const issue of issues) {
    for (const made of issue.comments) {
      const comment = listed(made) ? asShown(made) : null;
      if (comment !== null && (sinceAt === null || comment.updatedAt >= sinceAt)) found.push({ issue, comment });
    }
  }
  return found.sort((left, right) => left.comment.id - right.comment.id);
}

function checkRights(user: User, repo: Repo, { issue, comment }: { issue: IssueRecord; comment: CommentRecord }): void {
  if (mayPush(user, repo)) return;
  if (comment.author !== user) throw forbidden();
  if (issue.isLocked) throw locked('change comment');
}

function checkBody(body: string): void {
  const flaw = { resource: 'IssueComment', code: 'unprocessable', field: 'data' };
  if (body.trim() === '') throw invalid({ ...flaw, message: 'Body cannot be blank' });
  if (isTooLong(body)) throw invalid({ ...flaw, message: 'Body is too long (maximum is 65536 characters)' });
}

/** PUT and DELETE .../issues/{n}/lock. Repeating it is not a failure. Throws 403 without the right to push. */
export function setLock(
  state: GithubState,
  user: User,
  { repo, issue }: { repo: Repo; issue: IssueRecord },
  isLocked: boolean,
): void {
  if (!mayPush(user, repo)) throw forbidden();
  if (issue.isLocked === isLocked) return;
  issue.isLocked = isLocked;
  issue.updatedAt = stamp(state);
  issue.events.push({
    id: freshId(state),
    action: isLocked ? 'locked' : 'unlocked',
    actor: user,
    at: issue.updatedAt,
  });
}
