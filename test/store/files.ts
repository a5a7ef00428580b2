import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A path for a state file in a folder that goes away with the test. */
export function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state', 'bugferry.db');
}

/**
 * Starts a process that writes `file`, and waits until it is where it is wanted. Throws what the process said when it
 * ends before.
 */
export async function startVictim(file: string, how: 'idle' | 'in-transaction' | 'unhurried'): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./victim.ts', import.meta.url));
  const victim = spawn(process.execPath, [script, file, how], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    victim.kill('SIGKILL');
  });
  let said = '';
  victim.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(victim, 'close').then(() => Promise.reject(new Error(`the process ended early: ${said}`)));
  await Promise.race([once(victim.stdout, 'data'), ended]);
  ended.catch(() => {});
  return victim;
}

export async function kill(victim: ChildProcess): Promise<void> {
  const ended = once(victim, 'exit');
  victim.kill('SIGKILL');
  await ended;
}
