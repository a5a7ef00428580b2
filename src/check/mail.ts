import type { Route } from '../model/route.ts';
import type { Topic } from './site.ts';

/**
 * The mails that the tracker sends because of the bridge: each request that writes to a bug sends one to its followers.
 */
export const mail: Topic = { name: 'mail', fine: ({ route }) => expected(route), find: () => [] };

function expected({
  direction,
  pointer,
  pulls,
  commits,
}: Pick<Route, 'direction' | 'pointer' | 'pulls' | 'commits'>): string {
  if (direction === 'to-github') return 'the bridge writes nothing to the tracker, so the tracker sends no mail';
  const each =
    'all changes of an issue within a cycle send one mail to the followers of the bug, and each further comment sends another';
  const mirroring =
    pointer === 'now'
      ? `each bug that gets an issue sends one mail, for the address of the issue (pointer: now), and ${each}`
      : `mirroring a bug sends no mail; ${each}`;
  return [mirroring, ...(pulls === undefined ? [] : [ofPulls]), ...(commits === undefined ? [] : [ofCommits])].join(
    '; ',
  );
}

/** An attachment follows its pull request. */
const ofPulls =
  'each pull request sends up to two mails for each bug that it names (pulls), and if it is attached to the bug, each new title sends a mail';
const ofCommits = 'each push sends a mail for each bug that its commits name (commits)';
