import type { Errand } from '../model/errand.ts';
import { type Bridge, isStateTaken, openBridge, roundOf, standingOf } from '../wire.ts';
import { type CommonOptions, type Desk, readConfig } from './desk.ts';
import { codeOf, exitCodes } from './exit-code.ts';
import { narrate } from './narrate.ts';
import { codeOfVisit, reportVisit } from './once.ts';
import { summaryLine } from './summary.ts';

/**
 * Leaves errands for whoever may write the state: a running bridge takes them up in its next cycle, and without one this process does a
 * cycle of their routes itself. Answers the exit code.
 */
export async function doErrands(desk: Desk, options: CommonOptions, asked: (bridge: Bridge) => readonly Errand[]): Promise<number> {
  const { terminal, signal } = desk;
  const config = readConfig(desk, options);
  const quiet = { signal, warn: terminal.note, tell: () => {} };
  const looking = openBridge(config, { ...quiet, mode: 'read' });
  let errands: readonly Errand[];
  try {
    errands = asked(looking);
    for (const errand of errands) looking.errands.add(errand);
  } finally {
    looking.close();
  }
  if (errands.length === 0) return exitCodes.well;
  try {
    return await work(desk, options, new Set(errands.map(({ route }) => route)));
  } catch (error) {
    if (!isStateTaken(error)) throw error;
    const words = 'The running bridge takes it up in its next cycle (schedule.poll); bugferry status and its log tell how that went.';
    if (options.json) terminal.json({ kind: 'left', errands });
    else terminal.out(words);
    return exitCodes.well;
  }
}

async function work(desk: Desk, options: CommonOptions, names: ReadonlySet<string>): Promise<number> {
  const { terminal, signal } = desk;
  const bridge = openBridge(readConfig(desk, options), {
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
    const routes = bridge.routes.filter(({ name }) => names.has(name));
    const visits = await roundOf({ ...bridge, routes }, { isForced: () => false, signal });
    const standings = routes.map(({ route }) => standingOf(bridge.store, route, bridge.allowances, bridge.clock.now()));
    for (const visit of visits) reportVisit(desk, options, visit);
    for (const standing of standings) {
      if (options.json) terminal.json({ kind: 'standing', ...standing });
      else terminal.out(summaryLine(standing, terminal));
    }
    return Math.max(codeOf(standings), ...visits.map(codeOfVisit));
  } finally {
    bridge.close();
  }
}
