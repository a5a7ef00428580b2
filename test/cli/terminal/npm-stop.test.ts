import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const start = join(import.meta.dirname, '../../../scripts/start.js');

/** Whether the server still answers. */
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

test.runIf(process.platform !== 'win32')('a program that npm started ends when only its shell is stopped', async () => {
  // As npm starts it: SIGTERM reaches npm's shell, and not what that runs.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${start}" sandbox --port 0 --empty --json; true`], {
    env: { ...process.env, npm_lifecycle_event: 'bugferry' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });
  let said = '';
  for await (const part of shell.stdout) {
    said += String(part);
    if (said.includes('\n')) break;
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0] ?? '';
  expect(await answers(url)).toBe(true);
  shell.kill('SIGTERM');
  await expect.poll(() => answers(url), { timeout: 20_000, interval: 200 }).toBe(false);
});
