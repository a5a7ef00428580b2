import type { Bug, Issue } from '../../src/model/item.ts';
import type { Link } from '../../src/model/link.ts';
import { type Bridge, linkOf, planCycle } from './bridge.ts';
import { equal, hold } from './hold.ts';
import { isSameTitle, type Setup, type Shown, shownByBug, shownByIssue } from './plan-context.ts';
import { commentsOf, us } from './world.ts';

/** Both ends of a link as people see them. */
export interface Both {
  readonly tracker: Shown;
  readonly github: Shown;
  readonly bug: Bug;
  readonly issue: Issue;
}

export function both({ world, planContext }: Bridge, link: Link): Both | null {
  const [bug, issue] = [world.bugs.get(link.bug ?? 0), world.issues.get(link.issue ?? 0)];
  if (!bug || !issue || link.state !== 'live') return null;
  return { tracker: shownByBug(planContext.route, bug), github: shownByIssue(planContext.route, issue), bug, issue };
}

/** I3: an edit made on one side arrives; of two different ones, one wins and the other is kept. */
export function checkFields(
  setup: Setup,
  link: Link,
  before: Both | null | undefined,
  after: Both | null | undefined,
): void {
  const { bridge } = setup;
  const final = both(bridge, link);
  if (!before || !after || !final || after.bug.isPrivate || before.bug.isPrivate) return;
  if ([...bridge.parked.keys()].some((key) => key.startsWith(`${link.id}:`))) return;
  for (const field of ['title', 'status', 'severity'] as const) checkField(setup, link, field, [before, after, final]);
  checkKeywords(bridge, link, [before, after, final]);
  checkDuplicate(bridge, link, [before, after, final]);
  const { direction, labels } = bridge.planContext.route;
  if (direction === 'to-tracker' || !labels.some(({ from }) => from === 'component')) return;
  hold(
    equal(final.github.component, after.tracker.component),
    `I3: bug ${link.bug} is in ${after.tracker.component}, labels say ${final.github.component}`,
  );
}

function checkField(
  setup: Setup,
  link: Link,
  field: 'title' | 'status' | 'severity',
  [before, after, final]: readonly [Both, Both, Both],
): void {
  const { bridge } = setup;
  const { direction, labels } = bridge.planContext.route;
  if (field === 'severity' && !labels.some(({ from }) => from === 'severity')) return;
  const [t0, g0, t1, wish, tF, gF] = [
    one(before.tracker[field]),
    one(before.github[field]),
    one(after.tracker[field]),
    field === 'severity' ? severityMeant(before, after, direction) : one(after.github[field]),
    one(final.tracker[field]),
    one(final.github[field]),
  ];
  // A title that only one side can hold in full may be agreed on; under `ask` it may also wait for a person.
  const isAgreed = t0 === g0 || (same(field, t0, g0) && bridge.planContext.route.conflicts !== 'ask');
  if (!isAgreed || [t0, t1].includes('?') || wish === null) return;
  const g1 = wish;
  const [tChanged, gChanged] = [!sameAsBefore(t1, t0), !sameAsBefore(g1, g0)];
  const say = `bug ${link.bug} ${field}: was ${t0}, tracker ${t1}, GitHub ${g1}; now ${tF} and ${gF} (${direction})`;
  if (!tChanged && !gChanged) return;
  // A title that only one side can hold in full is neither the same nor another.
  if (t1 !== g1 && same(field, t1, g1)) return;
  if (t1 === g1) hold(same(field, tF, gF) && same(field, tF, t1), `I3: agreed, but ${say}`);
  else if (direction === 'to-github') hold(tF === t1 && same(field, gF, t1), `I8: ${say}`);
  else if (direction === 'to-tracker')
    hold(isSaid(field, t1, g1, gChanged) ? arrives(field, tF, g1) : tF === t1, `I8: ${say}`);
  else if (g1 === '' || (tChanged && !gChanged))
    hold(tF === t1 && same(field, gF, t1), `I3: a tracker edit is lost: ${say}`);
  else if (gChanged && !tChanged) hold(arrives(field, tF, g1) && gF === g1, `I3: a GitHub edit is lost: ${say}`);
  else
    checkConflict(setup, link, field, {
      t1,
      g1,
      tF,
      gF,
      newest: after.issue.changedAt > after.bug.changedAt ? 'github' : 'tracker',
      say,
    });
}

