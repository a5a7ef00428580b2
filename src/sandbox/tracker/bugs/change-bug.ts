import { changeBugFlags } from '../attachments/flag-change.ts';
import { addComment } from '../comments/comments.ts';
import { changeCustom, dayOf } from '../installation/custom-fields.ts';
import { choiceNames } from '../installation/installation.ts';
import { requireRight } from '../installation/rights.ts';
import { isIn, userNamed } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { withApiNames } from '../server/arguments.ts';
import { illegalDate, privacyRefused, TrackerError } from '../server/errors.ts';
import { flagOf, hashOf, listChangeOf, type Request, textOf } from '../server/request.ts';
import type { Product, TrackerState, User } from '../world/state.ts';
import type { Changes } from './bug-differences.ts';
import { bugsFor } from './bugs.ts';
import { changeAlias, changeCc, changeGroups, changeKeywords } from './change-lists.ts';
import { changeStatus } from './change-status.ts';
import type { Draft, Edit } from './draft.ts';
import { beginEdit, commit, draftOf } from './edit.ts';
import { choiceOf, componentOf, limited, summaryOf } from './field-values.ts';
import { addWork, changeHours, workOf } from './hours.ts';
import { moveBug } from './move.ts';
import { changeRelations, changeSeeAlso } from './relations.ts';

/** The outcome of an update for one bug. */
export interface ChangedBug {
  readonly id: number;
  readonly changes: Changes;
  /** Its aliases in the order in which it got them. */
  readonly alias: readonly string[];
}

/**
 * Changes bugs, all of them or none. Source: PUT /rest/bug/ID. Unknown arguments are ignored. Nothing detects that
 * another user changed a bug meanwhile: only the removed values in `changes` show it.
 */
export function changeBugs(
  state: TrackerState,
  user: User,
  ids: readonly string[],
  request: Request,
  at: number,
): readonly ChangedBug[] {
  const bugs = bugsFor(state, user, ids);
  const named = withApiNames(request);
  if (bugs.length > 1) refuseForSeveral(named);
  const edit = beginEdit(state, user, at);
  for (const bug of bugs) changeOne(edit, draftOf(edit, bug.id), named);
  const [first] = bugs;
  if (first !== undefined) changePrivacy(edit, draftOf(edit, first.id), named['comment_is_private']);
  const { changes } = commit(edit);
  return bugs.map(({ id }) => ({ id, changes: changes.get(id) ?? {}, alias: edit.drafts.get(id)?.alias ?? [] }));
}

function refuseForSeveral(request: Request): void {
  if ('dupe_of' in request) {
    throw new TrackerError(32000, 400, 'You cannot mark bugs as duplicates when changing several bugs at once.');
  }
  if (request['alias'] !== undefined && request['alias'] !== null) {
    throw new TrackerError(103, 400, 'You cannot set aliases when modifying multiple bugs at once.');
  }
}

/** In the server's order, which decides what is refused first. */
function changeOne(edit: Edit, bug: Draft, request: Request): void {
  const product = moveBug(edit, bug, request);
  changeGroups(edit, bug, product, request);
  changeRelations(edit, bug, request);
  changeKeywords(edit, bug, request);
  addOwnComment(edit, bug, request);
  changeValues(edit, bug, request);
  changeHours(edit, bug, request);
  changePeople(edit, bug, product, request);
  changeStatus(edit, bug, product, {
    status: textOf(request, 'status'),
    resolution: textOf(request, 'resolution'),
    dupeOf: textOf(request, 'dupe_of'),
  });
  const seeAlso = listChangeOf(request, 'see_also');
  if (seeAlso !== undefined) changeSeeAlso(edit, bug, seeAlso);
  changeCustom(edit, bug, request);
  changeCc(edit, bug, request);
  changeAlias(edit, bug, request);
  changeBugFlags(edit, bug, request);
}

/**
 * The comment of the update, with hours worked; hours without a comment get an empty one. The answer does not contain
 * its id.
 */
