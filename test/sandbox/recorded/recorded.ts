import type { Scene } from '../tracker/scene.ts';
import { attachmentScenes } from './recorded-attachments.ts';
import { longScenes } from './recorded-long.ts';
import { peopleScenes } from './recorded-people.ts';
import { readScenes } from './recorded-reads.ts';
import { settingScenes } from './recorded-settings.ts';
import { updateScenes } from './recorded-updates.ts';

/** Everything that is played to the sandbox. A recording may be played more than once. */
export const scenes: readonly Scene[] = [
  ...readScenes,
  ...updateScenes,
  ...attachmentScenes,
  ...peopleScenes,
  ...longScenes,
  ...settingScenes,
];

/** Recordings whose answer the sandbox gives otherwise on purpose, with the reason. They are played, and must differ. */
export const differentByDecision: Readonly<Record<string, string>> = {};

/** Recordings that cannot be asked of the sandbox, with the reason. */
export const notPlayable: Readonly<Record<string, string>> = {
  comment_create_deadlock_http201: 'two transactions of the database blocked each other, which cannot be asked for',
};
