import type { Route } from '../model/route.ts';
import type { RepositorySurvey } from '../model/survey.ts';
import { chosenWriter } from '../rules/people/writer.ts';
import { whyRefused } from '../rules/privacy/gate.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/** The definition of public, and whether the route may run at all. */
export const privacy: Topic = {
  name: 'privacy',
  fine: 'only what a reader without an account can see is published',
  find: findPrivacy,
};

function findPrivacy({
  route,
  repository,
  isServed,
}: Pick<Site, 'route' | 'repository' | 'isServed'>): readonly Finding[] {
  const why = whyRefused(route, { isPrivate: repository.isPrivate, isServed });
  if (why !== null) return [failure(why)];
  return [...ofPrivateRepository(route, repository), ...ofCheck(route, isServed)];
}

/** Readers of the tracker learn what only members of the repository can read. */
function ofPrivateRepository(route: Route, { name, isPrivate }: RepositorySurvey): readonly Finding[] {
  if (isPrivate !== true || route.direction === 'to-github') return [];
  const what = [
    'titles, texts, comments, states and labels of its issues, with the logins of their authors',
    'the words that people remove from a comment',
    ...(route.assignee ? ['assignees'] : []),
    ...(route.milestones ? ['milestones'] : []),
    ...(route.pulls === undefined ? [] : ['titles and authors of pull requests that name a bug']),
    ...(route.commits === undefined ? [] : ['subjects and authors of commits that name a bug']),
  ];
  return [warning(`${name} is private; with private: mirror, readers of the tracker see ${what.join('; ')}`)];
}

function ofCheck(route: Route, isServed: boolean | null): readonly Finding[] {
  if (route.visibilityCheck === 'anonymous' || route.direction === 'to-tracker') return [];
  const advice =
    'everything that the tracker does not mark private is published, without checking what other readers can see';
  return [
    warning(
      isServed === true
        ? `${advice}; the tracker serves readers without an account, so visibilityCheck: anonymous is safer`
        : advice,
    ),
  ];
}

/** How `migrate` would create issues. */
export const writer: Topic = {
  name: 'migrate',
  fine: 'nothing is written to GitHub on this route, so there is nothing to migrate',
  find: findWriter,
};

function findWriter({ route: { direction }, repository: { name, right } }: Site): readonly Finding[] {
  if (direction === 'to-tracker') return [];
  // A mirror does not need this right, so its absence is no warning.
  return [fine(chosenWriter(name, right === null ? null : right === 'admin', false).why)];
}
