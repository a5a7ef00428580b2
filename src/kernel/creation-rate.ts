/**
 * How much content a side really takes. GitHub documents 80 creations a minute and 500 an hour "in general", and lower
 * limits for some endpoints, which it does not name; it blocks accounts that go on after a refusal. So the rate starts
 * low and doubles each time that it was used in full and nothing was refused for a quarter of the window. After a
 * refusal it stays below what was refused. All of it is kept in the state. Source: docs.github.com, "Rate limits for
 * the REST API", "About secondary rate limits".
 */

import { risesAfter } from '../model/duration.ts';
import type { Side } from '../model/ids.ts';
import type { NotApplied } from '../model/outcome.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { FoundLimit } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Allowance } from '../rules/limits/brake-and-budget.ts';
import { costOf } from '../rules/operations/operations.ts';
import type { Context } from './context.ts';

/**
 * Of what passed before a refusal, the part that is used from then on: others may create content with the same account.
 */
const safeShare = 0.9;

/** How long a refusal is believed: beyond what ever passed, it is a limit; before that, others were at work. */
const limitBelievedMs = 30 * 24 * 3_600_000;
const chanceBelievedMs = 24 * 3_600_000;

/**
 * A refusal of less than this part of the first rate may mean that others have used up the account. So the first one is
 * believed until their hour is over; another one means what all do.
 */
const tellingShare = 0.5;
const doubtBelievedMs = 3_600_000;

/** A refusal of so few says nothing about our own rate. */
const tooFew = 2;

/** A creation is counted here before it waits for its turn, and there when it arrives. */
const waitMs = 10_000;

/** One limit that may rise: what is known of it, and how much was created within its window. */
interface Rate {
  readonly rule: Allowance;
  readonly found: FoundLimit;
  readonly count: number;
}

/**
 * The allowances as they are in force now. Only one window goes beyond what has passed at a time, so that a refusal
 * says which it was: the longest that is full.
 */
export function allowancesNow(
  { budgets }: Pick<Store, 'budgets'>,
  side: Side,
  allowances: readonly Allowance[],
  now: number,
): readonly Allowance[] {
  if (!mayRise(allowances)) return allowances;
  const rates = ratesOf({ budgets }, side, allowances, now, 0);
  return allowances.map((rule) => {
    const rate = rates.find((each) => each.rule === rule);
    if (rate === undefined) return rule;
    const isHeld = rates.some((each) => each.rule.windowMs > rule.windowMs && each.count >= each.found.passedMax);
    const allowed = allowedNow(rate, now);
    const pointsMax = isHeld ? Math.min(allowed, rate.found.passedMax) : allowed;
    return {
      ...rule,
      windowMs: rule.windowMs + waitMs,
      pointsMax,
      passed: rate.found.passedMax,
      ...(isLimited(rate, now) ? { risesTo: pointsMax } : {}),
    };
  });
}

const mayRise = (allowances: readonly Allowance[]): boolean => allowances.some(({ risesTo }) => risesTo !== undefined);

/** Remembers what the answer to a creating operation says about the rate. `outcome` is null if it was taken. */
export function learnRate(
  { store, clock, allowances, route }: Pick<Context, 'store' | 'clock' | 'allowances' | 'route'>,
  operation: Operation,
  outcome: NotApplied | null,
): void {
  const { on } = operation;
  if (!mayRise(allowances[on])) return;
  const now = clock.now();
  // What other requests in flight create is not known yet.
  const isCreation = ({ operation: other }: OutboxRow): boolean => other.on === on && costOf(other) === 'create';
  const inFlight = store.outbox.eachSent(route.name).reduce((count, row) => count + (isCreation(row) ? 1 : 0), 0);
  const rates = ratesOf(store, on, allowances[on], now, inFlight);
  if (outcome === null) for (const rate of rates) keepLimit(store, on, rate, taken(rate, now));
  else if (outcome.kind === 'later' && outcome.isTooFast && rates.every(tellsMore)) blame(store, on, rates, now);
}

