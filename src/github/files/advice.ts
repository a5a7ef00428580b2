import type { Outcome } from '../../model/outcome.ts';

/** Says what an operator can do. What is gone is a place on the shelf, and no issue. */
export function advised(outcome: Outcome<never>, advice = usual): Outcome<never> {
  if (outcome.kind === 'gone') return { kind: 'refused', why: `${outcome.gone.why}. ${advice}` };
  return outcome.kind === 'refused' ? { ...outcome, why: `${outcome.why} ${advice}` } : outcome;
}

const usual = 'Check that the account may write the contents of the repository, and that the repository is not empty.';
