import { type Fault, planted } from '../support/faults/planted-code.ts';
import { type Tier, tiers } from './tiers.ts';

/** The tier that runs, as vitest.config.ts has it from the command line; that of `npm test` where somebody calls vitest by hand. */
const tier: Tier = tiers.find((each) => each === process.env['TIER']) ?? 'test';

/** How much of something this tier runs. */
export const perTier = (amounts: Readonly<Record<Tier, number>>): number => amounts[tier];

/** Moves on by one each day, so that samples differ from day to day. vitest.config.ts sets it, so that midnight changes nothing in a run. */
const day = Number(process.env['DAY'] ?? 0);

/** A fault in a table: by itself, with more about it, or after its name. */
type InTable = Fault | readonly [name: string, fault: Fault, ...rest: readonly unknown[]];

/**
 * Those of a family that this run tries: all in the deep tier, one in `npm run check`, and `count` in `npm test`: other ones each day, until
 * all had their turn.
 */
export function draw<T>(family: readonly T[], count: number): readonly T[] {
  const wanted = Math.min(family.length, perTier({ check: 1, test: count, deep: family.length }));
  return Array.from({ length: wanted }, (_, index) => family[(day * wanted + index) % family.length] as T);
}

/** The planted faults that this run tries, as `draw` has it. The others must still fit the code. */
export function sample<T extends InTable>(faults: readonly T[], count = 3): readonly T[] {
  for (const each of faults) planted('file' in each ? each : each[1]);
  return draw(faults, count);
}

/** The same of the seeds from 1 to `last`. */
export const drawSeeds = (last: number, count: number): readonly number[] =>
  draw(
    Array.from({ length: last }, (_, index) => index + 1),
    count,
  );
