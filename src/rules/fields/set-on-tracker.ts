/** Who gave a bug its values, by its history. */

import type { Bug, FieldName } from '../../model/item.ts';
import { type Account, isBy, isLogin } from '../../model/people.ts';
import type { Conflict } from '../../model/plan/operation.ts';
import type { PastChange } from '../../model/receipt.ts';
import type { Route } from '../../model/route.ts';
import { isSet } from '../../text/canonical.ts';
import { tagsIn } from '../labels/tags.ts';
import { bugFields } from './comparable.ts';
import { type Difference, isText, type Setter } from './last-set.ts';

/** Who gave the bug its value. @param changes all changes of the bug; null if they cannot be read */
export function setterOnTracker(
  route: Route,
  bug: Bug,
  changes: readonly PastChange[] | null,
  difference: Difference,
  own: Account | null,
): Setter {
  if (changes === null || own === null) return null;
  const about = changes.filter((change) => isAbout(change, difference));
  const last = about.at(-1);
  if (last === undefined)
    return {
      isOurs: isBy(bug.creator, own),
      at: bug.createdAt,
      isFirst: true,
      copiedAt: null,
      isCopyTold: false,
      agreedAt: null,
      origin: 'copy',
    };
  if (!isMadeBy(last, difference, bug)) return null;
  const copied = about.findLast((change) => isBy(change, own));
  const { element } = difference;
  const isCopy = element === null && copied !== undefined && isAsGithub(route, bug, difference, about, copied);
  // What our own account filed began as a copy of all that the issue showed then.
  const filedAt = isBy(bug.creator, own) ? bug.createdAt : null;
  const copiedAt = isCopy ? (copied?.at ?? null) : filedAt;
  const agreedAt = element === null ? replacedAt(route, bug, difference, about) : null;
  return {
    isOurs: isBy(last, own),
    at: last.at,
    isFirst: false,
    copiedAt,
    isCopyTold: isCopy,
    agreedAt,
    origin: 'copy',
  };
}

/** Whether the change gave the bug the value that GitHub shows now. */
function isAsGithub(
  route: Route,
  bug: Bug,
  { field, github }: Difference,
  changes: readonly PastChange[],
  change: PastChange,
): boolean {
  if (!hasParts(field)) return (change.what[field] ?? []).some((text) => text === github);
  const since = changes.slice(changes.indexOf(change) + 1);
  const then = since.reduceRight((late, { was }) => withTexts(route, late, field, was[field]), bug);
  return bugFields(route, then)[field] === github;
}

/** When the bug showed GitHub's value for the last time; null if it never did. */
function replacedAt(
  route: Route,
  bug: Bug,
  { field, github }: Difference,
  changes: readonly PastChange[],
): number | null {
  let then = bug;
  const replaced = changes.findLast(({ was: { [field]: texts } }) => {
    if (!hasParts(field)) return texts?.some(isText(github)) ?? false;
    then = withTexts(route, then, field, texts);
    return bugFields(route, then)[field] === github;
  });
  return replaced?.at ?? null;
}

/** Of a status, the history has only what changed: the status, the resolution, or both. */
const hasParts = (field: FieldName): field is 'status' | 'assignee' => field === 'status' || field === 'assignee';

function withTexts({ status }: Route, bug: Bug, field: 'status' | 'assignee', texts: readonly string[] = []): Bug {
  let then = bug;
  for (const text of texts)
    if (field === 'assignee') then = { ...then, assignee: { login: text, name: '' } };
    else then = { ...then, [status.toGithub[text] === undefined ? 'resolution' : 'status']: text };
  return then;
}

function isAbout(change: PastChange, { field, element }: Difference): boolean {
  if (element === null) return change.what[field] !== undefined;
  return (
    elementsIn(field, change.what[field]).includes(element) !== elementsIn(field, change.was[field]).includes(element)
  );
}

function isMadeBy(change: PastChange, { field, element, tracker }: Difference, bug: Bug): boolean {
  if (element === null) return hasMade(change, { field, tracker }, bug);
  return isSet(tracker) && tracker.includes(element) === elementsIn(field, change.what[field]).includes(element);
}

/** The tracker tells of a list what was added and removed, and of the whiteboard the whole text. */
const elementsIn = (field: FieldName, texts: readonly string[] = []): readonly string[] =>
  texts.flatMap((text) => (field === 'whiteboard' ? tagsIn(text) : text.split(',').map((each) => each.trim())));

/**
 * A history may be older than the bug, and changes of one second are glued together: then the change is another one.
 */
export function hasMade(
  { what }: PastChange,
  { field, tracker }: Pick<Conflict, 'field' | 'tracker'>,
  bug: Bug,
): boolean {
  const isValue = (text: string): boolean => {
    if (field === 'title') return text === bug.summary;
    if (field === 'status') return text === bug.status || text === bug.resolution;
    if (field === 'assignee') return isLogin(bug.assignee?.login, text);
    return isText(tracker)(text);
  };
  return (what[field] ?? []).every(isValue);
}
