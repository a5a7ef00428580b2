import { readScenes } from './tracker-recorded-reads.ts';
import { updateScenes } from './tracker-recorded-updates.ts';
import type { Scene } from './tracker-scene.ts';

/** Everything that is played to the sandbox. A recording may be played more than once. */
export const scenes: readonly Scene[] = [...readScenes, ...updateScenes];

/** Recordings whose answer the sandbox gives otherwise on purpose, with the reason. They are played, and must differ. */
export const differentByDecision: Readonly<Record<string, string>> = {};

/** Recordings that cannot be asked of the sandbox, with the reason. */
export const notPlayable: Readonly<Record<string, string>> = {};
