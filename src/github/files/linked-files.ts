import type { LinkedFile, LinkedFiles } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isPublicAddress } from './public-address.ts';
import { sniff } from './sniff.ts';

export interface LinkedFilesOptions {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly timeoutMs: number;
  readonly fetch?: typeof fetch;
}

const redirectsMax = 5;

/** Where files may be asked for, and where GitHub sends on whoever asks: its own hosts, and the buckets in which it keeps files. */
const isOwnHost = (host: string): boolean =>
  host === 'github.com' || /^(?:raw|(?:private-)?user-images)\.githubusercontent\.com$/u.test(host);
const isStorage = (host: string): boolean =>
  isOwnHost(host) ||
  host === 'objects.githubusercontent.com' ||
  /^github-production-[a-z]+(?:-[a-z]+)*-[0-9a-f]{6}\.s3\.amazonaws\.com$/u.test(host);

/**
 * Files from GitHub's own hosts. Whoever writes an issue chooses the address, so it is believed in nothing: neither a host that is not on
 * the list, nor a name that leads into our own network, nor a length, nor a type. No credentials are sent.
 */
export function githubFiles(options: LinkedFilesOptions): LinkedFiles {
  return {
    async fetch(url, bytesMax) {
      try {
        return await follow(options, url, bytesMax);
      } catch (failure) {
        return { kind: 'later', at: null, wholeSide: false, why: `${placeOf(url)} gave no complete answer: ${wordsOf(failure)}` };
      }
    },
  };
}

async function follow(options: LinkedFilesOptions, url: string, bytesMax: number): Promise<Outcome<LinkedFile>> {
  let place = new URL(url);
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const why = await whyNot(options, place, redirects === 0 ? isOwnHost : isStorage);
    if (why !== null) return { kind: 'refused', why };
    const response = await (options.fetch ?? fetch)(place.href, {
      redirect: 'manual',
      headers: { 'User-Agent': 'bugferry' },
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      place = new URL(location, place);
    } else if (response.status === 200) return received(response, new URL(url), bytesMax);
    else {
      await response.body?.cancel();
      return unanswered(response.status, url);
    }
  }
  return { kind: 'refused', why: `${placeOf(url)} leads from one address to the next without end` };
}

async function whyNot({ resolve }: LinkedFilesOptions, place: URL, isAllowed: (host: string) => boolean): Promise<string | null> {
  const { protocol, hostname, port, username } = place;
  if (protocol !== 'https:' || port !== '' || username !== '' || !isAllowed(hostname)) return `files of ${hostname} are not fetched`;
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isPublicAddress) ? null : `${hostname} has no address on the internet`;
}

function unanswered(status: number, url: string): Outcome<never> {
  const why = `${placeOf(url)} answered ${status}`;
  if (status === 429 || status >= 500) return { kind: 'later', at: null, wholeSide: false, why };
  return { kind: 'refused', why: status === 404 ? `${why}: it was deleted, or only members of the repository may see it` : why };
}

/** Read as it comes, and no further than it may be long. */
async function received(response: Response, url: URL, bytesMax: number): Promise<Outcome<LinkedFile>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bytesMax) return { kind: 'refused', why: `it is larger than the tracker takes (${bytesMax} bytes)` };
    chunks.push(chunk);
  }
  if (length === 0) return { kind: 'refused', why: 'it is empty, and the tracker takes no empty files' };
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const { type, extension } = sniff(bytes);
  const last = decoded(url.pathname.split('/').at(-1) ?? '');
  return { kind: 'applied', item: { name: /\.\w{1,12}$/u.test(last) ? last : `${last.slice(0, 8) || 'file'}.${extension}`, type, bytes } };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The part after a question mark may let whoever knows it in. */
const placeOf = (url: string): string => url.replace(/\?.*$/u, '');
const wordsOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.cause instanceof Error ? failure.cause.message : failure.message) : String(failure);
