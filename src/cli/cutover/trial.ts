import { totalsInWords, totalsOf } from '../../explain/plan-totals.ts';
import { counted } from '../../explain/words.ts';
import type { Pace } from '../../model/duration.ts';
import { type Bridge, type BridgeRoute, preview, workIn } from '../../wire/bridge.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import type { CutoverOptions } from './cutover.ts';

interface Trial {
  /** Opened with a copy of the state. */
  readonly bridge: Bridge;
  readonly route: BridgeRoute;
  readonly pace: Pace;
}

/** Prints what the cutover would carry over first, and how many bugs its steps concern. */
export async function trial(
  { terminal }: CommandContext,
  { json }: CutoverOptions,
  { bridge: { store, clock }, route, pace }: Trial,
): Promise<number> {
  const found = await preview(route);
  const totals = totalsOf({ ...found, left: workIn(store, route.route) }, pace, clock.now());
  const pairs = store.links.count(route.name).whole;
  const refusal = found.refusal?.why ?? null;
  if (json) terminal.json({ kind: 'trial', route: route.name, totals, unplanned: found.unplanned, pairs, refusal });
  else {
    const lines = totalsInWords(totals, found.unplanned, { route: route.name, rest: store.pauses.of(route.name) });
    terminal.out(
      `${route.name}: ${lines.length === 0 ? 'nothing is left to carry over.' : 'this would be carried over first, without a question:'}`,
    );
    for (const line of lines) terminal.out(`  ${line}`);
    if (refusal !== null) terminal.out(`  The brake refuses it: ${refusal}`);
    terminal.out(
      `  Then both sides are compared. The steps comment and close concern the bugs of ${counted(pairs, 'pair')}, and of the pairs that are created first.`,
    );
  }
  return refusal === null ? exitCodes.well : exitCodes.braked;
}
