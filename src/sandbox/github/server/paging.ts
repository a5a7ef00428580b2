import { createHash } from 'node:crypto';
import type { Ask } from './ask.ts';
import { pagedTooFar } from './errors.ts';

const sizeUsual = 30;
const sizeMax = 100;

/**
 * One page of a list with the `Link` header to the others, whose address names the repository by id, like GitHub's.
 * `page` has a limit; beyond it the links have an opaque `after` instead, and no `last`. `path` begins with a slash.
 * Throws 422 for a `page` beyond the limit.
 */
export function paged<T>(
  ask: Ask,
  path: string,
  items: readonly T[],
): { readonly items: readonly T[]; readonly headers: Record<string, string> } {
  const size = Math.min(sizeMax, positive(ask.query.get('per_page'), sizeUsual));
  const page = positive(ask.query.get('page'), 1);
  const after = ask.query.get('after');
  const reach = ask.state.limits.pagedItemsMax;
  if (after === null && page * size > Math.max(reach, size)) throw pagedTooFar();
  const start = after === null ? (page - 1) * size : offsetOf(after);
  const end = start + size;
  const rels: [string, Record<string, string>][] = [];
  if (end < items.length)
    rels.push(['next', end + size > reach ? { after: tokenOf(end) } : { page: String(end / size + 1) }]);
  if (end < items.length && items.length <= reach)
    rels.push(['last', { page: String(Math.ceil(items.length / size)) }]);
  if (start > 0 && after === null) rels.push(['first', { page: '1' }], ['prev', { page: String(page - 1) }]);
  const links = rels.map(([rel, position]) => `<${address(ask, path, position)}>; rel="${rel}"`);
  return { items: items.slice(start, end), headers: links.length === 0 ? {} : { link: links.join(', ') } };
}

function address({ state, query }: Ask, path: string, position: Readonly<Record<string, string>>): string {
  const moved = new URLSearchParams(query);
  moved.delete('page');
  moved.delete('after');
  for (const [name, value] of Object.entries(position)) moved.set(name, value);
  return `${state.url}${path}?${moved}`;
}

const tokenOf = (offset: number): string => Buffer.from(`offset:${offset}`).toString('base64url');
const offsetOf = (token: string): number =>
  positive(Buffer.from(token, 'base64url').toString().replace('offset:', ''), 0);

function positive(text: string | null, otherwise: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : otherwise;
}

/** GitHub's ETags differ by address and by token, so a new token invalidates all. */
export function etagOf(token: string, address: string, body: string): string {
  return `W/"${createHash('sha256').update(`${token}\n${address}\n${body}`).digest('hex')}"`;
}

/** Compares weakly, but requires the quotes: a header without them matches nothing. */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  const strong = etag.replace('W/', '');
  return (ifNoneMatch ?? '').split(',').some((known) => known.trim().replace('W/', '') === strong);
}

/** Both are dates, to the second; GitHub shows the last one of an issue, which is its `updated_at`. */
export const isUnmodified = (since: string | null, lastModified: string | undefined): boolean =>
  since !== null && lastModified !== undefined && Date.parse(lastModified) <= Date.parse(since);
