import { allowancesNow } from '../kernel/creation-rate.ts';
import { isImport, openImports } from '../kernel/imports.ts';
import type { WaitingCommand } from '../model/control.ts';
import { type LinkId, type Side, sides } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Undertaking } from '../model/migration.ts';
import type { Failed } from '../model/outcome.ts';
import type { Conflict, Skip } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Route } from '../model/route.ts';
import type { Corrected, Failing, RouteStatus, SideStatus, Stuck } from '../model/route-status.ts';
import type { Store } from '../model/store.ts';
import type { CursorRow } from '../model/survey.ts';
import { correctedIn, correctionsMs, mirrorOf } from '../rules/fields/merge.ts';
import { type Allowance, allowedAt } from '../rules/limits/brake-and-budget.ts';
import { lookReaderOf } from '../rules/privacy/gate.ts';
import { type Redaction, redactionOf } from '../rules/privacy/redactions.ts';
import { adviceOn, needsPerson } from './failure.ts';
import { creationsLeft, leftOf, msUntilDone, progressOf, spentOf, type WritePace, workOf } from './forecast.ts';
import { decidedIn, pauseAfter, queuedIn } from './queued.ts';
import { setAsideOf } from './set-aside.ts';
import { type Facts, isAhead, nothingWaits, staleInWords, standingOf } from './standing.ts';
import { tokenEndIn } from './token-end.ts';
import { itemsOf, verdictOf } from './verdict.ts';
import { isInFlight, linkInWords, parkedInWords } from './words.ts';

/** Nobody reads more findings than this. */
const findingsMax = 200;

/**
 * The status of one route, from the state database. Its cost grows with the number of links, so it is not for every
 * cycle.
 */
export function statusOf(
  store: Store,
  route: Route,
  configured: Configured,
  now: number,
  commands: readonly WaitingCommand[] = [],
): RouteStatus {
  const facts = factsOf(store, route, { configured, commands }, now);
  return judgedStatus(route.isEnabled ? facts : switchedOff(facts), now);
}

function factsOf(store: Store, route: Route, { configured, commands }: Asked, now: number): Facts {
  const { name } = route;
  const links = store.links.count(name);
  const sent = store.outbox.sent(name);
  const imports = openImports(store, name, sent);
  const halves = { ...links.halves, tracker: links.halves.tracker - imports.unreadDue + imports.waiting };
  const stored = [...store.outbox.due(name, Number.MAX_SAFE_INTEGER), ...sent].map(({ operation }) => operation);
  const work = workOf(store, route, { halves }, stored, imports.made);
  const redaction = redactionOf(store, [route]);
  const rest = pauseAfter(store.pauses.of(name), commands);
  const reader = lookReaderOf(route);
  const lookedAt = reader === null ? null : store.looks.oldestAt(reader);
  const side = (each: Side) => sideStatusOf(store, route, each, allowancesNow(store, each, configured[each], now), now);
  return {
    route: name,
    product: route.selection.product,
    repo: `${route.owner}/${route.repo}`,
    direction: route.direction,
    filters: filtersOf(route),
    isEnabled: route.isEnabled,
    contact: route.contact,
    rest,
    links,
    outbox: store.outbox.count(name),
    parked: store.outbox.parked(name).map((row) => stuck(store, row, redaction)),
    putOff: store.outbox
      .putOff(name, putOffMax)
      .map(({ number, operation, why }) => ({ number, about: nameOf(store, operation.link), why })),
    undertakings: store.undertakings.ofRoute(name).map((each) => ({ ...each, closed: closedBy(store, name, each) })),
    imported: imports.unread,
    doubts: sent.filter((row) => !isImport(row) && !isInFlight(row, now)).map((row) => stuck(store, row, redaction)),
    queued: queuedIn(commands, (link) => nameOf(store, link)),
    ...findingsOf(store, name, redaction, commands),
    unshown: store.receipts
      .ofRoute(name)
      .reduce((sum, { comments }) => sum + comments.filter(({ looks }) => looks > 0).length, 0),
    // The brake holds nothing back on a paused route.
    refusals: rest === null ? store.refusals.ofRoute(name) : [],
    progress: progressOf(route, { whole: links.whole + imports.unread, halves }, work),
    corrected: correctedOf(store, route, now),
    catchUpMs: msUntilDone(work, () => creationsLeft(store, configured.github, now), configured),
    isCatchUpLeast: work.isLeast,
    failures: failuresOf(store, name, now),
    setAside: setAsideOf(store, route),
    lookedAt,
    isUnchecked: reader !== null && lookedAt === null && links.whole > 0,
    withdrawn: { issues: store.links.withdrawn(name), files: store.attachmentLinks.withdrawn(name) },
    unreached: store.toldReceivers.unreached(name),
    sides: { tracker: side('tracker'), github: side('github') },
  };
}

