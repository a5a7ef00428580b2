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

/** Every event meets every state: a new event or state does not compile until its row or column is written. */
const life: Readonly<Record<LinkEvent['kind'], Readonly<Record<LinkState, Cell>>>> = {
  // The end that vanished last is the one that has to come back.
  vanished: { live: 'frozen', frozen: 'frozen', tombstone: 'stays' },
  // Never written again, never made again.
  deleted: { live: 'tombstone', frozen: 'tombstone', tombstone: 'tombstone' },
  // Whether it is the end that had vanished is for the caller to see.
  shown: { live: 'stays', frozen: 'live', tombstone: 'stays' },
};

/** How a new link begins. */
export const newlyLive = { state: 'live', reason: null, frozenBy: null } as const;

/** The link after the event; the very same object where the table says that nothing changes. */
export function linkAfter(link: Link, event: LinkEvent): Link {
  const state = life[event.kind][link.state];
  if (state === 'stays') return link;
  if (state === 'live') return { ...link, ...newlyLive };
  const reason = 'reason' in event ? event.reason : (link.reason ?? '');
  if (state === 'tombstone') return { ...link, state, reason, frozenBy: null };
  return { ...link, state, reason, frozenBy: 'by' in event ? event.by : (link.frozenBy ?? link.origin) };
}
