import type { Verdict } from '../../check/verdict.ts';
import { failureInWords, isHalting } from '../../explain/failure.ts';
import { sideInWords, spanInWords } from '../../explain/words.ts';
import type { Failed } from '../../model/outcome.ts';

/** `status` sends here whoever sees cycles fail: a route whose cause is not among what was asked must not look well. */
export function stillFailing(route: string, failures: readonly Failed[], now: number): readonly Verdict[] {
  return failures
    .filter((failed) => isHalting(failed) && failed.count > 1 && isUnasked(failed))
    .map((failed) => ({
      level: 'warning',
      about: `route ${route}, ${failed.of === 'cycle' ? 'cycles' : 'full comparison'}`,
      words:
        `${spanInWords(Math.max(0, now - failed.at))} ago, ${failureInWords(failed)} ` +
        `What check asks is answered now; if the next one fails as well, ${adviser(failed)}`,
    }));
}

/** What check would have found, such as a wrong product or a dead token, is put right if it finds nothing. */
const isUnasked = ({ of, kind }: Failed): boolean =>
  (of === 'cycle' || of === 'sweep') && (kind === 'later' || kind === 'fault');

const adviser = ({ kind, side }: Failed): string =>
  side === null || kind === 'fault'
    ? 'report it, with the log.'
    : `ask an administrator of ${sideInWords(side)}, with this message.`;
