import { setAsideInWords } from '../../explain/set-aside.ts';
import {
  decisionInWords,
  operationInWords,
  outOfReach,
  pairingInWords,
  pauseInWords,
  publicAgainInWords,
  sentence,
  withdrawnInWords,
  withStop,
} from '../../explain/words.ts';
import { SideError } from '../../model/outcome.ts';
import type { Withdrawn } from '../../model/plan/withdrawal.ts';
import type { Store } from '../../model/store.ts';
import type { BridgeEvent, BridgeLog, BridgeRun } from '../../wire/bridge.ts';
import { stateTroubleIn } from '../../wire/trouble.ts';
import { brakeAdvice } from './pass.ts';

/** Logs the results of a pass over the routes. */
export function logRuns(log: BridgeLog, runs: readonly BridgeRun[]): void {
  for (const run of runs) {
    const { route } = run;
    if (run.kind === 'backoff')
      log.debug({ route, side: run.side, until: new Date(run.until).toISOString() }, 'paused');
    else if (run.kind === 'paused') log.debug({ route }, pauseInWords(run));
    else if (run.kind !== 'failed') {
      const { report } = run;
      if (report.refusal !== null) log.error({ route }, brakeAdvice(run.kind, report.refusal.why));
      else if (run.kind === 'sweep')
        log.info({ route, buried: run.report.buried, frozen: run.report.frozen }, 'compared in full');
      else log.debug({ route, operations: run.report.operations.length, applied: run.report.applied }, 'cycle');
    } else if (run.error instanceof SideError) {
      // Already logged as a pause.
      if (run.error.kind === 'later' && run.error.at !== null) continue;
      const level = run.error.kind === 'later' ? 'warn' : 'error';
      log[level]({ route, kind: run.error.kind }, `${withStop(run.error.message)} The next cycle tries again.`);
    } else if (stateTroubleIn(run.error) !== null)
      log.error({ route }, `${stateTroubleIn(run.error)} The bridge continues as soon as that is fixed.`);
    else
      log.error({ route, err: run.error }, 'the cycle failed; this is a bug in bugferry. The next cycle starts fresh');
  }
}

/** One line for each operation: route, link, outcome, duration and attempt. */
export function logEvent(log: BridgeLog, event: BridgeEvent, store: Pick<Store, 'links'>): void {
  if (event.kind === 'backoff')
    log.warn({ route: event.route, side: event.side, until: new Date(event.until).toISOString() }, event.why);
  if (event.kind === 'polled')
    log.debug({ route: event.route, side: event.side, items: event.items, comments: event.comments }, 'polled');
  if (event.kind === 'decided')
    log[event.why === null ? 'info' : 'warn']({ route: event.route }, decisionInWords(event));
  if (event.kind === 'paired') log[event.why === null ? 'info' : 'warn']({ route: event.route }, pairingInWords(event));
  // What a side fails on stays set aside, and is logged with all else that stays (`troubleLog`).
  if (event.kind === 'set aside' && event.cause !== 'side')
    log.error(
      {
        route: event.route,
        side: event.side,
        ref: event.ref,
        ...(event.comment === undefined ? {} : { comment: event.comment }),
        stage: event.stage,
        err: event.error,
      },
      `${setAsideInWords(event)}; this item alone is set aside, and everything else goes on (bugferry status)`,
    );
  if (event.kind === 'withdrawn') logWithdrawal(log, event.route, event.withdrawn);
  if (event.kind !== 'done' || event.result.kind === 'already') return;
  const { route, operation, result, ms, attempt } = event;
  const isDone = result.kind === 'applied';
  const words = sentence(operationInWords(operation, store.links.byId(operation.link), isDone ? 'done' : 'planned'));
  const facts = {
    route,
    link: operation.link,
    operation: operation.kind,
    side: operation.on,
    outcome: result.kind,
    ms,
    attempt,
  };
  const said = result.why === null ? words : `${words}: ${result.why}`;
  if (isDone) log.info(facts, said);
  else log.warn(facts, said);
}

/** The operator must know at once. */
function logWithdrawal(log: BridgeLog, route: string, withdrawn: Withdrawn): void {
  const { about, trouble, comments, files, isBack } = withdrawn;
  if (trouble !== null)
    log.error(
      { route, comments, files },
      `${about} is not withdrawn from GitHub yet: ${trouble}. Every cycle tries again.`,
    );
  else if (isBack) log.info({ route, comments, files }, `${about} ${publicAgainInWords(withdrawn)}.`);
  else
    log.warn(
      { route, comments, files },
      `${about} was withdrawn from GitHub (${withdrawnInWords({ ...withdrawn })}); ${outOfReach}.`,
    );
}
