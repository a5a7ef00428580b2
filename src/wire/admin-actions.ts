/** What people ask for on a page. */

import { pauseInWords, sideInWords } from '../explain/words.ts';
import type { AdminAction } from '../http/admin-port.ts';
import { retry, takeAtOnce } from '../sync/commands.ts';
import type { Daemon } from '../sync/daemon.ts';
import { decide } from '../sync/decide-by-hand.ts';
import type { Bridge } from './bridge.ts';
import type { BridgeRoute } from './bridge-route.ts';

const gone = 'It no longer exists; nothing was done.';

/** Carries out a person's action, and answers what became of it. */
export async function act(bridge: Bridge, daemon: Daemon | null, action: AdminAction): Promise<string> {
  if (daemon === null) return gone;
  if (action.kind === 'run') {
    daemon.runSoon();
    return 'Every route runs now.';
  }
  const name = routeOf(bridge, action);
  const route = bridge.routes.find((each) => each.name === name);
  if (route === undefined) return gone;
  if (action.kind === 'pause' || action.kind === 'resume') return pauseOrResume(bridge, daemon, action);
  if (action.kind === 'force') return force(bridge, daemon, action);
  const words = await daemon.between(() => now(bridge, route, action));
  daemon.runSoon();
  return words;
}

function routeOf({ store }: Bridge, action: Exclude<AdminAction, { readonly kind: 'run' }>): string | undefined {
  if ('route' in action) return action.route;
  return store.links.byId(action.kind === 'resync' ? action.link : action.conflict.link)?.route;
}

type OfKind<Kind extends AdminAction['kind']> = Extract<AdminAction, { readonly kind: Kind }>;

/** Between two passes, so never in the middle of a cycle; the next pass starts at once. */
function now(
  { store, controlQueue }: Bridge,
  route: BridgeRoute,
  action: OfKind<'retry' | 'resync' | 'decide'>,
): string {
  if (action.kind === 'retry') {
    const count = retry(route, action.numbers).length;
    if (count === 0) return 'It is no longer waiting; nothing was done.';
    return count === 1 ? 'It is tried again now.' : `${count} writes are tried again now.`;
  }
  if (action.kind === 'decide') {
    // What the shell decided first counts.
    takeAtOnce(route);
    const why = decide(route, { ...action.conflict, keep: action.keep });
    return why === null
      ? `Decided: ${sideInWords(action.keep)} wins. Its value is mirrored now.`
      : `Not decided: ${why}.`;
  }
  const link = store.links.byId(action.link);
  const [side, ref] = link?.bug ? (['tracker', link.bug] as const) : (['github', link?.issue ?? 0] as const);
  controlQueue.add({ kind: 'resync', route: route.name, side, ref });
  return 'Both ends are read again now.';
}

/** At once: a pause that waited for the end of a long cycle would be none. */
function pauseOrResume({ store, clock }: Bridge, daemon: Daemon, action: OfKind<'pause' | 'resume'>): string {
  const { route } = action;
  if (action.kind === 'pause') {
    const known = store.pauses.of(route);
    if (known !== null) return `Route ${route}: ${pauseInWords(known)}.`;
    store.pauses.save(route, { at: clock.now(), why: action.why });
    return `Route ${route} is paused: it writes nothing more, but withdraws what becomes private.`;
  }
  store.pauses.remove(route);
  daemon.runSoon();
  return `Route ${route} is resumed, and runs now.`;
}

/** Only what the person saw passes the brake: after another refusal, a person has to look again. */
function force({ store }: Bridge, daemon: Daemon, { route, of, why }: OfKind<'force'>): string {
  const refused = store.refusals.ofRoute(route).find((each) => each.of === of);
  if (refused === undefined) return 'The brake no longer holds this; nothing was done.';
  if (refused.why !== why) return `The brake now holds something else (${refused.why}); look at it, and decide again.`;
  daemon.force(route, of === 'plan' ? 'cycle' : 'sweep');
  return of === 'plan' ? 'The plan is carried out now.' : 'The full comparison is carried out now.';
}
