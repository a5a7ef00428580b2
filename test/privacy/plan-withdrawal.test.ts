/** What goes at a withdrawal, and what stays, case by case (I9): what is not ours stays. */

import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import { attachmentLinkId, bugId, commentLinkId, issueNumber } from '../../src/model/ids.ts';
import type { Issue } from '../../src/model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../src/model/link.ts';
import type { Account } from '../../src/model/people.ts';
import type { PlanContext, PlanInput } from '../../src/model/plan/plan-input.ts';
import type { PublicNeighbour } from '../../src/model/plan/public.ts';
import type { Withdrawal } from '../../src/model/plan/withdrawal.ts';
import type { Route } from '../../src/model/route.ts';
import { statusView } from '../../src/rules/fields/status.ts';
import { neutralBody, neutralTitle, plainFooter } from '../../src/rules/privacy/neutral.ts';
import { plainWithdrawal } from '../../src/rules/privacy/plain-withdrawal.ts';
import { planWithdrawal } from '../../src/rules/privacy/plan-withdrawal.ts';
import { issueFooter } from '../../src/text/footer.ts';
import { aBug, aCommentLink, aFile, aLink, buried, copyAt, frozen, onGithub, passed } from '../planner/samples.ts';
import { known, person, us, workflow } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const full: Route = { ...widgetRoute, milestones: true, assignee: true };
const contextOf = (route: Route): PlanContext => ({
  route,
  vocabulary: { values: known, workflow },
  isComplete: { tracker: true, github: true },
  own: us,
});

const mirrored: Issue = {
  ...(aLink.github as Issue),
  body: 'Copied words.',
  labels: ['help wanted', 'Severity: Normal', 'status: in progress', 'component: Core', 'severity: unheard'],
  milestone: '2.0',
  assignees: ['alice'],
};
const link = (change: Partial<Link> = {}): Link => ({ ...aLink, github: mirrored, ...change }) as Link;
const hidden = (change: Partial<Link> = {}): Link => link({ tracker: { ...aBug, isPrivate: true }, ...change });

const description: CommentLink = { ...aCommentLink, count: 0, copy: copyAt(bodyId) };
const copied: CommentLink = { ...aCommentLink, id: commentLinkId(2), copy: copyAt(702) };
const body: CommentLink = { ...aCommentLink, ...onGithub, id: commentLinkId(3), source: bodyId };
const words: CommentLink = { ...aCommentLink, ...onGithub, id: commentLinkId(4), source: 704 };
const remark: CommentLink = { ...words, id: commentLinkId(5), source: 705, remark: 'label' };
const stored = aFile;
const ofPeople: AttachmentLink = {
  ...aFile,
  ...{ id: attachmentLinkId(2), origin: 'github', path: null, checkedDigest: null, copy: { id: 3, url: null } },
};

const inputOf = (of: Link, commentLinks: readonly CommentLink[], files: readonly AttachmentLink[] = []): PlanInput => ({
  ...{ link: of, commentLinks, attachmentLinks: files },
  ...{ targets: [], duplicateOf: null, refused: {}, neighbours: [] },
});
const planned = (input: PlanInput, route = full, ownTitle: string | null = null): readonly Withdrawal[] =>
  planWithdrawal(contextOf(route), input, ownTitle);

/** As short words: `erase 702`. */
const inWords = (each: Withdrawal): string =>
  each.what === 'comment' ? `erase ${each.comment}` : each.what === 'file' ? `remove ${each.path}` : each.what;
const patchOf = (list: readonly Withdrawal[], what: Withdrawal['what'] = 'issue') =>
  list.flatMap((each) => (each.what === what && 'patch' in each ? [each.patch] : []))[0];

