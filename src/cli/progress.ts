import type { Terminal } from './terminal.ts';

/** The progress of long work: one line that is replaced in place on a terminal, and occasional lines elsewhere. */
interface ProgressLine {
  /**
   * Shows the line.
   * @param at the time now
   * @param isDue whether to print the line even if the last one is recent
   */
  show(line: string, at: number, isDue?: boolean): void;
  end(): void;
}

/** The interval between lines without a terminal. */
const intervalMs = 10_000;
const barWidth = 24;

/** @param print prints a line if there is no terminal */
export function progressLine(terminal: Terminal, print = terminal.note): ProgressLine {
  let printed = { line: '', at: null as number | null };
  return {
    show(line, at, isDue = false) {
      if (terminal.isTerminal) return terminal.progress(line);
      printed.at ??= at;
      if (line === printed.line || (!isDue && at - printed.at < intervalMs)) return;
      printed = { line, at };
      print(line);
    },
    end: () => terminal.progress(null),
  };
}

/** A bar of fixed width; empty if the total is not known. */
export function barOf(done: number, total: number | null): string {
  const share = total === null ? 0 : total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
}
