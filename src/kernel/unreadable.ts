/** Bugs that webhooks named and that our account could not read, for all routes together. In memory only. */
export interface UnreadableBugs {
  /** Whether an unlinked bug need not be read now. */
  isLeft(ref: number, now: number): boolean;
  add(ref: number, now: number): void;
}

/** For how long hints about an unreadable bug are ignored. */
const ignoredMs = 15 * 60_000;
/**
 * With this many unreadable bugs, no other unlinked bug is read at a hint until the oldest expire. Far below the number
 * that alerts an administrator.
 */
const bugsMax = 20;

/**
 * A tracker sends webhooks for whole products, including restricted bugs, each of which would cost every route a
 * refused request. Only hints are ignored: becoming public is a change, so the next poll shows the bug.
 */
export function unreadableBugs(): UnreadableBugs {
  const found = new Map<number, number>();
  const forget = (now: number): void => {
    for (const [ref, at] of found) if (at + ignoredMs <= now) found.delete(ref);
  };
  return {
    isLeft(ref, now) {
      forget(now);
      return found.has(ref) || found.size >= bugsMax;
    },
    add(ref, now) {
      found.set(ref, now);
    },
  };
}
