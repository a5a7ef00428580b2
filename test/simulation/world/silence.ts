import { maySee } from '../../../src/sandbox/tracker/installation/users.ts';
import type { TrackerBug } from '../../../src/sandbox/tracker/world/state.ts';
import { random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

/** I9: bugs that become secret, and bugs that leave the product, without a trace in any list. */
export interface Silence {
  /** Perhaps does that to one, as a script in the tracker's database would. */
  act(): void;
  begin(): void;
  /**
   * What of a bug that was hidden all the time stands on GitHub after as many cycles as a lap of looks takes and one
   * more, not counting those in which something went wrong.
   */
  violations(isUndisturbed: boolean): readonly string[];
}

/** One look takes all bugs of these worlds. */
const cyclesMax = 2;

/** In half of the seeds. Draws of its own, so that other seeds run as they did. */
export function silence(seed: number, world: Stage): Silence {
  const draw = random(seed + 90_000_000);
  const isHere = seed % 2 === 0;
  const { state } = world.tracker;
  const hiddenThroughout = new Set<number>();
  const cycles = new Map<number, number>();
  const isOpen = (bug: TrackerBug): boolean => maySee(null, bug);
  const isPaused = (): boolean => world.store.budgets.backoffOf('github', world.clock.now()) !== null;
  let wasPaused = false;
  return {
    act() {
      const open = [...state.bugs.values()].filter(isOpen);
      // Shown for one request is enough to be published again, and the next cycles have to find that out.
      for (const { id } of open) hiddenThroughout.delete(id);
      if (!isHere || open.length === 0 || !draw.chance(0.02)) return;
      const bug = draw.pick(open);
      const ways = [{ groups: ['security'] }, { product: 'Gadget' }, { product: 'Gadget', groups: ['security'] }];
      state.bugs.set(bug.id, { ...bug, ...draw.pick(ways) });
    },
    begin() {
      hiddenThroughout.clear();
      for (const bug of state.bugs.values()) if (!isOpen(bug)) hiddenThroughout.add(bug.id);
      wasPaused = isPaused();
    },
    violations(isUndisturbed) {
      for (const bug of cycles.keys()) if (!hiddenThroughout.has(bug)) cycles.delete(bug);
      if (!isUndisturbed || wasPaused || isPaused()) return [];
      return [...hiddenThroughout].flatMap((id) => {
        const bug = state.bugs.get(id);
        if (bug === undefined || isOpen(bug)) return [];
        cycles.set(id, (cycles.get(id) ?? 0) + 1);
        const isLate = (cycles.get(id) ?? 0) >= cyclesMax && stands(world, bug);
        return isLate
          ? [`I9: bug ${id} is hidden, and stands on GitHub after ${cycles.get(id)} cycles in which nothing went wrong`]
          : [];
      });
    },
  };
}

/**
 * Whether the title or the description of a bug can be read on GitHub. A bug that was filed from what people made of
 * another one's issue has the words of that, which may be public.
 */
function stands({ tracker, github }: Stage, hidden: TrackerBug): boolean {
  const wordsOf = ({ id, summary }: TrackerBug): readonly string[] =>
    [summary, tracker.commentsOf(id)[0]?.text ?? ''].flatMap(
      (text) => /canary(?:title|description)x\d+x/u.exec(text)?.[0] ?? [],
    );
  const others = [...tracker.state.bugs.values()].filter((bug) => bug.id !== hidden.id && maySee(null, bug));
  const open = new Set(others.flatMap(wordsOf));
  const words = wordsOf(hidden).filter((each) => !open.has(each));
  const issues = JSON.stringify(github.issues(repo).map(({ title, body }) => [title, body]));
  return words.some((each) => issues.includes(each));
}
