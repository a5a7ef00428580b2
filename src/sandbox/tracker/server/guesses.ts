/**
 * Messages that no recording has: their codes and statuses are the tracker's, their words are those of its templates as far as they are
 * known. What stands here may be worded otherwise by a real tracker; all other messages were recorded or measured.
 */
export const guesses = {
  flagDenied(name: string, before: string, status: string): string {
    const verb = { '+': 'grant', '-': 'deny', X: 'clear' }[status] ?? 'request';
    return `You tried to ${verb} ${name}${status === 'X' ? before : ''}. Only a user with the required permissions may make this change.`;
  },
  unknownOperator: (operator: string): string => `Bugzilla does not support the search type "${operator}".`,
};
