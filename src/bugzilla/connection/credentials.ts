import { TrackerError } from './errors.ts';

/**
 * How to send the API key. 5.0 and 5.2 silently ignore headers and accept a parameter; later versions accept the
 * header; Red Hat's accepts only `Authorization: Bearer`. `query` means the parameter, and the body of a write.
 */
export const authStyles = ['header', 'query', 'bearer'] as const;
export type AuthStyle = (typeof authStyles)[number];
export type AuthChoice = AuthStyle | 'auto';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Added to the query of a read and the body of a write, so that writes leave no key in access logs. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * With `auto`, both header and parameter: each family uses the one it knows. Without a key, requests are anonymous.
 * Throws `TrackerError`.
 */
export function credentials(choice: AuthChoice, apiKey: string | null): Credentials {
  if (apiKey === null) return { headers: {}, parameters: {} };
  if (!/^[ -~]*$/.test(apiKey)) {
    throw new TrackerError(
      'credentials',
      'The API key contains characters that no key has, such as a line break; check its source',
    );
  }
  if (choice === 'bearer') return { headers: { Authorization: `Bearer ${apiKey}` }, parameters: {} };
  return {
    headers: choice === 'query' ? {} : { 'X-BUGZILLA-API-KEY': apiKey },
    parameters: choice === 'header' ? {} : { api_key: apiKey },
  };
}

/** Removes the key from all output, including its URL-encoded form. */
export function keyScrubber(apiKey: string): (text: string) => string {
  const forms = new Set([apiKey, encodeURIComponent(apiKey), new URLSearchParams({ k: apiKey }).toString().slice(2)]);
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, '[key]'), text);
}
