import { bugsFor } from './bugs.ts';
import { changeAlias, changeCc, changeGroups, changeKeywords } from './change-lists.ts';
import { addComment } from './comments.ts';
import { markDuplicate } from './duplicate.ts';
import { beginEdit, type Changes, commit, type Draft, draftOf, type Edit } from './edit.ts';
import { notEnterable, privacyRefused, TrackerError } from './errors.ts';
import { choiceOf, componentOf, deadlineOf, limited, milestoneOf, productFor, summaryOf, versionOf } from './fields.ts';
import { changeBugFlags } from './flag-change.ts';
import { choiceNames, choices } from './installation.ts';
import { changeRelation, changeSeeAlso, refuseLoops } from './relations.ts';
import { flagOf, listChangeOf, type Request, textOf } from './request.ts';
import type { Product, TrackerState, User } from './state.ts';
import { isIn, mayEdit, userNamed } from './users.ts';
import { setResolution, setStatus } from './workflow.ts';

/** What one bug of an update came to. */
export interface ChangedBug {
  readonly id: number;
  readonly changes: Changes;
}

/**
 * Changes bugs, all of them or none. Source: PUT /rest/bug/ID. Unknown arguments are ignored, and nothing notices that somebody
 * else changed a bug meanwhile: the only trace of that is what `changes` says was removed.
 */
export function changeBugs(state: TrackerState, user: User, ids: readonly string[], request: Request, at: number): readonly ChangedBug[] {
  const bugs = bugsFor(state, user, ids);
  const edit = beginEdit(state, user, at);
  for (const bug of bugs) changeOne(edit, draftOf(edit, bug.id), request);
  const { changes } = commit(edit);
  return bugs.map(({ id }) => ({ id, changes: changes.get(id) ?? {} }));
}

function changeOne(edit: Edit, bug: Draft, request: Request): void {
  const before = { ...bug };
  const product = changeProduct(edit, bug, request);
  changeValues(bug, request);
  changePeople(edit, bug, product, request);
  changeLists(edit, bug, product, request);
  addOwnComment(edit, bug, request);
  requireRights(edit.user, before, bug);
  changeStatus(edit, bug, product, request);
  changeBugFlags(edit, bug, request);
}

/** A bug that moves needs a component, a version and a milestone of its new product; the old ones only count if they exist there. */
function changeProduct(edit: Edit, bug: Draft, request: Request): Product {
  const wanted = textOf(request, 'product') ?? bug.product;
  const product =
    wanted === bug.product
      ? edit.state.products.find((candidate) => candidate.name === bug.product)
      : productFor(edit.state, edit.user, wanted);
  if (product === undefined || product === null) throw notEnterable(wanted);
  const hasMoved = product.name !== bug.product;
  bug.product = product.name;
  const keep = <Value>(text: string | undefined, current: Value, check: (name: string) => Value, name: string): Value =>
    text === undefined && !hasMoved ? current : check(text ?? name);
  bug.component = keep(textOf(request, 'component'), bug.component, (name) => componentOf(product, name).name, bug.component);
  bug.version = keep(textOf(request, 'version'), bug.version, (name) => versionOf(product, name), bug.version);
  bug.target_milestone = keep(
    textOf(request, 'target_milestone'),
    bug.target_milestone,
    (name) => milestoneOf(product, name),
    bug.target_milestone,
  );
  if (hasMoved) {
    const valid = [...product.mandatoryGroups, ...product.optionalGroups];
    bug.groups = [...new Set([...bug.groups.filter((group) => valid.includes(group)), ...product.mandatoryGroups])].toSorted();
  }
  return product;
}

function changeValues(bug: Draft, request: Request): void {
  for (const name of choiceNames) {
    const wanted = textOf(request, name) ?? (name === 'platform' ? textOf(request, 'rep_platform') : undefined);
    if (wanted !== undefined) bug[name] = choiceOf(name, wanted);
  }
  const summary = textOf(request, 'summary');
  if (summary !== undefined) bug.summary = summaryOf(summary);
  const url = textOf(request, 'url');
  if (url !== undefined) bug.url = limited('URL', url.trim());
  const whiteboard = textOf(request, 'whiteboard');
  if (whiteboard !== undefined) bug.whiteboard = limited('Whiteboard', whiteboard.trim());
  const deadline = textOf(request, 'deadline');
  if (deadline !== undefined) bug.deadline = deadlineOf(deadline);
  bug.is_cc_accessible = flagOf(request, 'is_cc_accessible') ?? bug.is_cc_accessible;
  bug.is_creator_accessible = flagOf(request, 'is_creator_accessible') ?? bug.is_creator_accessible;
}

