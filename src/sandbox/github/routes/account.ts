import type { components } from '@octokit/openapi-types';
import { type Ask, ok, type Route, repoOf } from '../server/ask.ts';
import { allowanceOf } from '../server/limits.ts';
import { repoShape } from '../shapes/repo.ts';
import { accountShape } from '../shapes/shapes.ts';

/** Routes that belong to no repository. */
export const accountRoutes: readonly Route[] = [
  { method: 'GET', path: '/user', answer: (ask) => ok(accountShape(ask.state, ask.caller)) },
  { method: 'GET', path: '/rate_limit', answer: (ask) => ok(rateShape(ask)) },
];

export const repoRoutes: readonly Route[] = [
  { method: 'GET', path: '', answer: (ask) => ok(repoShape(ask.state, repoOf(ask), ask.caller)) },
];

function rateShape({ state, caller }: Ask): components['schemas']['rate-limit-overview'] {
  const { limit, used, remaining, resetAt } = allowanceOf(state, caller);
  const rate = { limit, used, remaining, reset: resetAt / 1000 };
  return { resources: { core: rate, search: { limit: 30, used: 0, remaining: 30, reset: resetAt / 1000 } }, rate };
}
