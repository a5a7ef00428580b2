import type { Side } from '../../../src/model/ids.ts';
import { random } from '../../support/random.ts';
import type { Stage } from '../stage.ts';

/** A person who pauses the route at any moment, also in the middle of a cycle, and resumes it. */
export interface Pauser {
  /** Perhaps pauses the route, or resumes it. */
  act(): void;
  /** Whether the route stays paused for good; otherwise it is resumed. */
  end(): boolean;
  /** What was written although the route was paused all through the turn. */
  violations(before: number): readonly string[];
  begin(): void;
}

/** In a quarter of the seeds; half of those end paused. Draws of its own, so that other seeds run as they did. */
export function pauser(seed: number, world: Stage, route: string): Pauser {
  const draw = random(seed + 70_000_000);
  const isHere = seed % 4 === 2;
  let isPausedThroughout = false;
  const pause = () => world.store.pauses.save(route, { at: world.clock.now(), why: null });
  return {
    act() {
      if (!isHere || !draw.chance(0.05)) return;
      if (world.store.pauses.of(route) === null) pause();
      else {
        world.store.pauses.remove(route);
        isPausedThroughout = false;
      }
    },
    begin() {
      isPausedThroughout = world.store.pauses.of(route) !== null;
    },
    violations(before) {
      if (!isPausedThroughout) return [];
      const made = world.calls.slice(before).filter(({ side, method }) => mirroring[side].includes(method));
      return made.map(({ side, method }) => `I9: ${method} on ${side}, although a person has paused the route`);
    },
    end() {
      if (isHere && seed % 8 === 2) pause();
      else world.store.pauses.remove(route);
      return isHere && seed % 8 === 2;
    },
  };
}

/** What no withdrawal needs. */
const mirroring: Readonly<Record<Side, readonly string[]>> = {
  tracker: ['create', 'comment', 'update', 'rewrite', 'put'],
  github: ['create', 'comment', 'put', 'minimize'],
};
