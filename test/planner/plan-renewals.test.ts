/**
 * What becomes of copies whose source, or what they refer to, may look different: by what we wrote, what stands, and
 * who edited it.
 */

import { describe, expect, test } from 'vitest';
import { commentLinkId } from '../../src/model/ids.ts';
import { bodyId, type CommentCopy, type CommentLink, type CommentStatus } from '../../src/model/link.ts';
import type { PublicCommentLink } from '../../src/model/plan/public.ts';
import type { Route } from '../../src/model/route.ts';
import { bodyDigest } from '../../src/rules/comments/body.ts';
import { type CopyInput, copyOf } from '../../src/rules/comments/copy.ts';
import { editedSkips, freshNotes, planRenewal } from '../../src/rules/comments/plan.ts';
import { canonicalText, digestOf } from '../../src/text/canonical.ts';
import { widgetRoute } from '../support/routes.ts';
import { aCommentLink, aLink, copyAt } from './samples.ts';

const asPublic = (commentLink: CommentLink): PublicCommentLink => commentLink as PublicCommentLink;
const talkOf = (...commentLinks: readonly CommentLink[]) =>
  ({ link: aLink, commentLinks, targets: [] }) as unknown as CopyInput;
const text = 'Same here, as in bug 99.';
const stale = { ...aCommentLink, text, isStale: true };
const at = (change: Partial<CommentCopy>) => copyAt(700, change);
const [said = ''] = copyOf(widgetRoute, talkOf(stale), asPublic(stale)).texts;
const right = digestOf(canonicalText(said));
const long = `Begin\n\n${'A line of a log.\n'.repeat(4_000)}\nEnd`;
const restore: Route = { ...widgetRoute, copies: 'restore' };

type Change = Partial<Pick<CommentLink, 'wrote' | 'text'>> &
  ({ readonly state?: never; readonly copy: CommentCopy } | (CommentStatus & { readonly state: 'gone' }));

const planned = (route: Route, commentLink: CommentLink, ...others: readonly CommentLink[]) =>
  planRenewal(route, talkOf(commentLink, ...others), asPublic(commentLink)).map(({ kind, ...each }) => [
    kind,
    'part' in each ? each.part : each.commentLink,
  ]);

describe('a stale copy', () => {
  test.each<[string, Route, Change, 'rewritten' | 'left']>([
    ['that says what it should', widgetRoute, { wrote: right, copy: at({ digest: right }) }, 'left'],
    ['that says something else', widgetRoute, { wrote: 'old', copy: at({ digest: 'old' }) }, 'rewritten'],
    ['that the server spells its own way', widgetRoute, { wrote: right, copy: at({ digest: 'spelled' }) }, 'left'],
    ['that is not known to be ours and differs', widgetRoute, { wrote: null, copy: at({ digest: 'other' }) }, 'left'],
    [
      'that is not known to be ours and differs, where copies are put right',
      restore,
      { wrote: null, copy: at({ digest: 'other' }) },
      'left',
    ],
    [
      'that is not known to be ours and says what it should',
      restore,
      { wrote: null, copy: at({ digest: right }) },
      'left',
    ],
    ['that somebody edited', widgetRoute, { wrote: right, copy: at({ digest: right, isEdited: true }) }, 'left'],
    [
      'that somebody edited, where copies are put right',
      restore,
      { wrote: right, copy: at({ digest: right, isEdited: true }) },
      'rewritten',
    ],
    [
      'that somebody edited and whose source changed',
      widgetRoute,
      { wrote: 'old', copy: at({ digest: 'old', isEdited: true }) },
      'left',
    ],
    [
      'that was deleted',
      restore,
      { wrote: 'old', copy: at({ digest: 'old' }), state: 'gone', reason: 'deleted' },
      'left',
    ],
    ['that waits for its text', restore, { wrote: 'old', copy: at({ digest: 'old' }), text: null }, 'left'],
  ])('%s', (_name, route, change, fate) => {
    const commentLink = { ...stale, ...change };
    expect(planned(route, commentLink)).toEqual(fate === 'rewritten' ? [['rewrite', commentLink.id]] : []);
    const isFresh = fate === 'left' && commentLink.state === 'mirrored' && commentLink.text !== null;
    expect(freshNotes(route, talkOf(commentLink))).toEqual(
      isFresh ? [expect.objectContaining({ kind: 'fresh', mentions: ['bug 99'] })] : [],
    );
  });

  test('tells whether its source was edited, which is what the brake counts', () => {
    const [same] = planRenewal(widgetRoute, talkOf(), asPublic({ ...stale, wrote: 'old' }));
    const [edited] = planRenewal(widgetRoute, talkOf(), asPublic({ ...stale, wrote: 'old', digest: 'd2' }));
    expect([same, edited]).toMatchObject([{ isEdit: false }, { isEdit: true }]);
  });
});

