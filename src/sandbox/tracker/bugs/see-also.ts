import { way } from '../installation/versions.ts';
import { TrackerError } from '../server/errors.ts';
import { messages } from '../server/messages.ts';
import type { TrackerState } from '../world/state.ts';

/** The target of a See Also value: a bug of this tracker, by id or alias, or a URL in its stored form. */
export type SeeAlso =
  | { readonly kind: 'local'; readonly bug: string }
  | { readonly kind: 'elsewhere'; readonly url: string };

/** Paths longer than this are refused. */
const pathLengthMax = 255;

/**
 * Reads a value of the See Also field. For GitHub, only issues and pull requests on github.com itself are accepted;
 * http becomes https, and query, fragment and case are kept. Throws code 112 for unknown URLs.
 */
export function parseSeeAlso(state: Pick<TrackerState, 'url' | 'version' | 'takesSeeAlso'>, text: string): SeeAlso {
  const local = localBug(text, state.url);
  if (local !== null) return { kind: 'local', bug: local };
  const url = URL.parse(text);
  if (url !== null && url.pathname.length > pathLengthMax) {
    throw new TrackerError(112, 400, messages.longSeeAlso(url.pathname, pathLengthMax));
  }
  const stored = url === null || !/^https?:$/.test(url.protocol) ? null : storedUrl(state, text, url);
  if (stored === null) throw new TrackerError(112, 400, messages.badSeeAlso(text));
  return { kind: 'elsewhere', url: stored };
}

export const localUrl = (bug: number, trackerUrl: string): string => `${trackerUrl}/show_bug.cgi?id=${bug}`;

/** Null for a URL of an unknown tracker. Each kind has its own stored form. */
function storedUrl(state: Pick<TrackerState, 'version' | 'takesSeeAlso'>, text: string, url: URL): string | null {
  const { hostname: host, pathname: path, search } = url;
  if (state.takesSeeAlso(text)) return text;
  if (host === 'github.com' && /^\/[^/]+\/[^/]+\/(issues|pull)\/\d+$/.test(path))
    return text.replace(/^http:/i, 'https:');
  if (/(?:^|\.)launchpad\.net$/.test(host))
    return storedAs(/\/\+?bugs?\/(\d+)$/.exec(path), (id) => `https://launchpad.net/bugs/${id}`);
  if (host === 'bugs.debian.org') {
    const match = path === '/cgi-bin/bugreport.cgi' ? /[?&]bug=(\d+)/.exec(search) : /^\/(\d+)$/.exec(path);
    return storedAs(match, (id) => `https://bugs.debian.org/${id}`);
  }
  if (host === 'code.google.com') {
    const match = /^\/p\/([^/]+)\/issues\/detail$/.exec(path);
    return storedAs(
      match,
      (project) => `http://code.google.com/p/${project}/issues/detail?id=${url.searchParams.get('id') ?? ''}`,
    );
  }
  const plain = `${url.origin}${path}`;
  if (/(?:^|\.)sourceforge\.net$/.test(host))
    return /\/(?:tracker|p\/.+\/(?:bugs|tickets)\/\d+)/.test(path) ? `${plain}${search}` : null;
  if (/\/show_bug\.cgi$/.test(path)) return storedAs(/[?&]id=(\d+)(?:&|$)/.exec(search), (id) => `${plain}?id=${id}`);
  if (/\/view\.php$/.test(path)) return storedAs(/^\?id=(\d+)$/.exec(search), (id) => `${plain}?id=${id}`);
  if (way(state, 'issuesAnywhere') && /^\/.+\/(?:issues|merge_requests)\/\d+$/.test(path)) return plain;
  if (/\/browse\/[A-Z][A-Z]+-\d+$/.test(path) || /\/ticket\/\d+$/.test(path)) return plain;
  return null;
}

const storedAs = (match: RegExpExecArray | null, form: (part: string) => string): string | null =>
  match?.[1] === undefined ? null : form(match[1]);

function localBug(text: string, trackerUrl: string): string | null {
  if (/^\w+$/.test(text)) return text;
  const prefix = `${trackerUrl}/show_bug.cgi?id=`;
  const rest = text.startsWith(prefix) ? (text.slice(prefix.length).split(/[&#]/)[0] ?? '') : '';
  return rest === '' ? null : rest;
}
