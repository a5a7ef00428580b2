import type { Aspect, Difference, Findings, LeftOut } from '../../model/reports/verification.ts';
import type { LabelRule, StatusView } from '../../model/route.ts';
import { isCustom, withoutAddresses } from '../../text/canonical.ts';
import { fieldFindings, isAgreed, joinedFindings, refused, towardsTracker } from './difference.ts';
import { compareLabels, compareType, isShown, lowered, valuesOf } from './labels.ts';
import type { Pair } from './seen-pair.ts';
import { unbroken } from './words.ts';

/** The value fields of a pair. The route's rules are evaluated here independently of the planner. */
export function compareFields(pair: Pair): Findings {
  return joinedFindings([
    compareTitles(pair),
    compareStates(pair),
    compareLabels(pair, statusOf(pair)?.label ?? null),
    compareType(pair),
    ...compareIssueFields(pair),
    compareLock(pair),
    compareMilestones(pair),
    compareAssignees(pair),
    compareDependencies(pair),
  ]);
}

const unequal = (aspect: Aspect, words: string, tracker: string | null, github: string | null): Difference => ({
  aspect,
  about: aspect,
  words,
  tracker,
  github,
});

/** The bridge has tried, and stopped trying: a person must act. */
const untaken = (aspect: Aspect, mine: string | null, theirs: string | null): Difference =>
  unequal(aspect, "differs, as one side did not take the other's value", mine ?? 'none', theirs ?? 'none');

const nothing: Findings = fieldFindings([], [], 0);

/** A title that is too long for a side is cut there visibly; e-mail addresses stay on the tracker. */
function compareTitles({ bug, issue }: Pair): Findings {
  const [summary, title] = [oneLine(withoutAddresses(bug.summary)), oneLine(withoutAddresses(issue.title))];
  if (summary === title || isCutOf(title, summary, 256) || isCutOf(summary, title, 255)) return fieldFindings([]);
  if (summary === '' && title === `Bug ${bug.id}`) return fieldFindings([]);
  return fieldFindings([unequal('title', 'differs', bug.summary, issue.title)]);
}

const oneLine = (title: string): string =>
  unbroken(title.toWellFormed())
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
const isCutOf = (short: string, whole: string, max: number): boolean =>
  short.endsWith('…') && isFull(short, max) && whole.startsWith(short.slice(0, -1).trimEnd());

/** Some trackers keep a 4-byte character as `[U+1F41B]`; such a title is full with fewer characters. */
function isFull(title: string, max: number): boolean {
  const lengths = [...title].map((character) => ((character.codePointAt(0) ?? 0) > 0xffff ? spelledMax : 1));
  return [...title].length >= max - 3 || lengths.reduce((sum, length) => sum + length, 0) > max - spelledMax;
}

const spelledMax = '[U+10FFFF]'.length;

/** The status that GitHub should show; null if the map lacks it. */
function statusOf({ route, bug }: Pair): StatusView | null {
  const shown = route.status.toGithub[bug.status];
  if (shown === undefined) return null;
  if ('state' in shown && typeof shown.state === 'string')
    return { state: shown.state, label: shown.label as string | null };
  const byResolution = shown as Readonly<Record<string, StatusView>>;
  return byResolution[bug.resolution] ?? byResolution['*'] ?? null;
}

function compareStates(pair: Pair): Findings {
  const { bug, issue, route } = pair;
  const wanted = statusOf(pair);
  const mine = [bug.status, bug.resolution].filter((part) => part !== '').join(' ');
  if (wanted === null) return fieldFindings([], [lacking(route, mine)], 0);
  const state = issue.state === 'open' ? 'open' : (issue.reason ?? 'completed');
  if (state === wanted.state) return fieldFindings([]);
  const theirs = issue.state === 'open' ? 'open' : `closed as ${inWords(state)}`;
  if (state === 'duplicate' && bug.resolution === route.status.notPlanned[1]) {
    return fieldFindings(
      [],
      [
        {
          about: 'state',
          why: 'GitHub does not say of what mirrored issue it is a duplicate, so the bug is closed as not planned',
        },
      ],
    );
  }
  const isReason = issue.state === 'closed' && wanted.state !== 'open';
  return fieldFindings([unequal('state', isReason ? 'is closed for another reason' : 'differs', mine, theirs)]);
}

