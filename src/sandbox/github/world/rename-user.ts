import { type GithubState, userNamed } from './state.ts';

/**
 * Somebody takes another login: the account, its id and its token stay, REST shows the new login on all that it ever
 * wrote, and the old one is nobody's. Texts that mention the old one stay as they are, and nothing becomes newer. The
 * addresses of repositories, which GitHub redirects, are not moved.
 */
export function renameUser(state: GithubState, from: string, to: string): void {
  const user = userNamed(state, from);
  if ([...state.users.keys()].some((login) => login.toLowerCase() === to.toLowerCase()))
    throw new Error(`The login ${to} is taken.`);
  const repos = [...state.repos.values()];
  if (repos.some(({ owner }) => owner === user))
    throw new Error(`${from} owns a repository of the sandbox, whose address would change.`);
  user.login = to;
  state.renamed.set(from, user);
  state.renamed.delete(to);
  rekey(state.users, from, to);
  rekey(state.hours, from, to);
  for (const { permissions } of repos) rekey(permissions, from, to);
  for (const [owner, organisation] of state.organisations) {
    const outsiders = renamedIn(organisation.outsiders, from, to);
    state.organisations.set(owner, {
      ...organisation,
      outsiders,
      unlisted: renamedIn(organisation.unlisted, from, to),
    });
  }
}

const renamedIn = (logins: ReadonlySet<string>, from: string, to: string): ReadonlySet<string> =>
  new Set([...logins].map((login) => (login === from ? to : login)));

function rekey<T>(map: Map<string, T>, from: string, to: string): void {
  const value = map.get(from);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}
