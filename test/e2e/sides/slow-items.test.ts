import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repo } from '../../simulation/stage.ts';
import { pause, start } from '../process.ts';
import { type Served, serve } from '../world.ts';

/** I9 and I11 over HTTP: bugs on which the tracker fails after most of a minute hold up no run for long. */
let served: Served;
let proxy: Server;
let isSlow = false;
let slowRequests = 0;

/** Stands before the tracker, and answers nothing about comments of the first three bugs until after 50 seconds. */
beforeEach(async () => {
  served = await serve();
  const config: { tracker: { url: string } } = JSON.parse(readFileSync(served.configFile, 'utf8'));
  const tracker = new URL(config.tracker.url);
  proxy = createServer(async (ask, answer) => {
    const { pathname, searchParams } = new URL(ask.url ?? '/', tracker);
    const first = /\/bug\/(\d+)\/comment/u.exec(pathname)?.[1];
    if (isSlow && first !== undefined && [first, ...searchParams.getAll('ids')].some((id) => Number(id) <= 3)) {
      slowRequests += 1;
      await pause(50_000);
      answer.writeHead(500, { 'content-type': 'text/html' }).end('<html>Oops</html>');
      return;
    }
    const { method, headers } = ask;
    const sent = request(new URL(ask.url ?? '/', tracker), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    ask.pipe(sent);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  writeFileSync(
    served.configFile,
    JSON.stringify({ ...config, tracker: { ...config.tracker, url: `http://127.0.0.1:${port}` } }),
  );
});
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await served.close();
});

async function once(): Promise<number> {
  const beganAt = Date.now();
  const running = start(['once', '--config', served.configFile]);
  const code = await running.ended;
  expect([code, running.output()]).toEqual([expect.toBeOneOf([0, 1]), expect.any(String)]);
  return Date.now() - beganAt;
}

test('three bugs whose comments the tracker fails on slowly', async () => {
  const { tracker, github } = served.stage();
  const [alice, mona] = [tracker.as('alice'), github.as('mona')];
  for (let at = 1; at <= 7; at += 1) alice.file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let runs = 0; runs < 2; runs += 1) await once();
  await pause(4_200);
  await once();
  isSlow = true;
  for (const bug of [1, 2, 3, 7]) alice.change(bug, { summary: `Pot ${bug}` });
  mona.edit(repo, 5, { title: 'Pot 5' });
  tracker.as('admin').change(6, { groups: { add: ['security'] } });
  expect(await once()).toBeLessThan(150_000);
  expect(slowRequests).toBeGreaterThan(0);
  expect(tracker.bug(5)?.summary).toBe('Pot 5');
  const titleOf = (issue: number) => github.issues(repo).find(({ number }) => number === issue)?.title;
  expect(titleOf(6)).toBe('Bug 6 is not public');
  isSlow = false;
  await once();
  expect(titleOf(7)).toBe('Pot 7');
}, 400_000);
