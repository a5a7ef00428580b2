import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** As long as the built-in one waits for a connection. Nothing was sent until then. */
const connectMs = 10_000;

/** Statuses whose answers have no body. Source: fetch.spec.whatwg.org, "null body status" */
const bodiless = new Set([204, 205, 304]);

const unzipped = promisify(gunzip);

/** The largest file that a route may copy takes 134 MB in an answer of the tracker, which encodes it in base64. */
const bodyMax = 150 * 2 ** 20;

/**
 * `fetch` with Node's own HTTP client. The built-in one brings a second client that takes some 20 MB of memory from its
 * first request on (docs/decisions/043). It is for requests and answers that are in memory as a whole, and it follows
 * no redirect: whoever asks for that gets a `TypeError`. It throws what the built-in one throws: the reason of the
 * signal, or a `TypeError` whose cause says what happened.
 */
export const httpFetch: typeof fetch = async (input, init = {}) => {
  if (init.redirect !== 'manual') throw new TypeError('redirects are not followed: say redirect: "manual"');
  const url = new URL(String(input));
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  try {
    return await answerTo(url, init, signal);
  } catch (failure) {
    if (signal?.aborted) throw signal.reason;
    throw new TypeError('fetch failed', { cause: failure });
  }
};

async function answerTo(
  url: URL,
  { method = 'GET', headers, body }: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const asked = Object.fromEntries(new Headers(headers));
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const options = {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'gzip', ...asked },
      ...(signal === undefined ? {} : { signal }),
    };
    const request = (isSecure ? https : http).request(url, options, resolve);
    request.on('error', reject);
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => request.destroy(notConnected(url)), connectMs);
      for (const [emitter, event] of [
        [socket, isSecure ? 'secureConnect' : 'connect'],
        [request, 'close'],
      ] as const)
        emitter.once(event, () => clearTimeout(timer));
    });
    request.end(contentOf(body));
  });
  const bytes = await receivedFrom(message);
  const isZipped = /^(?:x-)?gzip$/iu.test(message.headers['content-encoding'] ?? '') && bytes.length > 0;
  return responseOf(message, isZipped ? await unzipped(bytes, { maxOutputLength: bodyMax }).catch(inWords) : bytes);
}

/** With the code of the built-in one, which says that nothing was sent. */
const notConnected = ({ host }: URL): Error =>
  Object.assign(new Error(`no connection to ${host} within ${connectMs / 1_000} seconds`), {
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });

function contentOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('a body is a text or bytes');
}

const tooLarge = (): Error =>
  Object.assign(new Error(`the answer is larger than ${bodyMax / 2 ** 20} MB`), { code: 'ERR_BODY_TOO_LARGE' });

function inWords(failure: unknown): never {
  throw failure instanceof RangeError ? tooLarge() : failure;
}

/** Rejects if the connection ends before the answer does. */
const receivedFrom = (message: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    message.on('data', (part: Buffer) => {
      size += part.length;
      if (size > bodyMax) message.destroy(tooLarge());
      else parts.push(part);
    });
    message.on('end', () => resolve(Buffer.concat(parts)));
    message.on('error', reject);
  });

function responseOf(
  { statusCode: status = 0, statusMessage = '', rawHeaders }: IncomingMessage,
  bytes: Buffer,
): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return new Response(bodiless.has(status) ? null : bytes, { status, statusText: statusMessage, headers });
}
