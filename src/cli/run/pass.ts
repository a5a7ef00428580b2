import { isEmpty, isToReadBack } from '../../explain/progress.ts';
import { pauseInWords, sideInWords } from '../../explain/words.ts';
import type { Side } from '../../model/ids.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import { type Bridge, type BridgeRun, backoffOf, cycleOf, openBridge, passOf, sweepOf } from '../../wire/bridge.ts';
import { openNotifier } from '../../wire/notify.ts';
import { statusesIn } from '../../wire/view.ts';
import { allOff } from '../chosen-routes.ts';
import { type CommandContext, type CommonOptions, readConfig } from '../context.ts';
import { codeOf, endingOf, exitCodes, stackOf } from '../exit-code.ts';
import { summaryLine } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';
import { narrate } from './narrate.ts';

/** The scope of one pass: which routes, whether a full comparison comes first, and whether the brake may stop it. */
interface PassRequest {
  readonly routes?: ReadonlySet<string>;
  readonly isSwept: boolean;
  readonly isForced: boolean;
}

/**
 * Runs one cycle of the routes in this process, narrates it, and prints their status at the end. Returns the exit code.
 */
export async function workPass(context: CommandContext, options: CommonOptions, request: PassRequest): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  let isRefused = false;
  const opened = openBridge(config, {
    mode: 'write',
    signal,
    warn: (message) => terminal.note(`bugferry: ${message}`),
    tell(event) {
      isRefused ||= event.kind === 'paired' && event.why !== null;
      if (options.json) return terminal.json(event);
      const line = narrate(event, opened.store, terminal);
      if (line !== null) terminal.out(line);
    },
  });
  try {
    if (opened.routes.length === 0) terminal.note(allOff);
    const bridge = { ...opened, routes: opened.routes.filter(({ name }) => request.routes?.has(name) ?? true) };
    const rules = { isForced: () => request.isForced, signal };
    const runs = [...(request.isSwept ? await sweepOf(bridge, rules) : []), ...(await passOf(bridge, rules))];
    runs.push(...(await readBack(bridge, runs, signal)));
    const statuses = standingOf(bridge);
    for (const run of runs) reportRun(context, options, run);
    for (const status of statuses) {
      if (options.json) terminal.json({ kind: 'standing', ...status });
      else if (!runs.some(({ kind, route }) => kind === 'failed' && route === status.route))
        printVerdict(terminal, status);
    }
    if (signal.aborted) return exitCodes.interrupted;
    const notifier = openNotifier(config, opened, { told: () => undefined, failed: terminal.note });
    notifier.tellNews();
    await notifier.settled();
    const asked = isRefused ? exitCodes.attention : exitCodes.well;
    return Math.max(asked, codeOf(statuses), ...runs.map(codeOfRun));
  } finally {
    opened.close();
  }
}

const standingOf = (bridge: Bridge): readonly RouteStatus[] =>
  statusesIn({ ...bridge, routes: bridge.routes.map(({ route }) => route) });

/**
 * Reads back what was written, where nothing else is left to do: until then nobody knows whether both sides show it,
 * and what people have changed since. It is one cycle more, whatever that finds, so that a pass always ends.
 */
async function readBack(
  bridge: Bridge,
  runs: readonly BridgeRun[],
  signal: AbortSignal,
): Promise<readonly BridgeRun[]> {
  const wrote = new Set(runs.flatMap((run) => (run.kind === 'cycle' && run.report.applied > 0 ? [run.route] : [])));
  if (wrote.size === 0 || signal.aborted) return [];
  const left = standingOf(bridge).filter(isToReadBack);
  const routes = bridge.routes.filter(
    (route) => wrote.has(route.name) && left.some((status) => status.route === route.name) && backoffOf(route) === null,
  );
  return cycleOf({ ...bridge, routes }, { isForced: () => false, signal });
}

function printVerdict(terminal: Terminal, status: RouteStatus): void {
  const { facts, todo } = status.verdict;
  terminal.out(summaryLine(status, terminal));
  if (isEmpty(status)) terminal.out(terminal.paint('dim', visible(`  ${facts}`)));
  // Notes have named a pause and the brake already.
  if (todo === null || status.standing === 'paused' || status.standing === 'refused') return;
  terminal.out(visible(`  ${facts}`));
  terminal.out(terminal.paint('dim', visible(`  ${todo}`)));
}

function reportRun({ terminal }: CommandContext, { verbose }: CommonOptions, run: BridgeRun): void {
  if (run.kind === 'failed') terminal.note(`bugferry: route ${run.route}: ${endingOf(run.error).message ?? 'failed'}`);
  if (run.kind === 'failed' && verbose) terminal.note(stackOf(run.error));
  if (run.kind === 'backoff') terminal.note(`bugferry: route ${run.route}: ${backoffInWords(run)}`);
  if (run.kind === 'paused')
    terminal.note(`bugferry: route ${run.route}: ${pauseInWords(run)}; bugferry resume ${run.route} ends that.`);
  if ((run.kind === 'cycle' || run.kind === 'sweep') && run.report.refusal !== null) {
    terminal.note(`bugferry: route ${run.route}: ${brakeAdvice(run.kind, run.report.refusal.why)}`);
  }
}

/** Explains why a route was skipped. */
export const backoffInWords = ({
  side,
  until,
  why,
}: {
  readonly side: Side;
  readonly until: number;
  readonly why: string;
}): string =>
  `skipped, because ${sideInWords(side)} is paused until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${why}`;

export const brakeAdvice = (kind: 'cycle' | 'sweep', why: string): string =>
  kind === 'sweep'
    ? `nothing was given up, because ${why}. Check that the account still sees everything; if the result is right, run bugferry once --sweep --force.`
    : `nothing was written, because ${why}. Check bugferry plan; if it is right, run again with --force.`;

function codeOfRun(run: BridgeRun): number {
  if (run.kind === 'paused') return exitCodes.well;
  if (run.kind === 'backoff') return exitCodes.unreachable;
  if (run.kind === 'failed') return endingOf(run.error).code;
  return run.report.refusal === null ? exitCodes.well : exitCodes.braked;
}
