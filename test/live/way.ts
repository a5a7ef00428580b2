import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cost } from '../../src/model/runtime.ts';
import type { FaultSource } from '../../src/sandbox/server/faults.ts';

/** The way from the bridge to a live tracker, on which requests get lost, late or damaged. */
export interface Way {
  readonly url: string;
  /** How many requests came by, and how many of them change something. */
  requests(): number;
  writes(): number;
  /** How long the slowest answer of the tracker took, one that is still awaited included. */
  slowestMs(now: number): number;
  close(): Promise<void>;
}

/** @param faults asked once for each request; `error-body` and `limited` are answered as a proxy would, with 503 */
export async function openWay(target: string, faults: FaultSource): Promise<Way> {
  let [requests, writes, slowest] = [0, 0, 0];
  const awaited = new Map<IncomingMessage, number>();
  const aim = new URL(target);
  const server = createServer((asked, answered) => {
    requests += 1;
    awaited.set(asked, Date.now());
    answered.on('close', () => {
      slowest = Math.max(slowest, Date.now() - (awaited.get(asked) ?? Date.now()));
      awaited.delete(asked);
    });
    const cost = costOf(asked);
    if (cost !== 'read') writes += 1;
    const fault = faults('tracker', cost);
    if (fault.kind === 'none' || fault.kind === 'slow') {
      setTimeout(() => forward(aim, asked, answered), fault.kind === 'slow' ? fault.delayMs : 0);
    } else if ('after' in fault && fault.after) {
      forward(aim, asked, null, () => fail(answered, fault.kind === 'drop'));
    } else {
      asked.resume();
      fail(answered, fault.kind === 'drop');
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    writes: () => writes,
    slowestMs: (now) => Math.max(slowest, ...[...awaited.values()].map((since) => now - since)),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Rendering a comment stores nothing. */
function costOf({ method, url = '' }: IncomingMessage): Cost {
  if (method === 'GET' || /\/comment\/render(?:\?|$)/u.test(url)) return 'read';
  return method === 'POST' ? 'create' : 'edit';
}

function fail(answered: ServerResponse, isDropped: boolean): void {
  if (isDropped) answered.destroy();
  else answered.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Service Unavailable</h1>');
}

/** Passes a request on as it is. Without an answer to write to, `done` is told once the tracker has answered. */
function forward(aim: URL, asked: IncomingMessage, answered: ServerResponse | null, done: () => void = () => {}): void {
  const { host: _host, connection: _connection, ...headers } = asked.headers;
  const passed = request(
    { host: aim.hostname, port: aim.port, method: asked.method, path: asked.url, headers },
    (answer) => {
      if (answered === null) answer.resume().on('end', done);
      else {
        answered.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(answered);
      }
    },
  );
  passed.on('error', () => (answered === null ? done() : fail(answered, true)));
  asked.pipe(passed);
}
