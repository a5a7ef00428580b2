import { describe, expect, test } from 'vitest';
import { allCases, openStage } from './stage.ts';

const differing = (cases: readonly { readonly verdict: string }[]) => cases.filter(({ verdict }) => verdict === 'differs');
const untried = (cases: readonly { readonly verdict: string; readonly id: string; readonly why: string | null }[]) =>
  cases.filter(({ verdict }) => verdict === 'not-tried').map(({ id, why }) => `${id}: ${why}`);

describe('a rehearsal in the sandbox', () => {
  test('finds everything as assumed', async () => {
    const stage = openStage();
    const progress = await stage.run();
    expect(differing(progress.cases)).toEqual([]);
    expect(untried(progress.cases)).toEqual([]);
    expect(progress.cases.length).toBe(allCases.length);
  });
});
