import type { Side } from '../model/ids.ts';
import type { Failed } from '../model/outcome.ts';
import {
  type Decidable,
  type Failing,
  type RouteStatus,
  type Standing,
  standings,
  type Verdict,
} from '../model/route-status.ts';
import type { Refused } from '../model/store.ts';
import { failureInWords, isBeside, isHalting, namesForce, withoutEchoes } from './failure.ts';
import { countsInWords, isEmpty, type Judged, progressInWords } from './progress.ts';
import { type Facts, staleInWords } from './standing.ts';
import { capital, counted, needsInWords, pauseInWords, sentenceOf, sideInWords, withStop } from './words.ts';

type Said = Omit<Verdict, 'standing' | 'counts'>;

/**
 * What every place says about a route: the terminal, the pages, health checks, metrics and the issue that lists what
 * needs a person. Nothing else decides how a route stands.
 */
export const verdictOf = (status: Judged, now: number): Verdict => ({
  standing: status.standing,
  counts: countsInWords(status, now),
  ...wordsOf[status.standing](status, now),
});

/** `Catching up: 8 of 11 mirrored, 7 writes to go, done about 07:10 UTC.` */
export const verdictInWords = ({ headline, counts, todo }: Verdict): string =>
  [sentenceOf(`${headline}: ${counts}`), ...(todo === null ? [] : [todo])].join(' ');

/** The verdict on several routes: the most serious of theirs. */
export function worstOf(statuses: readonly RouteStatus[]): RouteStatus | null {
  const place = ({ standing }: RouteStatus): number => standings.indexOf(standing);
  const shown = statuses.filter(({ isEnabled }) => isEnabled);
  return (shown.length === 0 ? statuses : shown).toSorted((one, other) => place(one) - place(other))[0] ?? null;
}

const wordsOf: Readonly<Record<Standing, (status: Judged, now: number) => Said>> = {
  off: () => ({
    tone: 'neutral',
    headline: 'Switched off',
    facts: 'The configuration has enabled: false; its pairs are kept.',
    todo: null,
    sinceAt: null,
  }),
  failed: ofFailure,
  refused: ofRefusal,
  'not read lately': (status, now) => ({
    tone: 'warning',
    headline: status.lookedAt === null && status.links.whole === 0 ? 'Not read yet' : 'Not read lately',
    facts: `${sentenceOf(staleInWords(status, now) ?? 'a side was not read lately')}${alsoInWords(status)}`,
    todo: adviceOnStale,
    sinceAt: oldestReadOf(status),
  }),
  'needs you': ofItems,
  'set aside': (status) => ({
    tone: 'bad',
    headline: `${counted(status.setAside.length, 'item is', 'items are')} set aside`,
    facts: `${asideFacts(status)} ${othersInWords(status)}`,
    todo: status.setAside[0]?.advice ?? null,
    sinceAt: Math.min(...status.setAside.map(({ sinceAt }) => sinceAt)),
  }),
  paused: ({ rest, route }) => ({
    tone: 'warning',
    headline: 'Paused by a person',
    facts: `Nothing crosses: ${rest === null ? '' : withStop(pauseInWords(rest))} What becomes private is still withdrawn.`,
    todo: `bugferry resume ${route} ends the pause.`,
    sinceAt: rest?.at ?? null,
  }),
  'catching up': (status, now) => ({
    tone: 'neutral',
    headline: 'Catching up',
    facts: [sentenceOf(progressInWords(status, now).join(', ')), ...notTaken(status)].join(' '),
    todo: null,
    sinceAt: null,
  }),
  'nothing mirrored': (status) => ({
    tone: 'warning',
    headline: 'Nothing is mirrored',
    facts: `None of ${whatCrosses(status, { tracker: counted(status.links.alone.tracker, 'bug'), github: counted(status.links.alone.github, 'issue') })} has a counterpart, and none is planned.`,
    todo: 'bugferry check compares the product, the filters and the direction with both sides; bugferry explain says why one item does not cross.',
    sinceAt: null,
  }),
  'in step': (status) =>
    isEmpty(status)
      ? {
          tone: 'neutral',
          headline: 'Nothing to mirror yet',
          facts: nothingTaken(status),
          todo: null,
          sinceAt: null,
        }
      : { tone: 'good', headline: 'In step', facts: 'Nothing waits.', todo: null, sinceAt: null },
};

/** The first write that a side did not take, and why. */
const notTaken = ({ putOff: [first] }: Judged): readonly string[] =>
  first === undefined ? [] : [`A write to ${first.about} waits: ${withStop(first.why ?? '')}`];

