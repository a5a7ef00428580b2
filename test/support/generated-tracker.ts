import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import type { TrackerBug, TrackerComment } from '../../src/sandbox/tracker/world/state.ts';
import { createTrackerWorld, type TrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { type Random, random } from './random.ts';

/**
 * A tracker of any size, from the shapes of the real content: its texts, its numbers of comments, its private ones;
 * with as many closed bugs, duplicates, dependencies and references as large trackers have. Bugs have the dates of some
 * years ago.
 */
export function fillGenerated(
  world: TrackerWorld,
  { count, seed }: { readonly count: number; readonly seed: number },
): void {
  const { state } = world;
  const draw = random(seed);
  const models = modelsOf();
  const minuteMs = 60_000;
  const beganAt = Math.floor((state.now() - count * 200 * minuteMs) / 1_000) * 1_000;
  for (let id = 1; id <= count; id += 1) {
    const createdAt = beganAt + id * 150 * minuteMs;
    const { bug: model, comments: texts } = draw.pick(models);
    const comments = texts.map((comment, index): TrackerComment => {
      const at = createdAt + index * minuteMs;
      const text = withReference(draw, comment.text, id, count);
      return { ...comment, id: state.nextComment++, bug: id, at, text, attachment: null, attachmentEvent: null };
    });
    state.comments.set(id, comments);
    const own = {
      id,
      alias: [],
      see_also: [],
      blocks: [],
      flags: [],
      createdAt,
      changedAt: comments.at(-1)?.at ?? createdAt,
    };
    const groups = draw.chance(0.03) ? ['security'] : [];
    const depends_on = id > 20 && draw.chance(0.03) ? [id - 1 - draw.below(15)] : [];
    const bug: TrackerBug = { ...model, ...own, ...statusOf(draw, id), groups, depends_on, product: 'Widget' };
    state.bugs.set(id, bug);
    state.history.set(id, []);
  }
  state.nextBug = count + 1;
}

interface Model {
  readonly bug: TrackerBug;
  readonly comments: readonly TrackerComment[];
}

/** The bugs of the real content that anybody may see, without what names files or duplicates of that tracker. */
function modelsOf(): readonly Model[] {
  const source = createTrackerWorld({ now: () => Date.UTC(2026, 10, 21), url: 'https://bugs.example.test' });
  loadTrackerWorld(source);
  return source
    .bugs()
    .filter(({ product, groups }) => product === 'Widget' && groups.length === 0)
    .map((bug) => ({
      bug,
      comments: source.commentsOf(bug.id).filter((each, at) => at === 0 || !/attachment|\*\*\* /iu.test(each.text)),
    }));
}

/** One bug in twelve is spoken of by a later one; that an earlier bug speaks of a later one is rare. */
function withReference(draw: Random, text: string, id: number, count: number): string {
  if (id < 200 || text.trim() === '') return text;
  if (draw.chance(0.03)) return `${text}\n\nSee bug ${1 + draw.below(id - 100)}.`;
  return draw.chance(0.001) ? `${text}\n\nFollowed by bug ${Math.min(count, id + 500)}.` : text;
}

type StatusFields = Pick<TrackerBug, 'status' | 'resolution' | 'dupe_of'>;

function statusOf(draw: Random, id: number): StatusFields {
  const roll = draw.next();
  if (roll < 0.25)
    return { status: draw.pick(['CONFIRMED', 'UNCONFIRMED', 'IN_PROGRESS']), resolution: '', dupe_of: null };
  if (roll < 0.68) return { status: draw.pick(['RESOLVED', 'VERIFIED']), resolution: 'FIXED', dupe_of: null };
  if (roll < 0.87 || id < 10)
    return { status: 'RESOLVED', resolution: draw.pick(['WONTFIX', 'INVALID', 'WORKSFORME']), dupe_of: null };
  return { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 + draw.below(id - 1) };
}
