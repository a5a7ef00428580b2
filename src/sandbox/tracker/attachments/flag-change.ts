import type { Draft, Edit } from '../bugs/draft.ts';
import { draftOf } from '../bugs/edit.ts';
import { isInsider, maySee, userNamed } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { missingArgument, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import type { Request } from '../server/request.ts';
import type { TrackerFlag, TrackerState, User } from '../world/state.ts';
import { type FlagWish, flagWishes } from './flag-request.ts';
import { type FlagType, flagName, flagTypesOf, mayGrant, mayRequest } from './flags.ts';
import type { AttachmentDraft } from './rows.ts';

/** A bug or an attachment, which carry flags, with its bug. */
interface Carrier {
  readonly holder: Draft | AttachmentDraft;
  readonly bug: Draft;
  /** Only insiders can be asked about it. */
  readonly isPrivate: boolean;
}

/**
 * Sets the flags of a new or changed bug; everyone who may see a bug may set its flags. Source: spec sections 4.4 and
 * 4.5.
 */
export function changeBugFlags(edit: Edit, bug: Draft, request: Request): void {
  if (!edit.state.bugs.has(bug.id)) edit.filed.set(bug.id, { ...bug });
  const carrier = { holder: bug, bug, isPrivate: false };
  for (const wish of flagWishes(request['flags'], bug.flags, flagTypesOf('bug', bug.product)))
    setFlag(edit, carrier, wish);
  if (!way(edit.state, 'grantsNeedinfo')) clearAnswered(bug);
}

/**
 * An extension of harmony clears requests for information that are granted or denied; those without a number yet make
 * it fail.
 */
function clearAnswered(bug: Draft): void {
  const isAnswered = ({ type, status }: TrackerFlag): boolean => flagName(type) === 'needinfo' && status !== '?';
  if (bug.flags.some((flag) => isAnswered(flag) && flag.id === 0))
    throw missingArgument('Bugzilla::Flag->set_flag requires', 'id/type_id');
  bug.flags = bug.flags.filter((flag) => !isAnswered(flag));
}

/** Sets flags of an attachment, as `flagWishes` read them before any other change. */
export function changeAttachmentFlags(edit: Edit, attachment: AttachmentDraft, wishes: readonly FlagWish[]): void {
  const carrier = { holder: attachment, bug: draftOf(edit, attachment.bug), isPrivate: attachment.isPrivate };
  for (const wish of wishes) setFlag(edit, carrier, wish);
}

function setFlag(edit: Edit, carrier: Carrier, wish: FlagWish): void {
  const { holder } = carrier;
  const { type } = wish;
  const flag = wish.flag === null ? null : (holder.flags.find((other) => other.id === wish.flag?.id) ?? null);
  // A flag that the same request has already cleared, for example by making its attachment obsolete, stays cleared.
  if (wish.flag !== null && flag === null) return;
  if (type === null) throw missingArgument('Bugzilla::Flag->set_flag requires', 'id/type_id');
  if (flag === null && wish.status === 'X') return;
  if (flag === null && !type.isMultiplicable && holder.flags.some((other) => other.type === type.id)) {
    throw new TrackerError(
      32000,
      400,
      `You cannot have several ${type.name} flags for this ${holder === carrier.bug ? 'bug' : 'attachment'}.`,
    );
  }
  refuseDenied(edit, { ...wish, flag }, type);
  const next = changedFlag(edit, carrier, { ...wish, flag }, type);
  if (flag === null) {
    if (next !== null) holder.flags = [...holder.flags, next];
  } else holder.flags = holder.flags.flatMap((other) => (other === flag ? (next ?? []) : other));
  if (next !== null && next.requestee !== null && next.requestee !== (flag?.requestee ?? null))
    addCc(carrier.bug, next.requestee);
}

/** Whoever set a flag may clear it; else asking and clearing need one group, and granting and denying another. */
function refuseDenied({ user }: Edit, { flag, status }: FlagWish, type: FlagType): void {
  if (flag?.status === status || (status === 'X' && flag?.setter === user.login) || mayGrant(user, type)) return;
  if ((status === 'X' || status === '?') && mayRequest(user, type)) return;
  throw new TrackerError(130, 400, guesses.flagDenied(type.name, flag?.status ?? '', status));
}

/** Adds the requestee to the cc list of the bug. */
function addCc(bug: Draft, login: string): void {
  if (!bug.cc.includes(login)) bug.cc = [...bug.cc, login].toSorted();
}

/** The wanted flag; null if it is cleared. An unchanged flag keeps its setter and its time. */
function changedFlag(edit: Edit, carrier: Carrier, wish: FlagWish, type: FlagType): TrackerFlag | null {
  const { flag, status } = wish;
  if (status !== '?' && status !== '+' && status !== '-' && status !== 'X') {
    throw new TrackerError(129, 400, `The flag status ${status} is invalid.`.replaceAll(/\s+/g, ' '));
  }
  const requestee = status === '?' && wish.requestee !== '' ? askedUser(edit, carrier, wish, type) : null;
  if (status === 'X') return null;
  if (flag !== null && flag.status === status && flag.requestee === requestee) return flag;
  // A request that is passed on to another user keeps its first setter.
  const setter = flag?.status === '?' && status === '?' ? flag.setter : edit.user.login;
  return {
    id: flag?.id ?? 0,
    type: type.id,
    status,
    setter,
    requestee,
    createdAt: flag?.createdAt ?? edit.at,
    changedAt: edit.at,
  };
}

/** A new requestee must be able to answer; the present one is not checked again. */
function askedUser({ state }: Edit, carrier: Carrier, { flag, requestee }: FlagWish, type: FlagType): string {
  const user = userNamed(state, requestee);
  if (user.login === flag?.requestee) return user.login;
  if (!type.isRequesteeble) throw new TrackerError(131, 400, `You can't ask a specific person for ${type.name}.`);
  const why = refusal(state, user, carrier, type);
  if (why !== null) throw new TrackerError(32000, 400, why);
  return user.login;
}

function refusal(
  state: TrackerState,
  user: User,
  { holder, bug, isPrivate }: Carrier,
  { name }: FlagType,
): string | null {
  const [open, close] = way(state, 'identity');
  const person = `${user.realName} ${open}${user.login}${close}`;
  const place = `bug ${bug.id}${holder === bug ? '' : `, attachment ${holder.id}`}`;
  if (user.disabledText !== null) return guesses.flagAsksDisabled(person);
  if (!maySee(user, bug)) return `You asked ${person} for ${name} on ${place}, ${hiddenBug}`;
  return isPrivate && !isInsider(state, user)
    ? guesses.flagAsksOutsider(person, name, place, state.settings.insidergroup)
    : null;
}

const hiddenBug =
  "but that bug has been restricted to users in certain groups, and the user you asked isn't in all the groups to which the bug has been restricted. " +
  'Please choose someone else to ask, or make the bug accessible to users on its CC: list and add that user to the list.';
