import { bugId } from '../../model/ids.ts';
import type { Bug, Comment, Person } from '../../model/item.ts';
import type { CountedComment } from './comments/comments.ts';
import type { TrackerBug, TrackerState } from './world/state.ts';

/** Rows of the world as the bridge's own nouns. */
export function modelBug(state: TrackerState, bug: TrackerBug): Bug {
  const { component, severity, priority, platform, op_sys, version } = bug;
  return {
    kind: 'bug',
    id: bugId(bug.id),
    url: pageOf(state, bug.id),
    product: bug.product,
    summary: bug.summary,
    status: bug.status,
    resolution: bug.resolution,
    dupeOf: bug.dupe_of === null ? null : bugId(bug.dupe_of),
    values: { component, severity, priority, platform, op_sys, version },
    keywords: bug.keywords,
    assignee: personOf(state, bug.assigned_to),
    milestone: bug.target_milestone,
    dependsOn: bug.depends_on.map(bugId),
    seeAlso: bug.see_also,
    isPrivate: bug.groups.length > 0,
    creator: personOf(state, bug.creator),
    createdAt: bug.createdAt,
    changedAt: bug.changedAt,
  };
}

export function modelComment(state: TrackerState, comment: CountedComment): Comment {
  return {
    side: 'tracker',
    id: comment.id,
    ref: comment.bug,
    count: comment.count,
    url: `${pageOf(state, comment.bug)}#c${comment.count}`,
    author: personOf(state, comment.creator),
    text: comment.text,
    ...(comment.isMarkdown ? { isMarkdown: true } : {}),
    isPrivate: comment.isPrivate,
    tags: comment.tags,
    createdAt: comment.at,
    changedAt: comment.at,
  };
}

/** The name is the real name, or else what stands before the @ of the login: never an address. */
function personOf(state: TrackerState, login: string): Person {
  const realName = state.users.find((user) => user.login === login)?.realName ?? '';
  return { login, name: realName === '' || realName.includes('@') ? localPart(login) : realName };
}

const localPart = (login: string): string => login.split('@')[0] ?? login;
const pageOf = (state: TrackerState, bug: number): string => `${state.url}/show_bug.cgi?id=${bug}`;
