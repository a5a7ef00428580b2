import { timeInWords } from '../../explain/words.ts';
import { durationInWords } from '../../model/duration.ts';
import type { VerifyProgress } from '../../wire/bridge.ts';
import { barOf, progressLine } from '../progress.ts';
import { type Terminal, visible } from '../terminal.ts';

/** Shows the progress of a comparison. */
interface VerifyMeter {
  tell(progress: VerifyProgress): void;
  end(): void;
}

type Reading = Extract<VerifyProgress, { kind: 'progress' }>;

const words: Readonly<Record<Reading['phase'], string>> = {
  issues: 'reading GitHub',
  bugs: 'reading the tracker and comparing',
  again: 'checking the differences again',
  files: 'comparing files',
};

export function verifyMeter(terminal: Terminal, now: () => number): VerifyMeter {
  const { show, end } = progressLine(terminal);
  return {
    tell(progress) {
      if (progress.kind === 'progress') return show(lineOf(progress), now());
      const until = timeInWords(progress.until);
      const side = progress.side === 'tracker' ? 'the tracker' : 'GitHub';
      const what = progress.isAsked
        ? `waiting until ${until}, as ${side} asks`
        : `${side} will be tried again at ${until}`;
      show(visible(`${progress.route}: ${what}: ${progress.why}`), now(), true);
    },
    end,
  };
}

function lineOf({ route, phase, done, total, leftMs }: Reading): string {
  const count = total === null || done > total ? String(done) : `${done} of ${total}`;
  const left = leftMs === null ? '' : `, about ${durationInWords(leftMs)} left`;
  return `${route}: ${barOf(done, total)} ${words[phase]}, ${count}${left}`;
}
