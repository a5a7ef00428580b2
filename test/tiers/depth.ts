import { type Fault, planted } from '../support/faults/planted-code.ts';
import { type Tier, tiers } from './tiers.ts';

/**
 * The tier that runs, as vitest.config.ts has it from the command line; that of `npm test` where somebody calls vitest
 * by hand.
 */
const tier: Tier = tiers.find((each) => each === process.env['TIER']) ?? 'test';

/** How much of something this tier runs. */
export const perTier = (amounts: Readonly<Record<Tier, number>>): number => amounts[tier];

/** A fault in a table: by itself, with more about it, or after its name. */
type InTable = Fault | readonly [name: string, fault: Fault, ...rest: readonly unknown[]];

/** So many of a list, from all over it and the same ones in every run. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  const wanted = new Set(Array.from({ length: count }, (_, index) => Math.floor((index * list.length) / count)));
  return list.filter((_, index) => wanted.has(index));
}

/** Those of a family that this run tries: all in the deep tier, one in `npm run check`, and `count` in `npm test`. */
export const some = <T>(family: readonly T[], count: number): readonly T[] =>
  spread(family, perTier({ check: 1, test: count, deep: family.length }));

/** The planted faults that this run tries, as `some` has it. The others must still fit the code. */
export function sample<T extends InTable>(faults: readonly T[], count = 3): readonly T[] {
  for (const each of faults) planted('file' in each ? each : each[1]);
  return some(faults, count);
}

/** The same of the seeds from 1 to `last`. */
export const someSeeds = (last: number, count: number): readonly number[] =>
  some(
    Array.from({ length: last }, (_, index) => index + 1),
    count,
  );
