import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** How long what we are let in with stays valid. */
export const token: Topic = { name: 'token', fine: 'GitHub names no day on which it ends soon', find };

const soonMs = 14 * 86_400_000;

function find({ repository: { tokenEndsAt, askedAt } }: Pick<Site, 'repository'>): readonly Finding[] {
  if (tokenEndsAt === null || tokenEndsAt - askedAt > soonMs) return [];
  const day = new Date(tokenEndsAt).toISOString().slice(0, 10);
  if (tokenEndsAt <= askedAt) return [failure(`the token ended on ${day}; make a new one`)];
  return [warning(`the token ends on ${day}; make a new one before that, or use a GitHub App, whose key does not end`)];
}