describe('a hidden bug', () => {
  test('is withdrawn as a whole: text, our labels, milestone, assignees, comments, files; what people added stays', () => {
    const list = planned(inputOf(hidden(), [description, copied, words, remark], [stored, ofPeople]));
    expect(list.map(inWords)).toEqual(['issue', 'erase 702', 'erase 705', 'remove p', 'lock']);
    expect(patchOf(list)).toEqual({
      title: neutralTitle(12),
      body: neutralBody('acme', 12),
      labels: { add: [], remove: ['Severity: Normal', 'status: in progress', 'component: Core'] },
      milestone: null,
      assignees: { add: [], remove: ['alice'] },
      state: 'closed',
      reason: 'not_planned',
    });
    expect(new Set(list.map(({ about }) => about))).toEqual(new Set(['acme/widget#5']));
  });

  test.each<[string, Partial<Issue>, Route, readonly string[]]>([
    [
      'is neutral in title and body',
      { title: neutralTitle(12), body: neutralBody('acme', 12) },
      full,
      ['title', 'body'],
    ],
    ['has a body as the website saves it', { body: neutralBody('acme', 12).replaceAll('\n', '\r\n') }, full, ['body']],
    ['has only labels of people', { labels: ['help wanted'] }, full, ['labels']],
    ['has no milestone', { milestone: null }, full, ['milestone']],
    ['has nobody assigned', { assignees: [] }, full, ['assignees']],
    ['is closed', { state: 'closed', reason: 'completed' }, full, ['state', 'reason']],
    ['has a milestone that the route does not mirror', {}, { ...full, milestones: false }, ['milestone']],
    ['has people assigned whom the route does not mirror', {}, { ...full, assignee: false }, ['assignees']],
  ])('whose issue %s: that is left alone', (_what, change, route, left) => {
    const all = ['title', 'body', 'labels', 'milestone', 'assignees', 'state', 'reason'];
    const list = planned(inputOf(hidden({ github: { ...mirrored, ...change } }), [description]), route);
    expect(Object.keys(patchOf(list) ?? {})).toEqual(all.filter((name) => !left.includes(name)));
  });

  test.each<[string, Issue['type'], boolean, boolean]>([
    ['has the type that a rule chose', 'Bug', true, true],
    ['has no type', null, true, false],
    ['has a type, where no rule sets one', 'Bug', false, false],
    ['is of a repository without types', undefined, true, false],
  ])('whose issue %s: whether the type goes', (_what, type, isRule, goes) => {
    const rule = { from: 'severity', as: '{value}', both: false, isType: true } as const;
    const route = isRule ? { ...full, labels: [...full.labels, rule] } : full;
    const github = { ...mirrored, ...(type === undefined ? {} : { type }) };
    const patch = patchOf(planned(inputOf(hidden({ github }), [description]), route)) ?? {};
    expect('type' in patch).toBe(goes);
  });

  const several = { from: 'keywords', as: '{value}', both: true, field: 'Topics' } as const;
  test.each<[string, readonly string[], readonly string[] | null | undefined]>([
    ['only options of the tracker', ['crash'], null],
    ['also options of people', ['crash', 'theirs'], ['theirs']],
    ['only options of people', ['theirs'], undefined],
  ])('whose field of the organisation has %s: what is left', (_what, options, left) => {
    const route = { ...full, labels: [several] };
    const vocabulary = { values: { keywords: ['crash'] }, workflow: null };
    const github = { ...mirrored, fields: { Topics: options } };
    const input = inputOf(hidden({ github }), [description]);
    const list = planWithdrawal({ ...contextOf(route), vocabulary }, input, null);
    expect(patchOf(list)?.fields).toEqual(left === undefined ? undefined : { Topics: left });
  });

  test('loses a label with a value that both sides agreed on, although the tracker no longer knows it', () => {
    const base = { tracker: { severity: 'unheard' }, github: { severity: 'unheard' } };
    const patch = patchOf(planned(inputOf(hidden({ base }), [description])));
    expect(patch?.labels?.remove).toContain('severity: unheard');
  });

  test('loses the labels of keywords that both sides agreed on', () => {
    const base = { tracker: { keywords: ['odd'] }, github: { keywords: ['odd'] } };
    const github = { ...mirrored, labels: ['odd', 'theirs'] };
    expect(patchOf(planned(inputOf(hidden({ base, github }), [description])))?.labels?.remove).toEqual(['odd']);
  });

  test.each<[string, Partial<CommentLink>, readonly string[]]>([
    ['is mirrored', {}, ['erase 702']],
    ['is private', { state: 'withdrawn', reason: 'private' }, ['erase 702']],
    ['waits', { state: 'pending', copy: null }, []],
    ['has a copy that is not known yet', { copy: null }, []],
    ['is gone', { state: 'gone', reason: 'deleted' }, []],
    ['is the description', { copy: copyAt(bodyId) }, []],
    ['is of people', onGithub, []],
  ])('with a comment that %s: what is erased', (_what, change, erased) => {
    const commentLink = { ...copied, ...change } as CommentLink;
    const list = planned(inputOf(hidden(), [description, commentLink]));
    expect(list.map(inWords).filter((each) => each.startsWith('erase'))).toEqual(erased);
  });

  test.each<[string, Partial<CommentLink>, boolean]>([
    ['our own', {}, true],
    ['our own, deleted', { state: 'gone', reason: 'deleted' }, false],
    ['of people', { remark: undefined as never }, false],
    ['on the tracker', { origin: 'tracker', copy: null }, false],
  ])('with an explanation %s: whether it goes', (_what, change, goes) => {
    const list = planned(inputOf(hidden(), [description, { ...remark, ...change } as CommentLink]));
    expect(list.map(inWords).includes('erase 705')).toBe(goes);
  });

  test('loses the relations that the bridge made, and keeps those of people', () => {
    const target = (bug: number, issue: number): PublicNeighbour =>
      passed({ bug: bugId(bug), issue: issueNumber(issue), issueId: issue, issueUrl: '', isShown: true });
    const base = { tracker: {}, github: { dependsOn: ['20', '22'] } };
    const github = { ...mirrored, blockedBy: [issueNumber(60), issueNumber(61)] };
    const neighbours = [target(20, 60), target(21, 61), target(22, 62)];
    const list = planned({ ...inputOf(hidden({ base, github }), [description]), neighbours });
    expect(list.filter(({ what }) => what === 'relation').map((each) => 'patch' in each && each.patch)).toEqual([
      { blocker: { change: 'remove', issueId: 60 } },
    ]);
    const withoutBase = planned({ ...inputOf(hidden({ github }), [description]), neighbours });
    expect(withoutBase.map(inWords), 'nothing was agreed').not.toContain('relation');
  });

  test.each<[string, Link, readonly string[]]>([
    ['whose issue is locked', hidden({ github: { ...mirrored, isLocked: true } }), ['issue']],
    ['whose issue is not known', hidden({ github: null }), []],
    ['whose issue is out of reach', hidden({ ...frozen, frozenBy: 'github' }), []],
    ['that was given up', hidden({ ...buried }), []],
    ['that the tracker no longer shows', link({ ...frozen }), ['issue', 'lock']],
    [
      'that another route took',
      link({ ...frozen, bug: null, tracker: null, claim: 12, movedTo: 'X', visibility: seenNot() }),
      ['issue', 'lock'],
    ],
  ])('%s: what is done', (_what, of, done) => {
    expect(planned(inputOf(of, [description])).map(inWords)).toEqual(done);
  });

  test('of a route to the tracker is left alone: nothing of it was published', () => {
    const input = inputOf(hidden(), [description, copied], [stored]);
    expect(planned(input, { ...full, direction: 'to-tracker' })).toEqual([]);
    expect(plainWithdrawal({ ...full, direction: 'to-tracker' }, input)).toEqual([]);
  });
});

