import { issueNumber } from '../model/ids.ts';
import type { CloseReason, Comment, Issue, Person } from '../model/item.ts';
import type { WireComment, WireIssue } from './schema.ts';
import { toFields } from './writing/field-values.ts';

/** Null for a pull request, which GitHub lists as an issue. */
export function toIssue(wire: WireIssue): Issue | null {
  if (wire.pull_request !== undefined && wire.pull_request !== null) return null;
  const fields = toFields(wire.issue_field_values);
  return {
    kind: 'issue',
    number: issueNumber(wire.number),
    id: wire.id,
    url: wire.html_url,
    title: wire.title,
    body: wire.body ?? '',
    state: wire.state,
    reason: wire.state === 'open' ? null : toReason(wire.state_reason),
    labels: wire.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter((name) => name !== ''),
    assignees: (wire.assignees ?? []).map(({ login }) => login),
    milestone: wire.milestone?.title ?? null,
    ...(wire.type === undefined ? {} : { type: wire.type?.name ?? null }),
    ...(fields === undefined ? {} : { fields }),
    author: toPerson(wire.user),
    commentCount: wire.comments ?? 0,
    isLocked: wire.locked ?? false,
    ...(wire.issue_dependencies_summary ? { blockerCount: wire.issue_dependencies_summary.total_blocked_by } : {}),
    createdAt: wire.created_at,
    changedAt: wire.updated_at,
  };
}

/** Null for a comment on a pull request. */
export function toComment(wire: WireComment): Comment | null {
  if (/\/pull\/\d+(?:#|$)/u.test(wire.html_url)) return null;
  const ref = /\/issues\/(\d+)\/?(?:[?#]|$)/u.exec(wire.issue_url ?? wire.html_url)?.[1];
  if (ref === undefined) return null;
  return {
    side: 'github',
    id: wire.id,
    ref: Number(ref),
    count: null,
    url: wire.html_url,
    author: toPerson(wire.user),
    text: wire.body ?? '',
    isPrivate: false,
    ...(wire.minimized === undefined ? {} : { minimize: minimizeReason(wire.minimized) }),
    createdAt: wire.created_at,
    changedAt: wire.updated_at,
  };
}

/** GraphQL has been observed to answer with capitals and underscores where REST has lower case and hyphens. */
export const minimizeReason = (minimized: NonNullable<WireComment['minimized']> | null): string | null =>
  minimized === null ? null : (minimized.reason ?? '').toLowerCase().replaceAll('_', '-');

/** An unknown reason counts as completed, like none. */
function toReason(reason: string | null | undefined): CloseReason {
  return reason === 'not_planned' || reason === 'duplicate' ? reason : 'completed';
}

/** Lists contain only the login; display names would cost a request per person. */
export function toPerson(user: WireIssue['user']): Person {
  const login = user?.login ?? 'ghost';
  return { login, name: login, ...(user?.type === 'Bot' || login.endsWith('[bot]') ? { isBot: true } : {}) };
}