function ratesOf(
  { budgets }: Pick<Store, 'budgets'>,
  side: Side,
  allowances: readonly Allowance[],
  now: number,
  inFlight: number,
): readonly Rate[] {
  const believed = budgets.foundLimits(side).filter((each) => !isOfFuture(each, now));
  const found = new Map(believed.map((each) => [each.windowMs, each]));
  return allowances.flatMap((rule): Rate[] => {
    if (rule.risesTo === undefined) return [];
    const count = Math.max(0, budgets.within(side, 'create', now, rule.windowMs) - inFlight);
    return [{ rule, found: believedOf(rule, found.get(rule.windowMs) ?? untried(rule), now), count }];
  });
}

/** Once a low limit is believed no more, the first rate is tried again at once. */
function believedOf({ pointsMax }: Allowance, found: FoundLimit, now: number): FoundLimit {
  if (found.forgottenAt === null || now < found.forgottenAt || found.allowedMax >= pointsMax) return found;
  return { ...found, passedMax: pointsMax, allowedMax: pointsMax };
}

/** What was found by a clock that was ahead would be neither outgrown nor lowered until then. */
const isOfFuture = ({ windowMs, passedAt, refusedAt }: FoundLimit, now: number): boolean =>
  Math.max(passedAt, refusedAt ?? 0) > now + windowMs;

/** What is configured as the start passes, as far as anybody knows. */
const untried = ({ windowMs, pointsMax }: Allowance): FoundLimit => ({
  windowMs,
  passedMax: pointsMax,
  allowedMax: pointsMax,
  filledAt: null,
  passedAt: 0,
  refusedAt: null,
  forgottenAt: null,
});

/** A limit was found, and is still believed. */
const isLimited = ({ found }: Pick<Rate, 'found'>, now: number): boolean =>
  found.forgottenAt !== null && found.forgottenAt > now;

function allowedNow({ rule, found }: Rate, now: number): number {
  if (isLimited({ found }, now)) return found.allowedMax;
  const isDue = found.filledAt !== null && now - found.filledAt >= rule.windowMs * risesAfter;
  return isDue ? Math.min(rule.risesTo ?? found.allowedMax, found.allowedMax * 2) : found.allowedMax;
}

function taken(rate: Rate, now: number): FoundLimit {
  const { found, count } = rate;
  const allowedMax = allowedNow(rate, now);
  const filledAt =
    found.filledAt !== null && allowedMax === found.allowedMax ? found.filledAt : count >= allowedMax ? now : null;
  return { ...found, passedMax: Math.max(found.passedMax, count), allowedMax, filledAt, passedAt: now };
}

/** While a side refuses everything, further refusals say no more than the first. */
const tellsMore = ({ found }: Rate): boolean => found.refusedAt === null || found.passedAt > found.refusedAt;

/** Lowers the window that is to blame. */
function blame(store: Store, side: Side, rates: readonly Rate[], now: number): void {
  const [culprit] = bySuspicion(rates, now);
  if (culprit === undefined || culprit.count <= tooFew) return;
  const { rule, found, count } = culprit;
  const allowedMax = Math.max(1, Math.floor(count * safeShare));
  const isDoubtful = found.refusedAt === null && count < rule.pointsMax * tellingShare;
  const believedMs = isDoubtful ? doubtBelievedMs : shareOf(culprit) === 1 ? limitBelievedMs : chanceBelievedMs;
  keepLimit(store, side, culprit, {
    ...found,
    passedMax: allowedMax,
    allowedMax,
    filledAt: null,
    refusedAt: now,
    forgottenAt: now + believedMs,
  });
}

/**
 * The fullest window first, compared with what has passed; of two that are full, the longer one. A window that keeps to
 * a limit found before is not to blame while there is another.
 */
function bySuspicion(rates: readonly Rate[], now: number): readonly Rate[] {
  const suspects = rates.filter((rate) => rate.count > rate.found.allowedMax || !isLimited(rate, now));
  return (suspects.length === 0 ? rates : suspects).toSorted(
    (one, other) => shareOf(other) - shareOf(one) || other.rule.windowMs - one.rule.windowMs,
  );
}

const shareOf = ({ count, found }: Rate): number => Math.min(1, count / found.passedMax);

const keepLimit = ({ budgets }: Store, side: Side, { found }: Rate, next: FoundLimit): void => {
  if (next !== found) budgets.keepLimit(side, next);
};
