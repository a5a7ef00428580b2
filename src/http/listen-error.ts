/** The HTTP server cannot listen. The message says what the operator can do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}
