import type { components } from '@octokit/openapi-types';
import { type Ask, created, numberParam, ok, type Route, repoOf, valueIn } from '../server/ask.ts';
import { forbidden, notFound } from '../server/errors.ts';
import { allowanceOf } from '../server/limits.ts';
import { repoShape } from '../shapes/repo.ts';
import { accountShape, isoStamp, nodeId, userShape } from '../shapes/shapes.ts';
import { appWith, issueToken } from '../world/apps.ts';

/** Routes that belong to no repository. */
export const accountRoutes: readonly Route[] = [
  { method: 'GET', path: '/user', answer: (ask) => ok(accountShape(ask.state, ask.caller)) },
  { method: 'GET', path: '/app', isForApps: true, answer: (ask) => ok(appShape(ask)) },
  {
    method: 'POST',
    path: '/app/installations/:installation/access_tokens',
    isForApps: true,
    answer(ask) {
      if (appWith(ask.state, ask.caller).installationId !== numberParam(ask, 'installation')) throw notFound();
      return created({
        ...issueToken(ask.state, ask.caller),
        permissions: { issues: 'write' },
        repository_selection: 'all',
      });
    },
  },
  { method: 'GET', path: '/rate_limit', answer: (ask) => ok(rateShape(ask)) },
  { method: 'GET', path: '/versions', answer: ({ state }) => ok(state.limits.apiVersions) },
];

export const repoRoutes: readonly Route[] = [
  { method: 'GET', path: '', answer: (ask) => ok(repoShape(ask.state, repoOf(ask), ask.caller)) },
  {
    method: 'PATCH',
    path: '',
    answer(ask) {
      const repo = repoOf(ask);
      if (repo.permissions.get(ask.caller.login) !== 'admin') throw forbidden();
      const hasIssues = valueIn(ask.body, 'has_issues');
      if (typeof hasIssues === 'boolean') repo.hasIssues = hasIssues;
      return ok(repoShape(ask.state, repo, ask.caller));
    },
  },
];

function rateShape({ state, caller }: Ask): components['schemas']['rate-limit-overview'] {
  const { limit, used, remaining, resetAt } = allowanceOf(state, caller);
  const rate = { limit, used, remaining, reset: resetAt / 1000 };
  return { resources: { core: rate, search: { limit: 30, used: 0, remaining: 30, reset: resetAt / 1000 } }, rate };
}

function appShape({ state, caller }: Ask): NonNullable<components['schemas']['integration']> {
  const { id, slug, user } = appWith(state, caller);
  const [page, madeAt] = [`${state.webUrl ?? state.url}/apps/${slug}`, isoStamp(user.createdAt)];
  return {
    id,
    slug,
    node_id: nodeId('A', id),
    owner: userShape(state, user),
    name: slug,
    description: null,
    external_url: page,
    html_url: page,
    created_at: madeAt,
    updated_at: madeAt,
    permissions: { issues: 'write' },
    events: [],
  };
}
