import type { Side } from '../model/ids.ts';
import type { Link, LinkState } from '../model/link.ts';

/** What happens to one end of a link. */
export type LinkEvent =
  /** It cannot be seen any more (hidden, moved, out of the route) and may come back. */
  | { readonly kind: 'vanished'; readonly by: Side; readonly reason: string }
  /** It was deleted for good. */
  | { readonly kind: 'deleted'; readonly reason: string }
  /** The end that had vanished shows itself again. */
  | { readonly kind: 'shown' };

type Cell = LinkState | 'stays';

/** Every state meets every event: a new state or event does not compile until its row or column is written. */
const life: Readonly<Record<LinkState, Readonly<Record<LinkEvent['kind'], Cell>>>> = {
  live: { vanished: 'frozen', deleted: 'tombstone', shown: 'stays' },
  // The end that vanished last is the one that has to come back.
  frozen: { vanished: 'frozen', deleted: 'tombstone', shown: 'live' },
  // Never written again, never made again.
  tombstone: { vanished: 'stays', deleted: 'tombstone', shown: 'stays' },
};

/** How a new link begins. */
export const newlyLive = { state: 'live', reason: null, frozenBy: null } as const;

/** The link after the event; the very same object where the table says that nothing changes. */
export function linkAfter(link: Link, event: LinkEvent): Link {
  const state = life[link.state][event.kind];
  if (state === 'stays') return link;
  if (state === 'live') return { ...link, ...newlyLive };
  const reason = 'reason' in event ? event.reason : (link.reason ?? '');
  if (state === 'tombstone') return { ...link, state, reason, frozenBy: null };
  return { ...link, state, reason, frozenBy: 'by' in event ? event.by : (link.frozenBy ?? link.origin) };
}
