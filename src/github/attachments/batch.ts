import type { StoredFile, Upload } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Stores parcels one after the other. Whoever is asked to wait, or is not let in, does not go on with the next one. */
export async function oneByOne(
  uploads: readonly Upload[],
  store: (upload: Upload) => Promise<Outcome<StoredFile>>,
): Promise<Outcome<StoredFile>[]> {
  const outcomes: Outcome<StoredFile>[] = [];
  for (const upload of uploads) {
    const outcome = await store(upload);
    outcomes.push(outcome);
    const isEnd = outcome.kind === 'unauthorized' || (outcome.kind === 'later' && outcome.wholeSide);
    if (isEnd) return [...outcomes, ...uploads.slice(outcomes.length).map(() => outcome)];
  }
  return outcomes;
}

/** Says what an operator can do. What is gone is a place on the shelf, and no issue. */
export function advised(outcome: Outcome<never>, advice = usual): Outcome<never> {
  if (outcome.kind === 'gone') return { kind: 'refused', why: `${outcome.gone.why}. ${advice}` };
  return outcome.kind === 'refused' ? { ...outcome, why: `${outcome.why} ${advice}` } : outcome;
}

const usual = 'Check that the account may write the contents of the repository, and that the repository is not empty.';