function filtersOf({ selection, label }: Route): RouteStatus['filters'] {
  const { components, keyword, createdSinceAt, openOnly } = selection;
  const asked = {
    component: components !== null,
    keyword: keyword !== null,
    createdSince: createdSinceAt !== null,
    openOnly,
  };
  return {
    tracker: Object.entries(asked).flatMap(([key, isAsked]) => (isAsked ? [key] : [])),
    github: label === null ? [] : ['label'],
  };
}

const closedBy = ({ cutoverNotices }: Store, route: string, { kind }: Undertaking): number =>
  kind === 'cutover' ? cutoverNotices.ofRoute(route).filter(({ isDone }) => isDone).length : 0;

/** Nobody reads a longer list. */
const putOffMax = 5;

/** What limits the work of a route. */
export interface Configured extends Readonly<Record<Side, readonly Allowance[]>>, WritePace {}

interface Asked {
  readonly configured: Configured;
  readonly commands: readonly WaitingCommand[];
}

/** What a status says, with the verdict on it. */
export function judgedStatus(found: Facts, now: number): RouteStatus {
  const facts = { ...found, isStale: found.isEnabled && staleInWords(found, now) !== null };
  const standing = standingOf(facts);
  return {
    ...facts,
    standing,
    verdict: verdictOf({ ...facts, standing }, now),
    isInStep: standing === 'in step' || standing === 'off',
    isHalted: standing === 'failed' || standing === 'refused',
    lagMs: facts.isEnabled ? lagOf(facts.sides, now) : null,
    needsPerson: facts.refusals.length > 0 || itemsOf(facts) > 0 || facts.failures.some((each) => each.needsPerson),
  };
}

function findingsOf(
  store: Store,
  route: string,
  redaction: Redaction,
  commands: readonly WaitingCommand[],
): Pick<RouteStatus, 'conflicts' | 'skips' | 'open'> {
  const { conflicts, skips } = store.findings.ofRoute(route, findingsMax);
  const open = store.findings.open(route);
  const decided = conflicts.filter((each) => each.kept === null && decidedIn(commands, each) !== null).length;
  // By bug, as people look for one; when it was planned last is no news.
  const bugOf = ({ link }: Pick<Conflict, 'link'>): number => store.links.byId(link)?.bug ?? Number.MAX_SAFE_INTEGER;
  const inOrder = <Found extends Pick<Conflict, 'link'>>(found: readonly Found[], asks: (each: Found) => boolean) => [
    ...found.filter(asks).toSorted((one, other) => bugOf(one) - bugOf(other)),
    ...found.filter((each) => !asks(each)),
  ];
  const isLive = (link: Link | null) => link?.state === 'live' || link?.frozenBy === 'github';
  // What needs a person is shown for hidden bugs, too: most of all that one could not be withdrawn.
  const isTold = (link: Link | null, { needsPerson }: Skip) =>
    isLive(link) || (needsPerson && link?.state === 'frozen');
  return {
    conflicts: inOrder(
      conflicts
        .filter((each) => isLive(store.links.byId(each.link)) && !redaction.isHidden(each.link))
        .map((conflict) => ({
          ...conflict,
          about: nameOf(store, conflict.link),
          decided: decidedIn(commands, conflict),
        })),
      ({ kept }) => kept === null,
    ),
    skips: inOrder(
      skips.flatMap((skip) => {
        const link = store.links.byId(skip.link);
        return isTold(link, skip) ? [{ ...skip, isWaiting: link?.urgency !== 'none' }] : [];
      }),
      (skip) => skip.needsPerson,
    ),
    open: { ...open, conflicts: open.conflicts - decided },
  };
}

