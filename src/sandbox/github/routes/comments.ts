import {
  type Answer,
  type Ask,
  created,
  issueOf,
  numberParam,
  ok,
  type Route,
  repoOf,
  sinceOf,
  textIn,
} from '../server/ask.ts';
import { notFound } from '../server/errors.ts';
import { paged } from '../server/paging.ts';
import { commentShape } from '../shapes/shapes.ts';
import { createComment, deleteComment, editComment, listedComments } from '../world/comments.ts';
import { listedRepoComments } from '../world/listings.ts';
import type { CommentRecord, IssueRecord, Repo } from '../world/records.ts';
import { commentWithId } from '../world/state.ts';
import { commentReader } from '../world/versions.ts';

type PlacedComment = { readonly issue: IssueRecord; readonly comment: CommentRecord };

export const commentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/issues/comments',
    answer(ask) {
      const repo = repoOf(ask);
      return page(
        ask,
        { repo, path: '/issues/comments' },
        sorted(ask, listedRepoComments(ask.state, repo, sinceOf(ask))),
      );
    },
  },
  {
    method: 'GET',
    path: '/issues/comments/:id',
    answer(ask) {
      const repo = repoOf(ask);
      const { issue, comment } = commentWithId(repo, numberParam(ask, 'id'));
      const shown = commentReader(ask.state, 'item')(comment);
      if (shown === null) throw notFound();
      return ok(commentShape(ask.state, repo, { issue, comment: shown }));
    },
  },
  {
    method: 'PATCH',
    path: '/issues/comments/:id',
    answer(ask) {
      const repo = repoOf(ask);
      const id = numberParam(ask, 'id');
      editComment(ask.state, ask.caller, repo, { id, body: textIn(ask, 'body', 'IssueComment') ?? '' });
      return ok(commentShape(ask.state, repo, commentWithId(repo, id)));
    },
  },
  {
    method: 'DELETE',
    path: '/issues/comments/:id',
    answer(ask) {
      deleteComment(ask.caller, repoOf(ask), numberParam(ask, 'id'));
      return { status: 204, body: null };
    },
  },
  {
    method: 'GET',
    path: '/issues/:number/comments',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      return page(
        ask,
        { repo, path: `/issues/${issue.number}/comments` },
        listedComments(ask.state, [issue], sinceOf(ask)),
      );
    },
  },
  {
    method: 'POST',
    path: '/issues/:number/comments',
    creates: 'comment',
    answer(ask) {
      const { repo, issue } = issueOf(ask);
      const comment = createComment(ask.state, ask.caller, { repo, issue }, textIn(ask, 'body', 'IssueComment') ?? '');
      return created(commentShape(ask.state, repo, { issue, comment }));
    },
  },
];

function page(ask: Ask, at: { readonly repo: Repo; readonly path: string }, placed: readonly PlacedComment[]): Answer {
  const { items, headers } = paged(ask, `/repositories/${at.repo.id}${at.path}`, placed);
  return ok(
    items.map((on) => commentShape(ask.state, at.repo, on)),
    headers,
  );
}

/** By id, oldest first; GitHub ignores `direction` without a `sort`. */
function sorted(ask: Ask, placed: readonly PlacedComment[]): readonly PlacedComment[] {
  const sort = ask.query.get('sort');
  if (sort === null) return placed;
  const rank = ({ comment }: PlacedComment): number => (sort === 'updated' ? comment.updatedAt : comment.createdAt);
  const ascending = [...placed].sort((left, right) => rank(left) - rank(right));
  return ask.query.get('direction') === 'desc' ? ascending.reverse() : ascending;
}
