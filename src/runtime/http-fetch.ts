import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Fetch, Received, Sent } from '../model/runtime.ts';

/** As long as the built-in one waits for a connection. Nothing was sent until then. */
const connectMs = 10_000;

const unzipped = promisify(gunzip);

/** The largest file that a route may copy takes 134 MB in an answer of the tracker, which encodes it in base64. */
const bodyMax = 150 * 2 ** 20;

/**
 * `fetch` with Node's own HTTP client. The built-in one brings a second client that takes some 20 MB of memory from its
 * first request on (docs/decisions/043). It is for requests and answers that are in memory as a whole, and it follows
 * no redirect: whoever asks for that gets a `TypeError`. It throws what the built-in one throws: the reason of the
 * signal, or a `TypeError` whose cause says what happened.
 */
export const httpFetch: Fetch = async (input, init = {}) => {
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
  { method = 'GET', headers = {}, body }: Sent,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const asked = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]);
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const options = {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'gzip', ...Object.fromEntries(asked) },
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
    request.end(body ?? undefined);
  });
  const bytes = await receivedFrom(message);
  const isZipped = /^(?:x-)?gzip$/iu.test(message.headers['content-encoding'] ?? '') && bytes.length > 0;
  return receivedOf(message, isZipped ? await unzipped(bytes, { maxOutputLength: bodyMax }).catch(inWords) : bytes);
}

/** With the code of the built-in one, which says that nothing was sent. */
const notConnected = ({ host }: URL): Error =>
  Object.assign(new Error(`no connection to ${host} within ${connectMs / 1_000} seconds`), {
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });

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

const receivedOf = ({ statusCode: status = 0, headersDistinct }: IncomingMessage, bytes: Buffer): Received => ({
  status,
  headers: new Map(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')])),
  text: async () => new TextDecoder().decode(bytes),
  arrayBuffer: async () => new Uint8Array(bytes).buffer,
});
