import type { Command } from 'commander';
import { operationInWords, sentence } from '../core/explain.ts';
import { SideError } from '../model/outcome.ts';
import type { Store } from '../model/store.ts';
import { type BridgeEvent, type BridgeLog, type BridgeVisit, daemonOf, endOf, openBridge, openLog } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { brakeAdvice } from './once.ts';

interface RunOptions extends CommonOptions {
  readonly force?: true;
}

/** How long a stop may take. */
const stopLimitMs = 20_000;

export function addRun(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'run',
    summary: 'keep both sides in step until stopped',
    description:
      'The daemon: a cycle of every route at once and then by schedule.poll. It logs to stderr. SIGTERM or Ctrl-C let what is under way finish; a second signal ends at once.',
    examples: [
      ['', 'keep both sides in step'],
      ['--force', 'let the first cycle carry out a plan that the brake refused'],
      ['--json', 'also print one JSON line for each event on stdout'],
    ],
  });
  withConfig(command)
    .option('--force', 'let the first cycle carry out a plan that the brake would refuse')
    .action(async (options: RunOptions) => desk.finish(await run(desk, options)));
}

async function run(desk: Desk, options: RunOptions): Promise<number> {
  const { terminal, signal } = desk;
  const config = readConfig(desk, options);
  const log = openLog(config, { level: options.verbose ? 'debug' : 'info', isTerminal: terminal.isLogTerminal, write: terminal.log });
  const bridge = openBridge(config, {
    mode: 'write',
    signal,
    warn: (message) => log.warn(message),
    tell(event) {
      if (options.json) terminal.json(event);
      logEvent(log, event, bridge.store);
    },
  });
  log.info({ routes: bridge.routes.map(({ name }) => name), state: config.state }, 'started');
  const running = daemonOf(bridge, {
    times: config.schedule,
    isForced: options.force === true,
    signal,
    visited: (visits) => logVisits(log, visits),
  });
  const failures = await endOf(signal, stopLimitMs, [
    ['the state file', () => bridge.close()],
    ['the cycle under way', () => running.stop()],
  ]);
  for (const { name, error } of failures)
    log.error({ err: error }, `${name} did not end in order; the next start looks at what had arrived`);
  log.info('stopped');
  return failures.length === 0 ? exitCodes.well : exitCodes.attention;
}

function logVisits(log: BridgeLog, visits: readonly BridgeVisit[]): void {
  for (const visit of visits) {
    const { route } = visit;
    if (visit.kind === 'paused') log.debug({ route, side: visit.side, until: new Date(visit.until).toISOString() }, 'paused');
    else if (visit.kind !== 'failed') {
      const { report } = visit;
      if (report.refusal !== null) log.error({ route }, brakeAdvice(report.refusal.why));
      else if (visit.kind === 'sweep') log.info({ route, buried: visit.report.buried, frozen: visit.report.frozen }, 'compared in full');
      else log.debug({ route, operations: visit.report.operations.length, applied: visit.report.applied }, 'cycle');
    } else if (visit.error instanceof SideError) {
      // That it is asked again later has been told as a pause.
      if (visit.error.kind === 'later' && visit.error.at !== null) continue;
      const level = visit.error.kind === 'later' ? 'warn' : 'error';
      log[level]({ route, kind: visit.error.kind }, `${visit.error.message} The next cycle tries again.`);
    } else log.error({ route, err: visit.error }, 'the cycle failed; this is a fault of bugferry itself. The next one starts afresh');
  }
}

function logEvent(log: BridgeLog, event: BridgeEvent, store: Pick<Store, 'links'>): void {
  if (event.kind === 'paused') log.warn({ route: event.route, side: event.side, until: new Date(event.until).toISOString() }, event.why);
  if (event.kind === 'polled') log.debug({ route: event.route, side: event.side, items: event.items, comments: event.comments }, 'polled');
  if (event.kind !== 'done' || event.result.kind === 'already') return;
  const { route, operation, result, ms, attempt } = event;
  const isDone = result.kind === 'applied';
  const words = sentence(operationInWords(operation, store.links.byId(operation.link), isDone ? 'done' : 'planned'));
  const facts = { route, link: operation.link, outcome: result.kind, ms, attempt };
  if (isDone) log.info(facts, words);
  else log.warn(facts, result.why === null ? words : `${words}: ${result.why}`);
}
