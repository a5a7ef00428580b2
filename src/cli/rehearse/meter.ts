import { counted } from '../../explain/words.ts';
import { durationInWords } from '../../model/duration.ts';
import type { CaseResult, CaseVerdict } from '../../model/rehearsal.ts';
import type { RehearsalEvent } from '../../wire/rehearse.ts';
import { barOf } from '../progress.ts';
import { type Style, type Terminal, visible } from '../terminal.ts';

/** Shows the progress of a rehearsal: one line for each result and, on a terminal, the current case. */
interface RehearsalMeter {
  tell(event: RehearsalEvent): void;
  end(): void;
}

/** A reader notices waits of this length. */
const longMs = 10_000;
/** The pace means nothing before this many cases. */
const paceCases = 5;

const marks: Readonly<Record<CaseVerdict, { readonly word: string; readonly style: Style }>> = {
  'as-assumed': { word: 'ok', style: 'green' },
  differs: { word: 'differs', style: 'red' },
  'not-tried': { word: 'not tried', style: 'yellow' },
};

export function rehearsalMeter(
  terminal: Terminal,
  { isQuiet, now }: { readonly isQuiet: boolean; readonly now: () => number },
): RehearsalMeter {
  const { out, paint, progress } = terminal;
  let family = '';
  let skipped: readonly CaseResult[] = [];
  let begun: { readonly at: number; readonly done: number } | null = null;
  const running = ({ id, done, total }: RehearsalEvent & { kind: 'running' }): void => {
    begun ??= { at: now(), done };
    const ran = done - begun.done;
    const left = ran < paceCases ? '' : `, about ${durationInWords(((now() - begun.at) / ran) * (total - done))} left`;
    progress(`${barOf(done, total)} ${done} of ${total}${left}  ${paint('dim', id)}`);
  };
  // A hundred cases with the same reason would be noise in a log.
  const tellSkipped = (): void => {
    for (const why of new Set(skipped.map((each) => each.why))) {
      const alike = skipped.filter((each) => each.why === why);
      const [only] = alike;
      if (alike.length === 1 && only !== undefined) for (const line of linesOf(only, terminal)) out(line);
      else
        out(`  ${paint('yellow', marks['not-tried'].word)}  ${counted(alike.length, 'case')}: ${visible(why ?? '')}`);
    }
    skipped = [];
  };
  const finished = (result: CaseResult): void => {
    if (result.family !== family) {
      tellSkipped();
      out(paint('bold', result.family));
    }
    family = result.family;
    if (result.verdict === 'not-tried' && !terminal.isTerminal) skipped = [...skipped, result];
    else for (const line of linesOf(result, terminal)) out(line);
  };
  return {
    tell(event) {
      if (isQuiet) return;
      if (event.kind === 'running') running(event);
      else if (event.kind === 'case') finished(event.result);
      else if (event.kind === 'cleaning') {
        tellSkipped();
        progress('cleaning up');
      } else if (event.until - now() >= longMs)
        out(paint('dim', `  waiting ${durationInWords(event.until - now())}: ${visible(event.why)}`));
    },
    end() {
      tellSkipped();
      progress(null);
    },
  };
}

/** One case as a line; a difference comes with its meaning. */
export function linesOf(
  { id, verdict, assumes, expected, seen, why, means }: CaseResult,
  { paint }: Pick<Terminal, 'paint'>,
): readonly string[] {
  const { word, style } = marks[verdict];
  const head = `  ${paint(style, word.padEnd(9))}  ${id.padEnd(28)} ${assumes}`;
  if (verdict === 'as-assumed') return [head];
  const indent = ' '.repeat(13);
  if (verdict === 'not-tried') return [head, paint('dim', `${indent}${visible(why ?? '')}`)];
  return [
    head,
    `${indent}expected: ${expected}`,
    `${indent}came:     ${visible(seen ?? '')}`,
    `${indent}means:    ${means}`,
  ];
}
