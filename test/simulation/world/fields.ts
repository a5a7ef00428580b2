import type { Link } from '../../../src/model/link.ts';
import type { LabelRule, Route } from '../../../src/model/route.ts';
import type { FieldDraft } from '../../../src/sandbox/github/world/issue-fields.ts';
import { random } from '../../support/random.ts';
import { remarksOn, repo, type Stage } from '../stage.ts';

/** The organisation has no option for some values, and some for which the tracker has no value. */
const levels = ['Highest', 'High', 'Normal', 'Odd'];
const areas = ['docs', 'net', 'odd'];
const priorities = ['Highest', 'High', 'Normal', 'Low'];
const places = ['docs', 'net', 'ui'];

/** The first two show bugs; the others are people's own, and the last of them the bridge is not shown. */
const drafts: readonly FieldDraft[] = [
  { name: 'Level', kind: 'single_select', options: levels },
  { name: 'Areas', kind: 'multi_select', options: areas },
  { name: 'Effort', kind: 'number' },
  { name: 'Contract', kind: 'text', isForMembers: true },
];
const rules: readonly LabelRule[] = [
  { from: 'priority', as: '{value}', both: true, field: 'Level' },
  { from: 'cf_area', as: '{value}', both: true, field: 'Areas' },
];
const own = ['Effort', 'Contract'] as const;

/** A fifteenth of the seeds shows values in fields of issues, so that the others stay what they are. */
export const hasFields = (seed: number): boolean => seed % 15 === 11;

export const withFields = (route: Route): Route => ({ ...route, labels: [...route.labels, ...rules] });

/** What people last wrote into fields that are their own, by issue and name. */
const written = new WeakMap<Stage, Map<string, string>>();

/**
 * People choose values on both sides, and write into fields of their own. Draws of its own, so that other seeds run as
 * they did.
 */
export function choosers(seed: number, world: Stage): () => void {
  if (!hasFields(seed)) return () => undefined;
  const draw = random(seed + 60_000_000);
  const { tracker, github } = world;
  github.setFields(repo, drafts, { outsiders: ['bugferry-bot'] });
  const notes = new Map<string, string>();
  written.set(world, notes);
  const some = (list: readonly string[]) => list.filter(() => draw.chance(0.4));
  return () => {
    const bugs = tracker.bugs().filter(({ product }) => product === 'Widget');
    const issues = github.issues(repo);
    const mona = github.as('mona');
    if (bugs.length > 0 && draw.chance(0.5))
      tracker.as('alice').change(draw.pick(bugs).id, { priority: draw.pick(priorities) });
    if (bugs.length > 0 && draw.chance(0.9)) tracker.as('alice').change(draw.pick(bugs).id, { cf_area: some(places) });
    if (issues.length === 0) return;
    if (draw.chance(0.5)) mona.setField(repo, draw.pick(issues).number, 'Level', draw.pick([...levels, null]));
    const chosen = draw.chance(0.5) ? [...some(areas.slice(0, 2)), 'odd'] : some(areas.slice(0, 2));
    if (draw.chance(0.3)) {
      const { number } = draw.pick(issues);
      mona.setField(repo, number, 'Areas', chosen.length === 0 ? null : chosen);
      notes.set(`${number} Areas`, chosen.includes('odd') ? 'odd' : '');
    }
    for (const name of own) {
      if (!draw.chance(0.2)) continue;
      const [{ number }, value] = [draw.pick(issues), draw.below(90)];
      mona.setField(repo, number, name, name === 'Effort' ? value : `C-${value}`);
      notes.set(`${number} ${name}`, name === 'Effort' ? String(value) : `C-${value}`);
    }
  };
}

/**
 * I1: both sides say the same, but for what there is no option for. I12: what people wrote into other fields stands,
 * and among several options those that stand for nothing.
 */
export function fieldViolations(world: Stage, links: readonly Link[]): readonly string[] {
  const { tracker, github } = world;
  const found: string[] = [];
  for (const link of links.filter(({ state }) => state === 'live')) {
    const [bug, issue] = [tracker.bug(link.bug ?? 0), github.issue(repo, link.issue ?? 0)];
    if (bug === null || issue === null) continue;
    const pair = `bug ${bug.id} and issue ${issue.number}`;
    const level = issue.fields['Level'] ?? 'none';
    const allowed = levels.includes(bug.priority) ? [bug.priority] : ['none', 'Odd'];
    if (!allowed.includes(String(level))) found.push(`I1: level of ${pair}: ${bug.priority} / ${level}`);
    const wanted = [bug.custom['cf_area'] ?? []]
      .flat()
      .map(String)
      .filter((area) => areas.includes(area));
    const shown = [issue.fields['Areas'] ?? []].flat().filter((area) => area !== 'odd');
    if (shown.toSorted().join() !== wanted.toSorted().join())
      found.push(`I1: areas of ${pair}: ${wanted.join()} / ${shown.join()}`);
    const markers = remarksOn(github, issue.number);
    if (new Set(markers).size < markers.length) found.push(`I4: ${pair} explain a value twice: ${markers.join()}`);
  }
  for (const [place, value] of written.get(world) ?? []) {
    const [number, name = ''] = place.split(' ');
    const issue = github.issue(repo, Number(number));
    if (issue === null) continue;
    const now = [issue.fields[name] ?? []].flat().filter((each) => name !== 'Areas' || each === 'odd');
    if (now.join() !== value) found.push(`I12: ${name} of issue ${number}: ${value} became ${now.join()}`);
  }
  return found;
}
