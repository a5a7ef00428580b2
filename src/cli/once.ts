import type { Command } from 'commander';
import { sideInWords } from '../core/explain.ts';
import type { Side } from '../model/side.ts';
import { type BridgeVisit, openBridge, roundOf, standingOf, sweepOf } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { codeOf, exitCodes } from './exit-code.ts';
import { endingOf, stackOf } from './failure.ts';
import { narrate } from './narrate.ts';
import { summaryLine } from './summary.ts';

interface OnceOptions extends CommonOptions {
  readonly force?: true;
  readonly sweep?: true;
}

export function addOnce(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'once',
    summary: 'one cycle of every route, then end',
    description: 'Reads both sides, carries over what has changed, and ends. For cron jobs, scripts and a careful first run.',
    examples: [
      ['', 'one cycle of every route'],
      ['--sweep', 'first compare everything in full, which finds what was deleted or hidden'],
      ['--force', 'carry out a plan that the brake refused, after looking at it with bugferry plan'],
      ['--json', 'one JSON line for each event'],
    ],
  });
  withConfig(command)
    .option('--sweep', 'compare everything in full first, as the daemon does by schedule.sweep')
    .option('--force', 'carry out what the brake would refuse')
    .action(async (options: OnceOptions) => desk.finish(await once(desk, options)));
}

async function once(desk: Desk, options: OnceOptions): Promise<number> {
  const { terminal, signal } = desk;
  const config = readConfig(desk, options);
  const bridge = openBridge(config, {
    mode: 'write',
    signal,
    warn: (message) => terminal.note(`bugferry: ${message}`),
    tell(event) {
      if (options.json) return terminal.json(event);
      const line = narrate(event, bridge.store, terminal);
      if (line !== null) terminal.out(line);
    },
  });
  try {
    const rules = { isForced: () => options.force === true, signal };
    const visits = [...(options.sweep ? await sweepOf(bridge, rules) : []), ...(await roundOf(bridge, rules))];
    const standings = bridge.routes.map(({ route }) => standingOf(bridge.store, route, bridge.allowances, bridge.clock.now()));
    for (const visit of visits) reportVisit(desk, options, visit);
    for (const standing of standings) {
      if (options.json) terminal.json({ kind: 'standing', ...standing });
      else if (!visits.some(({ kind, route }) => kind === 'failed' && route === standing.route))
        terminal.out(summaryLine(standing, terminal));
    }
    return Math.max(codeOf(standings), ...visits.map(codeOfVisit));
  } finally {
    bridge.close();
  }
}

export function reportVisit({ terminal }: Desk, { verbose }: CommonOptions, visit: BridgeVisit): void {
  if (visit.kind === 'failed') terminal.note(`bugferry: route ${visit.route}: ${endingOf(visit.error).message ?? 'failed'}`);
  if (visit.kind === 'failed' && verbose) terminal.note(stackOf(visit.error));
  if (visit.kind === 'paused') terminal.note(`bugferry: route ${visit.route}: ${pauseInWords(visit)}`);
  if ((visit.kind === 'cycle' || visit.kind === 'sweep') && visit.report.refusal !== null) {
    terminal.note(`bugferry: route ${visit.route}: ${brakeAdvice(visit.report.refusal.why)}`);
  }
}

/** Says of a route that it was left alone. */
export const pauseInWords = ({ side, until, why }: { readonly side: Side; readonly until: number; readonly why: string }): string =>
  `nothing was asked, because ${sideInWords(side)} is paused until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${why}`;

export const brakeAdvice = (why: string): string =>
  `nothing was written, because ${why}. Look at it with bugferry plan; if it is right, run again with --force.`;

export function codeOfVisit(visit: BridgeVisit): number {
  if (visit.kind === 'paused') return exitCodes.unreachable;
  if (visit.kind === 'failed') return endingOf(visit.error).code;
  return visit.report.refusal === null ? exitCodes.well : exitCodes.braked;
}
