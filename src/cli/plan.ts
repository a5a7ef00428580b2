import type { Command } from 'commander';
import { conflictInWords } from '../core/explain.ts';
import { type Bridge, type BridgePreview, openBridge, preview } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { endingOf, stackOf } from './failure.ts';
import { operationLine } from './narrate.ts';
import { momentInWords } from './summary.ts';
import { type Terminal, visible } from './terminal.ts';

export function addPlan(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'plan',
    summary: 'what a cycle would do now; writes nothing',
    description:
      'Reads both sides and prints what bugferry once would then do, and why it would leave other things undone. Writes nothing.',
    examples: [
      ['', 'what would be written, in words'],
      ['--json', 'the same as one JSON document'],
      ['--config other.yaml', 'try another configuration'],
    ],
  });
  withConfig(command).action(async (options: CommonOptions) => desk.finish(await plan(desk, options)));
}

interface RoutePlan extends BridgePreview {
  readonly route: string;
}

async function plan(desk: Desk, options: CommonOptions): Promise<number> {
  const { terminal, signal } = desk;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(desk, options), { mode: 'copy', signal, warn, tell: () => {} });
  try {
    const plans: RoutePlan[] = [];
    let code: number = exitCodes.well;
    for (const route of bridge.routes) {
      try {
        plans.push({ route: route.name, ...(await preview(route)) });
      } catch (error) {
        const ending = endingOf(error);
        warn(`route ${route.name}: ${ending.message ?? 'failed'}${options.verbose ? `\n${stackOf(error)}` : ''}`);
        code = Math.max(code, ending.code);
      }
    }
    if (options.json) terminal.json({ routes: plans });
    else for (const each of plans) printPlan(terminal, bridge, each);
    return Math.max(code, ...plans.map(codeOfPlan));
  } finally {
    bridge.close();
  }
}

function codeOfPlan({ refusal, conflicts, skips, held }: RoutePlan): number {
  if (refusal !== null) return exitCodes.braked;
  const isOpen = conflicts.some(({ kept }) => kept === null) || skips.some(({ needsPerson }) => needsPerson);
  return isOpen || held.some(({ state }) => state === 'parked') ? exitCodes.attention : exitCodes.well;
}

function printPlan(terminal: Terminal, { store, clock, allowances }: Bridge, each: RoutePlan): void {
  const { out, paint } = terminal;
  const about = (link: Parameters<typeof store.links.byId>[0]) =>
    visible(store.links.byId(link)?.bug ? `bug ${store.links.byId(link)?.bug}` : '');
  out(paint('bold', `Route ${each.route}`));
  for (const operation of each.operations) out(operationLine(operation, store, 'planned', terminal));
  for (const { operation, state, why, notBeforeAt } of each.held) {
    const when =
      state === 'parked'
        ? 'parked'
        : notBeforeAt === null
          ? 'waits for its counterpart'
          : `again ${momentInWords(notBeforeAt, clock.now())}`;
    out(`${operationLine(operation, store, 'planned', terminal)}  ${paint('yellow', visible(`${when}${why === null ? '' : `: ${why}`}`))}`);
  }
  for (const conflict of each.conflicts)
    out(`  ${paint('yellow', 'conflict')}  ${about(conflict.link)} ${visible(conflictInWords(conflict))}`);
  for (const skip of each.skips)
    out(`  ${paint(skip.needsPerson ? 'red' : 'dim', 'left alone')}  ${visible(`${skip.about}: ${skip.reason}`)}`);
  if (each.refusal !== null) out(paint('red', `  The brake would refuse this: ${each.refusal.why}. bugferry once --force carries it out.`));
  const count = each.operations.length;
  const creations = each.operations.filter(({ on, kind }) => on === 'github' && (kind === 'create' || kind === 'comment')).length;
  out(
    count === 0
      ? '  Nothing to write.'
      : `  ${count} ${count === 1 ? 'write' : 'writes'}${each.left > 0 ? `, and ${each.left} more in later cycles` : ''}.`,
  );
  const tight = allowances.github.filter(({ pointsMax }) => pointsMax < creations);
  for (const { name, pointsMax } of tight)
    out(paint('dim', `  GitHub is given at most ${pointsMax} ${name}; what exceeds that follows in later cycles.`));
}
