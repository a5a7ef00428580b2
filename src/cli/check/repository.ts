import { type RepositoryRight, type RepositorySurvey, repositoryRights } from '../../model/survey.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/** Rights in the repository, what it is, and who reads it. */
export const repository: Topic = { name: 'rights', fine: 'nothing is known of our rights', find };

export const includes = (right: RepositoryRight, least: RepositoryRight): boolean =>
  repositoryRights.indexOf(right) >= repositoryRights.indexOf(least);

function find({ route, repository: found }: Pick<Site, 'route' | 'repository'>): readonly Finding[] {
  const isRead = route.direction === 'to-tracker';
  const wanted = `${route.owner}/${route.repo}`;
  return [...nameOf(found, wanted), ...(found.isArchived && !isRead ? [archived(found)] : rights(found, isRead)), audience(found)];
}

function nameOf({ name }: RepositorySurvey, wanted: string): readonly Finding[] {
  if (name.toLowerCase() === wanted.toLowerCase()) return [];
  return [failure(`${wanted} is called ${name} now, and GitHub would send our requests on; write the new name into the route`)];
}

const archived = ({ name }: RepositorySurvey): Finding =>
  failure(`${name} is archived, so nothing can be written there; unarchive it in its settings, or set direction: to-tracker`);

function rights({ name, right, scopes }: RepositorySurvey, isRead: boolean): readonly Finding[] {
  if (scopes !== null && scopes.length > 0 && !scopes.some((scope) => scope === 'repo' || scope === 'public_repo')) {
    return [failure(`the token has the scopes ${scopes.join(', ')}, and none of them lets it write issues; make one with the scope repo`)];
  }
  if (right === null) return [warning(`GitHub does not tell whether we may write in ${name}; issues need read and write access`)];
  if (!includes(right, 'triage')) {
    const words = `may only read ${name}: give the account the triage or write role; without it labels and states are silently dropped`;
    return [isRead ? warning(words) : failure(words)];
  }
  const isAdmin = right === 'admin';
  const imports = isAdmin ? 'and import issues' : 'but not import issues, for which a migration would need the admin role';
  const role = `may label and close issues in ${name}, ${imports}`;
  // GitHub answers with what the account may do, also to a token that may do less.
  if (scopes === null || scopes.length === 0)
    return [
      warning(
        `the account ${role}; what its token may do, GitHub does not tell of this kind of token: look at github.com/settings, it needs ${isRead ? 'Issues: read' : 'Issues: read and write'} there (a classic token the scope repo)`,
      ),
    ];
  return [fine(`${role}; the token has the scopes ${scopes.join(', ')}`)];
}

function audience({ name, isPrivate }: RepositorySurvey): Finding {
  if (isPrivate === null) return warning(`GitHub does not tell whether ${name} is public; look before you let it run`);
  return fine(isPrivate ? `${name} is private: its members read what is mirrored` : `${name} is public: everybody reads what is mirrored`);
}
