import type { TrackerVersion } from '../../../src/sandbox/tracker/installation/versions.ts';
import type { Scenario } from '../tracker/scenario.ts';
import { attachmentScenarios } from './recorded-attachments.ts';
import { longScenarios } from './recorded-long.ts';
import { messageScenarios } from './recorded-messages.ts';
import { peopleScenarios } from './recorded-people.ts';
import { readScenarios } from './recorded-reads.ts';
import { settingScenarios } from './recorded-settings.ts';
import { updateScenarios } from './recorded-updates.ts';
import { partScenarios, versionScenarios } from './recorded-versions.ts';

/** What is played to the sandbox in the part of a version. */
export interface Recordings {
  readonly version: TrackerVersion;
  /** A recording may be played more than once. */
  readonly scenarios: readonly Scenario[];
  /** Recordings that cannot be asked of the sandbox, with the reason. */
  readonly notPlayable: Readonly<Record<string, string>>;
}

const measured: Recordings = {
  version: '5.2',
  scenarios: [
    ...readScenarios,
    ...updateScenarios,
    ...attachmentScenarios,
    ...peopleScenarios,
    ...longScenarios,
    ...settingScenarios,
    ...messageScenarios,
    ...partScenarios,
  ],
  notPlayable: {
    comment_create_deadlock_http201: 'two transactions of the database blocked each other, which cannot be asked for',
  },
};

export const recordings: readonly Recordings[] = [
  measured,
  ...(['5.0', '5.3', 'harmony'] as const).map((version) => ({
    version,
    scenarios: versionScenarios[version],
    notPlayable: {},
  })),
];
