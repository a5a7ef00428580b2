import { expect, test } from 'vitest';
import { mirrored, verified } from './mirror.ts';

// Beyond five hundred pairs, verify does not read a pair again that differs at first, but reports it.
test('a mirror in step needs no second read', async () => {
  const { context } = await mirrored();
  const again: number[] = [];
  const noting =
    <R extends number, T>(probe: (ref: R) => Promise<T>) =>
    (ref: R): Promise<T> => {
      again.push(ref);
      return probe(ref);
    };
  const [tracker, github] = [context.tracker, context.github];
  await verified({
    ...context,
    tracker: { ...tracker, probe: noting(tracker.probe) },
    github: { ...github, probe: noting(github.probe) },
  });
  expect(again).toEqual([]);
});
