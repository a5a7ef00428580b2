import type { Parcel, Shelved } from '../../model/attachment.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Stores parcels one after the other. Whoever is asked to wait, or is not let in, does not go on with the next one. */
export async function oneByOne(
  parcels: readonly Parcel[],
  store: (parcel: Parcel) => Promise<Outcome<Shelved>>,
): Promise<Outcome<Shelved>[]> {
  const outcomes: Outcome<Shelved>[] = [];
  for (const parcel of parcels) {
    const outcome = await store(parcel);
    outcomes.push(outcome);
    const isEnd = outcome.kind === 'unauthorized' || (outcome.kind === 'later' && outcome.wholeSide);
    if (isEnd) return [...outcomes, ...parcels.slice(outcomes.length).map(() => outcome)];
  }
  return outcomes;
}

/** Says what an operator can do. What is gone is a place on the shelf, and no issue. */
export function advised(outcome: Outcome<never>, advice = usual): Outcome<never> {
  if (outcome.kind === 'gone') return { kind: 'refused', why: `${outcome.gone.why}. ${advice}` };
  return outcome.kind === 'refused' ? { ...outcome, why: `${outcome.why} ${advice}` } : outcome;
}

const usual = 'Check that the account may write the contents of the repository, and that the repository is not empty.';
