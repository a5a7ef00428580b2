/** How far before a request what it made may be stamped: clocks differ. */
export const marginMs = 120_000;

/** From when on a thread is read to find a comment that was written at this time; from its beginning where the time is not known. */
export const sinceBefore = (at: number): number | null => (at === 0 ? null : at - marginMs);

/** How far a tracker's copy of its database may lag behind, from which it answers lists and threads. */
export const graceMs = 60_000;
