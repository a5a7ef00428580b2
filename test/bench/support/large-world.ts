import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';

/** The ids of large trackers have seven digits, and take that much room in an address. */
export const firstId = 1_000_000;

export interface LargeWorld {
  readonly world: TrackerWorld;
  readonly ids: readonly number[];
  /** Lets this much time pass, in milliseconds. */
  wait(ms: number): void;
}

const day = 86_400_000;
/** Of one bug, the description included. */
const commentsMax = 5;
const lorem = 'It stops after some minutes, without a word in the log. Before the last update it did not. ';

/**
 * A tracker with so many bugs, each with a description, two comments on average, history, and an attachment on every
 * other one.
 */
export function largeWorld(bugs: number, maxSearchResults: number): LargeWorld {
  let now = Date.parse('2026-11-21T10:00:00Z');
  const world = createTrackerWorld({ now: () => now, url: 'http://tracker.invalid', maxSearchResults });
  const model = world.as('alice').file({ summary: 'The model of all others', description: lorem });
  const ids = Array.from({ length: bugs }, (_, index) => firstId + index);
  for (const id of ids) fill(world, model, id);
  world.remove(model);
  Object.assign(world.state, {
    nextBug: firstId + bugs,
    nextComment: 1 + bugs * commentsMax,
    nextAttachment: 1 + bugs,
  });
  return {
    world,
    ids,
    wait: (ms) => {
      now += ms;
    },
  };
}

function fill({ state }: TrackerWorld, model: number, id: number): void {
  const nth = id - firstId;
  const [bug, [description]] = [state.bugs.get(model), state.comments.get(model) ?? []];
  if (bug === undefined || description === undefined) throw new Error('The model of all bugs is gone.');
  const filedAt = bug.createdAt - 300 * day + nth * 1000;
  const at = (days: number): number => filedAt + days * day;
  state.bugs.set(id, {
    ...bug,
    id,
    summary: `Bug ${nth} of many`,
    keywords: ['crash'],
    priority: 'High',
    createdAt: filedAt,
    changedAt: at(3),
  });
  const texts = [
    description.text,
    ...Array.from({ length: nth % commentsMax }, (_, index) => lorem.repeat(1 + ((nth + index) % 4))),
  ];
  state.comments.set(
    id,
    texts.map((text, index) => ({
      ...description,
      id: 1 + nth * commentsMax + index,
      bug: id,
      at: at(index / 4),
      text,
    })),
  );
  const row = { who: bug.creator, attachment: null };
  state.history.set(id, [
    { ...row, at: at(2), field: 'keywords', removed: '', added: 'crash' },
    { ...row, at: at(3), field: 'priority', removed: '---', added: 'High' },
  ]);
  if (nth % 2 === 0) addAttachment(state, id, at(1));
}

function addAttachment({ attachments }: TrackerWorld['state'], bug: number, at: number): void {
  const id = 1 + bug - firstId;
  const content = Buffer.from(lorem.repeat(20)).toString('base64');
  attachments.set(id, {
    id,
    bug,
    creator: 'alice@example.test',
    fileName: `log-${id}.txt`,
    summary: 'The log of that day',
    contentType: 'text/plain',
    isPatch: false,
    isPrivate: false,
    isObsolete: false,
    content,
    size: lorem.length * 20,
    flags: [],
    createdAt: at,
    changedAt: at,
  });
}

/** Somebody comments on every hundredth bug and changes it; answers which. */
export function changeSome({ world, ids }: LargeWorld): readonly number[] {
  const changed = ids.filter((_, index) => index % 100 === 0);
  for (const id of changed) {
    world.as('bob').comment(id, 'It happened again.');
    world.as('alice').change(id, { severity: 'major' });
  }
  return changed;
}
