import type { FieldName, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import {
  type Compared,
  type Difference,
  type Findings,
  type LeftOut,
  nothingCompared,
} from '../../model/reports/verification.ts';
import { equalValues } from '../../text/canonical.ts';

export const noFindings: Findings = { differences: [], leftOut: [], compared: nothingCompared };

export function joinedFindings(all: readonly Findings[]): Findings {
  return {
    differences: all.flatMap(({ differences }) => differences),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    compared: all.reduce((sum, { compared }) => plus(sum, compared), nothingCompared),
  };
}

const plus = (one: Compared, other: Compared): Compared => ({
  fields: one.fields + other.fields,
  texts: one.texts + other.texts,
  files: one.files + other.files,
  references: one.references + other.references,
});

/** The result of comparing `fields` values. */
export const fieldFindings = (
  differences: readonly Difference[],
  leftOut: readonly LeftOut[] = [],
  fields = 1,
): Findings => ({
  differences,
  leftOut,
  compared: { fields, texts: 0, files: 0, references: 0 },
});

/** The result of comparing texts. */
export const textFindings = (
  differences: readonly Difference[],
  leftOut: readonly LeftOut[] = [],
  texts = 1,
  references = 0,
): Findings => ({
  differences,
  leftOut,
  compared: { fields: 0, texts, files: 0, references },
});

/** A value that the tracker chose, while GitHub has none. */
export const towardsTracker = 'the route goes to the tracker only, and GitHub has no value';

/** An item that is newer than the bridge's last reading still differs, and says why. */
export const sinceLook = (isLate: boolean): string => (isLate ? ", as it is newer than the bridge's last reading" : '');

/**
 * Whether the bridge recorded that one side did not take the other's value: it then stops trying, and a person must
 * act.
 */
export function isAgreed(base: Base | null, field: FieldName, mine: Value, theirs: Value): boolean {
  return base !== null && equalValues(base.tracker[field], mine) && equalValues(base.github[field], theirs);
}

export function refused(about: string, mine: string | null, theirs: string | null): Findings {
  const why = `one side did not take the other's value: ${mine ?? 'none'} on the tracker, ${theirs ?? 'none'} on GitHub`;
  return fieldFindings([], [{ about, why }]);
}
