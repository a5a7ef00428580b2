import { retirementInWords } from '../explain/words.ts';
import type { Route } from '../model/route.ts';
import { type RepositoryRight, type RepositorySurvey, repositoryRights } from '../model/survey.ts';
import { isLabelRule } from '../rules/labels/labels-and-fields.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/** The repository: our rights, its name, and its readers. */
export const repository: Topic = { name: 'rights', fine: 'our rights are unknown', find };

export const includes = (right: RepositoryRight, least: RepositoryRight): boolean =>
  repositoryRights.indexOf(right) >= repositoryRights.indexOf(least);

function find({
  route,
  repository: found,
  anotherRepository,
  isRestricted,
}: Pick<Site, 'route' | 'repository' | 'anotherRepository' | 'isRestricted'>): readonly Finding[] {
  const isRead = route.direction === 'to-tracker';
  return [
    ...(anotherRepository === null ? [] : [failure(anotherRepository)]),
    ...(found.isArchived && !isRead
      ? [archived(found)]
      : [...rights(found, isRead), ...ofWriters(route, found, isRestricted)]),
    audience(found),
    ...ending(found),
  ];
}

const archived = ({ name }: RepositorySurvey): Finding =>
  failure(`${name} is archived and read-only; unarchive it in its settings, or set direction: to-tracker`);

function rights({ name, right, scopes }: RepositorySurvey, isRead: boolean): readonly Finding[] {
  if (scopes !== null && scopes.length > 0 && !scopes.some((scope) => scope === 'repo' || scope === 'public_repo')) {
    return [
      failure(
        `the token has the scopes ${scopes.join(', ')}, and none of them allows writing issues; create one with the scope repo`,
      ),
    ];
  }
  if (right === null)
    return [warning(`GitHub does not report whether we may write in ${name}; issues need read and write access`)];
  if (!includes(right, 'triage')) {
    const role = isRead ? 'triage or write' : 'write';
    const words = `may only read ${name}: give the account the ${role} role; without it, GitHub silently drops labels and states`;
    return [isRead ? warning(words) : failure(words)];
  }
  const role = `may label and close issues in ${name}${right === 'admin' ? ', and import issues' : ''}`;
  // GitHub reports the rights of the account, even if the token has fewer.
  if (scopes === null || scopes.length === 0)
    return [
      warning(
        `the account ${role}; GitHub does not report the rights of this kind of token: check in github.com/settings that it has ${isRead ? 'Issues: read' : 'Issues: read and write'} (a classic token needs the scope repo)`,
      ),
    ];
  return [fine(`${role}; the token has the scopes ${scopes.join(', ')}`)];
}

/** What GitHub lets only people with the role write do; it may also let only them open issues. */
function ofWriters(
  { labels, direction }: Route,
  { name, right }: RepositorySurvey,
  isRestricted: boolean | null,
): readonly Finding[] {
  if (direction === 'to-tracker' || right !== 'triage') return [];
  const shown = labels.filter((rule) => !isLabelRule(rule)).map(({ from }) => from);
  const creation =
    isRestricted === null
      ? warning(
          `if ${name} restricts who may create issues to collaborators, GitHub refuses those of this account: the triage role is too low for that; give it the write role`,
        )
      : failure(
          `${name} restricts who may create issues to collaborators, and the account has triage: give it the write role, or lift "Restrict issue creation" in the settings of the repository`,
        );
  return [
    failure(
      `only the write role may lock issues, create labels and edit what others wrote in ${name}, and the account has triage: give it the write role, or bugferry cannot withdraw everything that becomes private`,
    ),
    ...(shown.length === 0
      ? []
      : [
          failure(
            `only the write role may set types and fields of issues in ${name}, and the account has triage: give it the write role, or show ${shown.join(', ')} as labels`,
          ),
        ]),
    ...(isRestricted === false || (isRestricted === null && shown.length > 0) ? [] : [creation]),
  ];
}

function ending({ retirement, askedAt }: RepositorySurvey): readonly Finding[] {
  const words = retirementInWords(retirement, askedAt);
  return words === null ? [] : [warning(`GitHub ${words}; install a newer version of bugferry before that`)];
}

function audience({ name, isPrivate }: RepositorySurvey): Finding {
  if (isPrivate === null)
    return warning(`GitHub does not report whether ${name} is public; check before you start the bridge`);
  return fine(
    isPrivate
      ? `${name} is private: its members can read mirrored content`
      : `${name} is public: anyone can read mirrored content`,
  );
}
