import {
  type DestinationStream,
  type LevelWithSilent,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino';
import { scrubber } from './scrub.ts';

export type Log = Logger;
export type LogLevel = LevelWithSilent;

export interface LogOptions {
  readonly level: LogLevel;
  /** Whether stderr is a terminal: text instead of JSON. */
  readonly isTerminal: boolean;
  /** Values that must not appear in the log. */
  readonly secrets: readonly string[];
  /** Receives whole lines, including the line break. */
  readonly write: (line: string) => void;
  /** Times the suppression of repeated warnings; the machine's clock except in tests. */
  readonly now?: () => number;
}

/**
 * The log of the process. Secrets are removed from the finished line, which contains messages, fields, errors and
 * stacks alike: pino's own redaction works on paths only.
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
      const repeated = repeats.of(`${number} ${placeOf(facts)} ${words}`);
      if (repeated === null) return;
      if (repeated.leftOut === 0) return method.apply(this, args);
      return method.apply(this, [{ ...Object(facts), leftOut: repeated.leftOut }, words]);
    },
  };
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks,
    },
    destination,
  );
}

const warnLevel = 40;

/** The same message about another route or link is not a repetition. */
function placeOf(facts: unknown): string {
  const { route = '', link = '' } = Object(facts);
  return `${route} ${link}`;
}

/** Keys of a log record that have a fixed place in the line. */
const placed = ['level', 'time', 'msg', 'err'];

/** Formats a JSON line as text: `12:03:04 info  message key=value`. The stack of an error follows on separate lines. */
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
  return [
    visible(`${time} ${level} ${message.join(': ')}${fields.join('')}`),
    ...stack.map((frame) => `    ${visible(frame)}`),
  ].join('\n');
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
  return {
    summary: String(error.message),
    stack: stack.map((frame) => frame.trim()).filter((frame) => /^at |^caused by/.test(frame)),
  };
}

/** Without another message, Pino uses that of the error. */
const isFirst = (part: unknown, index: number, parts: readonly unknown[]): boolean => parts.indexOf(part) === index;

/** Anyone can write titles and comments: control characters in them could move the cursor or recolour the terminal. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' | ' : `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
}

/** A message is logged once within this time. */
const quietMs = 600_000;
/** The number of messages remembered; the oldest are dropped first. */
const remembered = 500;

interface Repeats {
  /** How many equal lines were suppressed before this one; null if this one is suppressed. */
  of(words: string): { readonly leftOut: number } | null;
}

/**
 * A side that is down for a night would fill the log with one message; it is logged from time to time, with a count.
 */
export function openRepeats(now: () => number): Repeats {
  const logged = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    of(words) {
      const last = logged.get(words);
      if (last !== undefined && now() - last.at < quietMs) {
        last.leftOut += 1;
        return null;
      }
      logged.delete(words);
      logged.set(words, { at: now(), leftOut: 0 });
      for (const oldest of [...logged.keys()].slice(0, Math.max(0, logged.size - remembered))) logged.delete(oldest);
      return { leftOut: last?.leftOut ?? 0 };
    },
  };
}
