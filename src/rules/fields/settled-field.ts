import { otherSide, type Side } from '../../model/ids.ts';
import type { FieldName, Fields, Value } from '../../model/item.ts';
import type { Base, SettledFields } from '../../model/link.ts';
import { isSet, sorted } from '../../text/canonical.ts';
import { type Difference, has, type Verdict } from './last-set.ts';

/**
 * The base from which a plan reaches these verdicts about one field, and the further facts that the plan needs. If
 * people changed different elements of a set, all their changes count; of one element, the later change counts.
 * @param winner the side that wins where people set both; null for a person
 */
export function settledField(
  base: Base | null,
  verdicts: readonly (readonly [Difference, Verdict])[],
  winner: (later: Side) => Side | null,
): { readonly base: Base; readonly settled: SettledFields } | null {
  const [first] = verdicts;
  if (first === undefined) return null;
  const [{ field, element, tracker, github }, verdict] = first;
  const withField = (trackerValue: Value, githubValue: Value): Base => ({
    tracker: { ...base?.tracker, [field]: trackerValue } satisfies Fields,
    github: { ...base?.github, [field]: githubValue } satisfies Fields,
  });
  // Neither side counts as agreed, and a plan finds a conflict, whatever both show then.
  const conflict = (kept: Side | null) => ({ base: withoutField(base, field), settled: { [field]: kept } });
  if (verdicts.some(([, { wins }]) => wins === 'unclear')) return conflict(null);
  if (element === null && verdict.wins === 'both') return conflict(winner(verdict.later));
  const settled: SettledFields = { [field]: 'base' as const };
  const lost = (each: Verdict): Side =>
    otherSide(each.wins === 'both' ? each.later : each.wins === 'unclear' ? 'github' : each.wins);
  const asIs = {
    base: withField({ tracker, github }[lost(verdict)], { tracker, github }[lost(verdict)]),
    settled: { [field]: 'base' } as const,
  };
  if (element === null) return asIs;
  const losers = new Map(verdicts.map(([each, of]) => [each.element ?? '', lost(of)]));
  const shown = (side: Side): readonly string[] => {
    const elements = [tracker, github].flatMap((value) => (isSet(value) ? value : []));
    return sorted(elements).filter((each) => has({ tracker, github }[losers.get(each) ?? side], each));
  };
  return { base: withField(shown('tracker'), shown('github')), settled };
}

function withoutField(base: Base | null, field: FieldName): Base {
  const { [field]: _tracker, ...tracker } = base?.tracker ?? {};
  const { [field]: _github, ...github } = base?.github ?? {};
  return { tracker, github };
}
