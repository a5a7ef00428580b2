import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { jsonPieces } from './json-pieces.ts';

/** What a command gets from its process. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The keyboard; absent without one. */
  readonly stdin?: Input;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Registers a handler for uncaught errors; the process then exits with the code that the handler returns. */
  readonly crashes?: (report: (error: unknown) => number) => void;
  /** How the user runs the program: `npm run bugferry --` in a clone, where no `bugferry` is installed. */
  readonly runAs?: string;
}

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta';

/** The output of a command: one line at a time, in colour only on a terminal. */
export interface Terminal {
  /** Whether stdout and stderr are terminals. */
  readonly isTerminal: boolean;
  readonly isLogTerminal: boolean;
  /** A line of the result, on stdout. */
  out(line: string): void;
  /** A line to paste into a shell that knows `bugferry`, or about that shell. */
  paste(line: string): void;
  /** A line about the result, on stderr. */
  note(line: string): void;
  /** A finished log line, including its line break. */
  log(line: string): void;
  /** One JSON document on its own line. */
  json(value: unknown): void;
  /**
   * Prints a long JSON document, and waits for its reader; otherwise memory would hold everything that a slow reader
   * has not taken. Throws if the process is asked to stop.
   */
  longJson(value: unknown): Promise<void>;
  paint(style: Style, text: string): string;
  /** A line at the bottom that the next one replaces; only on a terminal. Null removes it. */
  progress(line: string | null): void;
  /** Passes everything written from now on through `scrub`. */
  hide(scrub: (text: string) => string): void;
}

/**
 * The characters of a long document that are written at once. A short document is a single write, so no line of another
 * program can split it.
 */
const heldMax = 60_000;

/**
 * @param commands the names of all commands: a hint that names one has to work where the user is
 */
export function openTerminal(
  { stdout, stderr, signal, runAs = 'bugferry' }: Surroundings,
  commands: readonly string[] = [],
): Terminal {
  const hint = new RegExp(`\\bbugferry (?=(?:${commands.join('|')})\\b)`, 'gu');
  const asRun = (line: string): string => (runAs === 'bugferry' ? line : line.replace(hint, `${runAs} `));
  let scrub = (text: string): string => text;
  let bottom: string | null = null;
  const isTerminal = stdout.isTTY === true;
  const clear = () => (bottom === null ? '' : '\r\u001b[K');
  const paste = (line: string) => void stdout.write(`${clear()}${scrub(line)}\n${bottom ?? ''}`);
  const out = (line: string) => paste(asRun(line));
  function* textsOf(value: unknown): Generator<string> {
    let held = clear();
    for (const piece of jsonPieces(value)) {
      if (held.length > heldMax) {
        yield held;
        held = '';
      }
      held += escaped(scrub(piece));
    }
    yield `${held}\n${bottom ?? ''}`;
  }
  return {
    isTerminal,
    isLogTerminal: stderr.isTTY === true,
    out,
    paste,
    note: (line) => void stderr.write(`${scrub(asRun(line))}\n`),
    log: (line) => void stderr.write(line),
    json(value) {
      for (const text of textsOf(value)) stdout.write(text);
    },
    async longJson(value) {
      const asked = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      for (const text of textsOf(value)) {
        signal.throwIfAborted();
        await Promise.race([new Promise<void>((done) => stdout.write(text, () => done())), asked]);
      }
    },
    // `styleText` respects the stream, NO_COLOR and FORCE_COLOR.
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

/**
 * Anyone can write titles and comments: control characters in them could move the cursor or recolour the terminal, and
 * signs of direction or of a new line could make a line say something else.
 */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu, '');

/** A word as a POSIX shell takes it. */
export const inShell = (word: string): string =>
  /^[\w./:@=-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The same signs as JSON: programs still get them. */
const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `Product (Gadget or Widget): `, `Direction (to-github, both or to-tracker) [to-github]: ` */
export interface Asking {
  readonly question: string;
  /** Answers to choose from; none if any may be right. */
  readonly choices?: readonly string[];
  /** What an empty answer means; null if it means nothing. */
  readonly usual?: string | null;
}

/** Asks the user at the terminal. */
export interface Questions {
  /** An empty answer means the usual one; without that, the question is repeated. */
  ask(asking: Asking): Promise<string>;
}

export const yesOrNo = { choices: ['yes', 'no'], usual: 'no' } as const satisfies Omit<Asking, 'question'>;

/** Nobody reads more names in a question. */
const choicesMax = 20;

/** `a, b or c` */
function listed(choices: readonly string[]): string {
  const shown = choices.slice(0, choicesMax);
  const last = choices.length > choicesMax ? `one of ${choices.length - choicesMax} more` : shown.pop();
  return [shown.join(', '), last].filter((each) => each !== undefined && each !== '').join(' or ');
}

/** Reads no input before the first question. */
export function openQuestions(input: Input, output: Output): Questions {
  return {
    async ask({ question, choices = [], usual = null }) {
      const lines = createInterface({ input, output, terminal: false });
      const offered = choices.length === 0 ? '' : ` (${listed(choices)})`;
      try {
        for (;;) {
          const answer = await lines.question(`${question}${offered}${usual === null ? '' : ` [${usual}]`}: `);
          if (answer.trim() !== '') return answer.trim();
          if (usual !== null) return usual;
          output.write(`This question has no usual answer. Type ${choices.length === 0 ? 'one' : listed(choices)}.\n`);
        }
      } finally {
        lines.close();
      }
    },
  };
}
