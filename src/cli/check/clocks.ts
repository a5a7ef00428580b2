import type { Site, Topic } from './site.ts';
import { type Finding, fine, warning } from './verdict.ts';

/** The clocks of both sides and our own. */
export const clocks: Topic = { name: 'clocks', fine: 'neither side tells its time', find };

/** How far the sides may be apart: answers have whole seconds, and take a while. Our own clock only times pauses. */
const nearMs = 30_000;
const ownNearMs = 120_000;

function find({ route, tracker, repository }: Site): readonly Finding[] {
  const [theirs, hubs] = [aheadMs(tracker), aheadMs(repository)];
  const told = [theirs, hubs].filter((ms) => ms !== null);
  if (told.length === 0) return [];
  const found: Finding[] = [];
  if (theirs !== null && hubs !== null && Math.abs(theirs - hubs) > nearMs) {
    const effect =
      route.conflicts === 'newest' ? 'conflicts: newest decides by these times, and may decide wrongly' : 'times of copies look odd';
    found.push(warning(`the tracker's clock is ${span(theirs - hubs)} GitHub's; ${effect}: set the clock of the tracker's database`));
  }
  if (told.every((ms) => Math.abs(ms) > ownNearMs)) {
    const [ms = 0] = told;
    found.push(warning(`this machine's clock is ${span(-ms)} both sides'; pauses that they ask for end at the wrong time: set it (NTP)`));
  }
  const zone =
    tracker.timeZone === null ? '' : `; the tracker says that it stands in ${tracker.timeZone}, and is asked with the zone in every time`;
  return found.length > 0 ? found : [fine(`both sides are within ${nearMs / 1000} seconds of each other${zone}`)];
}

const aheadMs = ({ clockAt, askedAt }: { readonly clockAt: number | null; readonly askedAt: number }): number | null =>
  clockAt === null ? null : clockAt - askedAt;

function span(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const words = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${words} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
