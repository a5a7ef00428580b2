import type { Shelf } from '../../model/attachment.ts';
import type { AttachmentRule } from '../../model/route.ts';
import type { Clock } from '../../model/runtime.ts';
import type { FaultSource } from '../server/faults.ts';
import { directReleaseShelf } from './release-shelf.ts';
import { directShelf } from './shelf.ts';
import { directUploadShelf } from './world/uploads.ts';
import type { GithubWorld } from './world/world.ts';

export interface DirectOptions {
  readonly user: string;
  readonly clock: Clock;
  readonly faults: FaultSource;
}

/** The shelf that a route asks for, straight on the world; null when its files stay on the tracker. */
export function directShelfOf(world: GithubWorld, rule: AttachmentRule, options: DirectOptions): Shelf | null {
  const place = { ...options, repo: `${rule.owner}/${rule.repo}` };
  switch (rule.store) {
    case 'branch':
    case 'repo':
      return directShelf(world, { ...place, branch: rule.branch });
    case 'release':
      return directReleaseShelf(world, { ...place, tag: rule.tag });
    case 'upload':
      return directUploadShelf(world, place);
    case 'link':
      return null;
  }
}
