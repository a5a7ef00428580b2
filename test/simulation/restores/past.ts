import type { Context } from '../../../src/kernel/context.ts';
import { letGoOn } from '../../../src/sync/adopt.ts';
import type { Random } from '../../support/random.ts';
import type { Stage } from '../stage.ts';
import type { Said } from './crowd.ts';
import type { Edits } from './edits.ts';
import type { States } from './states.ts';
import { dumpOf, loadDump, type TrackerDump } from './tracker-dump.ts';
import type { Writers } from './writers.ts';

/** What comes back, and what that means. */
export interface Past {
  copy(): void;
  /** Something goes back while no process runs; null if there is nothing to go back to. */
  goBack(): 'state' | 'lost' | 'tracker' | null;
  /** The route stopped: the operator does what the message says. @returns what is wrong with that */
  stopped(why: Error, context: Context): readonly string[];
  /** Whether the operator wants the next cycle to let go of pairs that are gone. */
  letsGo(): boolean;
  /** Whether a state came back of which nobody said so: then our own changes of fields may count as people's. */
  isSilent(): boolean;
  /** Whether the tracker went back. */
  isTrackerOlder(): boolean;
}

interface PastOf {
  readonly world: Stage;
  readonly states: States;
  readonly draw: Random;
  readonly edits: Edits;
  readonly said: Said;
  readonly writers: Writers;
  readonly mayLose: boolean;
  readonly hasTwins: boolean;
}

export function pastOf({ world, states, draw, edits, said, writers, mayLose, hasTwins }: PastOf): Past {
  const copies: Buffer[] = [];
  let twin: Buffer | null = null;
  const dumps: TrackerDump[] = [];
  const seen = { silent: 0, states: 0, trackers: 0 };
  const goesBack = draw.pick(['state', 'state', 'state', 'tracker'] as const);
  let letsGo = false;
  return {
    copy() {
      copies.push(states.copy());
      if (goesBack === 'tracker') dumps.push(dumpOf(world.tracker, said));
    },
    goBack() {
      if (hasTwins) {
        const other = twin ?? states.copy();
        twin = states.copy();
        seen.silent += 1;
        seen.states += 1;
        states.putBack(other, 'silent');
        return 'state';
      }
      if (goesBack === 'tracker' && seen.trackers === 0) {
        const dump = dumps[draw.below(dumps.length)];
        if (dump === undefined) return null;
        seen.trackers += 1;
        loadDump(world.tracker, dump, said);
        edits.forget();
        writers.forget();
        return 'tracker';
      }
      if (goesBack === 'tracker' || seen.states >= 3) return null;
      const drawn = draw.pick(['told', 'told', 'silent', 'lost'] as const);
      const how = drawn === 'lost' && !mayLose ? 'told' : drawn;
      const copy = how === 'lost' ? null : copies[draw.below(copies.length)];
      if (copy === undefined) return null;
      seen.states += 1;
      if (how === 'silent') seen.silent += 1;
      states.putBack(copy, how === 'lost' ? 'silent' : how);
      return how === 'lost' ? 'lost' : 'state';
    },
    stopped(why, context) {
      if (why.name === 'SecondBridge') {
        letGoOn(context);
        return seen.silent + seen.states > 1 ? [] : [`I4: no second bridge is there: ${why.message}`];
      }
      letsGo = true;
      return seen.trackers > 0 ? [] : [`I4: nothing went back: ${why.message}`];
    },
    letsGo() {
      const once = letsGo;
      letsGo = false;
      return once;
    },
    isSilent: () => seen.silent > 0,
    isTrackerOlder: () => seen.trackers > 0,
  };
}
