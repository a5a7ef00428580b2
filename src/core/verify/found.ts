import type { FieldName, Value } from '../../model/fields.ts';
import type { Base } from '../../model/link.ts';
import { equalValues } from '../canonical.ts';
import type { Difference, Findings, LeftOut } from './difference.ts';

/** What comparing `fields` values came to. */
export const found = (differences: readonly Difference[], leftOut: readonly LeftOut[] = [], fields = 1): Findings => ({
  differences,
  leftOut,
  compared: { fields, texts: 0, files: 0, references: 0 },
});

/** What the tracker chose by itself, and GitHub says nothing of. */
export const towardsTracker = 'the route goes to the tracker only, and GitHub says nothing of it';

/** What came after the bridge last looked differs all the same, and says why. */
export const sinceLook = (isLate: boolean): string => (isLate ? ', as it came after the bridge last looked' : '');

/** Whether the bridge noted that one side did not take the value of the other: it then tries no more, and a person has to. */
export function isAgreed(base: Base | null, field: FieldName, mine: Value, theirs: Value): boolean {
  return base !== null && equalValues(base.tracker[field], mine) && equalValues(base.github[field], theirs);
}

export function refused(about: string, mine: string | null, theirs: string | null): Findings {
  const why = `one side did not take the other's value: ${mine ?? 'none'} on the tracker, ${theirs ?? 'none'} on GitHub`;
  return found([], [{ about, why }]);
}
