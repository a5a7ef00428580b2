import type { Side } from '../../model/ids.ts';
import type { Link, LinkState } from '../../model/link.ts';

/** An event at one end of a link. */
export type LinkEvent =
  /** It can no longer be seen (hidden, moved, out of the route) and may come back. */
  | { readonly kind: 'vanished'; readonly by: Side; readonly reason: string }
  /** It was deleted for good. */
  | { readonly kind: 'deleted'; readonly reason: string }
  /** The vanished end is visible again. */
  | { readonly kind: 'shown' };

type Cell = LinkState | 'stays';

/**
 * The state after each event in each state: a new event or state does not compile until its row or column is written.
 */
const life: Readonly<Record<LinkEvent['kind'], Readonly<Record<LinkState, Cell>>>> = {
  // The end that vanished last has to come back.
  vanished: { live: 'frozen', frozen: 'frozen', tombstone: 'stays' },
  // Never written again, never recreated.
  deleted: { live: 'tombstone', frozen: 'tombstone', tombstone: 'tombstone' },
  // The caller makes sure that it is the vanished end.
  shown: { live: 'stays', frozen: 'live', tombstone: 'stays' },
};

/** The initial state of a link. */
export const newlyLive = { state: 'live', reason: null, frozenBy: null } as const;

/** The link after the event; the same object if the table says that nothing changes. */
export function linkAfter(link: Link, event: LinkEvent): Link {
  const state = life[event.kind][link.state];
  if (state === 'stays') return link;
  if (state === 'live') return { ...link, ...newlyLive };
  const reason = 'reason' in event ? event.reason : (link.reason ?? '');
  if (state === 'tombstone') return { ...link, state, reason, frozenBy: null };
  return { ...link, state, reason, frozenBy: 'by' in event ? event.by : (link.frozenBy ?? link.origin) };
}
