import type { LinkedFile, LinkedFiles } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Fetch } from '../../model/runtime.ts';

interface LinkedFilesOptions {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly timeoutMs: number;
  readonly fetch?: (...request: Parameters<Fetch>) => Promise<Response>;
}

const redirectsMax = 5;

/**
 * The hosts to fetch files from, including redirect targets: GitHub's own hosts, and the buckets that store its files.
 */
const isOwnHost = (host: string): boolean =>
  host === 'github.com' || /^(?:raw|(?:private-)?user-images)\.githubusercontent\.com$/u.test(host);
const isStorage = (host: string): boolean =>
  isOwnHost(host) ||
  host === 'objects.githubusercontent.com' ||
  /^github-production-[a-z]+(?:-[a-z]+)*-[0-9a-f]{6}\.s3\.amazonaws\.com$/u.test(host);

/**
 * Files from GitHub's own hosts. Anyone who writes an issue chooses the address, so nothing about it is trusted:
 * neither a host that is not on the list, nor a name that resolves into our network, nor a length, nor a type. No
 * credentials are sent.
 */
export function githubFiles(options: LinkedFilesOptions): LinkedFiles {
  return {
    async fetch(url, bytesMax) {
      try {
        return await follow(options, url, bytesMax);
      } catch (failure) {
        return {
          kind: 'later',
          at: null,
          wholeSide: false,
          why: `${placeOf(url)} gave no complete answer: ${wordsOf(failure)}`,
        };
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
  return { kind: 'refused', why: `${placeOf(url)} redirects too often` };
}

async function whyNot(
  { resolve }: LinkedFilesOptions,
  place: URL,
  isAllowed: (host: string) => boolean,
): Promise<string | null> {
  const { protocol, hostname, port, username } = place;
  if (protocol !== 'https:' || port !== '' || username !== '' || !isAllowed(hostname))
    return `files from ${hostname} are not fetched`;
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isPublicAddress) ? null : `${hostname} has no public address`;
}

function unanswered(status: number, url: string): Outcome<never> {
  const why = `${placeOf(url)} answered ${status}`;
  if (status === 429 || status >= 500) return { kind: 'later', at: null, wholeSide: false, why };
  return {
    kind: 'refused',
    why: status === 404 ? `${why}: it was deleted, or only members of the repository can see it` : why,
  };
}

/** Reads the stream, and stops at the maximum size. */
async function received(response: Response, url: URL, bytesMax: number): Promise<Outcome<LinkedFile>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bytesMax) return { kind: 'refused', why: `it is larger than the tracker accepts (${bytesMax} bytes)` };
    chunks.push(chunk);
  }
  if (length === 0) return { kind: 'refused', why: 'it is empty, and the tracker accepts no empty files' };
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const { type, extension } = sniff(bytes);
  const last = decoded(url.pathname.split('/').at(-1) ?? '');
  return {
    kind: 'applied',
    item: { name: /\.\w{1,12}$/u.test(last) ? last : `${last.slice(0, 8) || 'file'}.${extension}`, type, bytes },
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Without the query, which may grant access. */
const placeOf = (url: string): string => url.replace(/\?.*/u, '');
const wordsOf = (failure: unknown): string =>
  failure instanceof Error
    ? failure.cause instanceof Error
      ? failure.cause.message
      : failure.message
    : String(failure);

/** Whether an address is public, and not of a machine or network that only we can reach. Source: RFC 6890. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u.exec(mapped ?? address);
  if (parts !== null) return isPublicIPv4(parts.slice(1).map(Number));
  // Only global unicast, except ranges that embed an IPv4 address or are for documentation.
  return /^[23][0-9a-f]{3}:/iu.test(address) && !/^(?:2002:|2001:(?:0{0,3}[0-9a-f]?:|0?db8:|:))/iu.test(address);
}

function isPublicIPv4([first = 0, second = 0, third = 0]: readonly number[]): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return false;
  if (first === 100 && second >= 64 && second < 128) return false;
  if (first === 169 && second === 254) return false;
  if (first === 172 && second >= 16 && second < 32) return false;
  if (first === 192 && (second === 168 || (second === 0 && (third === 0 || third === 2)))) return false;
  if (first === 198 && (second === 18 || second === 19 || (second === 51 && third === 100))) return false;
  return !(first === 203 && second === 0 && third === 113);
}

/**
 * The type of a file, from its first bytes; the server and the name are not trusted. Source: the signatures in the
 * specifications of the formats. Texts have none; a text is anything that decodes as UTF-8 and contains no control
 * characters.
 */
const signatures: readonly {
  readonly type: string;
  readonly extension: string;
  readonly at?: number;
  readonly bytes: readonly number[];
}[] = [
  { type: 'image/png', extension: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', extension: 'jpg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', extension: 'gif', bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', extension: 'webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'application/pdf', extension: 'pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'application/zip', extension: 'zip', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: 'application/gzip', extension: 'gz', bytes: [0x1f, 0x8b] },
  { type: 'video/mp4', extension: 'mp4', at: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
  { type: 'video/webm', extension: 'webm', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
];

interface Sniffed {
  readonly type: string;
  readonly extension: string;
}

export function sniff(bytes: Uint8Array): Sniffed {
  const found = signatures.find(({ at = 0, bytes: expected }) =>
    expected.every((byte, index) => bytes[at + index] === byte),
  );
  if (found !== undefined) return { type: found.type, extension: found.extension };
  return isText(bytes)
    ? { type: 'text/plain', extension: 'txt' }
    : { type: 'application/octet-stream', extension: 'bin' };
}

function isText(bytes: Uint8Array): boolean {
  // A character may be cut at the end of the sample.
  const head = bytes.subarray(0, 65_536);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // Logs contain the escape character of colours.
    return !/(?![\t\n\f\r])\p{Cc}/u.test(text.replaceAll('\x1b', ''));
  } catch {
    return false;
  }
}
