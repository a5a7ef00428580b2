import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino';
import { logLine } from './log-line.ts';
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
}

/**
 * The process's log. Secrets are removed from the finished line, the one place that messages, fields, errors and stacks all pass:
 * pino's own redaction knows paths only.
 */
export function createLog({ level, isTerminal, secrets, write }: LogOptions): Log {
  const scrub = scrubber(secrets);
  const destination: DestinationStream = {
    write: (json) => write(isTerminal ? `${logLine(scrub(json))}\n` : scrub(json)),
  };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
}
