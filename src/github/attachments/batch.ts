import type { StoredFile, Upload } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';
import { inSentences } from '../connection/failure.ts';

/** Stores uploads one after the other. Stops if a side asks for a pause or refuses the credentials. */
export async function oneByOne(
  uploads: readonly Upload[],
  store: (upload: Upload) => Promise<Outcome<StoredFile>>,
): Promise<Outcome<StoredFile>[]> {
  const outcomes: Outcome<StoredFile>[] = [];
  for (const upload of uploads) {
    const outcome = await store(upload);
    outcomes.push(outcome);
    const isEnd = outcome.kind === 'unauthorized' || (outcome.kind === 'later' && outcome.wholeSide);
    if (isEnd) return outcomes;
  }
  return outcomes;
}

/** Adds what the operator can do. A 404 means the place in the attachment store, not the issue. */
export function advised(outcome: Outcome<never>, advice = usual): Outcome<never> {
  if (outcome.kind === 'gone') return { kind: 'refused', why: inSentences(outcome.gone.why, advice) };
  return outcome.kind === 'refused' ? { ...outcome, why: inSentences(outcome.why, advice) } : outcome;
}

const usual = 'Check that the account may write the contents of the repository, and that the repository is not empty.';
