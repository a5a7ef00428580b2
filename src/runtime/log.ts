import { type DestinationStream, type LevelWithSilent, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import { scrubber } from './scrub.ts';

export type Log = Logger;
export type LogLevel = LevelWithSilent;

export interface LogOptions {
  readonly level: LogLevel;
  /** Whether people watch: lines to read instead of JSON. */
  readonly isTerminal: boolean;
  /** Values that no line may show. */
  readonly secrets: readonly string[];
  /** Takes whole lines, line break included. */
  readonly write: (line: string) => void;
  /** By which repeated warnings are left out; the machine's clock unless a test gives another. */
  readonly now?: () => number;
}

/**
 * The process's log. Secrets are removed from the finished line, the one place that messages, fields, errors and stacks all pass:
 * pino's own redaction knows paths only.
 */
export function createLog({ level, isTerminal, secrets, write, now = Date.now }: LogOptions): Log {
  const scrub = scrubber(secrets);
  const destination: DestinationStream = {
    write: (json) => write(isTerminal ? `${logLine(scrub(json))}\n` : scrub(json)),
  };
  const repeats = openRepeats(now);
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, number) {
      if (number < warnLevel) return method.apply(this, args);
      const [facts, words] = typeof args[0] === 'string' ? [{}, args[0]] : [args[0], args[1]];
      if (typeof words !== 'string') return method.apply(this, args);
      const told = repeats.of(`${number} ${placeOf(facts)} ${words}`);
      if (told === null) return;
      if (told.leftOut === 0) return method.apply(this, args);
      return method.apply(this, [{ ...Object(facts), leftOut: told.leftOut }, words]);
    },
  };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) }, hooks },
    destination,
  );
}

const warnLevel = 40;

/** The same words about another route or link are other news. */
function placeOf(facts: unknown): string {
  const { route = '', link = '' } = Object(facts);
  return `${route} ${link}`;
}

/** Keys of a log record that have their own place in the line. */
const placed = ['level', 'time', 'msg', 'err'];

/** One line for people from one line of JSON: `12:03:04 info  message key=value`. The stack of an error follows on lines of its own. */
function logLine(json: string): string {
  const record = parsed(json);
  if (record === null) return visible(json.trimEnd());
  const time = typeof record['time'] === 'string' ? record['time'].slice(11, 19) : '';
  const level = String(record['level'] ?? '').padEnd(5);
  const fields = Object.entries(record)
    .filter(([key]) => !placed.includes(key))
    .map(([key, value]) => ` ${key}=${fieldText(value)}`);
  const { summary, stack } = errorText(record['err']);
  const message = [record['msg'], summary].filter((part) => typeof part === 'string' && part !== '').filter(isFirst);
  return [visible(`${time} ${level} ${message.join(': ')}${fields.join('')}`), ...stack.map((frame) => `    ${visible(frame)}`)].join('\n');
}

function parsed(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function fieldText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function errorText(error: unknown): { readonly summary: string; readonly stack: readonly string[] } {
  if (typeof error !== 'object' || error === null || !('message' in error)) return { summary: '', stack: [] };
  const stack = 'stack' in error && typeof error.stack === 'string' ? error.stack.split('\n') : [];
  return { summary: String(error.message), stack: stack.map((frame) => frame.trim()).filter((frame) => /^at |^caused by/.test(frame)) };
}

/** Pino uses an error's message as the record's when there is no other. */
const isFirst = (part: unknown, index: number, parts: readonly unknown[]): boolean => parts.indexOf(part) === index;

/** Titles and comments come from strangers: control characters could move the cursor or recolour the terminal. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' | ' : `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
}

/** The same words within this time are written once. */
const quietMs = 600_000;
/** So many different ones are remembered; the oldest are forgotten first. */
const remembered = 500;

export interface Repeats {
  /** Whether a line with these words is to be written now, and how many like it were left out before; null when it is left out. */
  of(words: string): { readonly leftOut: number } | null;
}

/** A side that is down for a night would fill the log with one line; each is told now and then, with how often it came. */
export function openRepeats(now: () => number): Repeats {
  const told = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    of(words) {
      const last = told.get(words);
      if (last !== undefined && now() - last.at < quietMs) {
        last.leftOut += 1;
        return null;
      }
      told.delete(words);
      told.set(words, { at: now(), leftOut: 0 });
      for (const oldest of [...told.keys()].slice(0, Math.max(0, told.size - remembered))) told.delete(oldest);
      return { leftOut: last?.leftOut ?? 0 };
    },
  };
}
