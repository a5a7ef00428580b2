import { type DestinationStream, type LevelWithSilent, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import { logLine } from './log-line.ts';
import { openRepeats } from './repeats.ts';
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
