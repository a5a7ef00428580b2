/**
 * All messages that no answer of a tracker showed. Their codes and statuses are the tracker's. The words of the first
 * group were read in its templates and libraries; those of the second are guesses, and a real tracker may word them
 * otherwise. All other messages were recorded or measured: `test/sandbox/recorded/said.test.ts` finds each in a
 * recording, or in its list of what was measured.
 */
export const guesses = {
  descriptionRequired: 'description for this bug',
  commentTagsOff: 'The comment tagging is not enabled.',
  ccRefused: 'You do not have permission to remove other people from the CC list.',
  flagDenied(name: string, before: string, status: string): string {
    const verb = { '+': 'grant', '-': 'deny', X: 'clear' }[status] ?? 'request';
    return `You tried to ${verb} ${name}${status === 'X' ? before : ''}. Only a user with the required permissions may make this change.`;
  },
  flagAsksOutsider(person: string, flag: string, place: string, group: string): string {
    const why = `but that attachment is restricted to users in the ${group} group, and the user you asked isn't in that group.`;
    return `You asked ${person} for ${flag} on ${place}, ${why} Please choose someone else to ask, or ask an administrator to add the user to the group.`;
  },
  circle: (label: string, bug: number, target: number): string =>
    `${label} for bug ${bug} has a circular dependency on bug ${target}.`,
  seeAlsoItself: 'You cannot put this bug into its own See Also field.',
  noDuplicateNamed: 'Form field dup_id was not defined.',
  loop: (target: number): string => `bug ${target}, because it would create a duplicate loop`,
  noFile: 'You did not specify a file to attach.',
  noFileName: 'You must specify a filename for this attachment.',
  attachmentsHidden: (bug: number): string => `You are not authorized to edit attachments on bug ${bug}.`,
  severalFlags: (name: string): string =>
    `The flag '${name}' has been set multiple times. You must specify the id value to update the flag.`,
  flagAsksDisabled: (person: string): string => `You can't ask ${person} because that account is disabled.`,
  keyRevoked: 'The API key you specified has been revoked by the user that created it.',
  attemptsLeft: (count: number): string =>
    `If you do not enter the correct password after ${count} more attempt(s), you will be locked out of this account for 30 minutes.`,
  assigneeOr: (others: string): string => `the assignee of the bug, or ${others}`,
  json: {
    openList: ', or ] expected while parsing array',
    openString: 'unexpected end of string while parsing JSON string',
    loneSurrogate: 'missing low surrogate character in surrogate pair',
    more: 'garbage after JSON object',
    malformed: 'malformed JSON string, neither tag, array, object, number, string or atom',
  },

  /** A tracker also says how its pages call the field and the operator. */
  invalidPair: (field: string, operator: string): string =>
    `Bugzilla does not support using the "${field}" field with the "${operator}" search type.`,
  noExtension: 'An extension is missing.',
  /** A tracker has all methods here. */
  noMethod: (method: string): string => `There is no method ${method} here; use the REST interface.`,
  /** What the database says of an expression that it cannot read. */
  badExpression(text: string): string {
    const open = text.lastIndexOf('[') > text.lastIndexOf(']');
    if (/^[*+?]/.test(text)) return 'quantifier does not follow a repeatable item at offset 0';
    return `missing ${open ? 'terminating ] for character class' : 'closing parenthesis'} at offset ${text.length}`;
  },
};