function seenNot() {
  return { isShown: false, at: 1, of: '', details: {}, labels: [] };
}

describe('a hidden bug, whose issue people opened', () => {
  const footer = issueFooter(full, 12, aBug.url);
  const tracker = { ...aBug, isPrivate: true, creator: person(us.tracker.login) };
  const people: Issue = { ...mirrored, title: 'Tracker title', body: `When I click.\n\n${footer}` };
  const plain = `When I click.\n\n${plainFooter('acme', 12)}`;

  test('gets its own title back and keeps its words and its state, without the link to the bug', () => {
    const list = planned(inputOf(hidden({ github: people, tracker }), [body, copied]), full, 'My title');
    expect(list.map(inWords)).toEqual(['issue', 'erase 702', 'lock']);
    expect(patchOf(list)).toMatchObject({ title: 'My title', body: plain });
    expect(patchOf(list)).not.toHaveProperty('state');
  });

  test.each<[string, string, string | null, string]>([
    ['is remembered', people.body, 'My title', 'My title'],
    ['is not known', people.body, null, neutralTitle(12)],
    ['is what a withdrawal before left', plain, null, 'Tracker title'],
  ])('whose own title %s', (_what, text, ownTitle, title) => {
    const github = { ...people, body: text };
    const patch = patchOf(planned(inputOf(hidden({ github }), [body]), full, ownTitle));
    expect({ ...github, ...patch }.title).toBe(title);
  });

  test('and whose body has no line of ours keeps all of its body', () => {
    const github = { ...people, body: 'When I click.' };
    expect(patchOf(planned(inputOf(hidden({ github }), [body]), full, 'My title'))).not.toHaveProperty('body');
  });

  const unpointed = { pointed: { tracker: true, github: false } };
  test.each<[string, Partial<Link>, readonly CommentLink[], readonly string[]]>([
    ['shows nothing of the tracker', unpointed, [body], []],
    ['names the bug', {}, [body], ['issue', 'lock']],
    ['has a copy of a comment', unpointed, [body, copied], ['issue', 'erase 702', 'lock']],
    ['was withdrawn before', { ...unpointed, isWithdrawn: true }, [body], ['issue', 'lock']],
    ['has a body of which only a later part is theirs', unpointed, [{ ...body, part: 2 }], ['issue', 'lock']],
    ['has a body that a comment of theirs is not', unpointed, [words], ['issue', 'lock']],
  ])('that %s: what is done', (_what, change, comments, done) => {
    expect(planned(inputOf(hidden({ github: people, tracker, ...change }), comments), full, 'x').map(inWords)).toEqual(
      done,
    );
  });

  test.each<[string, Account | null, string, boolean]>([
    ['the bridge filed', us.tracker, us.tracker.login, true],
    ['people filed', us.tracker, 'bob@example.test', false],
    ['people filed, where our account is not known', null, 'bob@example.test', true],
  ])('of a bug that %s: whether it is locked', (_what, account, creator, isLocked) => {
    const planContext = { ...contextOf(full), own: { ...us, tracker: account } };
    const of = hidden({ tracker: { ...tracker, creator: person(creator) }, github: people });
    const list = planWithdrawal(planContext, inputOf(of, [body]), 'x');
    expect(list.map(inWords).includes('lock')).toBe(isLocked);
  });
});

