import type { Scenario } from '../tracker/scenario.ts';
import { attachmentScenarios } from './recorded-attachments.ts';
import { longScenarios } from './recorded-long.ts';
import { peopleScenarios } from './recorded-people.ts';
import { readScenarios } from './recorded-reads.ts';
import { settingScenarios } from './recorded-settings.ts';
import { updateScenarios } from './recorded-updates.ts';

/** Everything that is played to the sandbox. A recording may be played more than once. */
export const scenarios: readonly Scenario[] = [
  ...readScenarios,
  ...updateScenarios,
  ...attachmentScenarios,
  ...peopleScenarios,
  ...longScenarios,
  ...settingScenarios,
];

/** Recordings whose answer the sandbox gives otherwise on purpose, with the reason. They are played, and must differ. */
export const differentByDecision: Readonly<Record<string, string>> = {};

/** Recordings that cannot be asked of the sandbox, with the reason. */
export const notPlayable: Readonly<Record<string, string>> = {
  comment_create_deadlock_http201: 'two transactions of the database blocked each other, which cannot be asked for',
};
