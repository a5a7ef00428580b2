/** One exchange with GitHub as it is kept: without credentials, cookies and private data of accounts. */

export interface Exchange {
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: Exchange['response'];
}

/** The headers that the bridge reads; others may identify an account or a session. */
const keptHeaders =
  /^(?:content-type|date|deprecation|etag|last-modified|link|location|retry-after|sunset|x-github-api-version-selected|x-github-enterprise-version|x-github-media-type|x-oauth-scopes|x-poll-interval|x-ratelimit-\w+)$/u;

/** Values that belong to an account, and to a shape of an answer only by their presence. */
const privateKeys =
  /^(?:email|notification_email|name|company|location|blog|bio|twitter_username|plan|two_factor_authentication|private_gists|disk_usage|total_private_repos|owned_private_repos|collaborators)$/u;

/** Long bodies say nothing more than their length. */
const textMax = 2_000;

/** @param scrub takes secrets out of JSON */
export function recordingOf(name: string, { request, response }: Exchange, scrub: (text: string) => string): Recording {
  const [path = '', query = ''] = request.path.split('?', 2);
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([header]) => keptHeaders.test(header)));
  const isAccount = /\/user$/u.test(path);
  const recording: Recording = {
    name,
    request: {
      method: request.method,
      path,
      query,
      headers: { accept: 'application/vnd.github+json' },
      body: shortened(request.body),
    },
    response: {
      status: response.status,
      headers,
      body: shortened(isAccount ? accountOf(response.body) : response.body),
    },
  };
  return JSON.parse(scrub(JSON.stringify(recording)));
}

const accountOf = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, privateKeys.test(key) ? null : value]));
};

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > textMax ? `${value.slice(0, 60)}... (${value.length} characters)` : withoutToken(value);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isAddress(key, each) ? null : shortened(each)]),
  );
}

/** Addresses of people; those of the domain `invalid` belong to no one. */
const isAddress = (key: string, value: unknown): boolean =>
  key === 'email' && typeof value === 'string' && !value.endsWith('.invalid');

/** Some addresses grant access by their parameters. */
const withoutToken = (text: string): string =>
  text.replace(/([?&](?:token|jwt|sig|X-Amz-\w+)=)[^&\s"']+/giu, '$1SECRET');
