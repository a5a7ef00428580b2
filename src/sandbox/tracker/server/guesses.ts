/**
 * All messages that no answer of a tracker showed. Their codes and statuses are the tracker's. The words of the first group were read in
 * its templates; those of the second are guesses, and a real tracker may word them otherwise. All other messages were recorded or measured.
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
  circle: (label: string, bug: number, target: number): string => `${label} for bug ${bug} has a circular dependency on bug ${target}.`,

  /** What the database says of an expression that it cannot read. */
  badExpression(text: string): string {
    const open = text.lastIndexOf('[') > text.lastIndexOf(']');
    if (/^[*+?]/.test(text)) return 'quantifier does not follow a repeatable item at offset 0';
    return `missing ${open ? 'terminating ] for character class' : 'closing parenthesis'} at offset ${text.length}`;
  },
};
