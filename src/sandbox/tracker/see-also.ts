import { TrackerError } from './errors.ts';

const refusal =
  'is not a valid URL to a bug. See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net ' +
  'An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. ' +
  'A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.';

/** What a See Also value points to: a bug of this very tracker, or something elsewhere, in the form in which it is stored. */
export type SeeAlso =
  | { readonly kind: 'local'; readonly bug: number; readonly url: string }
  | { readonly kind: 'elsewhere'; readonly url: string };

/**
 * Reads a value of the See Also field. Of GitHub only issues and pull requests on github.com itself are accepted; http becomes
 * https, and query, fragment and letter case are kept. Throws code 112 for everything that is not known.
 */
export function parseSeeAlso(text: string, trackerUrl: string): SeeAlso {
  const local = localBug(text, trackerUrl);
  if (local !== null) return { kind: 'local', bug: local, url: localUrl(local, trackerUrl) };
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TrackerError(112, 400, `${text} ${refusal}`);
  const host = url.hostname;
  if (host === 'github.com' && /^\/[^/]+\/[^/]+\/(issues|pull)\/\d+$/.test(url.pathname)) {
    return { kind: 'elsewhere', url: text.replace(/^http:/, 'https:') };
  }
  const launchpad = /(?:^|\.)launchpad\.net$/.test(host) ? /\/\+?bugs?\/(\d+)$/.exec(url.pathname) : null;
  if (launchpad !== null) return { kind: 'elsewhere', url: `https://launchpad.net/bugs/${launchpad[1]}` };
  if (/\/show_bug\.cgi$/.test(url.pathname) && /[?&]id=\d+/.test(url.search)) return { kind: 'elsewhere', url: text };
  throw new TrackerError(112, 400, `${text} ${refusal}`);
}

export const localUrl = (bug: number, trackerUrl: string): string => `${trackerUrl}/show_bug.cgi?id=${bug}`;

function localBug(text: string, trackerUrl: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const prefix = `${trackerUrl}/show_bug.cgi?id=`;
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : null;
}
