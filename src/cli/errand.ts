import type { Errand } from '../model/errand.ts';
import { type Bridge, isStateTaken, openBridge } from '../wire.ts';
import { type CommonOptions, type Desk, readConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { workRound } from './round.ts';

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
    return await workRound(desk, options, { routes: new Set(errands.map(({ route }) => route)), isSwept: false, isForced: false });
  } catch (error) {
    if (!isStateTaken(error)) throw error;
    const words = 'The running bridge takes it up in its next cycle (schedule.poll); bugferry status and its log tell how that went.';
    if (options.json) terminal.json({ kind: 'left', errands });
    else terminal.out(words);
    return exitCodes.well;
  }
}
