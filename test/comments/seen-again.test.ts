/** What a reading says of a comment that is known already, case by case: news of the source, and of its copy. */

import { describe, expect, test } from 'vitest';
import { commentLinkId } from '../../src/model/ids.ts';
import { bodyId, type CommentLink, type TrackerCommentLink } from '../../src/model/link.ts';
import { digestOfComment, emptied, lacksParts, seenAgain, withText } from '../../src/rules/comments/seen-again.ts';
import { neutralBody } from '../../src/rules/privacy/neutral.ts';
import { aCommentLink, copyAt, issueComment, onGithub, trackerComment } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const alone = { commentLinks: [], inDoubt: [] };
const source = trackerComment(101, 'Words.');
const digest = digestOfComment(source);
const known: TrackerCommentLink = { ...aCommentLink, digest, mirrored: digest };
const of = (change: object): TrackerCommentLink => ({ ...known, ...change }) as TrackerCommentLink;

describe('the source on the tracker', () => {
  const lost = of({ digest: '', mirrored: '', url: '', attachment: null });
  const about = trackerComment(101, 'Created attachment 9\nA log\n\nSee it.');
  const edited = { text: 'Words.', digest, isStale: true };
  test.each<[string, TrackerCommentLink, object | null]>([
    ['that is as it was says nothing', known, null],
    ['that was edited has to cross again', of({ digest: 'd0' }), edited],
    ['that waits gets its new text', of({ state: 'pending', copy: null, digest: 'd0' }), { text: 'Words.', digest }],
    ['that waits, and is as it was, says nothing', of({ state: 'pending', copy: null }), null],
    ['whose link was rebuilt from the copy gets the text of the tracker', lost, { ...edited, mirrored: digest }],
    ['whose copy is stale is needed again', of({ isStale: true }), { text: 'Words.' }],
    ['whose copy is stale, and which is kept, says nothing', of({ isStale: true, text: 'Words.' }), null],
    ['of which parts are missing is needed again', of({ parts: 2 }), { text: 'Words.' }],
    [
      'that was hidden is shown again',
      of({ state: 'withdrawn', reason: 'private' }),
      { state: 'mirrored', text: 'Words.' },
    ],
    ['that is skipped says nothing', of({ state: 'skipped', copy: null, reason: 'x', digest: 'd0' }), null],
    ['that is gone says nothing', of({ state: 'gone', reason: 'x', digest: 'd0' }), null],
  ])('%s', (_what, before, news) => {
    const seen = seenAgain(widgetRoute, before, 'tracker', source, alone);
    expect(seen).toEqual(news === null ? [] : [expect.objectContaining(news)]);
  });

  test('gives a link that was rebuilt from the copy its author, its address, its time and its file', () => {
    const [seen] = seenAgain(widgetRoute, lost, 'tracker', about, alone);
    expect(seen).toMatchObject({ author: about.author, url: about.url, createdAt: about.createdAt, attachment: 9 });
  });

  test('is Markdown, or no longer is: then it has to cross again', () => {
    const [seen] = seenAgain(widgetRoute, known, 'tracker', { ...source, isMarkdown: true }, alone);
    expect(seen).toMatchObject({ isMarkdown: true, isStale: true });
    const [plain] = seenAgain(widgetRoute, of({ isMarkdown: true }), 'tracker', source, alone);
    expect(plain).toMatchObject({ isStale: true });
    expect(plain).not.toHaveProperty('isMarkdown');
  });

  test('that got another number keeps the rest', () => {
    const seen = seenAgain(widgetRoute, known, 'tracker', { ...source, count: 2 }, alone);
    expect(seen).toEqual([{ ...known, count: 2 }]);
  });

  test.each<[string, readonly string[] | undefined, string | null]>([
    ['no tags, where the tracker reports none', undefined, 'spam'],
    ['no tags', [], null],
    ['a tag that hides it, in other letters', ['Obsolete'], 'outdated'],
    ['two, of which the weightier counts', ['resolved', 'off-topic'], 'off-topic'],
  ])('has %s', (_what, tags, minimize) => {
    const tagged = { ...source, ...(tags === undefined ? {} : { tags }) };
    const [seen = of({ minimize: 'spam' })] = seenAgain(
      widgetRoute,
      of({ minimize: 'spam' }),
      'tracker',
      tagged,
      alone,
    );
    expect(seen.minimize).toBe(minimize);
  });
});

describe('the copy on GitHub', () => {
  const copy = issueComment(700, 'Copied.', { changedAt: 9_000 });
  const copied = digestOfComment(copy);
  const restoring = { ...widgetRoute, copies: 'restore' } as const;
  const ours = { copy: copyAt(700, { digest: copied }) };
  test.each<[string, TrackerCommentLink, readonly string[], object | null]>([
    ['that is as we wrote it says nothing', of(ours), [], null],
    [
      'that is what we sent last, without an answer',
      of({ wrote: copied }),
      [],
      { copy: copyAt(700, { digest: copied }) },
    ],
    [
      'that people changed is theirs',
      known,
      [],
      { copy: copyAt(700, { isEdited: true }), isStale: false, changedAt: 9_000 },
    ],
    [
      'that people changed before says nothing',
      of({ copy: copyAt(700, { isEdited: true }), changedAt: 9_000 }),
      [],
      null,
    ],
    [
      'that people changed once more',
      of({ copy: copyAt(700, { isEdited: true }), changedAt: 1 }),
      [],
      { changedAt: 9_000 },
    ],
    [
      'that people changed back',
      of({ copy: copyAt(700, { digest: copied, isEdited: true }) }),
      [],
      { ...ours, isStale: true },
    ],
    ['that holds a text in doubt', known, [copied], { ...ours, wrote: copied, isStale: true }],
    ['of which nothing is known says nothing', of({ copy: copyAt(700, { digest: null }) }), [], null],
    ['that is to be erased says nothing', of({ state: 'withdrawn', reason: 'x' }), [], null],
  ])('%s', (_what, before, inDoubt, news) => {
    const seen = seenAgain(widgetRoute, before, 'github', copy, { commentLinks: [], inDoubt });
    expect(seen).toEqual(news === null ? [] : [expect.objectContaining(news)]);
  });

  test('that people changed is restored where the route says so, and a part of it with the first', () => {
    expect(seenAgain(restoring, known, 'github', copy, alone)).toMatchObject([{ isStale: true }]);
    const part = of({ id: commentLinkId(2), part: 2 });
    const strangers = [of({ id: commentLinkId(8), source: 102 }), of({ id: commentLinkId(9), part: 3 })];
    const seen = seenAgain(restoring, part, 'github', copy, { commentLinks: [...strangers, part, known], inDoubt: [] });
    expect(seen.map(({ id, isStale }) => [id, isStale])).toEqual([
      [2, false],
      [1, true],
    ]);
  });
});

