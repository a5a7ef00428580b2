import { quickLimits, quickSchedule, stockStatus } from '../support/quick-config.ts';
import type { Keys, Routed } from './keys.ts';

export interface Ends {
  readonly tracker: string;
  readonly github: string;
  readonly keys: Keys;
  readonly routed: readonly Routed[];
  /** The file of the state. */
  readonly state: string;
}

/**
 * A two-way route for each product, as an operator would write it, without the pauses that the real GitHub asks for.
 */
export const configFor = ({ tracker, github, keys, routed, state }: Ends) => ({
  instance: 'live',
  tracker: { url: tracker, apiKey: keys.bridge.key, login: keys.bridge.login },
  github: { url: github, token: 'token-of-bugferry-bot' },
  state,
  schedule: quickSchedule,
  limits: quickLimits(100),
  routes: routed.map(({ product, repo, create }) => ({
    name: product.toLowerCase(),
    tracker: { product },
    github: { repo },
    create,
    attachments: { store: 'branch' },
    status: stockStatus,
  })),
});
