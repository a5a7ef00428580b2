import {
  type Answer,
  type Ask,
  created,
  issueOf,
  labelNamesIn,
  ok,
  type Route,
  repoOf,
  textIn,
} from '../server/ask.ts';
import { forbidden, notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { labelShape } from '../shapes/shapes.ts';
import {
  addLabels,
  createLabel,
  deleteLabel,
  labelsNamed,
  removeLabel,
  renameLabel,
  setLabels,
} from '../world/labels.ts';
import { type IssueRecord, mayPush, type Repo } from '../world/records.ts';
import { listedNow } from '../world/state.ts';

export const labelRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/labels',
    answer(ask) {
      const repo = repoOf(ask);
      const { items, headers } = paged(
        ask,
        `/repositories/${repo.id}/labels`,
        [...repo.labels.values()].filter(listedNow(ask.state)),
      );
      return ok(
        items.map((label) => labelShape(ask.state, repo, label)),
        headers,
      );
    },
  },
  {
    method: 'POST',
    path: '/labels',
    answer(ask) {
      const repo = repoOf(ask);
      const name = textIn(ask, 'name', 'Label') ?? '';
      const color = textIn(ask, 'color', 'Label') ?? 'ededed';
      const description = textIn(ask, 'description', 'Label') ?? null;
      return created(
        labelShape(ask.state, repo, createLabel(ask.state, ask.caller, repo, { name, color, description })),
      );
    },
  },
  {
    method: 'GET',
    path: '/labels/:name',
    answer(ask) {
      const repo = repoOf(ask);
      const label = repo.labels.get((ask.params['name'] ?? '').toLowerCase());
      if (label === undefined) throw notFound();
      return ok(labelShape(ask.state, repo, label));
    },
  },
  {
    method: 'PATCH',
    path: '/labels/:name',
    answer(ask) {
      const repo = repoOf(ask);
      const name = ask.params['name'] ?? '';
      return ok(
        labelShape(ask.state, repo, renameLabel(ask.caller, repo, name, textIn(ask, 'new_name', 'Label') ?? name)),
      );
    },
  },
  {
    method: 'DELETE',
    path: '/labels/:name',
    answer(ask) {
      deleteLabel(ask.caller, repoOf(ask), ask.params['name'] ?? '');
      return { status: 204, body: null };
    },
  },
  {
    method: 'GET',
    path: '/issues/:number/labels',
    answer: (ask) => labelsOn(ask, issueOf(ask)),
  },
  {
    method: 'POST',
    path: '/issues/:number/labels',
    answer(ask) {
      const at = issueOf(ask);
      addLabels(ask.state, ask.caller, at, labelNamesIn(ask) ?? []);
      return labelsOn(ask, at);
    },
  },
  {
    method: 'PUT',
    path: '/issues/:number/labels',
    answer(ask) {
      const at = issueOf(ask);
      if (mayPush(ask.caller, at.repo))
        setLabels(ask.state, ask.caller, at.issue, labelsNamed(ask.state, at.repo, labelNamesIn(ask) ?? []));
      return labelsOn(ask, at);
    },
  },
  {
    method: 'DELETE',
    path: '/issues/:number/labels/:name',
    answer(ask) {
      const at = issueOf(ask);
      if (!mayPush(ask.caller, at.repo)) throw forbidden();
      if (!removeLabel(ask.state, ask.caller, at.issue, ask.params['name'] ?? '')) throw notFound();
      return labelsOn(ask, at);
    },
  },
];

function labelsOn(ask: Ask, { repo, issue }: { readonly repo: Repo; readonly issue: IssueRecord }): Answer {
  return ok(issue.labels.map((label) => labelShape(ask.state, repo, label)));
}