/** A route that is off has no work and needs nobody. */
const switchedOff = (facts: Facts): Facts => ({
  ...facts,
  ...nothingWaits,
  progress: { mirrored: facts.links.whole, total: facts.links.whole, writes: 0 },
  links: { ...facts.links, wanting: 0, waiting: 0 },
});

function correctedOf(store: Store, { name, direction }: Route, now: number): readonly Corrected[] {
  const on = mirrorOf(direction);
  if (on === null) return [];
  return store.ledger.corrections(name, now - correctionsMs, findingsMax).flatMap((line): readonly Corrected[] => {
    const fields = correctedIn(line);
    return fields.length === 0 ? [] : [{ about: nameOf(store, line.link), on, fields, at: line.at }];
  });
}

function failuresOf(store: Store, route: string, now: number): readonly Failing[] {
  const why = store.unwritable();
  const ofState: readonly Failed[] =
    why === null ? [] : [{ of: 'state', kind: 'state', side: null, why, sinceAt: now, at: now, count: 1 }];
  const restOf = (side: Side | null) => (side === null ? null : (store.budgets.backoffOf(side, now)?.until ?? null));
  return [...ofState, ...store.failures.ofRoute(route)].map((failed) => ({
    ...failed,
    advice: adviceOn({ ...failed, until: restOf(failed.side) }),
    needsPerson: needsPerson(failed),
  }));
}

function lagOf(both: Readonly<Record<Side, SideStatus>>, now: number): number | null {
  const times = sides.map((side) => both[side].polledAt);
  return times.includes(null) ? null : now - Math.min(...times.map((at) => at ?? now));
}

function nameOf(store: Store, id: LinkId): string {
  const link = store.links.byId(id);
  return link === null ? 'a deleted pair' : linkInWords(link);
}

const stuck = (store: Store, row: OutboxRow, redaction: Redaction): Stuck => ({
  number: row.number,
  about: nameOf(store, row.operation.link),
  operation: redaction.operation(row.operation),
  attempts: row.attempts,
  why: row.state === 'parked' ? parkedInWords(row) : row.why,
});

function sideStatusOf(
  store: Store,
  route: Route,
  side: Side,
  allowances: readonly Allowance[],
  now: number,
): SideStatus {
  const row: CursorRow | null = store.cursors.get(route.name, side);
  const budgets = allowances.map((allowance) => {
    const { at } = allowedAt(spentOf(store, side, allowance, now), [allowance], 1, now);
    return {
      name: allowance.name,
      left: leftOf(store, side, allowance, now),
      max: allowance.pointsMax,
      freeAt: at > now ? at : null,
    };
  });
  const polledAt = row?.polledAt ?? null;
  return {
    polledAt,
    isStale: polledAt === null || now - polledAt > route.lagMaxMs || isAhead(polledAt, now),
    isComplete: row?.isComplete ?? false,
    hasMore: row?.hasMore ?? false,
    sweptAt: row?.sweptAt ?? null,
    pause: store.budgets.backoffOf(side, now),
    retirement: store.retirements.ofSide(side),
    tokenEndsAt: side === 'github' ? tokenEndIn(store.greetings) : null,
    budgets,
  };
}