const lacking = ({ name }: Pair['route'], status: string): LeftOut => ({
  about: 'state',
  why: `status.toGithub of route ${name} does not name ${status}; add it there`,
  isUnjudged: true,
});

/** A read-only mirror is locked; locks elsewhere belong to people. */
function compareLock({ route, issue }: Pair): Findings {
  if (route.direction !== 'to-github' || route.visitors !== 'lock') return nothing;
  return fieldFindings(issue.isLocked ? [] : [unequal('lock', 'is missing on GitHub', null, 'anyone may comment')]);
}

const inWords = (state: string): string => state.replace('_', ' ');

function compareMilestones({ route, vocabulary, bug, issue, link }: Pair): Findings {
  if (!route.milestones || bug.milestone === null || withoutAddresses(bug.milestone) !== bug.milestone) return nothing;
  const mine = bug.milestone === '---' || bug.milestone === '' ? null : bug.milestone;
  const theirs = issue.milestone;
  if (mine?.toLowerCase() === theirs?.toLowerCase()) return fieldFindings([]);
  const known = vocabulary.values.milestone;
  // On a route to GitHub, an issue keeps its milestone if the bug has none, and only then.
  const isTheirOwn = route.direction !== 'to-github' || mine === null;
  if (
    isTheirOwn &&
    theirs !== null &&
    known !== undefined &&
    !known.some((each) => each.toLowerCase() === theirs.toLowerCase())
  ) {
    return fieldFindings([], [{ about: 'milestone', why: `the tracker has no milestone "${theirs}"` }]);
  }
  if (isAgreed(link.base, 'milestone', mine, theirs)) return fieldFindings([untaken('milestone', mine, theirs)]);
  if (route.direction === 'to-tracker' && theirs === null)
    return fieldFindings([], [{ about: 'milestone', why: towardsTracker }]);
  return fieldFindings([
    unequal('milestone', theirs === null ? 'is missing on GitHub' : 'differs', mine ?? 'none', theirs ?? 'none'),
  ]);
}

/** Only people listed in `people` take part; other assignees on GitHub belong there. */
function compareAssignees({ route, bug, issue, link }: Pair): Findings {
  const { assignee: asks, people } = route;
  if (!asks || bug.assignee === null) return nothing;
  const login = bug.assignee.login.toLowerCase();
  const isNobodys = people.nobody.some((each) => each.toLowerCase() === login);
  const mine = isNobodys ? null : people.github.get(login);
  if (mine === undefined)
    return fieldFindings([], [{ about: 'assignee', why: `${bug.assignee.name} is not listed in people` }]);
  const theirs = issue.assignees.filter((each) => people.tracker.has(each.toLowerCase()));
  if (issue.assignees.length > 0 && theirs.length === 0 && (route.direction !== 'to-github' || mine === null)) {
    return fieldFindings(
      [],
      [{ about: 'assignee', why: `${issue.assignees.join(', ')} on GitHub is not listed in people` }],
    );
  }
  const isThere =
    mine === null ? theirs.length === 0 : theirs.some((each) => each.toLowerCase() === mine.toLowerCase());
  if (isThere) return fieldFindings([]);
  if (route.direction === 'to-tracker' && theirs.length === 0)
    return fieldFindings([], [{ about: 'assignee', why: towardsTracker }]);
  if (isAgreed(link.base, 'assignee', mine, theirs[0] ?? null))
    return fieldFindings([untaken('assignee', mine, theirs[0] ?? null)]);
  const words = theirs.length === 0 ? 'is missing on GitHub' : 'differs';
  return fieldFindings([
    unequal(
      'assignee',
      words,
      bug.assignee.name + (mine === null ? ' (nobody)' : ` (${mine})`),
      theirs.join(', ') || 'nobody',
    ),
  ]);
}

