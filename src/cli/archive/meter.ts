import { durationInWords } from '../../model/duration.ts';
import type { ArchiveProgress } from '../../wire/archive.ts';
import type { Terminal } from '../terminal.ts';

/** Shows the progress of an archive: a status line on a terminal, occasional lines elsewhere. */
export interface ArchiveMeter {
  tell(progress: ArchiveProgress): void;
  end(): void;
}

/** The interval between lines without a terminal, and between two states of the line on one. */
const lineMs = 30_000;
const showMs = 100;
const barWidth = 24;

export function archiveMeter(terminal: Terminal): ArchiveMeter {
  let shownAt = terminal.isTerminal ? Number.NEGATIVE_INFINITY : null;
  let begunAt: number | null = null;
  return {
    tell(progress) {
      const { at } = progress;
      shownAt ??= at;
      if (progress.phase === 'reading') begunAt ??= at;
      if (at - shownAt < (terminal.isTerminal ? showMs : lineMs)) return;
      shownAt = at;
      const line = lineOf(progress, begunAt === null ? 0 : at - begunAt);
      if (terminal.isTerminal) terminal.progress(line);
      else terminal.note(line);
    },
    end: () => terminal.progress(null),
  };
}

function lineOf({ phase, done, total }: ArchiveProgress, elapsedMs: number): string {
  if (phase === 'listing' || total === null || total === 0) return `listing bugs, ${done}`;
  const full = Math.floor((done / total) * barWidth);
  const leftMs = (elapsedMs / done) * (total - done);
  const left = done === total || elapsedMs < 1_000 ? '' : `, about ${durationInWords(leftMs)} left`;
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${done} of ${total} bugs${left}`;
}