function changePeople(edit: Edit, bug: Draft, product: Product, request: Request): void {
  const assignee = textOf(request, 'assigned_to');
  if (assignee === '') throw new TrackerError(50, 400, 'To reassign a bug, you must provide an address for the new assignee.');
  if (assignee !== undefined) bug.assigned_to = userNamed(edit.state, assignee).login;
  if (flagOf(request, 'reset_assigned_to') === true) bug.assigned_to = componentOf(product, bug.component).assignee;
  const qaContact = textOf(request, 'qa_contact');
  if (qaContact !== undefined) bug.qa_contact = qaContact === '' ? '' : userNamed(edit.state, qaContact).login;
  if (flagOf(request, 'reset_qa_contact') === true) bug.qa_contact = componentOf(product, bug.component).qaContact;
}

function changeLists(edit: Edit, bug: Draft, product: Product, request: Request): void {
  changeAlias(edit, bug, request);
  changeCc(edit, bug, request);
  changeKeywords(edit, bug, request);
  changeGroups(edit, bug, product, request);
  const seeAlso = listChangeOf(request, 'see_also');
  if (seeAlso !== undefined) changeSeeAlso(edit, bug, seeAlso);
  for (const relation of ['depends_on', 'blocks'] as const) {
    const change = listChangeOf(request, relation);
    if (change !== undefined) changeRelation(edit, bug, relation, change);
  }
  refuseLoops(edit, bug);
}

/** The comment that comes along, and comments that become private or public. Their ids are not told in the answer. */
function addOwnComment(edit: Edit, bug: Draft, request: Request): void {
  const privacy = request['comment_is_private'];
  if (typeof privacy === 'object' && privacy !== null) {
    for (const id of Object.keys(privacy)) setPrivacy(edit, bug, id, flagOf(privacy as Request, id) ?? false);
  }
  const wish = request['comment'];
  if (typeof wish !== 'object' || wish === null) return;
  const comment = wish as Request;
  const text = textOf(comment, 'body') ?? textOf(comment, 'comment') ?? '';
  if (text.trim() !== '') addComment(edit, bug.id, text, flagOf(comment, 'is_private') ?? false);
}

function setPrivacy(edit: Edit, bug: Draft, id: string, isPrivate: boolean): void {
  if (!isIn(edit.user, 'insider')) throw privacyRefused();
  if (!(edit.state.comments.get(bug.id) ?? []).some((comment) => String(comment.id) === id)) {
    const what = `You tried to modify the privacy of comment id ${id}, but that is not a valid comment on this bug.`;
    throw new TrackerError(117, 400, what, bug.id);
  }
  edit.privacy.set(Number(id), isPrivate);
}

/** A status, a resolution and a duplicate go together; a duplicate brings its status and resolution along. */
function changeStatus(edit: Edit, bug: Draft, product: Product, request: Request): void {
  const status = textOf(request, 'status') ?? textOf(request, 'bug_status');
  const resolution = textOf(request, 'resolution');
  const target = textOf(request, 'dupe_of');
  const before = bug.resolution;
  if (resolution !== undefined && resolution !== before && status === undefined && !mayEdit(edit.user, bug)) {
    throw notPermitted('Resolution', before, resolution);
  }
  if (target !== undefined && target !== '') {
    const hasStatus = status !== undefined && status.toUpperCase() !== 'RESOLVED';
    if (hasStatus) setStatus(bug, edit.user, product, status, resolution ?? 'DUPLICATE');
    markDuplicate(edit, bug, product, target);
    return;
  }
  const isDuplicate = bug.dupe_of !== null;
  if (status !== undefined) setStatus(bug, edit.user, product, status, resolution);
  else if (resolution !== undefined) setResolution(bug, resolution);
  if (bug.resolution === 'DUPLICATE' && !isDuplicate) {
    throw new TrackerError(119, 400, 'You must specify a bug id to mark this bug as a duplicate of.', bug.id);
  }
}

const labels = [
  ['product', 'Product'],
  ['component', 'Component'],
  ['version', 'Version'],
  ['target_milestone', 'Target Milestone'],
  ['summary', 'Summary'],
  ['url', 'URL'],
  ['whiteboard', 'Whiteboard'],
  ['deadline', 'Deadline'],
  ['assigned_to', 'Assignee'],
  ['qa_contact', 'QA Contact'],
  ...choiceNames.map((name) => [name, choices[name].label] as const),
] as const;

/** Single values and lists are for those who may edit the bug; comments and one's own place on the cc list are for everyone. */
function requireRights(user: User, before: Draft, bug: Draft): void {
  if (mayEdit(user, before)) return;
  for (const [field, label] of labels) {
    if (before[field] !== bug[field]) throw notPermitted(label, before[field] ?? '', bug[field] ?? '');
  }
  for (const field of ['keywords', 'see_also', 'depends_on', 'blocks', 'alias', 'groups'] as const) {
    const [removed, added] = [before[field].join(', '), bug[field].join(', ')];
    if (removed !== added) throw notPermitted(field, removed, added);
  }
}

function notPermitted(label: string, removed: string, added: string): TrackerError {
  const who = 'only the assignee or reporter of the bug, or a user with the required permissions may change that field.';
  const from = removed === '' ? '' : ` from ${removed}`;
  return new TrackerError(115, 401, `You tried to change the ${label} field${from}${added === '' ? '' : ` to ${added}`}, but ${who}`);
}
