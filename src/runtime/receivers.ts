import { type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Fetch } from '../model/runtime.ts';

/** How long a receiver may take. */
const limitMs = 10_000;

/** Why a receiver did not take a notice; null if it did. */
export type Outcome = Promise<string | null>;

interface Webhook {
  readonly address: string;
  readonly token: string | null;
  readonly body: unknown;
}

/** Posts JSON. The reason names neither the address nor the answer: the address may be a secret. */
export async function post(send: Fetch, { address, token, body }: Webhook, signal: AbortSignal): Outcome {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const { status } = await send(address, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'bugferry',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, limit]),
    });
    return status >= 200 && status < 300 ? null : `it answered ${status}`;
  } catch (failure) {
    return limit.aborted ? tooSlow : `it cannot be reached (${causeOf(failure)})`;
  }
}

const tooSlow = `it took longer than ${limitMs / 1_000} seconds`;

export interface Program {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** All that it gets of the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a program that reads the input. */
export function pipe({ words: [program = '', ...args], env }: Program, input: string, signal: AbortSignal): Outcome {
  // A group of its own, so that what it starts ends with it.
  const options: SpawnOptions = { env, stdio: ['pipe', 'ignore', 'ignore'], detached: process.platform !== 'win32' };
  return new Promise((resolve) => {
    const child = spawn(program, args, options);
    const end = (why: string): void => {
      kill(child.pid);
      resolve(why);
    };
    const timer = setTimeout(() => end(tooSlow), limitMs);
    const stopped = () => end('the bridge was stopped');
    signal.addEventListener('abort', stopped, { once: true });
    const over = (why: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      resolve(why);
    };
    child.once('error', (failure) => over(`it cannot be started (${causeOf(failure)})`));
    child.once('exit', (code, killedBy) => over(code === 0 ? null : `it ended with ${code ?? killedBy}`));
    // A program that does not read what it gets is judged by its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The code of the innermost cause, without the message, which may hold the address. */
function causeOf(failure: unknown): string {
  let code = 'unknown reason';
  for (let cause = failure, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1)
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  return code;
}

interface Mail {
  readonly to: readonly string[];
  readonly from: string | null;
  readonly subject: string;
  readonly text: string;
  readonly at: number;
}

/** A mail for sendmail. Nobody answers it, and no absence notice does. */
export const mailText = ({ to, from, subject, text, at }: Mail): string =>
  [
    ...(from === null ? [] : [`From: bugferry <${from}>`]),
    `To: ${to.join(', ')}`,
    `Subject: ${subject}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `${text}\n`,
  ].join('\n');

/** Whether this user may run the program; one without a folder is looked for in PATH. */
export function canRun(program: string, path: string): boolean {
  const places = program.includes('/') ? [program] : path.split(':').map((each) => `${each}/${program}`);
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
