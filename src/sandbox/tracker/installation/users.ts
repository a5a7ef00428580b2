import { noSuchUser } from '../server/errors.ts';
import type { Product, TrackerBug, TrackerState, User } from '../world/state.ts';

/** Null is a caller who has not logged in. */
export type Viewer = User | null;

export function userNamed(state: TrackerState, login: string): User {
  const wanted = login.toLowerCase();
  const user = state.users.find((candidate) => candidate.login.toLowerCase() === wanted);
  if (user === undefined) throw noSuchUser(login);
  return user;
}

export const isIn = (viewer: Viewer, group: string): boolean => viewer !== null && isMember(viewer, group);

/** Insiders see and write private comments and attachments. */
export const isInsider = (state: TrackerState, viewer: Viewer): boolean => isIn(viewer, state.settings.insidergroup);

/** A bug in groups is visible to members of all its groups, and to its own people if the bug allows that. */
export function maySee(viewer: Viewer, bug: TrackerBug): boolean {
  if (bug.groups.every((group) => isIn(viewer, group))) return true;
  if (viewer === null) return false;
  if (bug.is_creator_accessible && bug.creator === viewer.login) return true;
  if (bug.is_cc_accessible && bug.cc.includes(viewer.login)) return true;
  return bug.assigned_to === viewer.login || bug.qa_contact === viewer.login;
}

export const maySeeProduct = (viewer: Viewer, product: Product): boolean =>
  product.mandatoryGroups.every((group) => isIn(viewer, group));

export const mayConfirm = (user: User): boolean => isIn(user, 'canconfirm') || isIn(user, 'editbugs');

/** A group of the installation. Bugs can be put into groups for bugs only. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isForBugs: boolean;
}

const group = (id: number, name: string, description: string, isForBugs = false): Group => ({
  id,
  name,
  description,
  isForBugs,
});

/** In their listed order: groups for bugs come last, sorted by name. */
export const groups: readonly Group[] = [
  group(1, 'admin', 'Administrators'),
  group(10, 'bz_canusewhineatothers', 'Can configure whine reports for other users'),
  group(11, 'bz_canusewhines', 'User can configure whine reports for self'),
  group(14, 'bz_quip_moderators', 'Can moderate quips'),
  group(13, 'bz_sudo_protect', 'Can not be impersonated by other users'),
  group(12, 'bz_sudoers', 'Can perform actions as other users'),
  group(9, 'canconfirm', 'Can confirm a bug or mark it a duplicate'),
  group(4, 'creategroups', 'Can create and destroy groups'),
  group(8, 'editbugs', 'Can edit all bug fields'),
  group(5, 'editclassifications', 'Can create, destroy, and edit classifications'),
  group(6, 'editcomponents', 'Can create, destroy, and edit components'),
  group(7, 'editkeywords', 'Can create, destroy, and edit keywords'),
  group(3, 'editusers', 'Can edit or disable users'),
  group(15, 'insider', 'Can see private comments'),
  group(17, 'timetrackers', 'Time tracking'),
  group(2, 'tweakparams', 'Can change Parameters'),
  group(16, 'security', 'Security bugs', true),
];

/** Members of the first group are members of the others, too. */
const included: Readonly<Record<string, readonly string[]>> = {
  admin: groups.map(({ name }) => name),
  editbugs: ['bz_canusewhines'],
};

/** True if a user is in a group, directly or through a group that includes it. */
export const isMember = (user: User, name: string): boolean =>
  user.groups.some((own) => own === name || included[own]?.includes(name) === true);