/** On a route to the tracker: whether GitHub says what the bug is to be, and not only that it is open. */
const isSaid = (field: string, tracker: string, github: string, isNews: boolean): boolean =>
  github !== '' && !(field === 'status' && github === 'open' && tracker.startsWith('open') && !isNews);

interface Clash {
  readonly t1: string;
  readonly g1: string;
  readonly tF: string;
  readonly gF: string;
  readonly newest: 'tracker' | 'github';
  readonly say: string;
}

function checkConflict(
  { bridge, hasDoubts }: Setup,
  link: Link,
  field: 'title' | 'status' | 'severity',
  clash: Clash,
): void {
  const { t1, g1, tF, gF, newest, say } = clash;
  const { conflicts } = bridge.planContext.route;
  if (conflicts === 'ask') {
    const { plan } = planCycle(bridge);
    const isReported = plan.conflicts.some(
      (each) => each.link === link.id && each.field === field && each.kept === null,
    );
    hold(isReported && tF === t1 && gF === g1, `I3: a conflict for a person was not left alone, or not told: ${say}`);
    return;
  }
  const isWinner = (side: 'tracker' | 'github') =>
    side === 'tracker' ? tF === t1 && same(field, gF, t1) : gF === g1 && arrives(field, tF, g1);
  // What is cut short or answered too late is decided anew, and then our own writes make a side newer.
  const isOpen = conflicts === 'newest' && (hasDoubts || bridge.writesMax < 500);
  const winner =
    conflicts !== 'newest'
      ? conflicts
      : isOpen && !isWinner(newest)
        ? newest === 'tracker'
          ? 'github'
          : 'tracker'
        : newest;
  hold(isWinner(winner), `I3: ${conflicts} decides for ${winner}, but ${say}`);
  const loser = winner === 'tracker' ? g1 : t1;
  const losers = bridge.overruled.filter(
    (each) => each.link === link.id && each.field === field && each.kept === winner,
  );
  const isKept = losers.some((each) =>
    same(field, String(winner === 'tracker' ? each.github : each.tracker).toLowerCase(), loser.toLowerCase()),
  );
  hold(isKept, `I3: what lost is kept nowhere: ${say}`);
}

/**
 * Of several labels for one field the new one is meant; null when that cannot be told. A route that does not write to
 * GitHub cannot take the old one away, and goes by it as long as it is there.
 */
function severityMeant(before: Both, after: Both, direction: string): string | null {
  if (direction === 'to-tracker' && after.github.severity.length > 1) return null;
  const news = after.github.severity.filter((each) => !before.github.severity.includes(each));
  if (news.length > 1) return null;
  return news[0] ?? after.github.severity[0] ?? '';
}

function checkKeywords({ planContext }: Bridge, link: Link, [before, after, final]: readonly [Both, Both, Both]): void {
  const { direction, labels } = planContext.route;
  if (!labels.some(({ from }) => from === 'keywords') || !equal(before.tracker.keywords, before.github.keywords))
    return;
  for (const word of ['regression', 'perf', 'easy']) {
    const has = (shown: Shown) => shown.keywords.includes(word);
    const [was, t1, g1] = [has(before.tracker), has(after.tracker), has(after.github)];
    if (planContext.vocabulary.values.keywords === undefined && !was && g1) continue;
    const merged = t1 !== was ? t1 : g1;
    // Missing on GitHub where it never was, a keyword is the tracker's own.
    const [onTracker, onGithub] = {
      both: [merged, merged],
      'to-github': [t1, t1],
      'to-tracker': [g1 || (t1 && !was), g1],
    }[direction];
    const isRight = has(final.tracker) === onTracker && has(final.github) === onGithub;
    hold(
      isRight,
      `I3: bug ${link.bug} keyword ${word}: was ${was}, tracker ${t1}, GitHub ${g1}; now ${has(final.tracker)}, ${has(final.github)}`,
    );
  }
}

