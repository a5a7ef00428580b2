import type { Command } from 'commander';
import type { RouteStatus } from '../../model/route-status.ts';
import { type Bridge, type BridgePreview, openBridge, pauseOf, preview, statusOf } from '../../wire/bridge.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { codeOf, endingOf, exitCodes, stackOf } from '../exit-code.ts';
import { operationLine } from '../run/narrate.ts';
import { pauseInWords } from '../run/pass.ts';
import { momentInWords } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';
import { printTrouble } from './status-lines.ts';

export function addPlan(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'plan',
    summary: 'show what a cycle would do now; writes nothing',
    description: 'Reads both sides and prints what bugferry once would write, and why it would leave other things undone. Writes nothing.',
    examples: [
      ['', 'what would be written'],
      ['--json', 'the same as one JSON document'],
      ['--config other.yaml', 'try another configuration'],
    ],
  });
  withConfig(command).action(async (options: CommonOptions) => context.finish(await plan(context, options)));
}

interface RoutePlan {
  readonly route: string;
  readonly preview: BridgePreview;
  /** The status of the route, including the findings of this plan. */
  readonly status: RouteStatus;
}

async function plan(context: CommandContext, options: CommonOptions): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(context, options), { mode: 'copy', signal, warn, tell: () => {} });
  try {
    const plans: RoutePlan[] = [];
    let code: number = exitCodes.well;
    for (const each of bridge.routes) {
      const paused = pauseOf(each);
      if (paused !== null) {
        warn(`route ${each.name}: ${pauseInWords(paused)}`);
        code = Math.max(code, exitCodes.unreachable);
        continue;
      }
      try {
        const found = await preview(each);
        const status = statusOf(bridge.store, each.route, bridge.allowances, bridge.clock.now());
        plans.push({ route: each.name, preview: found, status });
      } catch (error) {
        const ending = endingOf(error);
        warn(`route ${each.name}: ${ending.message ?? 'failed'}${options.verbose ? `\n${stackOf(error)}` : ''}`);
        code = Math.max(code, ending.code);
      }
    }
    if (options.json) terminal.json({ routes: plans.map(asDocument) });
    else for (const each of plans) printPlan(terminal, bridge, each);
    const braked = plans.some((each) => each.preview.refusal !== null) ? exitCodes.braked : exitCodes.well;
    return Math.max(code, braked, codeOf(plans.map(({ status }) => status)));
  } finally {
    bridge.close();
  }
}

function asDocument({ route, preview: { operations, waiting, left, refusal, withdrawals }, status }: RoutePlan) {
  const { parked, conflicts, skips } = status;
  // The path of a file contains its name, which is no longer public.
  const going = withdrawals.map((each) => (each.what === 'file' ? { ...each, path: null } : each));
  return { route, withdrawals: going, operations, waiting, left, refusal, parked, conflicts, skips };
}

function printPlan(terminal: Terminal, { store, clock }: Bridge, { route, preview: found, status }: RoutePlan): void {
  const { out, paint } = terminal;
  const { operations, waiting, left, refusal, withdrawals } = found;
  out(paint('bold', `Route ${route}`));
  for (const { about, what } of withdrawals) out(`${paint('yellow', 'withdraw')}  ${visible(`${what} of ${about}, before anything else`)}`);
  for (const operation of operations) out(operationLine(operation, store, 'planned', terminal));
  for (const { operation, why, notBeforeAt } of waiting) {
    const when = notBeforeAt === null ? 'waits' : `waits, to be tried ${momentInWords(notBeforeAt, clock.now())}`;
    out(`${operationLine(operation, store, 'planned', terminal)}  ${paint('yellow', visible(`${when}${why === null ? '' : `: ${why}`}`))}`);
  }
  printTrouble(terminal, status);
  if (refusal !== null) out(paint('red', `  The brake would refuse this: ${refusal.why}. bugferry once --force overrides it.`));
  out(`  ${sumInWords(operations.length, left, waiting.length)}`);
}

/** Counts all wanted operations, so that the sum matches the one of `adopt`. */
function sumInWords(now: number, left: number, waiting: number): string {
  const writes = (count: number): string => `${count} ${count === 1 ? 'write' : 'writes'}`;
  const rest = [
    ...(left > 0 ? [`${left} more in later cycles`] : []),
    ...(waiting > 0 ? [`${waiting} that ${waiting === 1 ? 'has' : 'have'} to wait`] : []),
  ];
  if (now + rest.length === 0) return 'Nothing to write.';
  return `${[now === 0 ? 'Nothing to write now' : writes(now), ...rest].join(', and ')}.`;
}
