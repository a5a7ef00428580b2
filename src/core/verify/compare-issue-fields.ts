import type { LabelRule } from '../../model/route.ts';
import { isCustom } from '../canonical.ts';
import { withoutAddresses } from '../text/visible.ts';
import { folded, isShown, valuesOf } from './compare-labels.ts';
import type { Findings } from './difference.ts';
import { found, isAgreed, refused, towardsTracker } from './found.ts';
import type { Pair } from './pair.ts';

/**
 * Fields of the organisation that a rule writes to. What the organisation has no option for is left out, as the bridge noted; of several
 * options those that stand for no value of the tracker belong to people.
 */
export const compareIssueFields = (pair: Pair): readonly Findings[] =>
  pair.route.labels.flatMap((rule) => (rule.field === undefined ? [] : [compareField(pair, rule, rule.field)]));

function compareField({ route, vocabulary, bug, issue, link }: Pair, rule: LabelRule, name: string): Findings {
  if (issue.fields === undefined || !isShown(rule, bug)) return found([], [], 0);
  const wanted = valuesOf(rule, bug).map(withoutAddresses);
  const shown = [issue.fields[name] ?? []].flat();
  const isList = isSeveralIn(rule, vocabulary.customs);
  const known = [...wanted, ...(vocabulary.values[rule.from] ?? shown)];
  const valued = shown.flatMap((option) => known.find((value) => folded(value) === folded(option)) ?? []);
  const said = isList ? valued : shown;
  if (sameSet(wanted, said)) return found([]);
  const about = `field ${name}`;
  const [mine, theirs] = [wanted, said].map((values) => values.join(', ') || 'none');
  // Where there is one value, what stands for none counts as none.
  const [tracker, github] = [wanted, valued].map((values) => (isList ? values.toSorted() : (values[0] ?? null)));
  if (tracker !== undefined && github !== undefined && isAgreed(link.base, rule.from, tracker, github))
    return refused(about, mine ?? null, theirs ?? null);
  if (route.direction === 'to-tracker' && said.length === 0) return found([], [{ about, why: towardsTracker }]);
  const words = said.length === 0 ? 'is missing on GitHub' : 'differs';
  return found([{ aspect: 'field', about, words, tracker: `${rule.from}: ${mine}`, github: shown.join(', ') || null }]);
}

const isSeveralIn = ({ from }: LabelRule, customs: Pair['vocabulary']['customs']): boolean =>
  isCustom(from) ? customs?.[from] === 'several' : from === 'keywords' || from === 'whiteboard';

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.some((each) => folded(each) === folded(value)));
