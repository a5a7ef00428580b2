import type { Link } from '../../../src/model/link.ts';
import type { Direction } from '../../../src/model/route.ts';
import { random } from '../../support/random.ts';
import { commentsOfOurs, type Stage } from '../stage.ts';

/** What a tag makes of a copy; the last one is only for people. */
const tags: Readonly<Record<string, string | null>> = { Spam: 'spam', obsolete: 'outdated', 'has-log': null };

/** One seed in eleven; of those, the ones whose route checks visibility, as only that reads threads again. */
const hasTags = (seed: number): boolean => seed % 11 === 8 && seed % 4 !== 3;

/** People tag comments and take tags off. Draws of its own, so that other seeds run as they did. */
export function taggers(seed: number, { tracker }: Stage): () => void {
  if (!hasTags(seed)) return () => undefined;
  const draw = random(seed + 70_000_000);
  return () => {
    const all = tracker.bugs().flatMap(({ id }) => tracker.commentsOf(id));
    if (all.length > 0 && draw.chance(0.8))
      tracker
        .as('admin')
        .tag(draw.pick(all).id, { [draw.pick(['add', 'add', 'remove'])]: [draw.pick(Object.keys(tags))] });
  };
}

/** I1: copies are minimized as the tags of their originals say, and no others are. */
export function minimizeViolations(
  stage: Stage,
  links: readonly Link[],
  direction: Direction,
  seed: number,
): readonly string[] {
  const { tracker, github } = stage;
  if (!hasTags(seed) || direction === 'to-tracker') return [];
  const found: string[] = [];
  for (const { bug, issue } of links.filter(({ state }) => state === 'live')) {
    for (const comment of tracker.commentsOf(bug ?? 0)) {
      const said = comment.tags.flatMap((tag) => tags[tag] ?? []);
      const wanted = said.includes('spam') ? 'spam' : (said[0] ?? null);
      const copies = commentsOfOurs(github, issue ?? 0).filter(({ body }) =>
        new RegExp(` comment=${comment.id}(?: .*)? -->$`, 'u').test(body),
      );
      for (const { id, minimized } of copies)
        if (minimized !== wanted)
          found.push(
            `I1: copy ${id} of comment ${comment.id}, tagged ${comment.tags.join()}, is minimized as ${minimized}`,
          );
    }
  }
  return found;
}
