import type { User } from './state.ts';

/** A group of the installation. Groups for bugs are those that bugs can be put into. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isForBugs: boolean;
}

const group = (id: number, name: string, description: string, isForBugs = false): Group => ({ id, name, description, isForBugs });

/** In the order in which they are listed: those for bugs last, and by name. */
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

/** Whoever is in the one is in the others too. */
const included: Readonly<Record<string, readonly string[]>> = {
  admin: groups.map(({ name }) => name),
  editbugs: ['bz_canusewhines'],
};

/** True when a user is in a group, by being put there or by being in one that includes it. */
export const isMember = (user: User, name: string): boolean =>
  user.groups.some((own) => own === name || included[own]?.includes(name) === true);
