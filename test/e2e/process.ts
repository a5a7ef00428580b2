import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../dist/main.js');

/** The built program, as it runs at an operator's. */
export interface Running {
  readonly child: ChildProcess;
  /** What it wrote so far, both streams. */
  output(): string;
  /** Ends it and waits until it is gone. Answers with the exit code, null when a signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Waits until it ends by itself. */
  ended: Promise<number | null>;
}

export function start(args: readonly string[]): Running {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
