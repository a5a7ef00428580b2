import { noSuchUser } from './errors.ts';
import { isMember } from './groups.ts';
import type { Product, TrackerBug, TrackerState, User } from './state.ts';

/** Null stands for someone who has not logged in. */
export type Viewer = User | null;

export function userNamed(state: TrackerState, login: string): User {
  const wanted = login.toLowerCase();
  const user = state.users.find((candidate) => candidate.login.toLowerCase() === wanted);
  if (user === undefined) throw noSuchUser(login);
  return user;
}

export const isIn = (viewer: Viewer, group: string): boolean => viewer !== null && isMember(viewer, group);

/** Who sees and writes what is private. */
export const isInsider = (state: TrackerState, viewer: Viewer): boolean => isIn(viewer, state.settings.insidergroup);

/** A bug in groups is seen by the members of all of them, and by its own people where the bug allows that. */
export function maySee(viewer: Viewer, bug: TrackerBug): boolean {
  if (bug.groups.every((group) => isIn(viewer, group))) return true;
  if (viewer === null) return false;
  if (bug.is_creator_accessible && bug.creator === viewer.login) return true;
  if (bug.is_cc_accessible && bug.cc.includes(viewer.login)) return true;
  return bug.assigned_to === viewer.login || bug.qa_contact === viewer.login;
}

export const maySeeProduct = (viewer: Viewer, product: Product): boolean => product.mandatoryGroups.every((group) => isIn(viewer, group));

/** Who may change a bug's fields at all; confirming is asked for separately. */
export function mayEdit(user: User, bug: TrackerBug): boolean {
  if (isIn(user, 'editbugs')) return true;
  return [bug.creator, bug.assigned_to, bug.qa_contact].includes(user.login);
}

export const mayConfirm = (user: User): boolean => isIn(user, 'canconfirm') || isIn(user, 'editbugs');
