import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repo } from '../simulation/stage.ts';
import { pause, type Running, start } from './process.ts';
import { type Served, serve } from './world.ts';

/**
 * I4: a slow tracker works on a new bug while the bridge is killed, and files it when the next process runs already. It
 * is filed once.
 */
const settleSeconds = 6;

let served: Served;
let gate: Gate;
let running: Running | null = null;

beforeAll(async () => {
  served = await serve();
  const config = JSON.parse(readFileSync(served.configFile, 'utf8'));
  gate = await gateTo(config.tracker.url);
  const limits = { ...config.limits, settleSeconds };
  writeFileSync(
    served.configFile,
    JSON.stringify({ ...config, limits, tracker: { ...config.tracker, url: gate.url } }),
  );
});

afterAll(async () => {
  await running?.end('SIGKILL');
  gate.server.close();
  await served.close();
});

test('a bug that a tracker files after the bridge died is filed once', { timeout: 900_000 }, async () => {
  served.stage().github.as('mona').open(repo, { title: 'Filed slowly' });
  running = start(['run', '--config', served.configFile]);
  await until(() => gate.held.length === 1);
  await pause(settleSeconds * 1_000 + 500);
  await running.end('SIGKILL');
  const before = gate.reads();
  running = start(['run', '--config', served.configFile]);
  await until(() => gate.reads() >= before + 3 || gate.held.length === 2);
  gate.open();
  await served.untilQuiet((settleSeconds + 3) * 1_000, running);
  expect(await running.end('SIGTERM'), running.output()).toBe(0);
  running = null;
  expect(
    served
      .stage()
      .tracker.bugs()
      .map(({ summary }) => summary),
  ).toEqual(['Filed slowly']);
});

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 240_000;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`It does not happen: ${isSo}\n${running?.output()}`);
    await pause(50);
  }
}

interface Gate {
  readonly server: Server;
  readonly url: string;
  /** New bugs that wait. */
  readonly held: (() => void)[];
  /** How many lists of bugs were asked for. */
  reads(): number;
  /** Lets everything through, also what waits, whether or not its sender is still there. */
  open(): void;
}

/** Stands before a tracker, and keeps back new bugs. */
async function gateTo(url: string): Promise<Gate> {
  const held: (() => void)[] = [];
  let isOpen = false;
  let reads = 0;
  const server = createServer(async (incoming, answer) => {
    const body = Buffer.concat(await incoming.toArray());
    const isOfBugs = /^\/rest\/bug(?:\?|$)/u.test(incoming.url ?? '');
    if (incoming.method === 'GET' && isOfBugs) reads += 1;
    if (incoming.method === 'POST' && isOfBugs && !isOpen) await new Promise<void>((go) => held.push(go));
    pass(url, incoming, body, answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    held,
    reads: () => reads,
    open() {
      isOpen = true;
      for (const go of held) go();
    },
  };
}

function pass(
  url: string,
  { method, headers, url: path }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
): void {
  const onward = request(
    new URL(path ?? '/', url),
    { method, headers: { ...headers, host: new URL(url).host } },
    (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    },
  );
  onward.on('error', () => answer.destroy());
  answer.on('error', () => onward.destroy());
  onward.end(body);
}
