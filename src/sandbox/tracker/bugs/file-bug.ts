import { changeBugFlags } from '../attachments/flag-change.ts';
import { storedText, styleOf } from '../comments/comments.ts';
import { customOnCreate } from '../installation/custom-fields.ts';
import { type ChoiceName, choiceNames, choicesIn } from '../installation/installation.ts';
import { isOn } from '../installation/settings.ts';
import { isIn, userNamed } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { canonicalResolution, statusOnCreate } from '../installation/workflow.ts';
import { withApiNames } from '../server/arguments.ts';
import {
  commentRequired,
  componentMissing,
  internalFailure,
  noSuch,
  notEnterable,
  notSpecified,
  privacyRefused,
  TrackerError,
  typeRequired,
} from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { flagOf, listOf, type Request, textOf } from '../server/request.ts';
import type { Component, Product, TrackerState, User } from '../world/state.ts';
import { deadlineOf } from './change-bug.ts';
import type { Draft, Edit } from './draft.ts';
import { beginEdit, commit } from './edit.ts';
import {
  aliasOf,
  choiceOf,
  componentOf,
  defaultMilestone,
  groupRefused,
  isAlwaysTaken,
  keywordsOf,
  limited,
  milestoneOf,
  productFor,
  summaryOf,
  versionOf,
} from './field-values.ts';
import { hoursOnCreate } from './hours.ts';
import { changeRelations, changeSeeAlso } from './relations.ts';

const accepted: readonly string[] = [
  ...[
    'product',
    'component',
    'version',
    'summary',
    'description',
    'comment',
    'comment_is_private',
    'op_sys',
    'platform',
    'severity',
  ],
  ...[
    'priority',
    'status',
    'resolution',
    'target_milestone',
    'assigned_to',
    'qa_contact',
    'cc',
    'keywords',
    'alias',
    'see_also',
  ],
  ...[
    'depends_on',
    'blocks',
    'groups',
    'flags',
    'url',
    'whiteboard',
    'deadline',
    'is_cc_accessible',
    'is_creator_accessible',
  ],
  ...['estimated_time', 'remaining_time'],
];
/** Accepted, and without effect. */
const ignored: readonly string[] = [
  ...['creation_time', 'creation_ts', 'last_change_time', 'delta_ts', 'reporter', 'creator', 'bug_id', 'id', 'ids'],
  ...['is_confirmed', 'everconfirmed', 'lastdiffed'],
];

/**
 * Files a bug and returns its id. Source: POST /rest/bug. Unknown arguments are refused (53); fields that the user may
 * not set are ignored or get their default. A bug that is refused for its See Also or its flags uses up an id.
 */
export function fileBug(state: TrackerState, user: User, request: Request, at: number): number {
  const named = withApiNames(request);
  const isCustom = (name: string): boolean =>
    state.customFields.some((field) => field.name === name) ||
    (name === 'is_markdown' && way(state, 'markdown') === 'comment') ||
    (name === 'comment_tags' && way(state, 'tagsOnCreation')) ||
    (name === 'type' && way(state, 'types').length > 0);
  const unknown = Object.keys(named).find(
    (name) => !accepted.includes(name) && !ignored.includes(name) && !isCustom(name),
  );
  if (unknown === 'dupe_of') statusOnCreate(user, enterableProduct(state, user, named), textOf(named, 'status'));
  if (unknown !== undefined) {
    throw new TrackerError(53, 400, `${unknown} is not a valid parameter for the Bugzilla::Bug::create function.`);
  }
  const edit = beginEdit(state, user, at);
  const bug = newBug(edit, enterableProduct(state, user, named), named);
  edit.drafts.set(bug.id, bug);
  addDescription(edit, bug, named);
  addRelations(edit, bug, named);
  state.nextBug++;
  changeSeeAlso(edit, bug, { add: listOf(named, 'see_also') ?? [], remove: [] });
  changeBugFlags(edit, bug, named);
  commit(edit);
  return bug.id;
}

function enterableProduct(state: TrackerState, user: User, request: Request): Product {
  const name = (textOf(request, 'product') ?? '').trim();
  if (name === '') throw notSpecified('product');
  const product = productFor(state, user, name);
  if (product === null || product.isClosed === true) throw notEnterable(name);
  return product;
}

