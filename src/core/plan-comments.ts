import { bodyId, type Entry, type Link } from '../model/link.ts';
import type { CommentOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { aboutOf } from './about.ts';
import { bugComment, bugEdit, issueComment } from './text/write.ts';
import { bodyDigest } from './thread.ts';

/** Comments that have no copy yet, and reports of edits, in the order in which they were written. */
export function planComments(route: Route, link: Link, entries: readonly Entry[]): readonly CommentOperation[] {
  const inOrder = [...entries].sort((one, other) => one.createdAt - other.createdAt || one.source - other.source);
  return inOrder.flatMap((entry) => planEntry(route, link, entry) ?? []);
}

function planEntry(route: Route, link: Link, entry: Entry): CommentOperation | null {
  if (entry.state === 'pending') return copyOf(route, link, entry);
  if (entry.state !== 'mirrored') return null;
  if (entry.origin === 'github' && entry.digest !== entry.mirrored && entry.text !== null)
    return editOf(link, entry, entry.text, entry.digest);
  return entry.copy === bodyId ? editOfBody(link, entry) : null;
}

function copyOf(route: Route, link: Link, entry: Entry): CommentOperation {
  const on = entry.origin === 'tracker' ? 'github' : 'tracker';
  const text = on === 'github' ? issueComment(route, link.bug ?? 0, entry) : bugComment(entry);
  const key = `${link.id}:${on}:comment:${entry.source}`;
  return { kind: 'comment', on, key, link: link.id, about: aboutOf(link, on), entry: entry.id, text, digest: entry.digest, isEdit: false };
}

function editOf(link: Link, entry: Entry, newText: string, digest: string): CommentOperation {
  const key = `${link.id}:tracker:edit:${entry.source}`;
  const text = bugEdit(entry, newText, digest);
  return {
    kind: 'comment',
    on: 'tracker',
    key,
    link: link.id,
    about: aboutOf(link, 'tracker'),
    entry: entry.id,
    text,
    digest,
    isEdit: true,
  };
}

/** A tracker's description cannot be edited, so an edit of the issue that shows it arrives as a comment. */
function editOfBody(link: Link, entry: Entry): CommentOperation | null {
  const issue = link.github;
  if (issue === null) return null;
  const digest = bodyDigest(issue.body);
  if (entry.copyDigest === null || entry.copyDigest === digest) return null;
  // GitHub does not tell who edited it.
  const author = { login: 'somebody', name: 'somebody' };
  return editOf(link, { ...entry, source: bodyId, url: issue.url, author }, issue.body, digest);
}