describe('a text of several parts', () => {
  const first = { ...stale, text: long, wrote: 'old' };
  const part = (number: number, change: CommentStatus | object = {}): CommentLink => ({
    ...{
      ...aCommentLink,
      id: commentLinkId(10 + number),
      part: number,
      copy: copyAt(700 + number),
      wrote: 'old',
      text: null,
    },
    ...change,
  });

  test('is rewritten where it stands, and written where it does not', () => {
    expect(planned(widgetRoute, first)).toEqual([
      ['rewrite', first.id],
      ['comment', 2],
    ]);
    expect(planned(widgetRoute, first, part(2))).toEqual([
      ['rewrite', first.id],
      ['rewrite', commentLinkId(12)],
    ]);
  });

  test('stays without a part that somebody deleted, and gets back one that was taken away', () => {
    expect(planned(widgetRoute, first, part(2, { state: 'gone', reason: 'deleted', copy: null }))).toEqual([
      ['rewrite', first.id],
    ]);
    expect(planned(widgetRoute, first, part(2, { state: 'skipped', reason: 'shorter', copy: null }))).toEqual([
      ['rewrite', first.id],
      ['comment', 2],
    ]);
  });

  test('that became shorter loses what is no part of it any more', () => {
    expect(
      planned(
        widgetRoute,
        { ...stale, wrote: right },
        part(2),
        part(3, { state: 'skipped', reason: 'shorter', copy: null }),
      ),
    ).toEqual([['erase', commentLinkId(12)]]);
  });
});

describe('a body', () => {
  const description = { ...stale, source: 100, count: 0, wrote: 'old' };
  const at = (change: Partial<CommentCopy>) => copyAt(bodyId, change);
  const ours = bodyDigest(aLink.github?.body ?? '');

  test.each<[string, Route, Pick<CommentLink, 'copy'>, boolean]>([
    ['that is ours', widgetRoute, { copy: at({ digest: ours }) }, true],
    ['that is being edited', restore, { copy: at({ digest: 'before' }) }, false],
    ['that people edited once', restore, { copy: at({ digest: ours, isEdited: true }) }, false],
    [
      'that people edited on a route to GitHub',
      { ...restore, direction: 'to-github' },
      { copy: at({ digest: 'before', isEdited: true }) },
      true,
    ],
    [
      'that people edited on a route to GitHub that leaves copies',
      { ...widgetRoute, direction: 'to-github' },
      { copy: at({ digest: 'before', isEdited: true }) },
      false,
    ],
  ])('%s', (_name, route, change, isRewritten) => {
    expect(planned(route, { ...description, ...change })).toEqual(isRewritten ? [['rewrite', description.id]] : []);
  });
});

test('what is left as somebody made it is said, once for all of a bug', () => {
  const edited: CommentLink = { ...aCommentLink, copy: at({ isEdited: true }) };
  expect(editedSkips(widgetRoute, talkOf(aCommentLink))).toEqual([]);
  expect(editedSkips(restore, talkOf(edited))).toEqual([]);
  expect(editedSkips(widgetRoute, talkOf(edited, edited)).map(({ reason }) => reason)).toEqual([
    'each of 2 copies was changed by hand on GitHub and is not overwritten (copies: leave); later changes on the tracker do not appear there',
  ]);
});
