import type { Shelf } from '../../../src/model/attachment.ts';
import { directReleaseShelf } from '../../../src/sandbox/github/release-shelf.ts';
import { directShelf } from '../../../src/sandbox/github/shelf.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { type FaultSource, noFaults } from '../../../src/sandbox/server/faults.ts';
import { type ShelfPlace, type ShelfScene, shelfContract, shelfWorld } from '../../contract/github/attachment-store.ts';
import { handClock } from '../../contract/github/bench.ts';

type Make = (world: GithubWorld, place: ShelfPlace, faults: FaultSource) => Shelf;

const scene = (make: Make) => async (): Promise<ShelfScene> => {
  const world = shelfWorld();
  let faults = noFaults;
  return {
    world,
    shelf: (place) => make(world, place, (side, cost) => faults(side, cost)),
    fail(next) {
      faults = next;
    },
  };
};

shelfContract(
  'the direct door to a branch',
  scene((world, { login, repo }, faults) => directShelf(world, { user: login, repo, branch: 'attachments', clock: handClock(), faults })),
);
shelfContract(
  'the direct door to releases',
  scene((world, { login, repo }, faults) =>
    directReleaseShelf(world, { user: login, repo, tag: 'attachments', clock: handClock(), faults }),
  ),
);
