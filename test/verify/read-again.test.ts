import { type Case, testCases } from '../support/faults/scenarios.ts';
import { mirrored, verified } from './mirror.ts';

/** The bugs and issues that a comparison reads once more, one by one, because they seemed to differ at first. */
async function readAgain(src: string): Promise<unknown> {
  const { verify } = (await import(`${src}/verify/verify.ts`)) as typeof import('../../src/verify/verify.ts');
  const { context } = await mirrored();
  const again: number[] = [];
  const noting =
    <R extends number, T>(probe: (ref: R) => Promise<T>) =>
    (ref: R): Promise<T> => {
      again.push(ref);
      return probe(ref);
    };
  const [tracker, github] = [context.tracker, context.github];
  await verified(
    {
      ...context,
      tracker: { ...tracker, probe: noting(tracker.probe) },
      github: { ...github, probe: noting(github.probe) },
    },
    null,
    verify,
  );
  return again;
}

const cases: readonly Case[] = [
  {
    name: 'links to a file seem to be links of the text that came with it',
    ...{
      file: 'verify/compare/seen-text.ts',
      from: 'said.slice(notice === null ? 0 : 1).flatMap(',
      to: 'said.flatMap(',
    },
    ...{ scenario: readAgain, right: [] },
  },
];

// Beyond five hundred pairs, what differs at first is not read again, but reported.
testCases(cases);
