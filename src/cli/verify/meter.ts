import { timeInWords } from '../../explain/words.ts';
import { durationInWords } from '../../model/duration.ts';
import type { VerifyProgress } from '../../wire/bridge.ts';
import { type Terminal, visible } from '../terminal.ts';

/** Shows the progress of a comparison: a status line on a terminal, occasional lines elsewhere. */
export interface VerifyMeter {
  tell(progress: VerifyProgress): void;
  end(): void;
}

/** The interval between lines without a terminal. */
const lineMs = 30_000;
const barWidth = 24;

type Reading = Extract<VerifyProgress, { kind: 'progress' }>;

const words: Readonly<Record<Reading['phase'], string>> = {
  issues: 'reading GitHub',
  bugs: 'reading the tracker and comparing',
  again: 'checking the differences again',
  files: 'comparing files',
};

export function verifyMeter(terminal: Terminal, now: () => number): VerifyMeter {
  let saidAt = now();
  const say = (line: string) => {
    if (terminal.isTerminal) return terminal.progress(line);
    if (now() - saidAt < lineMs) return;
    saidAt = now();
    terminal.note(line);
  };
  return {
    tell(progress) {
      if (progress.kind === 'progress') return say(lineOf(progress));
      const until = timeInWords(progress.until);
      const side = progress.side === 'tracker' ? 'the tracker' : 'GitHub';
      const what = progress.isAsked
        ? `waiting until ${until}, as ${side} asks`
        : `${side} will be tried again at ${until}`;
      saidAt = Number.NEGATIVE_INFINITY;
      say(visible(`${progress.route}: ${what}: ${progress.why}`));
    },
    end: () => terminal.progress(null),
  };
}

function lineOf({ route, phase, done, total, leftMs }: Reading): string {
  const full = total === null || total === 0 ? 0 : Math.min(barWidth, Math.floor((done / total) * barWidth));
  const count = total === null || done > total ? String(done) : `${done} of ${total}`;
  const left = leftMs === null ? '' : `, about ${durationInWords(leftMs)} left`;
  return `${route}: ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${words[phase]}, ${count}${left}`;
}