describe('a comment of GitHub', () => {
  const comment = issueComment(700, 'Words.', { changedAt: 9_000 });
  const theirs: CommentLink = {
    ...aCommentLink,
    ...onGithub,
    mirrored: digest,
    source: 700,
    digest: digestOfComment(comment),
  };
  test.each<[string, CommentLink, object | null]>([
    ['that is as it was says nothing', theirs, null],
    ['that was edited and edited back has a later version', { ...theirs, changedAt: 1 }, { changedAt: 9_000 }],
    ['that was edited has its new text', { ...theirs, digest: 'd0' }, { text: 'Words.', changedAt: 9_000 }],
  ])('%s', (_what, before, news) => {
    expect(seenAgain(widgetRoute, before, 'github', comment, alone)).toEqual(
      news === null ? [] : [expect.objectContaining(news)],
    );
  });

  test('says nothing when its copy on the tracker is read', () => {
    expect(seenAgain(widgetRoute, theirs, 'tracker', source, alone)).toEqual([]);
  });
});

describe('a body that we emptied, and whose answer was lost', () => {
  const body = of({ copy: copyAt(bodyId) });
  const text = neutralBody('acme', 12).split('\n')[0] ?? '';
  test.each<[string, TrackerCommentLink, string, boolean]>([
    ['is ours', body, text, true],
    ['is ours, although people had changed it before', of({ copy: copyAt(bodyId, { isEdited: true }) }), text, true],
    ['is known if its answer came', of({ copy: copyAt(bodyId, { digest: 'e' }) }), text, false],
    ['is known if we just wrote it', of({ copy: copyAt(bodyId), wrote: 'e' }), text, false],
    ['is none if it has words', body, 'Words.', false],
    ['is none if the description is hidden', of({ state: 'withdrawn', reason: 'x' }), text, false],
  ])('%s', (_what, before, seen, isEmptied) => {
    expect(emptied(before, seen, 'e')).toEqual(
      isEmptied
        ? { ...before, copy: copyAt(bodyId, { digest: 'e', isEdited: false }), wrote: 'e', isStale: true }
        : null,
    );
  });
});

describe('an edited text', () => {
  const kept = of({ text: 'Before.' });
  test.each<[string, TrackerCommentLink, string, string | null]>([
    ['is compared with the one that crossed', kept, 'd9', 'Before.'],
    [
      'is compared with that one also after a second edit',
      of({ text: 'Second.', digest: 'd2', before: 'First.' }),
      'd9',
      'First.',
    ],
    [
      'that was edited back is compared with none',
      of({ text: 'Second.', digest: 'd2', before: 'First.' }),
      digest,
      null,
    ],
    ['that waits is compared with none', of({ text: 'Before.', state: 'pending', copy: null }), 'd9', null],
    ['that is too long is not kept', of({ text: 'x'.repeat(200_000) }), 'd9', null],
  ])('%s', (_what, before, next, compared) => {
    expect(withText(before, 'After.', next)).toMatchObject({ text: 'After.', digest: next, before: compared });
  });

  test.each<[string, object, string]>([
    ['reads as the copy does was not edited', { before: 'After.' }, 'd9'],
    ['reads otherwise was', { before: 'Else.' }, digest],
    ['cannot be compared was', { before: null }, digest],
    ['is the one that crossed was not', { before: null, mirrored: 'd9' }, 'd9'],
  ])('of a link that was rebuilt from the copy, and that %s', (_what, change, mirrored) => {
    expect(withText(of({ text: null, ...change }), 'After.', 'd9')).toMatchObject({ before: null, mirrored });
  });
});

test.each<[string, object, readonly object[], boolean]>([
  ['all of its parts', { parts: 2 }, [{ part: 2 }], false],
  ['one part too few', { parts: 3 }, [{ part: 2 }], true],
  ['one of which was given up', { parts: 2 }, [{ part: 2, state: 'skipped', reason: 'x', copy: null }], true],
  ['one that was deleted', { parts: 2 }, [{ part: 2, state: 'gone', reason: 'x' }], false],
  ['those of another comment', { parts: 2 }, [{ part: 2, source: 102 }], true],
  ['those of GitHub', { parts: 2 }, [{ part: 2, ...onGithub }], true],
  ['one part only', { parts: 1 }, [], false],
  ['not crossed yet', { parts: 2, state: 'pending', copy: null }, [], false],
])('of a long text there are %s: whether parts are missing', (_what, change, others, isLacking) => {
  expect(lacksParts(of(change), [known, ...others.map(of)])).toBe(isLacking);
});
