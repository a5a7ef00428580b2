import type { GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { Side } from '../model/side.ts';
import type { Session } from './context.ts';

/** Greets both sides and asks the tracker for its values. Throws `SideError`. */
export async function meet(tracker: TrackerReplica, github: GithubReplica): Promise<Session> {
  const own: Record<Side, string | null> = { tracker: (await tracker.hello()).login, github: (await github.hello()).login };
  return { own, vocabulary: await tracker.vocabulary() };
}
