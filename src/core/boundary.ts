import type { Route } from '../model/route.ts';
import { asksForProof } from './gate.ts';

/** What the two sides tell of who reads them; null where a side does not tell. */
export interface Audience {
  /** Whether the repository is private. */
  readonly isPrivate: boolean | null;
  /** Whether the tracker shows anything to readers without an account. */
  readonly isServed: boolean | null;
}

/** Why a route must not run at all, with what the operator can do; null when nothing is known against it. */
export function whyRefused(route: Route, { isPrivate, isServed }: Audience): string | null {
  const { name, owner, repo, direction, privateRepository } = route;
  if (isPrivate === true && direction !== 'to-github' && privateRepository === 'refuse') {
    const what = `${owner}/${repo} is private, and route ${name} would copy what is written there to the tracker, where others may read it`;
    return `${what}. Set private: mirror on the route if that is meant, or direction: to-github.`;
  }
  if (isServed === false && asksForProof(route)) {
    const what = `the tracker shows nothing to readers without an account, so nothing can be proved public for route ${name}`;
    return `${what}. Set publicProof: none on the route to publish whatever the tracker does not call private.`;
  }
  return null;
}