/** Whose fault it is, as far as one thing is at fault. */
function asideFacts({ setAside }: Judged): string {
  const items = listed(setAside.slice(0, 3).map(({ about }) => about));
  const [first] = setAside;
  const isOfOne = setAside.every(({ side, cause }) => cause === 'side' && side === first?.side);
  return isOfOne && first !== undefined
    ? `${capital(sideInWords(first.side))} fails on ${items}.`
    : `Work on ${items} failed.`;
}

/** `no bug of Widget (only by component and openOnly) and no issue of acme/widget`: what the route takes, so far. */
function whatCrosses({ direction, product, repo, filters }: Facts, count: Readonly<Record<Side, string>>): string {
  const by = (side: Side): string => (filters[side].length === 0 ? '' : ` (only by ${listed(filters[side])})`);
  return [
    ...(direction === 'to-tracker' ? [] : [`${count.tracker} of ${product}${by('tracker')}`]),
    ...(direction === 'to-github' ? [] : [`${count.github} of ${repo}${by('github')}`]),
  ].join(' and ');
}

/** `The route takes no bug of Widget (only by component).` */
export const nothingTaken = (status: Facts): string =>
  `The route takes ${whatCrosses(status, { tracker: 'no bug', github: 'no issue' })}.`;

export const adviceOnStale =
  'Check that the bridge is running (bugferry run), and its log for errors; bugferry once --sweep reads and compares everything.';

function ofFailure(status: Judged): Said {
  const failing = haltingOf(status);
  if (failing === null) throw new Error('A route that failed has a failure.');
  return {
    tone: failing.needsPerson || failing.count > 1 ? 'bad' : 'warning',
    headline: capital(headlineOf(failing)),
    facts: `Nothing crosses: ${failureInWords(failing)}${alsoInWords({ ...status, failures: [] })}`,
    todo: failing.advice,
    sinceAt: failing.sinceAt,
  };
}

/** Items that wait for a person, and failures that stop nothing. */
function ofItems(status: Judged): Said {
  const isListed = listedItemsOf(status) > 0;
  const beside = status.failures.filter(isBeside);
  const [first] = beside;
  return {
    tone: 'bad',
    headline: isListed || first === undefined ? needsInWords(itemsOf(status)) : capital(headlineOf(first)),
    facts: [
      ...(isListed ? [`${listed(kindsOf(status))}.`] : []),
      ...beside.map((each) => capital(failureInWords(each))),
      isListed || status.rest !== null ? othersInWords(status) : 'Changes still cross.',
    ].join(' '),
    todo: [...(isListed ? [adviceOnItems(status)] : []), ...beside.map(({ advice }) => advice)].join(' '),
    sinceAt: isListed || first?.of === 'stray' ? null : (first?.sinceAt ?? null),
  };
}

/** The failure that stops the route; of several, the first that needs a person. */
function haltingOf({ failures }: Facts): Failing | null {
  const halting = failures.filter(isHalting);
  return halting.find(({ needsPerson }) => needsPerson) ?? halting[0] ?? null;
}

/** The failures and refusals that the verdict does not name. */
export function unnamedIn(status: RouteStatus): Pick<RouteStatus, 'failures' | 'refusals'> {
  const { standing } = status;
  const named = [standing === 'failed' ? haltingOf(status) : null, standing === 'refused' ? status.refusals[0] : null];
  const isNamed = (each: Failing) => named.includes(each) || (standing === 'needs you' && each.needsPerson);
  return {
    failures: withoutEchoes(status.failures).filter((each) => !isNamed(each)),
    refusals: status.refusals.filter((each) => !named.includes(each)),
  };
}

function ofRefusal(status: Judged): Said {
  const [first] = status.refusals;
  if (first === undefined) throw new Error('A route that the brake stopped has a refusal.');
  return {
    tone: 'bad',
    headline: 'The brake holds back the work',
    facts: `Nothing crosses: ${refusedInWords(first)}${alsoInWords(status)}`,
    todo: adviceOnRefusal(first),
    sinceAt: first.at,
  };
}

/** What waits for a person besides what stops the route. */
function alsoInWords(status: Facts): string {
  const count = itemsOf(status);
  return count === 0 ? '' : ` Also, ${needsInWords(count)}.`;
}

