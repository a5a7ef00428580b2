import type { Config } from '../../config/config.ts';
import { durationInWords, durationOf, type Pace } from '../../model/duration.ts';
import { type Bridge, creationsLeft } from '../../wire/bridge.ts';
import type { MigrationEvent } from '../../wire/migrate.ts';
import { barOf, progressLine } from '../progress.ts';
import { type Terminal, visible } from '../terminal.ts';

/** Shows the progress of a migration, as text or as JSON. */
export interface Meter {
  tell(event: MigrationEvent): void;
  end(): void;
}

interface MeterOptions {
  readonly isJson: boolean;
  readonly pace: Pace;
  readonly now: () => number;
}

/** In a log, only a wait that the reader would notice is worth a line. */
const longMs = 10_000;

type Progress = MigrationEvent & { readonly kind: 'progress' };

export function meterOf(terminal: Terminal, { isJson, pace, now }: MeterOptions): Meter {
  const line = progressLine(terminal, terminal.out);
  let begun = { phase: '', at: now(), done: 0 };
  const show = (event: Progress) => {
    const isNew = event.phase !== begun.phase;
    if (isNew) begun = { phase: event.phase, at: now(), done: event.done };
    const words = lineOf(event, { pace, elapsedMs: now() - begun.at, doneBefore: begun.done });
    line.show(words, now(), isNew || event.done === event.total);
  };
  const wait = ({ until, why }: MigrationEvent & { readonly kind: 'waiting' }) => {
    const leftMs = Math.max(0, until - now());
    if (terminal.isTerminal || leftMs >= longMs)
      line.show(`  waiting ${durationInWords(leftMs)}: ${visible(why)}`, now(), true);
  };
  return {
    tell(event) {
      if (isJson) return terminal.json(event);
      if (event.kind === 'progress') return show(event);
      if (event.kind === 'parked')
        return terminal.out(terminal.paint('red', visible(`${event.about} parked: ${event.why}`)));
      if (event.kind === 'waiting') return wait(event);
      terminal.out(terminal.paint('dim', `${event.route}: ${phases[event.phase]}`));
    },
    end: line.end,
  };
}

const phases: Readonly<Record<Progress['phase'], string>> = {
  recovering: 'finding issues that exist already',
  reading: 'reading both sides',
  importing: 'importing',
  adopting: 'reading the imported issues',
  finishing: 'setting what an import cannot set',
  remainder: 'carrying over the rest',
  leaving: 'writing to the bugs on the tracker',
  returning: 'restoring the status of closed bugs',
};

const limits: Readonly<Record<Progress['limitedBy'], string>> = {
  github: "GitHub's limits on requests",
  imports: "GitHub's queue of imports",
  creations: "GitHub's limits on content",
  reading: 'reading',
  tracker: 'the tracker',
};

interface Past {
  readonly pace: Pace;
  readonly elapsedMs: number;
  readonly doneBefore: number;
}

function lineOf(
  { phase, done, total, inFlight, parked, limitedBy }: Progress,
  { pace, elapsedMs, doneBefore }: Past,
): string {
  const rate = elapsedMs < 1_000 ? 0 : ((done - doneBefore) / elapsedMs) * 60_000;
  const least = durationOf({ reads: 0, writes: total - done, creations: 0, trackerRequests: 0 }, pace).ms;
  const byRate = rate > 0 ? ((total - done) / rate) * 60_000 : 0;
  // A new phase has no rate yet, so the estimate comes from the limits alone.
  const leftMs = phase === 'importing' ? Math.max(least, byRate) : byRate;
  const parts = [
    `${barOf(done, total)} ${done} of ${total} bugs`,
    ...(rate > 0 ? [`${Math.round(rate)} a minute`] : []),
    ...(inFlight > 0 ? [`${inFlight} in flight`] : []),
    ...(parked > 0 ? [`${parked} parked`] : []),
    ...(done < total && leftMs > 0 ? [`about ${durationInWords(leftMs)} left, by ${limits[limitedBy]}`] : []),
  ];
  return `  ${parts.join(', ')}`;
}

/**
 * How fast a bridge may work from now on. Call it before a preview: in its copy of the state, a preview uses up the
 * allowances of the next cycle.
 */
export function paceOf({ limits: { github, tracker } }: Config, { store, allowances, clock }: Bridge): Pace {
  const { pointsPerMinute, pauseBetweenWritesMs } = github;
  const creations = creationsLeft(store, allowances.github, clock.now());
  return { pointsPerMinute, pauseBetweenWritesMs, trackerRequestsPerSecond: tracker.requestsPerSecond, creations };
}
