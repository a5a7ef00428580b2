import type { Config } from '../config/config.ts';
import { parseConfig } from '../config/load.ts';
import type { Demo } from '../wire-sandbox.ts';

/** A configuration for the two sandbox servers: as an operator would write it, but without the pauses that the real GitHub asks for. */
export function demoConfig({ stage, routes }: Demo, state: string): Config {
  const text = JSON.stringify({
    instance: 'demo',
    tracker: { url: stage.trackerUrl, apiKey: stage.apiKey, login: stage.tracker.user('bridge').login },
    github: { url: stage.githubUrl, token: stage.token },
    state,
    schedule: { poll: '*/1 * * * * *' },
    limits: {
      settleSeconds: 1,
      github: { createsPerMinute: 5000, createsPerHour: 5000, pointsPerMinute: 50_000, pauseBetweenWritesMs: 15 },
      tracker: { requestsPerSecond: 500, concurrency: 2 },
    },
    routes: routes.map(({ name, product, component, repo }) => ({
      name,
      tracker: { product },
      github: { repo },
      create: { component },
      status: {
        toGithub: {
          UNCONFIRMED: 'open',
          CONFIRMED: 'open',
          IN_PROGRESS: { open: { label: 'status: in progress' } },
          RESOLVED: closed,
          VERIFIED: closed,
        },
      },
    })),
  });
  return parseConfig(text, 'the configuration of the demo', {});
}

const closed = { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' };
