import type { Keys } from './keys.ts';

export interface Ends {
  readonly tracker: string;
  readonly github: string;
  readonly keys: Keys;
  readonly repo: string;
  /** The file of the state. */
  readonly state: string;
}

/** A two-way route of the whole product, as an operator would write it, without the pauses that the real GitHub asks for. */
export const configFor = ({ tracker, github, keys, repo, state }: Ends) => ({
  instance: 'live',
  tracker: { url: tracker, apiKey: keys.bridge.key, login: keys.bridge.login },
  github: { url: github, token: 'token-of-bugferry-bot' },
  state,
  schedule: { poll: '* * * * * *', sweep: '*/4 * * * * *' },
  limits: {
    brakeShare: 1,
    settleSeconds: 2,
    github: { createsPerMinute: 50_000, createsPerHour: 50_000, pointsPerMinute: 500_000, pauseBetweenWritesMs: 5 },
    tracker: { requestsPerSecond: 100, concurrency: 2 },
  },
  routes: [
    {
      name: 'live',
      tracker: { product: keys.product },
      github: { repo },
      create: keys.create,
      attachments: { store: 'branch' },
      status: {
        toGithub: {
          UNCONFIRMED: 'open',
          CONFIRMED: 'open',
          IN_PROGRESS: { open: { label: 'status: in progress' } },
          RESOLVED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
          VERIFIED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
        },
      },
    },
  ],
});
