import type { Shape } from './bug-shape.ts';
import type { Call } from './call.ts';
import { noSuch, TrackerError } from './errors.ts';
import { pickFields } from './field-choice.ts';
import { fieldShapes } from './field-shape.ts';
import { choices } from './installation.ts';
import type { Product, User } from './state.ts';
import { wireTime } from './times.ts';
import { maySeeProduct, userNamed } from './users.ts';

/** GET /rest/version, which does not look at keys at all. */
export const version = (): unknown => ({ version: '5.2' });
export const extensions = (): unknown => ({ extensions: {} });
export const timezone = (): unknown => ({ timezone: '+0000' });

/** GET /rest/time, which always claims to be UTC. */
export function time({ state }: Call): unknown {
  const now = wireTime(state.now());
  return { db_time: now, web_time: now, web_time_utc: now, tz_name: 'UTC', tz_short_name: 'UTC', tz_offset: '+0000' };
}

/** GET /rest/valid_login?login=..., true only for the caller's own login. */
export function validLogin({ viewer, query }: Call): unknown {
  const login = query.get('login');
  if (login === null)
    throw new TrackerError(50, 400, 'The function User.valid_login requires a login argument, and that argument was not set.');
  return { result: viewer !== null && viewer.login.toLowerCase() === login.toLowerCase() };
}

/** GET /rest/user?names=...: names for everybody who has logged in, groups for the account itself. */
export function users({ state, viewer, query }: Call): unknown {
  const found = query.getAll('names').map((name) => userNamed(state, name));
  return { users: found.map((user) => ({ ...profile(user), ...(user.id === viewer?.id ? { groups: groupsOf(user) } : {}) })) };
}

const profile = ({ id, login, realName }: User): Shape => ({ id, name: login, real_name: realName });
const groupsOf = ({ groups }: User): readonly Shape[] => groups.map((name, index) => ({ id: index + 1, name, description: name }));

/** GET /rest/parameters: two for strangers, more for those who have logged in. All values are texts. */
export function parameters({ state, viewer }: Call): unknown {
  const open = { maintainer: 'admin@example.test', requirelogin: '0' };
  if (viewer === null) return { parameters: open };
  return {
    parameters: {
      ...open,
      urlbase: `${state.url}/`,
      defaultpriority: choices.priority.fallback,
      defaultseverity: choices.severity.fallback,
      defaultplatform: choices.platform.fallback,
      defaultopsys: choices.op_sys.fallback,
      maxattachmentsize: '1000',
      search_allow_no_criteria: '1',
      commentonchange_resolution: '0',
      commentonduplicate: '0',
      noresolveonopenblockers: '0',
      duplicate_or_move_bug_status: 'RESOLVED',
      letsubmitterchoosepriority: '1',
      letsubmitterchoosemilestone: '1',
      musthavemilestoneonaccept: '0',
      usetargetmilestone: '1',
      usestatuswhiteboard: '1',
      useqacontact: '1',
      useclassification: '0',
      use_see_also: '1',
    },
  };
}

/** GET /rest/field/bug and /rest/field/bug/NAME, by internal name or id. */
export function fields({ state, query, fields: choice, name }: Call): unknown {
  const all = fieldShapes(state);
  const wanted = [...(name === '' ? [] : [name]), ...query.getAll('names')];
  const found = wanted.map((one) => {
    const field = all.find((candidate) => candidate['name'] === one || String(candidate['id']) === one);
    if (field === undefined) throw noSuch('field', one);
    return field;
  });
  return { fields: (wanted.length === 0 ? all : found).map((field) => pickFields(choice, field)) };
}

/** GET /rest/product/NAME and ?names=...&ids=...; what is unknown or hidden is left out without an error. */
export function products({ state, viewer, query, fields: choice, name }: Call): unknown {
  const names = [...(name === '' ? [] : [name]), ...query.getAll('names')].map((one) => one.toLowerCase());
  const ids = [...(/^\d+$/.test(name) ? [name] : []), ...query.getAll('ids')];
  const isAll = query.has('type');
  if (names.length + ids.length === 0 && !isAll) {
    throw new TrackerError(50, 400, 'The function Product.get requires that you set one of the following parameters: ids, names, type');
  }
  const found = state.products
    .filter((product) => isAll || names.includes(product.name.toLowerCase()) || ids.includes(String(product.id)))
    .filter((product) => maySeeProduct(viewer, product))
    .sort((one, other) => one.name.localeCompare(other.name));
  return { products: found.map((product) => pickFields(choice, productShape(product))) };
}

/** GET /rest/product_accessible and its two sisters. */
export function productIds({ state, viewer }: Call): unknown {
  return { ids: state.products.filter((product) => maySeeProduct(viewer, product)).map(({ id }) => id) };
}

function productShape(product: Product): Shape {
  const value = (name: string, index: number): Shape => ({ id: index + 1, name, sort_key: 0, is_active: true });
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    is_active: true,
    classification: 'Unclassified',
    default_milestone: product.milestones[0] ?? '---',
    has_unconfirmed: product.hasUnconfirmed,
    components: product.components.map((component, index) => ({
      ...value(component.name, index),
      description: component.description,
      default_assigned_to: component.assignee,
      default_qa_contact: component.qaContact,
      flag_types: { bug: [], attachment: [] },
    })),
    versions: product.versions.map(value),
    milestones: product.milestones.map(value),
  };
}
