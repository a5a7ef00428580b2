import { sideInWords } from '../../explain/words.ts';
import type { Side } from '../../model/ids.ts';
import { type BridgeVisit, openBridge, roundOf, standingOf, sweepOf } from '../../wire/bridge.ts';
import { type CommonOptions, type Desk, readConfig } from '../context.ts';
import { codeOf, endingOf, exitCodes, stackOf } from '../exit-code.ts';
import { narrate } from './narrate.ts';
import { summaryLine } from './summary.ts';

/** What one round is about: all routes or some, with or without a full comparison first, and whether the brake may stop it. */
export interface RoundWish {
  readonly routes?: ReadonlySet<string>;
  readonly isSwept: boolean;
  readonly isForced: boolean;
}

/** One cycle of the routes in this process, told as it goes, with their standings at the end. Answers the exit code. */
export async function workRound(desk: Desk, options: CommonOptions, wish: RoundWish): Promise<number> {
  const { terminal, signal } = desk;
  const opened = openBridge(readConfig(desk, options), {
    mode: 'write',
    signal,
    warn: (message) => terminal.note(`bugferry: ${message}`),
    tell(event) {
      if (options.json) return terminal.json(event);
      const line = narrate(event, opened.store, terminal);
      if (line !== null) terminal.out(line);
    },
  });
  try {
    const bridge = { ...opened, routes: opened.routes.filter(({ name }) => wish.routes?.has(name) ?? true) };
    const rules = { isForced: () => wish.isForced, signal };
    const visits = [...(wish.isSwept ? await sweepOf(bridge, rules) : []), ...(await roundOf(bridge, rules))];
    const standings = bridge.routes.map(({ route }) => standingOf(bridge.store, route, bridge.allowances, bridge.clock.now()));
    for (const visit of visits) reportVisit(desk, options, visit);
    for (const standing of standings) {
      if (options.json) terminal.json({ kind: 'standing', ...standing });
      else if (!visits.some(({ kind, route }) => kind === 'failed' && route === standing.route))
        terminal.out(summaryLine(standing, terminal));
    }
    return Math.max(codeOf(standings), ...visits.map(codeOfVisit));
  } finally {
    opened.close();
  }
}

function reportVisit({ terminal }: Desk, { verbose }: CommonOptions, visit: BridgeVisit): void {
  if (visit.kind === 'failed') terminal.note(`bugferry: route ${visit.route}: ${endingOf(visit.error).message ?? 'failed'}`);
  if (visit.kind === 'failed' && verbose) terminal.note(stackOf(visit.error));
  if (visit.kind === 'paused') terminal.note(`bugferry: route ${visit.route}: ${pauseInWords(visit)}`);
  if ((visit.kind === 'cycle' || visit.kind === 'sweep') && visit.report.refusal !== null) {
    terminal.note(`bugferry: route ${visit.route}: ${brakeAdvice(visit.kind, visit.report.refusal.why)}`);
  }
}

/** Says of a route that it was left alone. */
export const pauseInWords = ({ side, until, why }: { readonly side: Side; readonly until: number; readonly why: string }): string =>
  `nothing was asked, because ${sideInWords(side)} is paused until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${why}`;

export const brakeAdvice = (kind: 'cycle' | 'sweep', why: string): string =>
  kind === 'sweep'
    ? `nothing was given up, because ${why}. Look whether the account still sees everything; if it is right, run bugferry once --sweep --force.`
    : `nothing was written, because ${why}. Look at it with bugferry plan; if it is right, run again with --force.`;

function codeOfVisit(visit: BridgeVisit): number {
  if (visit.kind === 'paused') return exitCodes.unreachable;
  if (visit.kind === 'failed') return endingOf(visit.error).code;
  return visit.report.refusal === null ? exitCodes.well : exitCodes.braked;
}
