import { bugsFor, type Shape } from '../bugs/bugs.ts';
import { type CountedComment, commentById, commentsSeen, storedText, writeComment } from '../comments/comments.ts';
import { changeTags, tagsOnCreation } from '../comments/tags.ts';
import { beyondBmp } from '../installation/characters.ts';
import { type FieldChoice, pickFields } from '../installation/field-choice.ts';
import { parseTime, wholeSecond, wireTime } from '../installation/times.ts';
import { way } from '../installation/versions.ts';
import { type Call, userOf } from '../server/call.ts';
import { noRoute, TrackerError } from '../server/errors.ts';
import { flagOf, textOf } from '../server/request.ts';
import type { TrackerState } from '../world/state.ts';
import { idsOf } from './ids.ts';

/**
 * GET /rest/bug/ID/comment?ids=...&new_since=... (exclusive). One bug that the caller may not see fails the whole
 * request.
 */
export function getComments(call: Call): unknown {
  return { bugs: commentsOfBugs(call, idsOf(call)), comments: {} };
}

/** GET /rest/bug/comment/ID?comment_ids=...&ids=... */
export function getCommentsById(call: Call): unknown {
  const { state, viewer, query, fields, name } = call;
  if (way(state, 'numericComments') && !/^\d+$/.test(name)) throw noRoute('GET', `/bug/comment/${name}`);
  const ids = [name, ...query.getAll('comment_ids')];
  if (!ids.every((id) => /^\d+$/.test(id))) {
    throw new TrackerError(
      52,
      400,
      'Invalid parameter passed to Bugzilla::Comment::new_from_list: It must be numeric.',
    );
  }
  const comments = ids.map((id) => [
    id,
    commentShape(state, readById(state, commentById(state, viewer, Number(id))), fields),
  ]);
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
  const add = tagsOnCreation(state, user, request);
  const id = writeComment(state, user, { idOrAlias, text, isPrivate, isMarkdown, at, workTime: request['work_time'] });
  if (add.length > 0) changeTags(state, user, id, { add, remove: [] });
  return { id };
}

/**
 * POST /rest/bug/comment/render, which only harmony has; it shows a text as it is unless the site reads Markdown: then
 * with emphasis.
 */
export function renderComment({ state, request }: Call): unknown {
  if (!way(state, 'rendersComments')) throw noRoute('POST', '/bug/comment/render');
  const text = textOf(request, 'text') ?? '';
  return { html: state.hasMarkdown ? `<p>${text.replace(/\*(\S+)\*/gu, '<em>$1</em>')}</p>` : text };
}

/** PUT /rest/editcomments/comment/ID, which only harmony has: the text changes, and neither time nor history say so. */
export function editComment(call: Call): unknown {
  const { state, request, name } = call;
  if (!way(state, 'editsComments')) throw noRoute('PUT', `/editcomments/comment/${name}`);
  const comment = commentById(state, userOf(call), Number(name));
  const text = storedText(textOf(request, 'new_comment') ?? '');
  const edits = [...(comment.edits ?? []), comment.text];
  const changed = (state.comments.get(comment.bug) ?? []).map((one) =>
    one.id === comment.id ? { ...one, text, edits } : one,
  );
  state.comments.set(comment.bug, changed);
  return { text, html: text, count: edits.length };
}

/** GET /rest/editcomments/comment/ID */
export function editedComment({ state, viewer, name }: Call): unknown {
  if (!way(state, 'editsComments')) throw noRoute('GET', `/editcomments/comment/${name}`);
  return { comments: { [name]: commentById(state, viewer, Number(name)).text } };
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

/** 5.0 and 5.3 keep characters beyond U+FFFF in a form of their own, and forget to undo it here. */
function readById(state: TrackerState, comment: CountedComment): CountedComment {
  if (way(state, 'commentById') === 'plain') return comment;
  const escaped = (character: string): string =>
    `\ufdd0[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]\ufdd1`;
  return { ...comment, text: comment.text.replaceAll(beyondBmp, escaped) };
}

/** Tags appear only where comments can have them. */
export function commentShape(state: TrackerState, comment: CountedComment, fields: FieldChoice): Shape {
  return pickFields(fields, {
    id: comment.id,
    bug_id: comment.bug,
    attachment_id: comment.attachment,
    count: comment.count,
    creator: comment.creator,
    time: wireTime(comment.at),
    creation_time: wireTime(comment.at),
    is_private: comment.isPrivate,
    ...moreKeys(state, comment),
    text: comment.text,
    ...(state.settings.comment_taggers_group === '' ? {} : { tags: comment.tags }),
  });
}

function moreKeys(state: TrackerState, { creator, isMarkdown, written }: CountedComment): Shape {
  switch (way(state, 'commentKeys')) {
    case 'plain':
      return {};
    case 'markdown':
      return { is_markdown: isMarkdown === true };
    case 'raw':
      return { author: creator, raw_text: written.replace(notice, '') };
  }
}

/** What the tracker writes by itself about duplicates. */
const notice = /(?:\n\n)?\*\*\* (?:This bug|Bug \d+) has been marked as a duplicate of .* \*\*\*$/;
