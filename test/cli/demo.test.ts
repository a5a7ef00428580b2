import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { main } from '../support/bugferry.ts';

interface Shown {
  readonly code: number | null;
  readonly text: string;
}

/** The demo as its own process; `until` is the text at which it is sent `signal`. */
function demo(args: readonly string[], until?: { readonly text: string; readonly signal: NodeJS.Signals }): Promise<Shown> {
  const child = spawn(process.execPath, [main, 'demo', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let isSignalled = false;
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    if (until === undefined || isSignalled || !text.includes(until.text)) return;
    isSignalled = true;
    child.kill(until.signal);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

/** What it remembers stands in memory, and nowhere else. */
const leftovers = (): readonly string[] =>
  [tmpdir(), process.cwd()].flatMap((folder) => readdirSync(folder)).filter((name) => /^(?:bugferry-demo-|:memory:)/u.test(name));

describe('the demo', { timeout: 90_000 }, () => {
  test('mirrors the real content and what people do, and ends well once both sides agree', async () => {
    const before = leftovers();
    const { code, text } = await demo(['--exit']);
    expect(text).toContain('one more cycle: 0 writes');
    expect(text).toMatch(/in step: 57 bugs and issues compared, \d+ comments, each exactly once; 5 private items stayed hidden/);
    expect(code).toBe(0);
    for (const words of [
      'created "Widget crashes on startup"',
      'edited text reported',
      'status set to duplicate',
      'both sides had changed',
    ]) {
      expect(text).toContain(words);
    }
    for (const secret of ['Password in the log" is', 'contract 4711', 'Security hole']) expect(text).not.toContain(secret);
    // Plain lines where nobody watches: no colours, nothing overwritten.
    for (const control of ['\u001b', '\r']) expect(text).not.toContain(control);
    expect(leftovers()).toEqual(before);
  });

  test('ends in order when it is interrupted in the middle', async () => {
    const before = leftovers();
    expect(await demo([], { text: 'created "', signal: 'SIGINT' })).toMatchObject({ code: 0 });
    expect(leftovers()).toEqual(before);
  });
});
