import { storedText } from './comments.ts';
import { beginEdit, commit, type Draft, type Edit } from './edit.ts';
import { notEnterable, privacyRefused, TrackerError } from './errors.ts';
import {
  aliasOf,
  choiceOf,
  componentOf,
  deadlineOf,
  groupOf,
  groupRefused,
  keywordsOf,
  limited,
  milestoneOf,
  productFor,
  summaryOf,
  versionOf,
} from './fields.ts';
import { changeBugFlags } from './flag-change.ts';
import { choiceNames, choices, customDefaults } from './installation.ts';
import { changeRelation, changeSeeAlso, refuseLoops } from './relations.ts';
import { flagOf, type ListChange, listOf, type Request, textOf } from './request.ts';
import type { Product, TrackerState, User } from './state.ts';
import { isIn, userNamed } from './users.ts';
import { statusOnCreate } from './workflow.ts';

const accepted: readonly string[] = [
  ...['product', 'component', 'version', 'summary', 'description', 'comment', 'comment_is_private', 'op_sys', 'platform', 'rep_platform'],
  ...['severity', 'priority', 'status', 'resolution', 'target_milestone', 'assigned_to', 'qa_contact', 'cc', 'keywords', 'alias'],
  ...['see_also', 'depends_on', 'blocks', 'groups', 'flags', 'url', 'whiteboard', 'deadline', 'is_cc_accessible', 'is_creator_accessible'],
];
/** Accepted, and without effect. */
const ignored: readonly string[] = ['creation_time', 'creation_ts', 'reporter', 'creator', 'bug_id', 'id', 'ids'];

/** Files a bug and answers its id. Source: POST /rest/bug. A refused one still uses up an id. */
export function fileBug(state: TrackerState, user: User, request: Request, at: number): number {
  const unknown = Object.keys(request).find((name) => !accepted.includes(name) && !ignored.includes(name) && !(name in customDefaults));
  if (unknown !== undefined) {
    throw new TrackerError(53, 400, `${unknown} is not a valid parameter for the Bugzilla::Bug::create function.`);
  }
  const edit = beginEdit(state, user, at);
  const bug = newBug(edit, enterableProduct(edit, request), request);
  edit.drafts.set(bug.id, bug);
  addDescription(edit, bug, request);
  relate(edit, bug, request);
  changeBugFlags(edit, bug, request);
  commit(edit);
  return bug.id;
}

function enterableProduct(edit: Edit, request: Request): Product {
  const name = textOf(request, 'product') ?? '';
  if (name === '') throw new TrackerError(50, 400, 'You must select/enter a product.');
  const product = productFor(edit.state, edit.user, name);
  if (product === null) throw notEnterable(name);
  return product;
}

function newBug(edit: Edit, product: Product, request: Request): Draft {
  const { state, user, at } = edit;
  const id = state.nextBug++;
  const componentName = textOf(request, 'component') ?? '';
  if (componentName === '') {
    throw new TrackerError(105, 400, 'To file this bug, you must first choose a component. If necessary, just guess.');
  }
  const component = componentOf(product, componentName);
  const version = textOf(request, 'version') ?? '';
  if (version === '') throw new TrackerError(50, 400, 'You must select/enter a version.');
  const status = statusOnCreate(user, product, textOf(request, 'status'));
  const [severity, priority, platform, opSys] = choiceNames.map((name) => {
    const wanted = textOf(request, name) ?? (name === 'platform' ? textOf(request, 'rep_platform') : undefined);
    return choiceOf(name, wanted ?? choices[name].fallback);
  });
  const assignee = textOf(request, 'assigned_to') ?? '';
  const qaContact = textOf(request, 'qa_contact');
  return {
    id,
    alias: (listOf(request, 'alias') ?? []).map((alias) => aliasOf(state, id, alias)),
    product: product.name,
    component: component.name,
    version: versionOf(product, version),
    target_milestone: milestoneOf(product, textOf(request, 'target_milestone') ?? product.milestones[0] ?? '---'),
    summary: summaryOf(textOf(request, 'summary') ?? ''),
    status,
    resolution: '',
    dupe_of: null,
    is_confirmed: status !== 'UNCONFIRMED',
    severity: severity ?? '',
    priority: priority ?? '',
    platform: platform ?? '',
    op_sys: opSys ?? '',
    creator: user.login,
    assigned_to: assignee === '' ? component.assignee : userNamed(state, assignee).login,
    qa_contact: qaContact === undefined ? component.qaContact : qaContact === '' ? '' : userNamed(state, qaContact).login,
    cc: (listOf(request, 'cc') ?? []).map((login) => ccOf(state, login)).toSorted(),
    keywords: keywordsOf(state, listOf(request, 'keywords') ?? []).toSorted(),
    see_also: [],
    depends_on: [],
    blocks: [],
    groups: groupsOf(product, id, listOf(request, 'groups') ?? []),
    url: limited('URL', textOf(request, 'url') ?? ''),
    whiteboard: limited('Whiteboard', textOf(request, 'whiteboard') ?? ''),
    deadline: deadlineOf(textOf(request, 'deadline') ?? ''),
    is_cc_accessible: flagOf(request, 'is_cc_accessible') ?? true,
    is_creator_accessible: flagOf(request, 'is_creator_accessible') ?? true,
    flags: [],
    custom: { ...customDefaults, ...customOf(request) },
    hours: { actual: 0, estimated: 0, remaining: 0 },
    createdAt: at,
    changedAt: at,
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

/** Whoever files into a group need not be in it. */
function groupsOf(product: Product, bug: number, wanted: readonly string[]): readonly string[] {
  for (const name of wanted) if (!product.optionalGroups.includes(name)) throw groupRefused(product, bug, name);
  return [...new Set([...product.mandatoryGroups, ...wanted.map((name) => groupOf(product, bug, name))])].toSorted();
}

const customOf = (request: Request): Request => Object.fromEntries(Object.entries(request).filter(([name]) => name in customDefaults));

function addDescription(edit: Edit, bug: Draft, request: Request): void {
  const isPrivate = flagOf(request, 'comment_is_private') ?? false;
  if (isPrivate && !isIn(edit.user, 'insider')) throw privacyRefused();
  const text = textOf(request, 'description') ?? textOf(request, 'comment') ?? '';
  edit.comments.push({ bug: bug.id, text: storedText(text), isPrivate });
}

function relate(edit: Edit, bug: Draft, request: Request): void {
  const adding = (name: string): ListChange => ({ add: listOf(request, name) ?? [], remove: [], set: null });
  changeSeeAlso(edit, bug, adding('see_also'));
  changeRelation(edit, bug, 'depends_on', adding('depends_on'));
  changeRelation(edit, bug, 'blocks', adding('blocks'));
  refuseLoops(edit, bug);
}
