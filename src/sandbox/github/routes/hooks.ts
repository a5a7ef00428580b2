/**
 * Webhooks and their deliveries, as an administrator reads them. Sources: GitHub's REST API, "Repository webhooks", and
 * "Webhook events and payloads".
 */

import {
  type Answer,
  type Ask,
  created,
  issueOf,
  numberParam,
  ok,
  type Route,
  repoOf,
  valueIn,
} from '../server/ask.ts';
import { invalid, notFound } from '../server/errors.ts';
import { issueAnswer } from '../shapes/fields.ts';
import { repoShape } from '../shapes/repo.ts';
import { isoStamp, userShape } from '../shapes/shapes.ts';
import { type DeliveryRecord, fullName, type HookRecord, type Repo } from '../world/records.ts';
import { freshId, type GithubState, stamp } from '../world/state.ts';

export const hookRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/hooks',
    answer(ask) {
      const repo = administered(ask);
      return ok(repo.hooks.map((hook) => hookShape(ask.state, repo, hook)));
    },
  },
  {
    method: 'POST',
    path: '/hooks',
    answer(ask) {
      const repo = administered(ask);
      const [url, events] = [valueIn(valueIn(ask.body, 'config'), 'url'), valueIn(ask.body, 'events')];
      if (typeof url !== 'string') throw invalid({ resource: 'Hook', code: 'missing_field', field: 'url' });
      const chosen = Array.isArray(events) ? events.map(String) : ['push'];
      if (chosen.includes('issue_dependencies') && !ask.state.limits.hasDependencies)
        throw invalid({
          resource: 'Hook',
          code: 'custom',
          field: 'events',
          message: 'Events contains unhandled: issue_dependencies',
        });
      const hook = { id: freshId(ask.state), url, events: chosen, deliveries: [], createdAt: stamp(ask.state) };
      repo.hooks.push(hook);
      return created(hookShape(ask.state, repo, hook));
    },
  },
  {
    method: 'DELETE',
    path: '/hooks/:hook',
    answer(ask) {
      const { hooks } = administered(ask);
      hooks.splice(hooks.indexOf(hookOf(ask)), 1);
      return { status: 204, body: null };
    },
  },
  {
    method: 'GET',
    path: '/hooks/:hook/deliveries',
    answer: (ask) =>
      ok(
        hookOf(ask)
          .deliveries.toReversed()
          .map((each) => deliveryShape(repoOf(ask), each)),
      ),
  },
  {
    method: 'GET',
    path: '/hooks/:hook/deliveries/:delivery',
    answer(ask) {
      const found = hookOf(ask).deliveries.find(({ id }) => id === numberParam(ask, 'delivery'));
      if (found === undefined) throw notFound();
      const headers = {
        'X-GitHub-Event': found.event,
        'X-GitHub-Delivery': guidOf(found),
        'X-Hub-Signature-256': 'sha256=0',
      };
      return ok({
        ...deliveryShape(repoOf(ask), found),
        url: hookOf(ask).url,
        request: { headers, payload: found.payload },
        response: { headers: null, payload: null },
      });
    },
  },
];

/** What a webhook says of something that was done. */
interface Told {
  readonly event: string;
  readonly action: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** By method and path: what people may do over HTTP, and webhooks tell. */
const told: Readonly<Record<string, (ask: Ask, answer: Answer) => Told>> = {
  'POST /issues': (_ask, { body }) => ({ event: 'issues', action: 'opened', about: { issue: body } }),
  'PATCH /issues/:number': (_ask, { body }) => ({ event: 'issues', action: 'edited', about: { issue: body } }),
  'POST /issues/:number/issue-field-values': (ask) => ({
    event: 'issues',
    action: 'field_added',
    about: { issue: issueIn(ask) },
  }),
  'POST /issues/:number/comments': (ask, { body }) => ({
    event: 'issue_comment',
    action: 'created',
    about: { issue: issueIn(ask), comment: body },
  }),
  'PATCH /labels/:name': (_ask, { body }) => ({ event: 'label', action: 'edited', about: { label: body } }),
  'PATCH /milestones/:number': (_ask, { body }) => ({
    event: 'milestone',
    action: 'edited',
    about: { milestone: body },
  }),
  'POST /issues/:number/dependencies/blocked_by': (ask, { body }) => ({
    event: 'issue_dependencies',
    action: 'blocked_by_added',
    about: { blocked_issue: body, blocking_issue_id: valueIn(ask.body, 'issue_id') },
  }),
};

const issueIn = (ask: Ask): unknown => issueAnswer(ask, repoOf(ask), issueOf(ask).issue);

/** Keeps for each webhook of the repository what it would have sent. */
export function deliver(ask: Ask, { method, path }: Route, answer: Answer): void {
  const said = told[`${method} ${path}`];
  if (said === undefined || ask.params['repo'] === undefined) return;
  const repo = repoOf(ask);
  if (repo.hooks.length === 0) return;
  const { event, action, about } = said(ask, answer);
  const { state, caller } = ask;
  const facts = { repository: repoShape(state, repo, caller), sender: userShape(state, caller) };
  const payload = { action, ...about, ...facts };
  for (const { events, deliveries } of repo.hooks)
    if (events.includes(event)) deliveries.push({ id: freshId(state), event, action, payload, at: stamp(state) });
}

/** Only administrators see webhooks; for others, there are none. */
function administered(ask: Ask): Repo {
  const repo = repoOf(ask);
  if (repo.permissions.get(ask.caller.login) !== 'admin') throw notFound();
  return repo;
}

function hookOf(ask: Ask): HookRecord {
  const hook = administered(ask).hooks.find(({ id }) => id === numberParam(ask, 'hook'));
  if (hook === undefined) throw notFound();
  return hook;
}

function hookShape(state: GithubState, repo: Repo, { id, url, events, createdAt }: HookRecord) {
  const address = `${state.url}/repos/${fullName(repo)}/hooks/${id}`;
  return {
    type: 'Repository',
    id,
    name: 'web',
    active: true,
    events,
    config: { url, content_type: 'json', insecure_ssl: '0' },
    created_at: isoStamp(createdAt),
    updated_at: isoStamp(createdAt),
    url: address,
    test_url: `${address}/tests`,
    ping_url: `${address}/pings`,
    deliveries_url: `${address}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
  };
}

const guidOf = ({ id }: DeliveryRecord): string => `0f0f0f0f-0000-4000-8000-${String(id).padStart(12, '0')}`;

/** Nobody answers at the address. */
const deliveryShape = (repo: Repo, delivery: DeliveryRecord) => ({
  id: delivery.id,
  guid: guidOf(delivery),
  delivered_at: isoStamp(delivery.at),
  redelivery: false,
  duration: 0,
  status: 'failed to connect to host',
  status_code: 502,
  event: delivery.event,
  action: delivery.action,
  installation_id: null,
  repository_id: repo.id,
});