/** What happens to everything else. */
const othersInWords = ({ rest, route }: Facts): string =>
  rest === null
    ? 'Everything else crosses.'
    : `Nothing else crosses either: ${withStop(pauseInWords(rest))} bugferry resume ${route} ends that.`;

/** Without the message, which may name hosts and files. */
export function headlineOf({ kind, side, of, why }: Failed): string {
  if (of === 'clock') return clockHeadline(side);
  if (of === 'stray') return 'pairs of a route are left alone';
  const who = side === null ? 'a side' : sideInWords(side);
  if (of === 'sweep') return `the full comparison with ${who} fails`;
  if (namesForce(why)) return `${who} lacks what is mirrored`;
  const heads: Readonly<Record<Failed['kind'], string>> = {
    later: `${who} does not answer`,
    unauthorized: `${who} refuses the credentials`,
    // A product without bugs of that name, a right that is missing, a repository that became private.
    refused: side === null ? 'the setup is wrong' : `the setup for ${who} is wrong`,
    state: 'the state cannot be written',
    fault: 'a fault of bugferry itself',
  };
  return heads[kind];
}

function clockHeadline(side: Failed['side']): string {
  if (side === 'github') return 'the clocks of both sides differ';
  return side === null ? 'the clock of this machine is wrong' : "the tracker's clock is wrong";
}

export const refusedInWords = ({ of, why }: Refused): string =>
  `the brake stopped ${of === 'plan' ? 'the plan' : `the full comparison with ${sideInWords(of)}`}: ${withStop(why)}`;

export const adviceOnRefusal = ({ of }: Refused): string =>
  of === 'plan'
    ? 'Check bugferry plan; if it is right, bugferry once --force carries it out.'
    : 'Check that the account still sees everything; if it does, bugferry once --sweep --force carries it out.';

/** How many things wait for a person. */
export const itemsOf = (status: Facts): number => itemsIn([status]);

/** The same for several routes; all of them name what is wrong with the bridge. */
export const itemsIn = (statuses: readonly Facts[]): number =>
  statuses.reduce((sum, status) => sum + listedItemsOf(status), 0) +
  new Set(statuses.flatMap(({ failures }) => failures.filter(isBeside).map(({ of }) => of))).size;

/** Those that are of bugs and issues. */
export const listedItemsOf = ({ open, outbox, setAside }: Facts): number =>
  open.conflicts + open.skips + outbox.parked + setAside.length;

function kindsOf({ open, outbox, setAside }: Judged): readonly string[] {
  const some = (count: number, one: string, many?: string) => (count === 0 ? [] : [counted(count, one, many)]);
  return [
    ...some(open.conflicts, 'conflict'),
    ...some(outbox.parked, 'refused write'),
    ...some(open.skips, 'problem to settle', 'problems to settle'),
    ...some(setAside.length, 'item set aside', 'items set aside'),
  ];
}

/** The command that ends the first thing of each kind. */
function adviceOnItems({ conflicts, parked, skips, setAside }: Judged): string {
  const open = conflicts.find(isOpen);
  const skip = skips.find(({ needsPerson }) => needsPerson);
  const verbs = [
    ...(open === undefined ? [] : [`${decideCommand(open.about)} decides a conflict`]),
    ...(parked[0] === undefined ? [] : [`bugferry retry ${parked[0].number} tries a refused write again`]),
    ...(skip === undefined ? [] : [`${explainCommand(skip.about)} says what is wrong`]),
    ...(setAside[0] === undefined ? [] : [`${explainCommand(setAside[0].about)} says why work on it failed`]),
  ];
  return `${verbs.length === 0 ? 'bugferry status lists them' : verbs.join('; ')}.`;
}

/** Whether a conflict still waits for a person. */
export const isOpen = ({ kept, decided = null }: Decidable): boolean => kept === null && decided === null;

/** Without a sign that a shell takes for its own: pasted, `tracker|github` decided for the tracker. */
export const keepEither = '--keep tracker (or github)';

/** `bugferry decide bug 29 --keep tracker (or github)` */
export const decideCommand = (about: string): string => `bugferry decide ${nameIn(about)} ${keepEither}`;

export const explainCommand = (about: string): string => `bugferry explain ${nameIn(about)}`;

/** The first end of a pair, as commands take it; also of one of its comments. */
const nameIn = (about: string): string => about.split(/ = |, /u)[0] ?? about;

function oldestReadOf({ sides: both }: Facts): number | null {
  const { tracker, github } = both;
  return tracker.polledAt === null || github.polledAt === null ? null : Math.min(tracker.polledAt, github.polledAt);
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
