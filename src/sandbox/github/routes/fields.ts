import { type Ask, issueOf, numberParam, ok, type Route } from '../server/ask.ts';
import { notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { fieldShape, fieldWishesIn, valueShapes } from '../shapes/fields.ts';
import {
  addFieldValues,
  clearFieldValue,
  listedFields,
  replaceFieldValues,
  shownFields,
} from '../world/issue-fields.ts';

/** Fields belong to an organisation, and not to a repository. */
export const organisationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/orgs/:org/issue-fields',
    answer: (ask) => ok(listedFields(ask.state, ask.caller, ask.params['org'] ?? '').map(fieldShape)),
  },
];

const path = '/issues/:number/issue-field-values';

export const fieldRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      const { items, headers } = paged(
        ask,
        `/repositories/${repo.id}/issues/${issue.number}/issue-field-values`,
        valuesIn(ask),
      );
      return ok(items, headers);
    },
  },
  {
    method: 'POST',
    path,
    creates: 'field value',
    answer(ask) {
      addFieldValues(ask.state, ask.caller, issueOf(ask), fieldWishesIn(ask) ?? []);
      return ok(valuesIn(ask));
    },
  },
  {
    method: 'PUT',
    path,
    creates: 'field value',
    answer(ask) {
      replaceFieldValues(ask.state, ask.caller, issueOf(ask), fieldWishesIn(ask) ?? []);
      return ok(valuesIn(ask));
    },
  },
  {
    method: 'DELETE',
    path: `${path}/:field`,
    creates: 'field value',
    answer(ask) {
      clearFieldValue(ask.state, ask.caller, issueOf(ask), numberParam(ask, 'field'));
      return { status: 204, body: null };
    },
  },
];

function valuesIn(ask: Ask): ReturnType<typeof valueShapes> {
  const { repo, issue } = issueOf(ask);
  const fields = shownFields(ask.state, ask.caller, repo);
  if (fields === null) throw notFound();
  return valueShapes(fields, issue);
}
