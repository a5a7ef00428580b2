import type { Failed } from '../model/outcome.ts';
import {
  type Failing,
  type OpenConflict,
  type RouteStatus,
  type Standing,
  standings,
  type Verdict,
} from '../model/route-status.ts';
import type { Refused } from '../model/store.ts';
import { failureInWords, isHalting } from './failure.ts';
import { type Facts, staleInWords } from './standing.ts';
import {
  capital,
  clockInWords,
  counted,
  needsInWords,
  numberInWords,
  pauseInWords,
  sentenceOf,
  sideInWords,
  withStop,
} from './words.ts';

type Judged = Facts & Pick<RouteStatus, 'standing'>;
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
  'needs you': (status) => ({
    tone: 'bad',
    headline: needsInWords(itemsOf(status)),
    facts: `${listed(kindsOf(status))}. ${othersInWords(status)}`,
    todo: adviceOnItems(status),
    sinceAt: null,
  }),
  'set aside': (status) => ({
    tone: 'bad',
    headline: `${counted(status.setAside.length, 'item is', 'items are')} set aside`,
    facts: `Work on ${listed(status.setAside.slice(0, 3).map(({ about }) => about))} failed. ${othersInWords(status)}`,
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
    facts: sentenceOf(progressInWords(status, now).join(', ')),
    todo: null,
    sinceAt: null,
  }),
  'nothing mirrored': ({ links, product, repo }) => ({
    tone: 'warning',
    headline: 'Nothing is mirrored',
    facts: `None of ${counted(links.byState.live, 'bug or issue', 'bugs and issues')} of ${product} and ${repo} has a counterpart, and none is planned.`,
    todo: 'bugferry check compares the product, the filters and the direction with both sides; bugferry explain says why one item does not cross.',
    sinceAt: null,
  }),
  'in step': (status) =>
    isEmpty(status)
      ? {
          tone: 'neutral',
          headline: 'Nothing to mirror yet',
          facts: `The route takes no bug of ${status.product} and no issue of ${status.repo}.`,
          todo: null,
          sinceAt: null,
        }
      : { tone: 'good', headline: 'In step', facts: 'Nothing waits.', todo: null, sinceAt: null },
};

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

/** The failure that stops the route; of several, the first that needs a person. */
function haltingOf({ failures }: Facts): Failing | null {
  const halting = failures.filter(isHalting);
  return halting.find(({ needsPerson }) => needsPerson) ?? halting[0] ?? null;
}

