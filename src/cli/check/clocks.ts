import type { Site, Topic } from './site.ts';
import { type Finding, fine, warning } from './verdict.ts';

/** The clocks of both sides and our own. */
export const clocks: Topic = { name: 'clocks', fine: 'both sides tell their time', find };

/** How far the sides may be apart: answers have whole seconds, and take a while. Our own clock only times pauses. */
const nearMs = 30_000;
const ownNearMs = 120_000;

function find(site: Site): readonly Finding[] {
  const { route, tracker, repository } = site;
  const [theirs, hubs] = [aheadMs(tracker), aheadMs(repository)];
  const told = [theirs, hubs].filter((ms) => ms !== null);
  const found: Finding[] = [...untold(site)];
  if (theirs !== null && hubs !== null && Math.abs(theirs - hubs) > nearMs) {
    const effect =
      route.conflicts === 'newest' ? 'conflicts: newest decides by these times, and may decide wrongly' : 'times of copies look odd';
    found.push(warning(`the tracker's clock is ${span(theirs - hubs)} GitHub's; ${effect}: set the clock of the tracker's database`));
  }
  if (told.length > 0 && told.every((ms) => Math.abs(ms) > ownNearMs)) {
    const [ms = 0] = told;
    found.push(warning(`this machine's clock is ${span(-ms)} both sides'; pauses that they ask for end at the wrong time: set it (NTP)`));
  }
  const zone =
    tracker.timeZone === null ? '' : `; the tracker says that it stands in ${tracker.timeZone}, and is asked with the zone in every time`;
  return found.length > 0 ? found : [fine(`both sides are within ${nearMs / 1000} seconds of each other${zone}`)];
}

/** A clock that nobody could look at. */
function untold({ route, tracker, repository }: Site): readonly Finding[] {
  const silent = [...(tracker.clockAt === null ? ['the tracker'] : []), ...(repository.clockAt === null ? ['GitHub'] : [])];
  if (silent.length === 0) return [];
  const effect = route.conflicts === 'newest' ? '; conflicts: newest decides by these times' : '';
  const who = silent.length === 2 ? 'neither side tells its time' : `${silent.join()} does not tell its time`;
  return [warning(`${who}, so nobody has looked whether the clocks of both sides agree${effect}: compare them by hand`)];
}

const aheadMs = ({ clockAt, askedAt }: { readonly clockAt: number | null; readonly askedAt: number }): number | null =>
  clockAt === null ? null : clockAt - askedAt;

function span(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const words = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${words} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
