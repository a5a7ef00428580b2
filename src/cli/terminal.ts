import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** What a command gets from its process. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Where people type; absent where nobody does. */
  readonly stdin?: Input;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Takes who is to tell of an error that nobody caught; the answer is the exit code with which the process then ends. */
  readonly crashes?: (tell: (error: unknown) => number) => void;
}

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta';

/** Where a command writes: one line at a time, in colour only where people watch. */
export interface Terminal {
  /** Whether people watch the answer, and the log. */
  readonly isTerminal: boolean;
  readonly isLogTerminal: boolean;
  /** A line of the answer. */
  out(line: string): void;
  /** A line about the answer, which is not part of it. */
  note(line: string): void;
  /** A finished line of the log, line break included. */
  log(line: string): void;
  /** One JSON document on a line of its own. */
  json(value: unknown): void;
  paint(style: Style, text: string): string;
  /** A line at the bottom that is replaced by the next one; only on a terminal. Null takes it away. */
  progress(line: string | null): void;
  /** Passes everything written from now on through `scrub`. */
  hide(scrub: (text: string) => string): void;
}

export function openTerminal({ stdout, stderr }: Surroundings): Terminal {
  let scrub = (text: string): string => text;
  let bottom: string | null = null;
  const isTerminal = stdout.isTTY === true;
  const clear = () => (bottom === null ? '' : '\r\u001b[K');
  const out = (line: string) => void stdout.write(`${clear()}${scrub(line)}\n${bottom ?? ''}`);
  return {
    isTerminal,
    isLogTerminal: stderr.isTTY === true,
    out,
    note: (line) => void stderr.write(`${scrub(line)}\n`),
    log: (line) => void stderr.write(line),
    json: (value) => out(JSON.stringify(value)),
    // The library looks at the stream, NO_COLOR and FORCE_COLOR.
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    progress(line) {
      if (!isTerminal) return;
      const cut = line === null ? null : scrub(line);
      stdout.write(`${clear()}${cut ?? ''}`);
      bottom = cut;
    },
    hide(next) {
      scrub = next;
    },
  };
}

/** Titles and comments come from strangers: control characters could move the cursor or recolour the terminal. */
export const visible = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

/** Asks whoever sits at the terminal. */
export interface Questions {
  /** An empty answer is `usual`; without one, it is asked again. */
  ask(question: string, usual: string | null): Promise<string>;
}

/** Nothing is read before the first question. */
export function openQuestions(input: Input, output: Output): Questions {
  return {
    async ask(question, usual) {
      const lines = createInterface({ input, output, terminal: false });
      try {
        for (;;) {
          const answer = (await lines.question(usual === null ? `${question}: ` : `${question} [${usual}]: `)).trim();
          if (answer !== '') return answer;
          if (usual !== null) return usual;
        }
      } finally {
        lines.close();
      }
    },
  };
}
