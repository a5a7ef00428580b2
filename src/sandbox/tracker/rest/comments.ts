import { bugsFor, type Shape } from '../bugs/bugs.ts';
import { type CountedComment, commentById, commentsSeen, writeComment } from '../comments/comments.ts';
import { type FieldChoice, pickFields } from '../installation/field-choice.ts';
import { parseTime, wholeSecond, wireTime } from '../installation/times.ts';
import { type Call, userOf } from '../server/call.ts';
import { noRoute, TrackerError } from '../server/errors.ts';
import { flagOf, textOf } from '../server/request.ts';
import type { TrackerState } from '../world/state.ts';
import { idsOf } from './bugs.ts';

/** GET /rest/bug/ID/comment?ids=...&new_since=... (exclusive). One bug that the caller may not see fails the whole request. */
export function getComments(call: Call): unknown {
  return { bugs: commentsOfBugs(call, idsOf(call)), comments: {} };
}

/** GET /rest/bug/comment/ID?comment_ids=...&ids=... */
export function getCommentsById(call: Call): unknown {
  const { state, viewer, query, fields, name } = call;
  const ids = [name, ...query.getAll('comment_ids')];
  if (!ids.every((id) => /^\d+$/.test(id))) {
    throw new TrackerError(52, 400, 'Invalid parameter passed to Bugzilla::Comment::new_from_list: It must be numeric.');
  }
  const comments = ids.map((id) => [id, commentShape(state, commentById(state, viewer, Number(id)), fields)]);
  return { bugs: commentsOfBugs(call, query.getAll('ids')), comments: Object.fromEntries(comments) };
}

/** POST /rest/bug/ID/comment. An id in the body replaces the one in the path. */
export function createComment(call: Call): unknown {
  const { state, request, name } = call;
  const user = userOf(call);
  const idOrAlias = textOf(request, 'id') ?? name;
  const isPrivate = flagOf(request, 'is_private') ?? flagOf(request, 'private') ?? false;
  const isMarkdown = flagOf(request, 'is_markdown') ?? false;
  const text = textOf(request, 'comment') ?? '';
  const at = wholeSecond(state.now());
  return { id: writeComment(state, user, { idOrAlias, text, isPrivate, isMarkdown, at, workTime: request['work_time'] }) };
}

/** POST /rest/bug/comment/render. It renders emphasis and is not a parser. The measured server does not have it. */
export function renderComment({ state, request }: Call): unknown {
  if (state.markdown === 'none') throw noRoute('POST', '/bug/comment/render');
  const isMarkdown = state.markdown === 'site' || flagOf(request, 'markdown') === true;
  const text = textOf(request, 'text') ?? '';
  return { html: isMarkdown ? `<p>${text.replace(/\*(\S+)\*/gu, '<em>$1</em>')}</p>` : text };
}

function commentsOfBugs({ state, viewer, query, fields }: Call, ids: readonly string[]): Shape {
  const since = query.get('new_since');
  const sinceAt = since === null ? null : parseTime(since, state.timeZone);
  const bugs = bugsFor(state, viewer, ids);
  return Object.fromEntries(
    bugs.map((bug) => [
      bug.id,
      { comments: commentsSeen(state, viewer, bug.id, sinceAt).map((comment) => commentShape(state, comment, fields)) },
    ]),
  );
}

/** Tags appear only where comments can have them. */
function commentShape({ settings, markdown }: TrackerState, comment: CountedComment, fields: FieldChoice): Shape {
  return pickFields(fields, {
    id: comment.id,
    bug_id: comment.bug,
    attachment_id: comment.attachment,
    count: comment.count,
    creator: comment.creator,
    time: wireTime(comment.at),
    creation_time: wireTime(comment.at),
    is_private: comment.isPrivate,
    ...(markdown === 'comment' ? { is_markdown: comment.isMarkdown === true } : {}),
    text: comment.text,
    ...(settings.comment_taggers_group === '' ? {} : { tags: comment.tags }),
  });
}