/** The failures and refusals that the verdict does not name. */
export function unnamedIn(status: RouteStatus): Pick<RouteStatus, 'failures' | 'refusals'> {
  const named = [
    status.standing === 'failed' ? haltingOf(status) : null,
    status.standing === 'refused' ? status.refusals[0] : null,
  ];
  return {
    failures: status.failures.filter((each) => !named.includes(each)),
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
function headlineOf({ kind, side, of }: Failed): string {
  const who = side === null ? 'a side' : sideInWords(side);
  if (of === 'sweep') return `the full comparison with ${who} fails`;
  const heads: Readonly<Record<Failed['kind'], string>> = {
    later: `${who} does not answer`,
    unauthorized: `${who} refuses the credentials`,
    refused: `${who} refuses the requests of the bridge`,
    state: 'the state cannot be written',
    fault: 'a fault of bugferry itself',
  };
  return heads[kind];
}

export const refusedInWords = ({ of, why }: Refused): string =>
  `the brake stopped ${of === 'plan' ? 'the plan' : `the full comparison with ${sideInWords(of)}`}: ${withStop(why)}`;

export const adviceOnRefusal = ({ of }: Refused): string =>
  of === 'plan'
    ? 'Check bugferry plan; if it is right, bugferry once --force carries it out.'
    : 'Check that the account still sees everything; if it does, bugferry once --sweep --force carries it out.';

/** How many things wait for a person. */
export const itemsOf = (status: Facts): number =>
  listedItemsOf(status) + status.failures.filter((each) => each.needsPerson && !isHalting(each)).length;

/** Those that are of bugs and issues. */
export const listedItemsOf = ({ open, outbox, setAside }: Facts): number =>
  open.conflicts + open.skips + outbox.parked + setAside.length;

function kindsOf({ open, outbox, setAside }: Judged): readonly string[] {
  const some = (count: number, one: string, many?: string) => (count === 0 ? [] : [counted(count, one, many)]);
  return [
    ...some(open.conflicts, 'conflict'),
    ...some(outbox.parked, 'refused write'),
    ...some(open.skips, 'value without counterpart', 'values without counterpart'),
    ...some(setAside.length, 'item set aside', 'items set aside'),
  ];
}

/** The command that ends the first thing of each kind. */
function adviceOnItems({ conflicts, parked, skips }: Judged): string {
  const open = conflicts.find(isOpen);
  const skip = skips.find(({ needsPerson }) => needsPerson);
  const verbs = [
    ...(open === undefined ? [] : [`${decideCommand(open.about)} decides a conflict`]),
    ...(parked[0] === undefined ? [] : [`bugferry retry ${parked[0].number} tries a refused write again`]),
    ...(skip === undefined ? [] : [`bugferry explain ${nameIn(skip.about)} says what is missing`]),
  ];
  return `${verbs.length === 0 ? 'bugferry status lists them' : verbs.join('; ')}.`;
}

/** Whether a conflict still waits for a person. */
export const isOpen = ({ kept, decided = null }: OpenConflict): boolean => kept === null && decided === null;

/** `bugferry decide bug 29 --keep tracker|github` */
export const decideCommand = (about: string): string => `bugferry decide ${nameIn(about)} --keep tracker|github`;

/** The first end of a pair, as commands take it. */
const nameIn = (about: string): string => about.split(' = ')[0] ?? about;

/** What there is, and what waits, on one line. */
function countsInWords(status: Judged, now: number): string {
  const { links, outbox, doubts, open, setAside } = status;
  if (isEmpty(status)) return 'nothing to mirror yet';
  const some = (count: number, one: string, many = one) => (count === 0 ? [] : [counted(count, one, many)]);
  return [
    ...progressInWords(status, now),
    ...some(doubts.length, 'in doubt'),
    ...some(outbox.parked, 'parked'),
    ...some(setAside.length, 'set aside'),
    ...some(open.conflicts, 'conflict to decide', 'conflicts to decide'),
    ...some(open.skips, 'item needs you', 'items need you'),
    ...some(links.byState.frozen, 'frozen'),
    ...some(links.byState.tombstone, 'given up'),
  ].join(', ');
}

const isEmpty = ({ standing, links }: Judged): boolean =>
  standing === 'in step' && links.whole + links.byState.frozen + links.byState.tombstone === 0;

/** `46 of 49 mirrored`, `39 writes to go`, `done about 13:21 UTC`; then whatever else keeps a route from being in step. */
export function progressInWords(status: Facts, now: number): readonly string[] {
  const { progress, links, open, sides: both, queued, isUnchecked, catchUpMs, rest, refusals, failures } = status;
  const { mirrored, total, writes } = progress;
  const isRead = both.tracker.isComplete && both.github.isComplete;
  const isCompared = both.tracker.sweptAt !== null && both.github.sweptAt !== null;
  const toRead = Math.max(0, links.wanting - links.halves.tracker - links.halves.github - open.conflicts - open.skips);
  const only = writes === 0 && mirrored === total;
  // Nobody knows how long what stops a route will last.
  const isMoving = rest === null && refusals.length === 0 && !failures.some(isHalting);
  return [
    total > mirrored ? `${numberInWords(mirrored)} of ${numberInWords(total)} mirrored` : counted(mirrored, 'pair'),
    ...(writes > 0 ? [counted(writes, 'write to go', 'writes to go')] : []),
    ...(catchUpMs > 0 && isMoving ? [`done about ${clockInWords(now + catchUpMs, now)}`] : []),
    ...(only && toRead > 0 ? [`${numberInWords(toRead)} to be read back${isMoving ? ' by the next cycle' : ''}`] : []),
    ...(isRead ? [] : ['the first full read is in progress']),
    ...(isRead && !isCompared ? ['not compared in full yet (bugferry once --sweep)'] : []),
    ...(isUnchecked ? ['not all mirrored bugs were confirmed public yet'] : []),
    ...queued.map(({ words }) => `the running bridge will ${words}`),
  ];
}

function oldestReadOf({ sides: both }: Facts): number | null {
  const { tracker, github } = both;
  return tracker.polledAt === null || github.polledAt === null ? null : Math.min(tracker.polledAt, github.polledAt);
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
