import { ownVersion } from '../config/version.ts';
import { blockedRow } from '../kernel/set-aside.ts';
import type { BlockedRow } from '../model/outcome.ts';
import type { Clock, WatchedWork } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { openWatchdog, type Watchdog } from '../runtime/watchdog.ts';
import type { BridgeOptions } from './bridge.ts';

/** The processor time after which a step of the work has no end: a thread of GitHub's 2,500 comments takes a tenth. */
export const stepMaxMs = 20_000;

type Opening = Pick<BridgeOptions, 'mode' | 'warn'> & { readonly clock: Clock };

/**
 * Watches the work on items. The item on which the process before this one was blocked is set
 * aside; only a process that may write keeps that.
 */
export function watched(
  held: Store,
  state: string,
  { mode, clock, warn }: Opening,
): { readonly watch: Watchdog; readonly store: Store } {
  const watch = openWatchdog({ file: `${state}.hung`, limitMs: stepMaxMs });
  const work = watch.blocked();
  const setAside = work === null ? held.setAside : withBlocked(held, work, { mode, clock, warn });
  if (mode === 'write') watch.forgetBlocked();
  return { watch, store: { ...held, setAside } };
}

function withBlocked({ setAside }: Store, work: WatchedWork, { mode, clock, warn }: Opening): Store['setAside'] {
  const { route, side, ref } = work;
  const at = clock.now();
  const row = blockedRow(work, { version: ownVersion(), at });
  const { name = `${side === 'tracker' ? 'bug' : 'issue'} ${ref}` } = work;
  const sequel = work.name === undefined ? 'that item is set aside' : 'it is left out';
  warn(`The work on ${name} of route ${route} did not end, and the bridge was restarted; ${sequel}.`);
  const blocked: BlockedRow | null = work.row === undefined ? null : { ...work, row: work.row, version: row.version };
  if (mode === 'read') {
    const shown = { ...row, sinceAt: at, count: 1 };
    const others = (each: string) =>
      setAside.ofRoute(each).filter((one) => one.side !== side || one.ref !== ref || one.comment !== work.comment);
    return {
      ...setAside,
      isBlocked: (each) => isSame(each, blocked) || setAside.isBlocked(each),
      ofRoute: (each) =>
        each === route && work.name === undefined ? [...others(each), shown] : setAside.ofRoute(each),
    };
  }
  if (work.name === undefined) setAside.put(row);
  if (blocked !== null) setAside.block(blocked);
  return setAside;
}

const isSame = (one: BlockedRow, other: BlockedRow | null): boolean =>
  one.route === other?.route && one.side === other.side && one.ref === other.ref && one.row === other.row;
