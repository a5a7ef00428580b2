import type { Bug } from '../../model/item.ts';
import type { Witness } from '../../model/replica.ts';
import type { Clock } from '../../model/runtime.ts';
import type { FaultSource } from '../server/faults.ts';
import { attachmentsSeen } from './attachments/attachments.ts';
import { commentsSeen } from './comments/comments.ts';
import { directDesk, modelAttachment } from './desk.ts';
import { furtherFields } from './details.ts';
import { isOn } from './installation/settings.ts';
import { maySee } from './installation/users.ts';
import { modelBug, modelComment } from './model-shape.ts';
import { faultyRead } from './replica-faults.ts';
import { loginRequired } from './server/errors.ts';
import type { TrackerBug } from './world/state.ts';
import type { TrackerWorld } from './world/world.ts';

export interface DirectWitnessOptions {
  readonly faults: FaultSource;
  readonly clock: Clock;
  /** Names of further fields that bugs show in words, and as labels. */
  readonly details?: readonly string[];
  readonly labels?: readonly string[];
}

/** The tracker as somebody who has not logged in sees it, straight on the world and without a network, with the faults of one. */
export function directWitness(world: TrackerWorld, options: DirectWitnessOptions): Witness {
  const { state } = world;
  const { details = [], labels = [] } = options;
  const read = <T>(work: () => T): Promise<T> => faultyRead(options, work);
  const open = (ids: readonly number[]): readonly TrackerBug[] => {
    if (isOn(state.settings, 'requirelogin')) throw loginRequired();
    return ids.flatMap((id) => state.bugs.get(id) ?? []).filter((bug) => maySee(null, bug));
  };
  // Time tracking, of which the deadline is a part, is shown to its own group alone.
  const names = details.filter((name) => name !== 'deadline');
  const shown = (bug: TrackerBug): Bug => ({
    ...modelBug(state, bug),
    ...(details.length === 0 ? {} : { details: {} }),
    ...furtherFields(state, bug, { details: names, labels }),
  });
  return {
    isServed: () => read(() => !isOn(state.settings, 'requirelogin')),
    bugs: (ids) => read(() => new Map(open(ids).map((bug) => [bug.id, shown(bug)]))),
    comments: (ids) =>
      read(() => new Map(open(ids).map(({ id }) => [id, commentsSeen(state, null, id, null).map((each) => modelComment(state, each))]))),
    attachments: (ids) =>
      read(() => new Map(open(ids).map(({ id }) => [id, attachmentsSeen(state, null, id).map((each) => modelAttachment(world, each))]))),
    content: (id) => directDesk(world, { ...options, user: null }).content(id),
  };
}
