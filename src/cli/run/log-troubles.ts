import { adviceOn } from '../../explain/failure.ts';
import { setAsideInWords, setAsideOf } from '../../explain/set-aside.ts';
import { counted, sentenceOf, timeInWords } from '../../explain/words.ts';
import type { Failed, SetAside } from '../../model/outcome.ts';
import type { Route } from '../../model/route.ts';
import type { Store } from '../../model/store.ts';
import type { BridgeLog } from '../../wire/bridge.ts';

/** More names than these help nobody. */
const namedMax = 5;

/**
 * What no event says, so that who reads the log alone knows what `status` knows: a clock that is wrong, items on which
 * a side fails, and the end of all trouble. Call it after each pass.
 */
export function troubleLog(log: BridgeLog, store: Store, routes: readonly Route[]): () => void {
  const known = new Map<string, Troubles>();
  const look = (): void => {
    for (const route of routes) {
      const now = troublesOf(store, route);
      const before = known.get(route.name) ?? { failures: new Map(), aside: new Set() };
      known.set(route.name, now);
      const [clock, clockBefore] = [now.failures.get('clock'), before.failures.get('clock')];
      if (clock !== undefined && (clockBefore === undefined || clockBefore.side !== clock.side))
        log.warn({ route: route.name }, `${sentenceOf(clock.why)} ${adviceOn(clock)}`);
      for (const [of, failed] of before.failures)
        if (!now.failures.has(of)) log.info({ route: route.name }, endInWords(failed));
      logAside(log, store, route, { now: now.aside, before: before.aside });
    }
  };
  return () => {
    try {
      look();
    } catch (error) {
      // The pass has told the trouble with the state, and a log must not end the daemon.
      if (store.troubleIn(error) === null) throw error;
    }
  };
}

interface Troubles {
  readonly failures: ReadonlyMap<Failed['of'], Failed>;
  readonly aside: ReadonlySet<string>;
}

const troublesOf = ({ failures, setAside }: Store, { name }: Route): Troubles => ({
  failures: new Map(failures.ofRoute(name).map((failed) => [failed.of, failed])),
  aside: new Set(setAside.ofRoute(name).map(placeOf)),
});

const placeOf = ({ side, ref, comment }: SetAside): string => `${side} ${ref} ${comment ?? ''}`;

function endInWords({ of, count, sinceAt }: Failed): string {
  if (of === 'clock') return 'The clocks agree again.';
  if (of === 'state') return 'The state can be written again.';
  const what = of === 'sweep' ? 'The full comparison' : 'The cycle';
  return `${what} succeeds again, after ${counted(count, 'failure')} since ${timeInWords(sinceAt)}.`;
}

function logAside(
  log: BridgeLog,
  store: Store,
  route: Route,
  { now, before }: { readonly now: ReadonlySet<string>; readonly before: ReadonlySet<string> },
): void {
  const facts = { route: route.name };
  const ended = [...before].filter((place) => !now.has(place)).length;
  if (ended > 0) log.info(facts, `${counted(ended, 'item is', 'items are')} no longer set aside.`);
  if ([...now].every((place) => before.has(place))) return;
  // Our own faults are logged as they happen, with their stack.
  const items = setAsideOf(store, route).filter((item) => item.cause === 'side' && !before.has(placeOf(item)));
  for (const item of items.slice(0, namedMax))
    log.warn(
      { ...facts, side: item.side, ref: item.ref },
      `${item.about} is set aside: ${sentenceOf(setAsideInWords(item))} Everything else goes on. ${item.advice}`,
    );
  if (items.length > namedMax)
    log.warn(
      facts,
      `${counted(items.length - namedMax, 'more item is', 'more items are')} set aside; bugferry status lists them.`,
    );
}
