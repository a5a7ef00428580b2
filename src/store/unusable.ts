/** The state file cannot be used as it is; the message tells the operator why and what to do. */
export class StateUnusable extends Error {
  override readonly name = 'StateUnusable';
}
