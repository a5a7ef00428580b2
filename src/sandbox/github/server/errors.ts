/**
 * GitHub's refusals with their documented bodies. The actions of the world throw them; the HTTP server answers with
 * them.
 */

import type { Fault } from '../../server/faults.ts';

const docs = 'https://docs.github.com/rest';

/** One element of the `errors` of a 422. */
export interface Flaw {
  readonly resource: string;
  readonly code: string;
  readonly field: string;
  readonly message?: string;
  readonly value?: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** True for a limit: the request itself was valid. */
  readonly isLimit: boolean;
  /** True if the same request will succeed later. */
  readonly isNotYet: boolean;

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    options: { headers?: Record<string, string>; isLimit?: boolean; isNotYet?: boolean } = {},
  ) {
    super(typeof body['message'] === 'string' ? body['message'] : `GitHub answered ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
    this.headers = options.headers ?? {};
    this.isLimit = options.isLimit ?? false;
    this.isNotYet = options.isNotYet ?? false;
  }
}

const plain = (status: number, message: string, page = docs): Refusal =>
  new Refusal(status, { message, documentation_url: page, status: String(status) });

export const badCredentials = (): Refusal => plain(401, 'Bad credentials');
export const badAssertion = (why: string): Refusal => plain(401, why);
export const needsCredentials = (): Refusal => plain(401, 'Requires authentication');
export const notFound = (): Refusal => plain(404, 'Not Found');
export const deleted = (): Refusal => plain(410, 'This issue was deleted', `${docs}/issues/issues#get-an-issue`);
export const forbidden = (): Refusal => plain(403, 'Must have admin rights to Repository.');
export const locked = (what: string): Refusal => plain(403, `Unable to ${what} because issue is locked.`);
export const archived = (): Refusal => plain(403, 'Repository was archived so is read-only.');
export const issuesOff = (): Refusal => plain(410, 'Issues has been disabled in this repository.');
export const tooManyComments = (most: number): Refusal =>
  plain(403, `Commenting is disabled on issues with more than ${most} comments`);
export const badJson = (): Refusal => plain(400, 'Problems parsing JSON');
export const unknownVersion = (version: string): Refusal => plain(400, `The API version ${version} is not supported`);

/** In the words of public reports. */
export function barred(by: 'sso' | 'allow-list' | 'terms'): Refusal {
  if (by === 'terms') return plain(403, 'Repository access blocked');
  if (by === 'allow-list') {
    const why =
      'the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.';
    return plain(403, `Although you appear to have the correct authorization credentials, ${why}`);
  }
  const message =
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.';
  const headers = { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=AABB' };
  return new Refusal(403, { message, documentation_url: docs, status: '403' }, { headers });
}

/** `url` is the API address of the new place. */
export function moved(url: string): Refusal {
  const body = {
    message: 'Moved Permanently',
    url,
    documentation_url: `${docs}/guides/best-practices-for-using-the-rest-api`,
  };
  return new Refusal(301, body, { headers: { location: url } });
}

export function invalid(...flaws: readonly Flaw[]): Refusal {
  const said = flaws.map((flaw) => flaw.message ?? `${flaw.field} is ${flaw.code}`).join('; ');
  const refusal = new Refusal(422, {
    message: 'Validation Failed',
    errors: flaws,
    documentation_url: docs,
    status: '422',
  });
  refusal.message = `Validation Failed: ${said}`;
  return refusal;
}

/** GitHub refuses `page` beyond the first 10,000 items: the Link header has to be followed. */
export const pagedTooFar = (): Refusal =>
  plain(
    422,
    'Pagination with the page parameter is not supported for large datasets, please use cursor based pagination (after/before)',
  );

export function primaryLimit(user: { readonly id: number }): Refusal {
  const page = `${docs}/overview/rate-limits-for-the-rest-api`;
  const body = { message: `API rate limit exceeded for user ID ${user.id}.`, documentation_url: page, status: '403' };
  return new Refusal(403, body, { isLimit: true });
}

/** `retryAfterSeconds` null: GitHub does not always say how long to wait. */
export function secondaryLimit(
  status: 403 | 429,
  retryAfterSeconds: number | null,
  of: 'requests' | 'content creation',
): Refusal {
  const message =
    of === 'requests'
      ? 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
      : 'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';
  const page =
    'https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits';
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new Refusal(status, { message, documentation_url: page, status: String(status) }, { headers, isLimit: true });
}

/**
 * A limit in the words of a fault, without the headers that show how much is left. Sources: public threads of GitHub's
 * users.
 */
export function limitAs({
  status,
  retryAfterSeconds,
  says = 'secondary',
}: Extract<Fault, { readonly kind: 'limited' }>): Refusal {
  if (status !== 422 && says === 'secondary') return secondaryLimit(status, retryAfterSeconds, 'requests');
  const tooQuickly = { resource: 'Issue', code: 'custom', field: 'base', message: 'was submitted too quickly' };
  const message =
    says === 'primary'
      ? 'API rate limit already exceeded for user ID 1.'
      : 'You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.';
  const body = status === 422 ? { message: 'Validation Failed', errors: [tooQuickly] } : { message };
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new Refusal(status, { ...body, documentation_url: docs, status: String(status) }, { headers, isLimit: true });
}

/** The answer of a replica about an issue that it does not know yet. */
export function unheard(id: string): Refusal {
  const message = `Could not resolve to a node with the global id of '${id}'.`;
  const flaw = { resource: 'Issue', code: 'unprocessable', field: 'data', message };
  const body = { message: 'Validation Failed', errors: [flaw], documentation_url: docs, status: '422' };
  const refusal = new Refusal(422, body, { isNotYet: true });
  refusal.message = `Validation Failed: ${message}`;
  return refusal;
}