const one = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join());
const sameAsBefore = (one: string, other: string): boolean => one === other;
const same = (field: string, one: string, other: string): boolean =>
  field === 'title' ? isSameTitle(one, other) : one === other;

/** The one documented exception: a duplicate of nobody knows what is closed as not planned. */
function arrives(field: string, shown: string, wish: string): boolean {
  return same(field, shown, wish) || (field === 'status' && wish === 'duplicate' && shown === 'not_planned');
}

/** An issue closed as a duplicate of one that is mirrored makes the bug a duplicate of that one's bug. */
function checkDuplicate(bridge: Bridge, link: Link, [before, after, final]: readonly [Both, Both, Both]): void {
  const { world, planContext } = bridge;
  const [was, now] = [before.tracker.status, after.tracker.status];
  const isNews =
    before.github.status === was &&
    was === now &&
    was !== '?' &&
    was !== 'duplicate' &&
    after.github.status === 'duplicate';
  if (!isNews || planContext.route.direction === 'to-github' || final.issue.reason !== 'duplicate') return;
  const said = commentsOf(world, 'github', link.issue ?? 0).filter(
    ({ author, text }) => author.login !== us.github.login && text.includes('Duplicate of #'),
  );
  const target = Number(/Duplicate of #(\d+)/u.exec(said.at(-1)?.text ?? '')?.[1] ?? 0);
  const twin = linkOf(bridge, 'github', target);
  const isKnown = twin?.base != null && twin.bug !== null && twin.bug !== link.bug && twin.state === 'live';
  const { resolution, dupeOf } = final.bug;
  hold(
    !isKnown || dupeOf === twin.bug,
    `I12: issue ${link.issue} is a duplicate of #${target}, bug ${link.bug} is ${resolution} ${dupeOf}`,
  );
}

/** A pair that is about to meet for the first time; null when there is none, or when it is not mirrored. */
export function meeting({ bridge, byHand }: Setup): Both | null {
  const { world, planContext } = bridge;
  const [bug, issue] = [world.bugs.get(1), world.issues.get(11)];
  if (!byHand || !bug || !issue || bug.isPrivate || planContext.route.direction !== 'both') return null;
  return { tracker: shownByBug(planContext.route, bug), github: shownByIssue(planContext.route, issue), bug, issue };
}

/** I3: where both sides stood before the bridge, nothing is overruled in silence. */
export function checkMeeting(setup: Setup, met: Both): void {
  const link = linkOf(setup.bridge, 'tracker', met.bug.id);
  const final = link === null ? null : both(setup.bridge, link);
  const isPaired = final?.issue.number === met.issue.number;
  hold(isPaired, 'I4: a pair made by hand was not taken up');
  if (link === null || final === null) return;
  if (
    [...setup.bridge.parked.keys()].some((key) => key.startsWith(`${link.id}:`)) ||
    same('title', met.tracker.title, met.github.title)
  )
    return;
  const [t1, g1, tF, gF] = [met.tracker.title, met.github.title, final.tracker.title, final.github.title];
  const newest = met.issue.changedAt > met.bug.changedAt ? 'github' : 'tracker';
  checkConflict(setup, link, 'title', {
    t1,
    g1,
    tF,
    gF,
    newest,
    say: `bug 1 met issue 11: ${t1} and ${g1}; now ${tF} and ${gF}`,
  });
}
