import { quickLimits, quickSchedule, stockStatus } from '../support/quick-config.ts';
import type { Keys } from './keys.ts';

export interface Ends {
  readonly tracker: string;
  readonly github: string;
  readonly keys: Keys;
  readonly repo: string;
  /** The file of the state. */
  readonly state: string;
}

/**
 * A two-way route of the whole product, as an operator would write it, without the pauses that the real GitHub asks
 * for.
 */
export const configFor = ({ tracker, github, keys, repo, state }: Ends) => ({
  instance: 'live',
  tracker: { url: tracker, apiKey: keys.bridge.key, login: keys.bridge.login },
  github: { url: github, token: 'token-of-bugferry-bot' },
  state,
  schedule: quickSchedule,
  limits: quickLimits(100),
  routes: [
    {
      name: 'live',
      tracker: { product: keys.product },
      github: { repo },
      create: keys.create,
      attachments: { store: 'branch' },
      status: stockStatus,
    },
  ],
});
