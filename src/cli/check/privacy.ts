import { whyRefused } from '../../core/boundary.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** What counts as public, and whether the route may run at all. */
export const privacy: Topic = { name: 'privacy', fine: 'only what a reader without an account is shown is published', find };

function find({ route, repository, isServed }: Pick<Site, 'route' | 'repository' | 'isServed'>): readonly Finding[] {
  const why = whyRefused(route, { isPrivate: repository.isPrivate, isServed });
  if (why !== null) return [failure(why)];
  if (route.publicProof === 'anonymous' || route.direction === 'to-tracker') return [];
  const advice = 'whatever the tracker does not call private is published, without a look at what others are shown';
  return [
    warning(isServed === true ? `${advice}; the tracker serves readers without an account, so publicProof: anonymous is safer` : advice),
  ];
}
