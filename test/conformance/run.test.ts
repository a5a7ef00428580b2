import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type Setup, setUp } from './setup.ts';

/** The command that checks a live tracker: how it ends, what it prints, and that it prints no key. */

const script = join(import.meta.dirname, 'run.ts');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function conformance(...options: readonly string[]): Promise<Ended> {
  const run = promisify(execFile)(process.execPath, [script, ...options], { maxBuffer: 64 * 1024 * 1024 });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: Ended) => failure,
  );
}

let open: readonly { close(): unknown }[] = [];
afterEach(() => Promise.all(open.map((each) => each.close())));

/** A tracker that answers everything with one body, and repeats the key that it was given. */
async function parrot(): Promise<string> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    response.writeHead(path.startsWith('/rest/version') ? 200 : 400, { 'Content-Type': 'application/json' });
    response.end(
      path.startsWith('/rest/version') ? '{"version":"5.2"}' : JSON.stringify({ error: true, code: 1, message: path }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open = [{ close: () => server.close() }];
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('npm run conformance', () => {
  test('--help tells what it does, and ends with 0', async () => {
    const { code, stdout } = await conformance('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('--other-key')]);
  });

  test.each([[[]], [['--url', 'http://127.0.0.1:9']], [['--no-such-option']]])(
    'without what it needs (%j) it ends with 1',
    async (options) => {
      const { code, stdout, stderr } = await conformance(...options);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).not.toBe('');
    },
  );

  test('a tracker that does not answer is said so, without the key', async () => {
    const { code, stderr } = await conformance('--url', 'http://127.0.0.1:9', '--key', 'very-secret-key');
    expect([code, stderr]).toEqual([1, expect.stringContaining('did not answer')]);
    expect(stderr).not.toContain('very-secret-key');
  });

  test('a key does not show even when the tracker repeats it', async () => {
    const { code, stdout, stderr } = await conformance('--url', await parrot(), '--key', 'very-secret-key');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('***');
    expect(stderr).not.toContain('very-secret-key');
  });

  test('a key that the tracker does not know ends the run before it begins', async () => {
    const tracker: Setup = await setUp();
    open = [tracker];
    const { code, stderr } = await conformance('--url', tracker.url, '--key', 'w'.repeat(40));
    expect([code, stderr]).toEqual([1, expect.stringContaining('306')]);
    expect(tracker.bugs()).toEqual([]);
  });
});
