import { isIn, isInsider, maySee } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { bugHidden, TrackerError } from '../server/errors.ts';
import { listOf, type Request } from '../server/request.ts';
import type { TrackerComment, TrackerState, User } from '../world/state.ts';

const lengthMin = 3;
const lengthMax = 24;

/** Tags to add to a comment and to remove from it, in this order. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Changes the tags of a comment and returns them; a missing comment has none. Neither the bug's history nor its time
 * changes. Case is kept but makes no difference. Throws 102, 110, 126, 127, 128. Source: PUT /rest/bug/comment/ID/tags.
 */
export function changeTags(state: TrackerState, user: User, id: number, { add, remove }: TagChange): readonly string[] {
  const comment = [...state.comments.values()].flat().find((candidate) => candidate.id === id);
  const bug = comment === undefined ? undefined : state.bugs.get(comment.bug);
  if (comment === undefined || bug === undefined) return [];
  if (!maySee(user, bug)) throw bugHidden(bug.id, false);
  if (comment.isPrivate && !isInsider(state, user)) throw new TrackerError(110, 401, `Comment id ${id} is private.`);
  let tags = comment.tags;
  for (const tag of add) {
    checkTag(tag);
    if (!tags.some((other) => isSame(other, tag))) tags = [...tags, tag].sort();
  }
  for (const tag of remove) {
    checkTag(tag);
    tags = tags.filter((other) => !isSame(other, tag));
  }
  store(
    state,
    comment,
    tags.toSorted((one, other) => compare(one.toLowerCase(), other.toLowerCase())),
  );
  return tags;
}

/**
 * The tags that a new bug or comment brings along, a list or one tag: none where they are not taken. Throws 126, 127,
 * 128.
 */
export function tagsOnCreation(state: TrackerState, user: User, request: Request): readonly string[] {
  const group = state.settings.comment_taggers_group;
  if (!way(state, 'tagsOnCreation') || group === '' || !isIn(user, group)) return [];
  const tags = listOf(request, 'comment_tags') ?? [];
  for (const tag of tags) checkTag(tag);
  return tags;
}

/** The most used tags that contain a text, in lower case; `%` and `_` match any text and any character. */
export function tagsLike(state: TrackerState, text: string, limit: number): readonly string[] {
  const weights = new Map<string, number>();
  for (const comment of [...state.comments.values()].flat()) {
    for (const tag of comment.tags) weights.set(tag.toLowerCase(), (weights.get(tag.toLowerCase()) ?? 0) + 1);
  }
  const pattern = new RegExp(
    text
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/%+/g, '.*')
      .replaceAll('_', '.'),
    'iu',
  );
  return [...weights]
    .filter(([tag]) => pattern.test(tag))
    .sort(([one, uses], [other, usesOfOther]) => usesOfOther - uses || compare(one, other))
    .slice(0, limit)
    .map(([tag]) => tag);
}

function store(state: TrackerState, comment: TrackerComment, tags: readonly string[]): void {
  const all = state.comments.get(comment.bug) ?? [];
  if (tags.join(' ') === comment.tags.join(' ')) return;
  state.comments.set(
    comment.bug,
    all.map((candidate) => (candidate.id === comment.id ? { ...candidate, tags } : candidate)),
  );
}

function checkTag(tag: string): void {
  const length = [...tag].length;
  if (length < lengthMin) throw new TrackerError(128, 400, `Comment tags must be at least ${lengthMin} characters.`);
  if (length > lengthMax)
    throw new TrackerError(127, 400, `Comment tags cannot be longer than ${lengthMax} characters.`);
  if (!/^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}.-]+$/u.test(tag)) {
    throw new TrackerError(126, 400, `The comment tag "${tag}" contains invalid characters or words.`);
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