function addOwnComment(edit: Edit, bug: Draft, request: Request): void {
  const wish = request['comment'] ?? null;
  const comment = wish === null ? {} : hashOf(wish, 'comment');
  const text = textOf(comment, 'body') ?? textOf(comment, 'comment') ?? '';
  const work = workOf(edit, bug, request);
  const isPrivate = flagOf(comment, 'is_private') ?? false;
  if (isPrivate && !isIn(edit.user, edit.state.settings.insidergroup)) throw privacyRefused();
  if (text.trim() === '' && work === 0) return;
  addComment(edit, bug.id, text, isPrivate, undefined, flagOf(comment, 'is_markdown') ?? false);
  addWork(edit, bug, request);
}

/**
 * Comments that become private or public. Comments that already are so need no right; comments of other bugs are
 * refused (117).
 */
function changePrivacy(edit: Edit, bug: Draft, wish: unknown): void {
  if (wish === undefined || wish === null) return;
  const wanted = hashOf(wish, 'privacy');
  const comments = edit.state.comments.get(bug.id) ?? [];
  for (const { id, isPrivate } of comments) {
    const isToBe = flagOf(wanted, String(id)) ?? isPrivate;
    if (isToBe === isPrivate) continue;
    if (!isIn(edit.user, edit.state.settings.insidergroup)) throw privacyRefused();
    edit.privacy.set(id, isToBe);
  }
  const strange = Object.keys(wanted).filter((id) => !comments.some((comment) => String(comment.id) === id));
  if (strange.length === 0) return;
  const what = `You tried to modify the privacy of comment id ${strange.join(', ')}, but that is not a valid comment on this bug.`;
  throw new TrackerError(117, 400, what, bug.id);
}

type TextField = 'summary' | 'url' | 'whiteboard' | (typeof choiceNames)[number];

function changeValues(edit: Edit, bug: Draft, request: Request): void {
  const set = (field: TextField, check: (text: string) => string): void => {
    const wanted = textOf(request, field);
    if (wanted === undefined) return;
    const value = check(wanted);
    requireRight(edit, bug, { field, removed: bug[field], added: value });
    bug[field] = value;
  };
  for (const name of choiceNames) set(name, (text) => choiceOf(edit.state, name, text));
  set('summary', summaryOf);
  set('url', (text) => limited('URL', text.trim()));
  set('whiteboard', (text) => limited('Whiteboard', text.trim()));
  for (const field of ['is_cc_accessible', 'is_creator_accessible'] as const) {
    const value = flagOf(request, field) ?? bug[field];
    requireRight(edit, bug, { field, removed: bug[field] ? '1' : '0', added: value ? '1' : '0' });
    bug[field] = value;
  }
  const deadline = textOf(request, 'deadline');
  if (deadline !== undefined) changeDeadline(edit, bug, deadline.trim());
}

function changeDeadline(edit: Edit, bug: Draft, wanted: string): void {
  const deadline = deadlineOf(wanted);
  requireRight(edit, bug, { field: 'deadline', removed: bug.deadline ?? '', added: deadline ?? '' });
  bug.deadline = deadline;
}

/** Null for an empty text. */
export function deadlineOf(text: string): string | null {
  if (text === '') return null;
  const day = dayOf(text);
  if (day === null) throw illegalDate(text, " Please use the format 'YYYY-MM-DD'.");
  return day;
}

function changePeople(edit: Edit, bug: Draft, product: Product, request: Request): void {
  const set = (field: 'assigned_to' | 'qa_contact', value: string): void => {
    requireRight(edit, bug, { field, removed: bug[field], added: value });
    bug[field] = value;
  };
  const assignee = textOf(request, 'assigned_to')?.trim();
  if (assignee === '' && way(edit.state, 'emptyAssignee') === 'refused')
    throw new TrackerError(50, 400, 'To reassign a bug, you must provide an address for the new assignee.');
  if (assignee !== undefined && assignee !== '') set('assigned_to', userNamed(edit.state, assignee).login);
  const component = componentOf(product, bug.component);
  const nobody = way(edit.state, 'emptyQaContact') === 'default' ? component.qaContact : '';
  const qaContact = textOf(request, 'qa_contact')?.trim();
  if (qaContact !== undefined) set('qa_contact', qaContact === '' ? nobody : userNamed(edit.state, qaContact).login);
  if (flagOf(request, 'reset_assigned_to') === true) set('assigned_to', component.assignee);
  if (flagOf(request, 'reset_qa_contact') === true) set('qa_contact', component.qaContact);
}
