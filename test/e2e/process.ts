import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { demoEnv } from '../openapi/start.ts';
import type { ReadOnlyRoot } from '../support/read-only-root.ts';

const built = resolve(import.meta.dirname, '../../dist/main.js');

/** The program, as it runs at an operator's. */
export interface Running {
  readonly child: ChildProcess;
  /** What it wrote so far, both streams. */
  output(): string;
  /** Ends it and waits until it is gone. Answers with the exit code, null when a signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Waits until it ends by itself. */
  ended: Promise<number | null>;
}

/**
 * @param root where it runs; where the test does unless told
 * @param main another program than the built one: a copy of the source with a fault
 */
export function start(args: readonly string[], root?: ReadOnlyRoot, main = built): Running {
  const [program, words] = root?.command(process.execPath, [main, ...args]) ?? [process.execPath, [main, ...args]];
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, ...demoEnv(args) };
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part.toString()));
  const ended = new Promise<number | null>((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done(code));
  });
  return {
    child,
    output: () => parts.join(''),
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
