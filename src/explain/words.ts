import type { Decision, Pause } from '../model/control.ts';
import type { Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { ChangedBy, Conflict, Operation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Withdrawn } from '../model/plan/withdrawal.ts';
import type { Decidable, RouteStatus } from '../model/route-status.ts';
import type { LedgerLine } from '../model/store.ts';
import type { Retirement } from '../model/survey.ts';
import { isOperation, operations, traitsOf } from '../rules/operations/operations.ts';
import { because, said, sideInWords, valueInWords } from '../rules/operations/words.ts';

export { sideInWords, valueInWords };

/**
 * The wording of everything that the bridge does: for the terminal, the log, `explain` and the pages.
 *
 *   bug 12 -> acme/widget#5  created
 */

/** The origin, the destination and the content of an operation. */
interface Sentence {
  readonly from: string;
  readonly to: string;
  readonly what: string;
}

/** One operation, in words for the plan or for the log. `link` is null when it no longer exists. */
export function operationInWords(operation: Operation, link: Link | null, tense: 'planned' | 'done'): Sentence {
  const { on } = operation;
  const [here, there] = on === 'tracker' ? [bugOf(link), issueOf(link)] : [issueOf(link), bugOf(link)];
  const [place, otherPlace] =
    on === 'tracker' ? ['the tracker', link?.repo ?? 'GitHub'] : [link?.repo ?? 'GitHub', 'the tracker'];
  const from = there ?? (operation.kind === 'create' ? operation.about : otherPlace);
  return { from, to: here ?? place, what: traitsOf(operation)[tense](operation) };
}

/** Writes of one kind to one item, for a list: `copy a comment`, or `22 comments to copy`. */
export function writesInWords(group: readonly [Operation, ...(readonly Operation[])]): string {
  const [first] = group;
  if (group.length === 1) return traitsOf(first).planned(first);
  const [one, many] = operations[first.kind].totals[first.on];
  return counted(group.length, one, many);
}

/** `1 comment`, `1,204 comments` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberInWords(count)} ${count === 1 ? one : many}`;

/** The first names of items, in the order of their numbers: `acme/widget#2, acme/widget#10, and 3 more`. */
export function namesInWords(names: Iterable<string>, most: number): string {
  const all = [...new Set(names)].sort(new Intl.Collator('en', { numeric: true }).compare);
  return `${all.slice(0, most).join(', ')}${all.length > most ? `, and ${all.length - most} more` : ''}`;
}

/** `1,204`. Node.js loads the rules of languages at their first use, which takes longer than reading the state. */
export const numberInWords = (count: number): string =>
  count < 1_000
    ? String(count)
    : `${numberInWords(Math.floor(count / 1_000))},${String(count % 1_000).padStart(3, '0')}`;

/**
 * Where two texts differ, in whole words: what both begin and end with, and what is between in each; null if they share
 * neither, because then marking everything would say nothing.
 */
export function changedParts(
  one: string,
  other: string,
): { readonly head: string; readonly middles: readonly [string, string]; readonly tail: string } | null {
  const [mine, theirs] = [one, other].map((text) => text.split(/(?<=\s)|(?=\s)/u)) as [string[], string[]];
  const shortest = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < shortest && mine[head] === theirs[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && mine.at(-1 - tail) === theirs.at(-1 - tail)) tail += 1;
  if (head + tail === 0) return null;
  const middle = (words: readonly string[]): string => words.slice(head, words.length - tail).join('');
  return {
    head: mine.slice(0, head).join(''),
    middles: [middle(mine), middle(theirs)],
    tail: mine.slice(mine.length - tail).join(''),
  };
}

/** Ends with a full stop, so that another sentence may follow; messages of the sides may lack one. */
export const withStop = (words: string): string => (/[.!?]$/u.test(words) ? words : `${words}.`);

export const capital = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

/** With a capital at the beginning and a full stop at the end. */
export const sentenceOf = (words: string): string => withStop(capital(words));

/** `3 items need you` */
export const needsInWords = (count: number): string => `${counted(count, 'item needs', 'items need')} you`;

export const sentence = ({ from, to, what }: Sentence): string => `${from} -> ${to}  ${what}`;

/** `bug 12 = acme/widget#5`, or only the end that exists. */
export function linkInWords(link: Link): string {
  return [bugOf(link), issueOf(link)].filter((end) => end !== null).join(' = ') || 'a link without ends';
}

export function conflictInWords({ field, tracker, github, kept, changed, decided }: Decidable): string {
  const who = (side: Side) => inBrackets(changedInWords(changed?.[side]));
  const both = `${field} is ${valueInWords(tracker, field)} on the tracker${who('tracker')} and ${valueInWords(github, field)} on GitHub${who('github')}`;
  if (decided != null) return `${both}; a person chose ${sideInWords(decided)}, and the next cycle carries that over`;
  return kept === null ? both : `${both}; ${sideInWords(kept)} wins`;
}

/** What both sides last agreed on: `"Old title"`, `NEW on the tracker and open on GitHub`; null if they never did. */
export function agreedInWords(link: Pick<Link, 'base'> | null, field: Conflict['field']): string | null {
  const [tracker, github] = [link?.base?.tracker[field], link?.base?.github[field]];
  if (tracker === undefined || github === undefined) return null;
  const [there, here] = [valueInWords(tracker, field), valueInWords(github, field)];
  return there === here ? there : `${there} on the tracker and ${here} on GitHub`;
}

/** `by mona, 2026-09-23 08:50:12 UTC`; empty if that side did not reveal it. */
export const changedInWords = (changed: ChangedBy | undefined): string =>
  changed === undefined ? '' : `by ${changed.by}, ${timeInWords(changed.at)}`;

const inBrackets = (words: string): string => (words === '' ? '' : ` (${words})`);

/** `a person paused it at 2026-09-23 08:50:12 UTC: maintenance` */
export const pauseInWords = ({ at, why }: Pause): string => `a person paused it at ${timeInWords(at)}${because(why)}`;

type Decided = Pick<Decision, 'field' | 'keep'> & { readonly about: string; readonly why: string | null };

export const decisionInWords = ({ about, field, keep, why }: Decided): string =>
  why === null
    ? `${about}: a person decided that the ${field} of ${sideInWords(keep)} wins`
    : `${about}: not decided: ${why}`;

/** `bug 12 = acme/widget#5: paired by command` */
export const pairingInWords = ({ about, why }: Pick<Decided, 'about' | 'why'>): string =>
  why === null ? `${about}: paired by command` : `${about}: not paired: ${why}`;

/** `13:21 UTC`, the minute that is nearest; with the day if it is another one. */
export function clockInWords(at: number, now: number): string {
  const [words, today] = [timeInWords(Math.round(at / 60_000) * 60_000), timeInWords(now)];
  return `${words.slice(0, 10) === today.slice(0, 10) ? '' : `${words.slice(0, 10)} `}${words.slice(11, 16)} UTC`;
}

const arrows = { both: ['<->', '↔'], 'to-github': ['->', '→'], 'to-tracker': ['<-', '←'] } as const;

/** `Widget -> acme/widget`: the product, the repository, and the direction in which a route writes. */
export const routeInWords = (
  { product, repo, direction }: Pick<RouteStatus, 'product' | 'repo' | 'direction'>,
  where: 'terminal' | 'page' = 'terminal',
): string => `${product} ${arrows[direction][where === 'page' ? 1 : 0]} ${repo}`;

/** `2026-09-23 08:50:12 UTC` */
export const timeInWords = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `12 s`, `3 min`, `5 h`, `4 days` */
export function spanInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** One line of the ledger, without its time. */
export function ledgerInWords(line: LedgerLine): string {
  const { kind, outcome, detail } = line;
  if (outcome === 'parked') return `${noun(line)} was parked: ${said(detail['why'])}`;
  if (isOperation(kind)) return operations[kind].inLedger(detail, line.on);
  switch (kind) {
    case 'settle':
      return `a request in doubt (${said(detail['operation'])}) ${outcome}${because(detail['why'])}`;
    case 'bind':
      return detail['by'] === 'command' ? 'paired by command' : 'the bug and the issue were linked';
    case 'freeze':
      return `frozen${because(detail['reason'])}`;
    case 'thaw':
      return `no longer frozen; it had been${because(detail['reason'])}`;
    case 'bury':
      return `given up for good${because(detail['reason'])}`;
    case 'withdraw':
      return `withdrawn from GitHub (${withdrawnInWords(detail)})${because(detail['why'])}; ${outOfReach}`;
    case 'restore':
      return 'public again; the issue was unlocked, and is mirrored from the tracker again';
    case 'conflict': {
      const field = said(detail['field']);
      const [kept, lost] = [valueInWords(detail['kept'], field), valueInWords(detail['lost'], field)];
      return `a person decided: ${field} ${kept} on ${detail['keep'] === 'tracker' ? 'the tracker' : 'GitHub'} wins over ${lost}`;
    }
    case 'agree':
      return `${kind}, ${outcome}`;
  }
}

/** Shown with every withdrawal: content that the bridge cannot reach. */
export const outOfReach =
  "GitHub's e-mails, edit history and notifications, the old title in the issue's timeline, forks and other people's copies cannot be withdrawn";

/** `title, text and fields; 2 comments; 1 file` */
export function withdrawnInWords({
  isIssue,
  isText,
  comments,
  files,
  left,
}: Readonly<Record<string, unknown>>): string {
  const some = (count: unknown, noun: string) => (typeof count === 'number' && count > 0 ? [counted(count, noun)] : []);
  const parts = [
    ...(isIssue === true ? ['title, text and fields'] : isText === true ? ['the description'] : []),
    ...some(comments, 'comment'),
    ...some(files, 'file'),
  ];
  const rest = typeof left === 'string' ? `, though ${left}` : '';
  return `${parts.join('; ') || 'the last of it'}${rest}`;
}

/** Of an issue that was opened again: what of its bug is still not public, and was withdrawn at once. */
export function publicAgainInWords(withdrawn: Withdrawn): string {
  const { isText, comments, files } = withdrawn;
  const isAll = !isText && comments + files === 0;
  return `is public again, and mirrored${isAll ? '' : `, without what is not (${withdrawnInWords({ ...withdrawn })})`}`;
}

const bugOf = (link: Link | null): string | null => (link === null || link.bug === null ? null : `bug ${link.bug}`);
const issueOf = (link: Link | null): string | null =>
  link === null || link.issue === null ? null : `${link.repo}#${link.issue}`;

function noun({ kind, on }: LedgerLine): string {
  const where = on === null ? '' : ` on ${sideInWords(on)}`;
  return `${isOperation(kind) ? operations[kind].noun : kind}${where}`;
}

/** A request sent longer ago is no longer in flight: the next cycle checks whether it arrived. */
const inFlightMs = 60_000;

export const isInFlight = ({ sentAt }: Pick<OutboxRow, 'sentAt'>, now: number): boolean =>
  sentAt !== null && now - sentAt < inFlightMs;

/** Why an operation is parked, and whether later comments wait for it. */
export function parkedInWords({ operation, why, waitingSince, notBeforeAt }: OutboxRow): string | null {
  if (operation.kind !== 'comment' || waitingSince === null) return why;
  const place =
    notBeforeAt === null
      ? 'later comments no longer wait for it and will appear before it'
      : `later comments wait for it until ${timeInWords(notBeforeAt)}`;
  return why === null ? place : `${why}; ${place}`;
}

/** Enough time to create a new token. */
const tokenSoonMs = 14 * 86_400_000;

/** A predicate for a token, `expires on 2026-12-01, in 4 days`; and whether a person should act. */
export function tokenEndInWords(endsAt: number, now: number): { readonly words: string; readonly isSoon: boolean } {
  const day = timeInWords(endsAt).slice(0, 10);
  if (endsAt <= now) return { words: `expired on ${day}`, isSoon: true };
  const days = Math.floor((endsAt - now) / 86_400_000);
  const words = `expires on ${day}, ${days === 0 ? 'within a day' : `in ${counted(days, 'day')}`}`;
  return { words, isSoon: endsAt - now <= tokenSoonMs };
}

export const tokenAdvice =
  'Create a new token and replace the old one: github.tokenFile is read again, any other place needs a restart.';

/** So long before the end of an interface version, an operator has to act. */
const yearMs = 365 * 24 * 3_600_000;

/** A predicate for the name of the side; null if no end is near. */
export function retirementInWords(retirement: Retirement | null, now: number): string | null {
  const endsAt = retirement?.endsAt ?? null;
  if (endsAt === null || endsAt - now > yearMs) return null;
  return `ends the interface version that bugferry uses on ${new Date(endsAt).toISOString().slice(0, 10)}`;
}

/** `46 pairs compared, 3 items without counterpart` */
export function scopeInWords(sample: number | null, { pairs, alone }: { pairs: number; alone: number }): string {
  const compared = `${sample === null ? '' : 'a sample of '}${counted(pairs - alone, 'pair')} compared`;
  return alone === 0 ? compared : `${compared}, ${counted(alone, 'item')} without counterpart`;
}
