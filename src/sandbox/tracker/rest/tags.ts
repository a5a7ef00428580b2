import { changeTags, tagsLike } from '../comments/tags.ts';
import { isIn } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { type Call, userOf } from '../server/call.ts';
import { failedAt, missingGroup, notNumeric, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { type Request, scalarText } from '../server/request.ts';
import type { User } from '../world/state.ts';

/** The default length of the list; the documentation says ten. */
const limitDefault = 7;

/** GET /rest/bug/comment/tags/TEXT?limit=... */
export function searchTags(call: Call): unknown {
  taggerOf(call, 'search');
  const { state, query, name } = call;
  const wanted = query.get('limit') ?? '';
  if (!/^\d*$/.test(wanted)) throw notNumeric('Bug.search_comment_tags', 'limit');
  return tagsLike(state, name, Number(wanted) || limitDefault);
}

/** PUT /rest/bug/comment/ID/tags. An id in the body replaces the one in the path. */
export function updateTags(call: Call): unknown {
  const user = taggerOf(call, 'update');
  const { state, request, name } = call;
  const id = scalarText(request['comment_id'] ?? name);
  if (!/^\d+$/.test(id)) {
    if (!way(state, 'checksTagged')) throw notNumeric('Bugzilla::Comment::_load_from_db');
    throw new TrackerError(57, 400, 'The function Bug.update_comment_tags requires that comment_id be an integer.');
  }
  return changeTags(state, user, Number(id), { add: tagList(request, 'add'), remove: tagList(request, 'remove') });
}

/**
 * Tagging requires a group; an installation without tagging has none. The server's message for an update lacks the
 * verb, too.
 */
function taggerOf(call: Call, action: 'search' | 'update'): User {
  const user = userOf(call);
  const group = call.state.settings.comment_taggers_group;
  if (group === '') throw new TrackerError(125, 400, guesses.commentTagsOff);
  if (!isIn(user, group)) throw missingGroup(group, action === 'search' ? 'search comment tags' : 'comment tags');
  return user;
}

/** The server accepts only lists. */
function tagList(request: Request, name: string): readonly string[] {
  const value = request[name];
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return [];
  if (Array.isArray(value)) return value.filter((tag) => tag !== null).map(scalarText);
  const trouble =
    typeof value === 'object'
      ? 'Not an ARRAY reference'
      : `Can't use string ("${value}") as an ARRAY ref while "strict refs" in use`;
  throw failedAt(trouble, 'tags');
}
