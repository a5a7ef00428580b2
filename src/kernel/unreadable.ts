/** Bugs that webhooks named and that our account was not shown, for all routes together. In memory only. */
export interface UnreadableBugs {
  /** Whether a bug that nothing is kept in step with need not be asked for now. */
  isLeft(ref: number, now: number): boolean;
  add(ref: number, now: number): void;
}

/** How long a bug that could not be read is not asked for at a hint. */
const restMs = 15 * 60_000;
/** After this many no further bug is asked for at a hint, until the oldest have rested. Far below what an administrator is alerted of. */
const bugsMax = 20;

/**
 * A tracker sends its webhooks of whole products, also of bugs that only some may see, and each of those would cost every route a request that
 * is refused. Hints are all that is left out: a bug that becomes public changes by that, so the next poll shows it.
 */
export function unreadableBugs(): UnreadableBugs {
  const found = new Map<number, number>();
  const forget = (now: number): void => {
    for (const [ref, at] of found) if (at + restMs <= now) found.delete(ref);
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
