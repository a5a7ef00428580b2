import { type CodeLocation, type Message, messageOf, messages } from './messages.ts';

/**
 * A refusal of the tracker. `code` and `status` are as measured on a 5.2 server; `status` is null for internal
 * failures, which the server answers with the success status of the method. `bug` is the bug that the error names, if
 * it names one.
 */
export class TrackerError extends Error {
  readonly code: number;
  readonly status: number | null;
  readonly bug: number | null;
  /** The message is that of 5.2; these are those of all versions. */
  readonly messages: Message;

  constructor(code: number, status: number | null, message: string | Message, bug: number | null = null) {
    const all = messageOf(message);
    super(all['5.2']);
    this.messages = all;
    this.name = 'TrackerError';
    this.code = code;
    this.status = status;
    this.bug = bug;
  }
}

export const bugMissing = (id: number | string): TrackerError =>
  new TrackerError(101, 404, messages.bugMissing(id), typeof id === 'number' ? id : null);

export const bugHidden = (id: number, isAnonymous: boolean): TrackerError => {
  const hint = isAnonymous
    ? ' To see this bug, you must first log in to an account with the appropriate permissions.'
    : '';
  return new TrackerError(102, 401, messages.bugHidden(id, hint), id);
};

export const notABug = (text: string): TrackerError => new TrackerError(100, 400, messages.notABug(text));

export const loginRequired = (): TrackerError =>
  new TrackerError(410, 401, 'You must log in before using this part of Bugzilla.');

/** An unknown value is a 404 with code 51, which is why a 404 does not mean that a bug is gone. */
export const noSuch = (kind: string, name: string, where = ''): TrackerError =>
  new TrackerError(51, 404, `There is no ${kind} named '${name}'${where}.`);

/** A value that must not be empty. */
export const notSpecified = (kind: string): TrackerError =>
  new TrackerError(50, 400, `You must select/enter a ${kind}.`);

export const componentMissing = (): TrackerError =>
  new TrackerError(105, 400, 'To file this bug, you must first choose a component. If necessary, just guess.');

export const noSuchKeyword = (name: string): TrackerError => new TrackerError(51, 404, messages.noSuchKeyword(name));

export const noSuchUser = (login: string): TrackerError =>
  new TrackerError(
    51,
    404,
    `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
  );

export const missingArgument = (what: string, name: string): TrackerError =>
  new TrackerError(50, 400, `The function ${what} a ${name} argument, and that argument was not set.`);

/** A custom field that must have a value. Measured on 5.0.6, 5.2, 5.3.3 and harmony. */
export const valueRequired = (label: string): TrackerError =>
  new TrackerError(32000, 400, `A value must be set for the '${label}' field.`);

/** Measured on harmony. */
export const typeRequired = (types: readonly string[]): TrackerError =>
  new TrackerError(
    135,
    400,
    `To file a new bug, you must first choose a type: ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  );

/** A change for which the installation requires a comment; `what` names the change. */
export const commentRequired = (what = 'comment on this change'): TrackerError =>
  new TrackerError(32000, 400, `You have to specify a ${what}.`);

export const notEnterable = (product: string): TrackerError =>
  new TrackerError(
    106,
    401,
    `Sorry, either the product ${product} does not exist or you aren't authorized to enter a bug into it.`,
  );

export const illegalDate = (text: string, format = ''): TrackerError =>
  new TrackerError(56, 400, `'${text}' is not a legal date.${format}`);

export const privacyRefused = (): TrackerError =>
  new TrackerError(113, 401, 'Sorry, but you are not allowed to (un)mark comments or attachments as private.');

export const noRoute = (method: string, path: string): TrackerError =>
  new TrackerError(32614, 404, `A REST API resource was not found for '${method} ${path}'.`);

/** An internal failure of the server: the success status of the method, with an error in the body. */
/** The server fails by itself at this place. */
export const failedAt = (what: string, place: CodeLocation): TrackerError =>
  internalFailure(messages.failedAt(what, place));

export const internalFailure = (message: string | Message): TrackerError => new TrackerError(100500, null, message);

export const missingGroup = (group: string, action: string): TrackerError =>
  new TrackerError(
    304,
    401,
    `Sorry, you aren't a member of the '${group}' group, and so you are not authorized to ${action}.`,
  );

export const notNumeric = (what: string, argument = ''): TrackerError =>
  new TrackerError(
    52,
    400,
    `Invalid parameter${argument === '' ? '' : ` ${argument}`} passed to ${what}: It must be numeric.`,
  );
