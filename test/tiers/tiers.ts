import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much of the tests runs: `npm run check`, `npm test`, `npm run test:deep`. */
export const tiers = ['check', 'test', 'deep'] as const;
export type Tier = (typeof tiers)[number];

interface Row {
  /** From the root of the project: `test/fields/merge.test.ts`. */
  readonly files: readonly string[];
  /** What each tier runs of them, in words; empty if it leaves them out, or has nothing to add to the tier before. */
  readonly runs: Readonly<Record<Tier, string>>;
  /** The invariants that they hold: `I4`. */
  readonly holds: readonly string[];
}

/** The table of test/tiers/tiers.md. */
export const rows: readonly Row[] = rowsIn(readFileSync(join(import.meta.dirname, 'tiers.md'), 'utf8'));

function rowsIn(text: string): readonly Row[] {
  return [...text.matchAll(/^\| `(test[\w/-]*)`: (.+?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gmu)].map(
    ([, folder = '', names = '', check = '', test = '', deep = '', holds = '']) => ({
      files: names.split(' ').map((name) => `${folder}/${name}.test.ts`),
      runs: { check: check.trim(), test: test.trim(), deep: deep.trim() },
      holds: holds.match(/I\d+/gu) ?? [],
    }),
  );
}

/** The first tier that runs the files of a row. */
const tierOf = ({ runs }: Row): Tier => tiers.find((tier) => runs[tier] !== '') ?? 'check';

/** The files that a tier adds to the tiers before it. */
export const filesAddedBy = (tier: Tier): readonly string[] =>
  rows.flatMap((row) => (tierOf(row) === tier ? row.files : []));

/** The files for which the deep tier has more to do than `npm test`: first those that hold invariants. */
export const deepFiles: readonly string[] = rows
  .filter(({ runs }) => runs.deep !== '')
  .toSorted((one, other) => Number(one.holds.length === 0) - Number(other.holds.length === 0))
  .flatMap(({ files }) => files);

/** The files of which `npm test` runs a quarter of the tests. */
export const quarters: ReadonlySet<string> = new Set(
  rows.flatMap(({ files, runs }) => (/^a quarter\b/u.test(runs.test) ? files : [])),
);