function newBug(edit: Edit, product: Product, request: Request): Draft {
  const { state, user, at } = edit;
  const id = state.nextBug;
  const componentName = textOf(request, 'component') ?? '';
  if (componentName === '') throw componentMissing();
  const component = componentOf(product, componentName);
  const version = versionOf(product, textOf(request, 'version') ?? '');
  const status = statusOnCreate(user, product, textOf(request, 'status'));
  refuseResolution(request);
  const canEdit = isIn(user, 'editbugs');
  const isTracker = isIn(user, state.settings.timetrackinggroup);
  return {
    id,
    alias: aliasesOf(state, id, request),
    product: product.name,
    component: component.name,
    version,
    target_milestone: milestoneOf(product, textOf(request, 'target_milestone') ?? defaultMilestone(product)),
    summary: summaryOf(textOf(request, 'summary') ?? ''),
    status,
    resolution: '',
    dupe_of: null,
    is_confirmed: status !== 'UNCONFIRMED',
    ...choicesOf(state, request),
    creator: user.login,
    ...peopleOf(state, component, canEdit ? request : {}),
    cc: [...new Set((listOf(request, 'cc') ?? []).map((login) => ccOf(state, login)))].toSorted(),
    keywords: canEdit ? [...new Set(keywordsOf(state, listOf(request, 'keywords') ?? []))].toSorted() : [],
    see_also: [],
    depends_on: [],
    blocks: [],
    groups: groupsOf(edit, product, listOf(request, 'groups')),
    url: limited('URL', (textOf(request, 'url') ?? '').trim()),
    whiteboard: limited('Whiteboard', (textOf(request, 'whiteboard') ?? '').trim()),
    deadline: isTracker ? deadlineOf((textOf(request, 'deadline') ?? '').trim()) : null,
    is_cc_accessible: flagOf(request, 'is_cc_accessible') ?? true,
    is_creator_accessible: flagOf(request, 'is_creator_accessible') ?? true,
    flags: [],
    custom: customOnCreate(edit, request),
    ...typeOf(state, request),
    hours: hoursOnCreate(state, user, request),
    createdAt: at,
    changedAt: at,
  };
}

function aliasesOf(state: TrackerState, id: number, request: Request): readonly string[] {
  const wanted = request['alias'];
  if (Array.isArray(wanted) && way(state, 'aliases') === 'one') throw internalFailure('Not a HASH reference');
  return [...new Set(listOf(request, 'alias') ?? [])].map((alias) => aliasOf(state, id, alias));
}

function typeOf(state: TrackerState, request: Request): Pick<Draft, 'type'> {
  const bugTypes = way(state, 'types');
  if (bugTypes.length === 0) return {};
  const wanted = (textOf(request, 'type') ?? '').trim();
  if (wanted === '') throw typeRequired(bugTypes);
  const type = bugTypes.find((candidate) => candidate.toLowerCase() === wanted.toLowerCase());
  if (type === undefined) throw noSuch('Type', wanted);
  return { type };
}

/** A bug is always filed open, and an open bug has no resolution. */
function refuseResolution(request: Request): void {
  const wanted = textOf(request, 'resolution');
  if (wanted === undefined) return;
  canonicalResolution(wanted);
  throw new TrackerError(122, 400, 'You cannot set a resolution for open bugs.');
}

function choicesOf(state: TrackerState, request: Request): Pick<Draft, ChoiceName> {
  const chosen = (name: ChoiceName): string => {
    const isFixed = name === 'priority' && !isOn(state.settings, 'letsubmitterchoosepriority');
    const wanted = isFixed ? '' : (textOf(request, name) ?? '');
    return choiceOf(state, name, wanted === '' ? choicesIn(state)[name].fallback : wanted);
  };
  const [severity = '', priority = '', platform = '', op_sys = ''] = choiceNames.map(chosen);
  return { severity, priority, platform, op_sys };
}

/** Only editors set them; the defaults are the component's. */
function peopleOf(
  state: TrackerState,
  component: Component,
  request: Request,
): Pick<Draft, 'assigned_to' | 'qa_contact'> {
  const login = (name: string, fallback: string): string => {
    const wanted = (textOf(request, name) ?? '').trim();
    return wanted === '' ? fallback : userNamed(state, wanted).login;
  };
  return {
    assigned_to: login('assigned_to', component.assignee),
    qa_contact: login('qa_contact', component.qaContact),
  };
}

function ccOf(state: TrackerState, login: string): string {
  try {
    return userNamed(state, login).login;
  } catch (cause) {
    if (!(cause instanceof TrackerError)) throw cause;
    const why = 'Either you misspelled it, or the person has not registered for a Bugzilla account.';
    throw new TrackerError(504, 401, `The name ${login} is not a valid username. ${why}`);
  }
}

/**
 * The reporter need not be in a group that is named; without names, those are taken that the product has for its
 * members.
 */
function groupsOf({ state, user }: Edit, product: Product, named: readonly string[] | undefined): readonly string[] {
  const settable = [...product.optionalGroups, ...product.mandatoryGroups];
  const wanted = named ?? (product.defaultGroups ?? []).filter((group) => isIn(user, group));
  for (const name of wanted)
    if (!settable.includes(name) && !isAlwaysTaken(state, name)) throw groupRefused(product, null, name);
  return [...new Set([...product.mandatoryGroups, ...wanted])].toSorted();
}

function addDescription(edit: Edit, bug: Draft, request: Request): void {
  const isPrivate = flagOf(request, 'comment_is_private') ?? false;
  if (isPrivate && !isIn(edit.user, edit.state.settings.insidergroup)) throw privacyRefused();
  const text = storedText(textOf(request, 'description') ?? textOf(request, 'comment') ?? '');
  if (text === '' && edit.state.needsDescription) throw commentRequired(guesses.descriptionRequired);
  edit.comments.push({ bug: bug.id, text, isPrivate, ...styleOf(edit, flagOf(request, 'is_markdown') ?? false) });
}

/** Only editors set them; those of others are ignored. */
function addRelations(edit: Edit, bug: Draft, request: Request): void {
  if (!isIn(edit.user, 'editbugs')) return;
  const adding = (name: string): Request => ({ add: listOf(request, name) ?? [] });
  changeRelations(edit, bug, { depends_on: adding('depends_on'), blocks: adding('blocks') });
}
