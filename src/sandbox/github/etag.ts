import { createHash } from 'node:crypto';

/** GitHub's ETags differ by address and by token, so a new token finds none of its old ones valid. */
export function etagOf(token: string, address: string, body: string): string {
  return `W/"${createHash('sha256').update(`${token}\n${address}\n${body}`).digest('hex')}"`;
}

/** Compares weakly, but never without the quotes: a header that lost them matches nothing. */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  const strong = etag.replace('W/', '');
  return (ifNoneMatch ?? '').split(',').some((known) => known.trim().replace('W/', '') === strong);
}
