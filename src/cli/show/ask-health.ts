import type { IncomingMessage } from 'node:http';
import type { HttpAddress } from '../../config/http-address.ts';
import type { Terminal } from '../terminal.ts';

export interface HealthOptions {
  readonly ready?: true;
  readonly json?: true;
}

/** Health checks do not wait longer. */
const timeoutMs = 5_000;

/** Asks the bridge and prints its answer. Returns whether it is healthy. */
export async function askHealth(
  { out, note }: Pick<Terminal, 'out' | 'note'>,
  signal: AbortSignal,
  { host, port, token }: HttpAddress,
  { ready, json }: HealthOptions,
): Promise<boolean> {
  const url = `http://${reachable(host)}:${port}/${ready ? 'readyz' : 'healthz'}`;
  try {
    const { status, text } = await answerOf(url, token, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    const isWell = status >= 200 && status < 300;
    if (json) out(text);
    else for (const line of wordsOf(text, isWell)) out(line);
    return isWell;
  } catch {
    note(`bugferry: no answer from ${url}; the bridge is not running, or runs with another configuration.`);
    return false;
  }
}

/**
 * `fetch` would take twice as long. A plain connection also ignores proxies, which cannot reach this machine.
 */
function answerOf(
  url: string,
  token: string | null,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  // Importing the module would load everything that it exports, such as a client for web sockets, and double the cost.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage): void => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    };
    request(url, { headers, signal, agent: false }, read).on('error', reject).end();
  });
}

/** The address by which this machine reaches a server that listens everywhere. */
const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

function wordsOf(answer: string, isWell: boolean): readonly string[] {
  const body: unknown = JSON.parse(answer);
  if (typeof body !== 'object' || body === null) return [];
  if ('alive' in body) return ['the process is alive; --ready checks its routes'];
  const routes = 'routes' in body && Array.isArray(body.routes) ? body.routes : [];
  const lines = routes.map(({ route, standing, why }) => `  ${route}: ${standing}${why === null ? '' : `. ${why}`}`);
  return [isWell ? 'ready' : 'not ready', ...lines];
}
