import type { Link } from '../../src/model/link.ts';
import type { Direction, LabelRule } from '../../src/model/route.ts';
import type { Random } from '../support/random.ts';
import { type Both, both } from './check-fields.ts';
import { hold } from './hold.ts';
import type { Setup } from './plan-context.ts';
import { known, setBug, setIssue, type World } from './world.ts';

/** Tags of the whiteboard and custom fields, as labels: what people do with them, and what has to come of it. */
const tags = ['easy', 'Good First', 'later'];
const sets = {
  whiteboard: { prefix: 'tag: ', words: tags },
  cf_area: { prefix: 'area: ', words: known.cf_area },
} as const;
const impacts = ['low', 'high'];

export function rulesOf(r: Random): readonly LabelRule[] {
  const all = [
    { from: 'whiteboard', as: 'tag: {value}', both: r.chance(0.6) },
    { from: 'cf_area', as: 'area: {value}', both: r.chance(0.6) },
    { from: 'cf_impact', as: 'impact: {value}', both: r.chance(0.6) },
  ] as const;
  return all.filter(() => r.chance(0.5));
}

/** Labels of a rule's shape with values that no tracker has. */
const impossible = ['severity: major!', 'component: Nope', 'area: nowhere'];

/** I3 and I12: what cannot travel is taken off again and explained, once for each label. */
export function checkImpossible({ world, links, planContext: { route, vocabulary } }: Setup['bridge']): void {
  const prefixes = route.labels
    .filter(({ from }) => vocabulary.values[from] !== undefined)
    .map(({ as }) => as.replace('{value}', ''));
  for (const issue of world.issues.values()) {
    const said = world.comments.filter(
      ({ side, ref, text }) => side === 'github' && ref === issue.number && text.includes(' remark='),
    );
    const markers = said.map(({ text }) => /remark=(\S+)/u.exec(text)?.[1]);
    hold(new Set(markers).size === markers.length, `I4: issue ${issue.number} has an explanation twice`);
    const isMirrored = [...links.values()].some(
      ({ issue: number, bug, state }) => number === issue.number && state === 'live' && bug !== null,
    );
    if (route.direction === 'to-tracker' || !isMirrored) continue;
    const left = issue.labels.filter(
      (label) => impossible.includes(label) && prefixes.some((prefix) => prefix !== '' && label.startsWith(prefix)),
    );
    hold(left.length === 0, `I3: issue ${issue.number} still has ${left.join()}`);
  }
  const crossed = world.comments.filter(
    ({ side, text }) => side === 'tracker' && /was removed again|was restored/u.test(text),
  );
  hold(crossed.length === 0, `I3: an explanation crossed: ${crossed[0]?.text}`);
}

/** @param isKnown whether the tracker lists its values; else any label of a rule's shape may be right */
export function editLabels(world: World, r: Random, isKnown: boolean): void {
  for (const bug of world.bugs.values()) {
    if (r.chance(0.3))
      setBug(world, {
        ...bug,
        whiteboard: `${r.pick(['', 'see [] there'])} ${some(r, tags)
          .map((tag) => `[${tag}]`)
          .join('')}`.trim(),
      });
    else if (r.chance(0.4)) {
      const customs = { cf_area: some(r, known.cf_area), cf_impact: r.pick(known.cf_impact) };
      setBug(world, { ...bug, customs });
    }
  }
  for (const issue of world.issues.values()) {
    if (!r.chance(0.5)) continue;
    const label = r.pick([
      ...tags.map((tag) => `tag: ${tag}`),
      ...known.cf_area.map((area) => `area: ${area}`),
      ...impacts.map((each) => `impact: ${each}`),
    ]);
    if (isKnown && r.chance(0.3)) setIssue(world, { ...issue, labels: [...issue.labels, r.pick(impossible)] });
    const now = world.issues.get(issue.number) ?? issue;
    const kept = now.labels.filter((each) => each.toLowerCase() !== label.toLowerCase());
    setIssue(world, { ...now, labels: kept.length < now.labels.length ? kept : [...now.labels, label] });
  }
}

