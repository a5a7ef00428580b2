import type { Bridge, BridgeEvent, BridgeRun } from '../../wire/bridge.ts';
import { endingOf } from '../exit-code.ts';
import { barOf } from '../progress.ts';
import { narrate } from '../run/narrate.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Both sides count as quiet after this many passes without a write: the second pass begins after everything that the
 * first one saw.
 */
const quietPassesMin = 2;
/** After this many passes, something is wrong, and a longer wait would only hide it. */
const passesMax = 60;

/** Shows a bridge at work, and detects when it has nothing left to do. */
export interface Watch {
  tell(event: BridgeEvent, store: Bridge['store']): void;
  ran(runs: readonly BridgeRun[]): void;
  /** For the backfill, shows and counts only new counterparts. Null shows everything again. */
  expect(total: number | null): void;
  /** Resolves to true after a quiet while, and to false if that takes too long or `signal` aborts first. */
  quiet(signal: AbortSignal): Promise<boolean>;
}

export function watch(terminal: Terminal): Watch {
  let expected: number | null = null;
  let created = 0;
  let quietPasses = 0;
  let passes = 0;
  let settle: (() => void) | null = null;
  const show = (event: BridgeEvent, store: Bridge['store']) => {
    const isCreate = event.kind === 'done' && event.operation.kind === 'create';
    const isQuiet = expected !== null && event.kind === 'done' && event.result.kind !== 'parked' && !isCreate;
    const line = isQuiet ? null : narrate(event, store, terminal);
    if (line !== null) terminal.out(line);
    if (expected === null) return;
    if (isCreate && event.result.kind === 'applied') created += 1;
    terminal.progress(
      `  ${terminal.paint('green', barOf(created, expected))} ${created} of ${expected} bugs are now issues`,
    );
  };
  return {
    tell: show,
    ran(runs) {
      for (const run of runs)
        if (run.kind === 'failed')
          terminal.out(terminal.paint('yellow', `${run.route}: ${endingOf(run.error).message}`));
      const isQuiet = runs.every((run) => run.kind === 'cycle' && run.report.operations.length === 0);
      quietPasses = isQuiet ? quietPasses + 1 : 0;
      passes += 1;
      if (quietPasses >= quietPassesMin || passes >= passesMax) settle?.();
    },
    expect(total) {
      expected = total;
      created = 0;
      terminal.progress(null);
    },
    async quiet(signal) {
      quietPasses = 0;
      passes = 0;
      if (signal.aborted) return false;
      await new Promise<void>((resolve) => {
        settle = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      settle = null;
      return quietPasses >= quietPassesMin && !signal.aborted;
    },
  };
}
