import { ownVersion } from '../config/version.ts';
import { setBlockedAside } from '../kernel/set-aside.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { openWatchdog, type Watchdog } from '../runtime/watchdog.ts';
import type { BridgeOptions } from './bridge.ts';

/** The processor time after which a step of the work has no end: a thread of GitHub's 2,500 comments takes a tenth. */
const stepMaxMs = 20_000;

type Opening = Pick<BridgeOptions, 'mode' | 'warn'> & { readonly clock: Clock };

/**
 * Watches the work on items, and what it stores. Sets the item aside on which the process before this one was blocked;
 * only a process that may write forgets that.
 */
export function watched(
  held: Store,
  state: string,
  { mode, clock, warn }: Opening,
): { readonly watch: Watchdog; readonly store: Store } {
  const watch = openWatchdog({ file: `${state}.hung`, limitMs: stepMaxMs });
  const store: Store = { ...held, transaction: (run) => watch.record(() => held.transaction(run)) };
  const work = mode === 'read' ? null : watch.blocked();
  if (work !== null) {
    setBlockedAside({ store, clock, version: ownVersion() }, work);
    const item = `${work.side === 'tracker' ? 'bug' : 'issue'} ${work.ref} of route ${work.route}`;
    warn(`The work on ${item} did not end, and the bridge was restarted; that item is set aside.`);
  }
  if (mode === 'write') watch.forgetBlocked();
  return { watch, store };
}