describe('a bug that stays public', () => {
  const isPrivate = { state: 'withdrawn', reason: 'private' } as const;

  test('keeps its issue, labels, files and comments: only what is private goes', () => {
    const other = { ...stored, id: attachmentLinkId(7), path: 'q', ...isPrivate, reason: null, copy: null } as const;
    const list = planned(
      inputOf(
        link(),
        [description, copied, { ...copied, ...isPrivate, id: commentLinkId(9), copy: copyAt(709) }, remark],
        [stored, other, ofPeople],
      ),
    );
    expect(list.map(inWords)).toEqual(['erase 709', 'remove q']);
  });

  test('loses the comment that names a hidden file, and keeps the one about another file', () => {
    const files = [
      { ...stored, source: '8' },
      { ...stored, ...isPrivate, reason: null, copy: null },
    ] as const;
    const about = (attachment: number, id: number): CommentLink => ({ ...aCommentLink, attachment, copy: copyAt(id) });
    expect(planned(inputOf(link(), [about(8, 708), about(9, 709)], files)).map(inWords)).toEqual([
      'erase 709',
      'remove p',
    ]);
  });

  test.each<[string, Partial<CommentLink>, Partial<Link>, boolean]>([
    ['private', {}, {}, true],
    ['private, and already emptied', { mirrored: null }, {}, false],
    ['private, a further part', { part: 2 }, {}, false],
    ['private, of an issue that is not known', {}, { github: null }, false],
    ['public', { state: 'mirrored', reason: null }, {}, false],
  ])('with a description that is %s: whether its place in the body is emptied', (_what, change, of, isEmptied) => {
    const list = planned(inputOf(link(of), [{ ...description, ...isPrivate, ...change } as CommentLink]));
    expect(list).toEqual(
      isEmptied
        ? [{ link: 1, about: 'acme/widget#5', what: 'text', commentLink: 1, patch: { body: neutralBody('acme', 12) } }]
        : [],
    );
  });

  const [was, becomes] = [plainFooter('acme', 12), issueFooter(full, 12, aBug.url)];
  const neutral = { ...mirrored, body: neutralBody('acme', 12), isLocked: true };
  const passage = { was, becomes };
  test.each<[string, Link, unknown]>([
    ['is opened again', link({ isWithdrawn: true, github: neutral }), null],
    [
      'is opened, and its line links to the bug',
      link({ isWithdrawn: true, github: { ...neutral, body: `X\n\n${was}` } }),
      { passage },
    ],
    ['was not withdrawn', link({ github: neutral }), undefined],
    ['is not live', link({ isWithdrawn: true, ...frozen, frozenBy: 'tracker', tracker: null }), undefined],
    ['has no issue', link({ isWithdrawn: true, github: null }), undefined],
    ['is not known', link({ isWithdrawn: true, tracker: null }), undefined],
  ])('and %s: what becomes of the lock', (_what, of, patch) => {
    const open = planned(inputOf(of, [])).find(({ what }) => what === 'open');
    expect(open && 'patch' in open ? open.patch : undefined).toEqual(patch);
  });

  test.each<[string, readonly CommentLink[], unknown]>([
    ['the bridge opened, opens', [], { state: 'open' }],
    ['people opened, stays closed', [body], null],
  ])('and closed, while a cutover had closed the bug: an issue that %s', (_what, comments, patch) => {
    const tracker = { ...aBug, status: 'RESOLVED', resolution: 'FIXED' };
    const status = statusView(full.status, tracker.status, tracker.resolution) ?? '';
    const base = { tracker: { status }, github: { status: 'open' } };
    const of = link({ isWithdrawn: true, tracker, base, github: { ...neutral, state: 'closed' } });
    const open = planned(inputOf(of, comments)).find(({ what }) => what === 'open');
    expect(open && 'patch' in open ? open.patch : undefined).toEqual(patch);
  });

  test('stays locked until its check', () => {
    const route: Route = { ...full, visibilityCheck: 'anonymous' };
    expect(planned(inputOf(link({ isWithdrawn: true, github: neutral }), []), route)).toEqual([]);
  });
});