function compareDependencies({ route, bug, issue, places, mirrored, link }: Pair): Findings {
  if (!route.dependencies || bug.dependsOn === undefined || issue.blockedBy === undefined) return nothing;
  const mine = bug.dependsOn.filter((id) => mirrored.has(id)).map(Number);
  // One to a hidden bug has to go off GitHub.
  const all: readonly number[] = bug.dependsOn;
  const isCompared = (id: number): boolean => mirrored.has(id) || all.includes(id);
  const theirs = issue.blockedBy.flatMap((number) => places.bugOf(null, number) ?? []).filter(isCompared);
  const [missing, extra] = [mine.filter((id) => !theirs.includes(id)), theirs.filter((id) => !mine.includes(id))];
  const names = (ids: readonly number[]) => ids.map((id) => `bug ${id}`).join(', ') || 'none';
  if (missing.length + extra.length === 0) return fieldFindings([]);
  if (route.direction === 'to-tracker' && extra.length === 0)
    return fieldFindings([], [{ about: 'dependency', why: towardsTracker }]);
  if (isAgreed(link.base, 'dependsOn', mine.map(String), theirs.map(String)))
    return fieldFindings([untaken('dependency', names(mine), names(theirs))]);
  return fieldFindings([
    ...missing.map((id) => unequal('dependency', `on bug ${id} is missing on GitHub`, names(mine), names(theirs))),
    ...extra.map((id) => unequal('dependency', `on bug ${id} is on GitHub only`, names(mine), names(theirs))),
  ]);
}

/**
 * The organisation's fields that a rule writes to. Values without an option are left out, as recorded by the bridge; if
 * a field holds several options, those that match no value of the tracker belong to people.
 */
const compareIssueFields = (pair: Pair): readonly Findings[] =>
  pair.route.labels.flatMap((rule) => (rule.field === undefined ? [] : [compareField(pair, rule, rule.field)]));

function compareField({ route, vocabulary, bug, issue, link }: Pair, rule: LabelRule, name: string): Findings {
  if (issue.fields === undefined || !isShown(rule, bug)) return fieldFindings([], [], 0);
  const wanted = valuesOf(rule, bug).map(withoutAddresses);
  const shown = [issue.fields[name] ?? []].flat();
  const isList = isSeveralIn(rule, vocabulary.customs);
  const known = [...wanted, ...(vocabulary.values[rule.from] ?? shown)];
  const valued = shown.flatMap((option) => known.find((value) => lowered(value) === lowered(option)) ?? []);
  const said = isList ? valued : shown;
  // The tracker has no empty number.
  const isNoNumber = isCustom(rule.from) && vocabulary.customs?.[rule.from] === 'number' && said.length === 0;
  if (sameSet(isNoNumber ? wanted.filter((value) => value !== '0') : wanted, said)) return fieldFindings([]);
  const about = `field ${name}`;
  const [mine, theirs] = [wanted, said].map((values) => values.join(', ') || 'none');
  // With a single value, an option that the tracker does not know counts as a value.
  const tracker = isList ? wanted.toSorted() : (wanted[0] ?? null);
  const github = isList ? valued.toSorted() : (valued[0] ?? shown[0] ?? null);
  if (isAgreed(link.base, rule.from, tracker, github)) return refused(about, mine ?? null, theirs ?? null);
  if (route.direction === 'to-tracker' && said.length === 0) return fieldFindings([], [{ about, why: towardsTracker }]);
  const words = said.length === 0 ? 'is missing on GitHub' : 'differs';
  return fieldFindings([
    { aspect: 'field', about, words, tracker: `${rule.from}: ${mine}`, github: shown.join(', ') || null },
  ]);
}

const isSeveralIn = ({ from }: LabelRule, customs: Pair['vocabulary']['customs']): boolean =>
  isCustom(from) ? customs?.[from] === 'several' : from === 'keywords' || from === 'whiteboard';

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.some((each) => lowered(each) === lowered(value)));
