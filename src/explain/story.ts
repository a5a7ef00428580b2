import type { Side } from '../model/ids.ts';
import { type CommentLink, isFormer, type Link } from '../model/link.ts';
import type { Skip } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Decidable, RouteStatus, SetAsideItem, Standing } from '../model/route-status.ts';
import type { LedgerLine } from '../model/store.ts';
import { failingInWords, failingSince, isBeside } from './failure.ts';
import { isWritten } from './progress.ts';
import { asideInWords } from './set-aside.ts';
import { strayAdvice } from './strays.ts';
import { decideCommand, isOpen } from './verdict.ts';
import {
  conflictInWords,
  counted,
  isInFlight,
  ledgerInWords,
  linkInWords,
  operationInWords,
  parkedInWords,
  sideInWords,
  timeInWords,
  withStop,
} from './words.ts';

/** The contents of the state database on one link. */
export interface LinkRecord {
  readonly link: Link;
  readonly commentLinks: readonly CommentLink[];
  readonly rows: readonly OutboxRow[];
  readonly conflicts: readonly Decidable[];
  readonly skips: readonly Skip[];
  readonly setAside: readonly SetAsideItem[];
  readonly ledger: readonly LedgerLine[];
  /** How many others of its route are planned before it. */
  readonly ahead: number;
  /** How many planned writes of others come before its first. */
  readonly writesAhead: number;
  /** Sides that have been read completely. */
  readonly isComplete: Readonly<Record<Side, boolean>>;
  readonly now: number;
  /** That of its route; null if nobody asks for it, or if the configuration does not have the route. */
  readonly status: RouteStatus | null;
  readonly isStray: boolean;
}

export interface Story {
  readonly heading: string;
  /** The present state of the link, and the reason if nothing happens. */
  readonly present: readonly string[];
  readonly past: readonly { readonly at: number; readonly words: string }[];
  readonly needsPerson: boolean;
}

/** The whole story of a link. */
export function storyOf(record: LinkRecord): Story {
  const { link, rows, conflicts, skips, setAside, ledger, now, status, isStray } = record;
  const stopped = isStray
    ? [strayAdvice(link.route)]
    : status !== null && stoppedStandings.has(status.standing)
      ? [routeWords(status)]
      : [];
  const beside = (status?.failures ?? []).filter(isBeside).map(failingInWords);
  const open = [
    ...stateWords(record),
    ...setAside.map((item) => asideInWords(item, item.comment === undefined ? '' : `${item.about}: `)),
    ...rows.map((row, index) => `${rowWords(row, now)}${index === 0 ? turnWords(record.writesAhead) : ''}`),
    ...conflicts.map(
      (conflict) =>
        `conflict: ${conflictInWords(conflict)}${isOpen(conflict) ? `; ${decideCommand(linkInWords(link))}` : ''}`,
    ),
    ...skips.map(({ reason, needsPerson }) => `${needsPerson ? 'needs a person' : 'left alone'}: ${reason}`),
  ];
  const title = link.tracker?.summary ?? link.github?.title ?? '';
  return {
    heading: `${linkInWords(link)}  "${title}"  (route ${link.route}, began on ${sideInWords(link.origin)})`,
    present: [
      ...stopped,
      ...beside,
      ...(open.length === 0 && stopped.length === 0 ? ['in step; nothing is waiting'] : open),
      ...commentWords(record.commentLinks),
    ],
    past: ledger.map((line) => ({ at: line.at, words: ledgerInWords(line) })),
    needsPerson:
      isStray ||
      (stopped.length > 0 && (status?.verdict.tone === 'bad' || status?.isStale === true)) ||
      beside.length > 0 ||
      setAside.length > 0 ||
      rows.some(({ state }) => state === 'parked') ||
      conflicts.some(isOpen) ||
      skips.some((skip) => skip.needsPerson),
  };
}

/** In these, nothing of the route crosses, or nobody knows what does. */
const stoppedStandings: ReadonlySet<Standing> = new Set(['off', 'failed', 'refused', 'not read lately', 'paused']);

function routeWords({ route, verdict }: RouteStatus): string {
  const { headline, facts, todo } = verdict;
  const why = [`route ${route}: ${withStop(headline)}`, facts, ...failingSince(verdict)];
  return [...why, ...(todo === null ? [] : [todo])].join(' ');
}