const some = <T>(r: Random, list: readonly T[]): readonly T[] => list.filter(() => r.chance(0.4));

/** I3 and I12 for these fields; what both sides said at once is left out, but for sets, which merge. */
export function checkLabels(
  { bridge }: Setup,
  link: Link,
  before: Both | null | undefined,
  after: Both | null | undefined,
): void {
  const final = both(bridge, link);
  if (!before || !after || !final || after.bug.isPrivate || before.bug.isPrivate) return;
  if ([...bridge.parked.keys()].some((key) => key.startsWith(`${link.id}:`))) return;
  hold(
    (final.bug.whiteboard ?? '').includes('see [] there') === (after.bug.whiteboard ?? '').includes('see [] there'),
    `I3: words of the whiteboard of bug ${link.bug} are lost`,
  );
  for (const rule of bridge.planContext.route.labels) {
    if (rule.from === 'whiteboard' || rule.from === 'cf_area')
      checkSet(bridge.planContext.route.direction, rule, rule.from, [before, after, final]);
    if (rule.from === 'cf_impact') checkImpact(bridge.planContext, rule, [before, after, final]);
  }
}

function checkSet(
  direction: Direction,
  rule: LabelRule,
  from: keyof typeof sets,
  [before, after, final]: readonly [Both, Both, Both],
): void {
  const { prefix, words } = sets[from];
  const onTracker = ({ bug }: Both, word: string) =>
    from === 'whiteboard' ? (bug.whiteboard ?? '').includes(`[${word}]`) : [bug.customs?.[from]].flat().includes(word);
  const onGithub = (shown: Both, word: string) => has(shown, `${prefix}${word}`);
  if (words.some((word) => onTracker(before, word) !== onGithub(before, word))) return;
  for (const word of words) {
    const [was, t1, g1] = [onTracker(before, word), onTracker(after, word), onGithub(after, word)];
    const meant = t1 !== was || !rule.both ? t1 : g1;
    // Missing on GitHub where it never was, an element is the tracker's own.
    const [tracker, github] = {
      both: [meant, meant],
      'to-github': [t1, t1],
      'to-tracker': [rule.both ? g1 || (t1 && !was) : t1, g1],
    }[direction];
    const now = [onTracker(final, word), onGithub(final, word)];
    const say = `${from} ${word} of bug ${after.bug.id}: was ${was}, tracker ${t1}, GitHub ${g1}; now ${now.join()}`;
    hold(now[0] === tracker && now[1] === github, `I3: ${say}`);
  }
}

function checkImpact(
  { route: { direction }, vocabulary }: Setup['bridge']['planContext'],
  rule: LabelRule,
  [before, after, final]: readonly [Both, Both, Both],
): void {
  const onTracker = ({ bug }: Both) => String(bug.customs?.['cf_impact']).replace('---', '');
  const onGithub = (shown: Both) => impacts.filter((each) => has(shown, `impact: ${each}`)).join();
  const [t0, g0, t1, g1] = [onTracker(before), onGithub(before), onTracker(after), onGithub(after)];
  if (t0 !== g0 || direction !== 'both' || g1.includes(',')) return;
  const takesNothing = vocabulary.values['cf_impact'] !== undefined;
  if (rule.both && t1 !== t0 && g1 !== g0 && (g1 !== '' || takesNothing)) return;
  const isGithubs = rule.both && g1 !== g0 && (g1 !== '' || takesNothing);
  const meant = isGithubs ? g1 : t1;
  hold(
    onTracker(final) === meant && onGithub(final) === meant,
    `I3: impact of bug ${after.bug.id}: was ${t0}, tracker ${t1}, GitHub ${g1}; now ${onTracker(final)}, ${onGithub(final)}`,
  );
}

const has = ({ issue }: Both, label: string): boolean =>
  issue.labels.some((each) => each.toLowerCase() === label.toLowerCase());
