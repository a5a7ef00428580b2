import { durationInWords } from '../../model/duration.ts';
import type { ArchiveProgress } from '../../wire/archive.ts';
import { barOf, progressLine } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** Shows the progress of an archive. */
interface ArchiveMeter {
  tell(progress: ArchiveProgress): void;
  end(): void;
}

export function archiveMeter(terminal: Terminal): ArchiveMeter {
  const { show, end } = progressLine(terminal);
  let begunAt: number | null = null;
  return {
    tell(progress) {
      const { at } = progress;
      if (progress.phase === 'reading') begunAt ??= at;
      show(lineOf(progress, begunAt === null ? 0 : at - begunAt), at);
    },
    end,
  };
}

function lineOf({ phase, done, total }: ArchiveProgress, elapsedMs: number): string {
  if (phase === 'listing' || total === null || total === 0) return `listing bugs, ${done}`;
  const leftMs = (elapsedMs / done) * (total - done);
  const left = done === total || elapsedMs < 1_000 ? '' : `, about ${durationInWords(leftMs)} left`;
  return `${barOf(done, total)} ${done} of ${total} bugs${left}`;
}
