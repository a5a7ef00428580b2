/** What the measured program and the sandboxes have agreed on. */

/** The program's time, on each of its requests. */
export const clockHeader = 'x-virtual-now';

/** The time at which the program starts, in its environment. */
export const nowVariable = 'BUGFERRY_VIRTUAL_NOW';
