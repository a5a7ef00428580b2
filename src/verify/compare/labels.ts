import type { Difference, Findings, LeftOut } from '../../model/reports/verification.ts';
import type { LabelRule } from '../../model/route.ts';
import { isCustom, withoutAddresses } from '../../text/canonical.ts';
import { fieldFindings, isAgreed, refused, towardsTracker } from './difference.ts';
import type { Pair } from './seen-pair.ts';

/**
 * Labels by rule: each value has its label, and the rule has no other label there. Labels that no rule could have
 * written belong to people.
 * @param statusLabel the label for the bug's status
 */
export function compareLabels(pair: Pair, statusLabel: string | null): Findings {
  const present = new Set(pair.issue.labels.map(lowered));
  const differences: Difference[] = [];
  const leftOut: LeftOut[] = [];
  const wanted = new Set<string>();
  for (const { label, value } of wantedLabels(pair, statusLabel)) {
    wanted.add(lowered(label));
    if (present.has(lowered(label))) continue;
    if (pair.route.direction === 'to-tracker')
      leftOut.push({ about: `label "${label}"`, why: 'the route goes to the tracker only' });
    else differences.push(labelDifference(`"${label}" is missing on GitHub`, value, pair));
  }
  for (const label of pair.issue.labels) {
    if (wanted.has(lowered(label)) || !isOurs(pair, label)) continue;
    differences.push(labelDifference(`"${label}" should not be on GitHub`, null, pair));
  }
  return { differences, leftOut, compared: { fields: wanted.size, texts: 0, files: 0, references: 0 } };
}

/**
 * The type of the issue, if a rule shows a field as the type. A type that the tracker does not know is a value of its
 * own. One that the organisation lacks was recorded by the bridge as not taken, and is left out.
 */
export function compareType({ route, vocabulary, bug, issue, link }: Pair): Findings {
  const rule = route.labels.find(({ isType }) => isType);
  if (rule === undefined || issue.type === undefined || !isShown(rule, bug)) return fieldFindings([], [], 0);
  const [value = null] = valuesOf(rule, bug);
  const wanted = value === null ? null : labelFor(rule, value);
  const [mine, theirs] = [wanted ?? 'none', issue.type ?? 'none'];
  if (lowered(mine) === lowered(theirs)) return fieldFindings([]);
  const known = [...(value === null ? [] : [value]), ...(vocabulary.values[rule.from] ?? [])];
  const said = known.find((each) => lowered(labelFor(rule, each)) === lowered(theirs)) ?? null;
  if (isAgreed(link.base, rule.from, value, said ?? issue.type)) return refused('type', mine, theirs);
  if (route.direction === 'to-tracker' && said === null)
    return fieldFindings([], [{ about: 'type', why: towardsTracker }]);
  const words = issue.type === null ? 'is missing on GitHub' : 'differs';
  return fieldFindings([
    {
      aspect: 'type',
      about: 'type',
      words,
      tracker: value === null ? null : `${rule.from}: ${value}`,
      github: issue.type,
    },
  ]);
}

const labelDifference = (words: string, value: string | null, { issue }: Pair): Difference => ({
  aspect: 'label',
  about: 'label',
  words,
  tracker: value,
  github: issue.labels.join(', ') || 'no labels',
});

function wantedLabels(
  { route, bug, issue }: Pair,
  statusLabel: string | null,
): readonly { label: string; value: string }[] {
  const byRule = route.labels
    .filter(({ isType, field }) => !isType && field === undefined)
    .flatMap((rule) =>
      valuesOf(rule, bug).map((value) => ({ label: labelFor(rule, value), value: `${rule.from}: ${value}` })),
    );
  const byStatus =
    statusLabel === null || issue.state === 'closed' ? [] : [{ label: statusLabel, value: `status: ${bug.status}` }];
  return [...byRule, ...byStatus];
}

export function valuesOf({ from }: LabelRule, bug: Pair['bug']): readonly string[] {
  if (from === 'keywords') return bug.keywords;
  if (from === 'whiteboard') return tagsOf(bug.whiteboard ?? '');
  const value = isCustom(from) ? bug.customs?.[from] : bug.values[from];
  const nothing = isCustom(from) ? ['', '---'] : [''];
  return [value].flat().flatMap((each) => (each === undefined || nothing.includes(each) ? [] : [each]));
}

const tagsOf = (whiteboard: string): readonly string[] =>
  [...whiteboard.matchAll(/\[\s*([^[\]\s](?:[^[\]\r\n]*[^[\]\s])?)\s*\]/gu)].map(([, tag = '']) => tag);

/** Whether the tracker showed us the field: a hidden field cannot be compared. */
export const isShown = ({ from }: LabelRule, bug: Pair['bug']): boolean =>
  from === 'keywords' ||
  (from === 'whiteboard' ? bug.whiteboard : isCustom(from) ? bug.customs?.[from] : bug.values[from]) !== undefined;

/** GitHub accepts fifty characters, and e-mail addresses stay on the tracker. */
function labelFor({ as }: LabelRule, value: string): string {
  const whole = [...as.split('{value}').join(withoutAddresses(value))];
  return whole.length > 50 ? `${whole.slice(0, 49).join('')}…` : whole.join('');
}

/** Whether the bridge could have put this label there: for a value that the tracker knows, or for a status. */
function isOurs({ route, vocabulary, bug }: Pair, label: string): boolean {
  const byStatus = Object.values(route.status.toGithub).flatMap((shown) =>
    'state' in shown ? [shown.label] : Object.values(shown).map(({ label: each }) => each),
  );
  if (byStatus.some((each) => typeof each === 'string' && lowered(each) === lowered(label))) return true;
  return route.labels.some((rule) => {
    if (rule.isType || rule.field !== undefined) return false;
    if (!isShown(rule, bug)) return false;
    const known = vocabulary.values[rule.from];
    if (known !== undefined) return known.some((value) => lowered(labelFor(rule, value)) === lowered(label));
    const [before = '', after = ''] = rule.as.split('{value}').map(lowered);
    const isLonger = label.length > before.length + after.length;
    if (before + after === '' || !isLonger || !lowered(label).startsWith(before) || !lowered(label).endsWith(after))
      return false;
    return route.direction !== 'to-tracker' || isHeld(rule, label.slice(before.length, label.length - after.length));
  });
}

/**
 * Whether the tracker can hold the value: a tag in a whiteboard cannot contain a bracket. On a route to the tracker,
 * such a label stays.
 */
const isHeld = ({ from }: LabelRule, value: string): boolean =>
  from !== 'whiteboard' || tagsOf(`[${value}]`)[0] === value;

export const lowered = (label: string): string => label.toLowerCase();
