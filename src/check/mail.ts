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
  if (direction === 'to-github') return 'the bridge writes nothing to the tracker, so the tracker sends none';
  const each =
    'what people do to an issue within a cycle sends one to those who follow the bug, and each further comment one more';
  const mirroring =
    pointer === 'now'
      ? `each bug that gets an issue sends one, for the address of the issue (pointer: now), and ${each}`
      : `mirroring a bug sends none; ${each}`;
  return [mirroring, ...(pulls === undefined ? [] : [ofPulls]), ...(commits === undefined ? [] : [ofCommits])].join(
    '; ',
  );
}

/** An attachment follows its pull request. */
const ofPulls =
  'each pull request sends up to two for each bug that it names (pulls), and one for each new title where it stands there as an attachment';
const ofCommits = 'each push sends one for each bug that its commits name (commits)';