describe('a withdrawal that cannot be planned', () => {
  const plainly = (input: PlanInput, route = full) => plainWithdrawal(route, input);
  const all = [description, copied, words, remark];

  test('replaces our words and erases our copies by the facts alone', () => {
    const list = plainly(inputOf(hidden(), all, [stored, ofPeople]));
    expect(list.map(inWords)).toEqual(['issue', 'erase 702', 'remove p']);
    expect(patchOf(list)).toEqual({
      title: neutralTitle(12),
      body: neutralBody('acme', 12),
      state: 'closed',
      reason: 'not_planned',
    });
    expect(list.every(({ about, link: id }) => about === 'acme/widget#5' && id === 1)).toBe(true);
  });

  const [title, text] = [neutralTitle(12), neutralBody('acme', 12)];
  test.each<[string, Link, readonly CommentLink[], readonly string[]]>([
    ['people opened', hidden(), [body, copied], ['erase 702']],
    ['is neutral already', hidden({ github: { ...mirrored, title, body: text } }), [description], []],
    ['is neutral but for its title', hidden({ github: { ...mirrored, body: text } }), [description], ['issue']],
    ['is neutral but for its body', hidden({ github: { ...mirrored, title } }), [description], ['issue']],
    ['is not known', hidden({ github: null }), [description], []],
    ['has no bug', hidden({ bug: null }), [description], []],
    ['is out of reach', hidden({ ...frozen, frozenBy: 'github' }), all, []],
    ['was given up', hidden({ ...buried }), all, []],
    ['has a bug that is public', link(), all, []],
  ])('on an issue that %s: what goes', (_what, of, comments, done) => {
    expect(plainly(inputOf(of, comments)).map(inWords)).toEqual(done);
  });

  test('closes no issue that is closed', () => {
    const github: Issue = { ...mirrored, state: 'closed', reason: 'completed' };
    expect(Object.keys(patchOf(plainly(inputOf(hidden({ github }), [description]))) ?? {})).toEqual(['title', 'body']);
  });

  test('of a public bug takes what is private, and nothing else', () => {
    const isPrivate = { state: 'withdrawn', reason: 'private' } as const;
    const gone: CommentLink = { ...copied, ...isPrivate, id: commentLinkId(9), copy: copyAt(709) };
    const noCopy: CommentLink = { ...copied, ...isPrivate, id: commentLinkId(10), copy: null };
    const file: AttachmentLink = { ...stored, state: 'withdrawn', copy: null, path: 'q' };
    const list = plainly(inputOf(link(), [description, copied, gone, noCopy], [stored, file, { ...file, path: null }]));
    expect(list.map(inWords)).toEqual(['erase 709', 'remove q']);
  });
});