function stateWords({ link, ahead, isComplete, status, setAside }: LinkRecord): readonly string[] {
  const because = link.reason === null ? '' : `: ${link.reason}`;
  if (link.state === 'tombstone')
    return [`given up${because}; bugferry never writes to it again, and nothing replaces it`];
  if (isFormer(link))
    return [`the bug left this route${because}; the issue says where it continues, and is no longer mirrored`];
  if (link.state === 'frozen') {
    const by = link.frozenBy === null ? 'its side' : sideInWords(link.frozenBy);
    return [`frozen${because}; nothing is written until ${by} shows its item again`];
  }
  const words: string[] = [];
  if (link.bug === null || link.issue === null) {
    const missing: Side = link.bug === null ? 'tracker' : 'github';
    const why = isComplete[missing] ? '' : `; ${sideInWords(missing)} is still being read for the first time`;
    words.push(`it has no counterpart on ${sideInWords(missing)} yet${why}`);
  }
  if (link.movedTo !== null)
    words.push(`its bug moved to product ${link.movedTo}; until a route takes it there, nothing is mirrored`);
  if (link.takenFrom !== null)
    words.push(`people transferred its issue to ${link.repo}; the bug stays in product ${link.takenFrom}`);
  if (link.urgency !== 'none' && setAside.every(({ comment }) => comment !== undefined))
    words.push(
      status !== null && stoppedStandings.has(status.standing)
        ? 'it waits until the route goes on'
        : status !== null && isWritten(status)
          ? 'everything is written; the next cycle reads it back'
          : ahead === 0
            ? 'it waits for the next cycle'
            : `it waits; ${counted(ahead, 'other')} of its route ${ahead === 1 ? 'comes' : 'come'} first`,
    );
  return words;
}

const turnWords = (ahead: number): string =>
  ahead === 0 ? '' : `; ${counted(ahead, 'write')} of its route ${ahead === 1 ? 'comes' : 'come'} first`;

function rowWords(row: OutboxRow, now: number): string {
  const { operation, state, notBeforeAt, attempts } = row;
  const why = state === 'parked' ? parkedInWords(row) : row.why;
  const { what } = operationInWords(operation, null, 'planned');
  const where = `${what}, on ${sideInWords(operation.on)}`;
  const because = why === null ? '' : `: ${why}`;
  if (state === 'parked') return `parked after ${counted(attempts, 'attempt')} (${where})${because}`;
  if (state === 'sent' && isInFlight(row, now)) return `in flight (${where})`;
  if (state === 'sent') return `in doubt (${where}); the next cycle checks whether it arrived${because}`;
  return `waiting (${where})${notBeforeAt === null ? '' : `, not before ${timeInWords(notBeforeAt)}`}${because}`;
}

const stateOfComments: Readonly<Record<CommentLink['state'], readonly [one: string, many: string]>> = {
  pending: ['waits to be copied', 'wait to be copied'],
  mirrored: ['is mirrored', 'are mirrored'],
  skipped: ['is not copied', 'are not copied'],
  gone: ['was deleted', 'were deleted'],
  withdrawn: ['was withdrawn', 'were withdrawn'],
};

function commentWords(commentLinks: readonly CommentLink[]): readonly string[] {
  const comments = commentLinks.filter(
    ({ count, source, origin, part }) => part === 1 && count !== 0 && !(origin === 'github' && source === 0),
  );
  const groups = Map.groupBy(comments, ({ state, reason }) => JSON.stringify([state, reason]));
  return [...groups.values()].map((group) => {
    const [{ state = 'mirrored', reason = null } = {}] = group;
    const [one, many] = stateOfComments[state];
    const words = `${counted(group.length, 'comment')} ${group.length === 1 ? one : many}`;
    return `${words}${state === 'mirrored' ? '' : namesOf(group)}${reason === null ? '' : `, because ${reason}`}`;
  });
}

const namesMax = 5;

/** Which comments of the bug they are, so that a person finds the one that is missing. */
function namesOf(group: readonly CommentLink[]): string {
  const counts = group.flatMap(({ count }) => count ?? []);
  if (counts.length === 0) return '';
  const more = counts.length > namesMax ? ' ...' : '';
  return ` (on the bug: ${counts.slice(0, namesMax).join(', ')}${more})`;
}
