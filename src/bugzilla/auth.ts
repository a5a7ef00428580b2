import { TrackerError } from './errors.ts';

/**
 * How the API key travels. 5.0 and 5.2 ignore every header without a word and take a parameter; later ones take the
 * header; Red Hat's takes `Authorization: Bearer` alone. `query` means the parameter, and in the body of a write.
 */
export const authStyles = ['header', 'query', 'bearer'] as const;
export type AuthStyle = (typeof authStyles)[number];
export type AuthChoice = AuthStyle | 'auto';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Joins the query of a read and the body of a write, so that writes leave no key in access logs. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** With `auto`, header and parameter both: each family takes the one it knows. Without a key the caller is a stranger. Throws `TrackerError`. */
export function credentials(choice: AuthChoice, apiKey: string | null): Credentials {
  if (apiKey === null) return { headers: {}, parameters: {} };
  if (!/^[ -~]*$/.test(apiKey)) {
    throw new TrackerError(
      'credentials',
      'The API key holds characters that no key has, such as a line break; check where it is read from',
    );
  }
  if (choice === 'bearer') return { headers: { Authorization: `Bearer ${apiKey}` }, parameters: {} };
  return {
    headers: choice === 'query' ? {} : { 'X-BUGZILLA-API-KEY': apiKey },
    parameters: choice === 'header' ? {} : { api_key: apiKey },
  };
}

/** Takes the key out of anything that is shown, also where it stands URL-encoded. */
export function keyScrubber(apiKey: string | null): (text: string) => string {
  if (apiKey === null) return (text) => text;
  const forms = new Set([apiKey, encodeURIComponent(apiKey), new URLSearchParams({ k: apiKey }).toString().slice(2)]);
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, '[key]'), text);
}
