import { describe, expect, test } from 'vitest';
import { bugId, linkId } from '../../src/model/ids.ts';
import type { Item } from '../../src/model/item.ts';
import type { Link } from '../../src/model/link.ts';
import { issueNumberIn } from '../../src/model/named.ts';
import { claimOf, match, type RelatedLinks } from '../../src/rules/links/match.ts';
import { aBug, aLink, anIssue, bugEnd, buried, frozen, issueEnd, ourMarker, ours } from '../planner/samples.ts';
import { us } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const none: RelatedLinks = { own: null, named: null, claimants: [] };
const openOnly = { ...widgetRoute, selection: { ...widgetRoute.selection, openOnly: true } };
const labelled = { ...widgetRoute, label: 'mirror' };
/** As the bridge filed it from an issue, and opened it for a bug. */
const ourBug = { ...aBug, creator: ours.tracker };
const ourIssue = { ...anIssue, author: ours.github, body: `It crashes.\n\n${ourMarker}` };
const closed = { ...ourBug, status: 'RESOLVED', resolution: 'FIXED' };
const later = linkId(9);
const issueUrl = 'https://github.com/acme/widget/issues/5';

interface Case {
  readonly name: string;
  readonly item?: Item;
  readonly claim?: number;
  /** Whether others wrote what names the other end. */
  readonly isTheirs?: true;
  readonly known: Partial<RelatedLinks>;
  readonly route?: typeof widgetRoute;
  readonly expected: Partial<{
    kind: string;
    link: Link;
    keep: Link;
    absorb: Link | null;
    claim: number | null;
    reason: string;
  }>;
}

const cases: readonly Case[] = [
  { name: 'a bug that nothing is known of begins', known: {}, expected: { kind: 'begin', claim: null } },
  {
    name: 'a bug that names an issue not seen yet begins with a claim',
    claim: 5,
    known: {},
    expected: { kind: 'begin', claim: 5 },
  },
  { name: 'a whole link is observed', known: { own: aLink }, expected: { kind: 'observe', link: aLink } },
  { name: 'a one-ended link is observed', known: { own: bugEnd() }, expected: { kind: 'observe' } },
  {
    name: 'a bug that waits for its issue, and names one since, claims it',
    item: { ...aBug, seeAlso: [issueUrl] },
    claim: 5,
    known: { own: bugEnd() },
    expected: { kind: 'observe', link: { ...bugEnd(), claim: 5 } },
  },
  {
    name: 'a bug that named it before does not, as somebody has judged that',
    item: { ...aBug, seeAlso: [issueUrl] },
    claim: 5,
    known: { own: bugEnd({ tracker: { ...aBug, seeAlso: [issueUrl] } }) },
    expected: { kind: 'observe', link: bugEnd({ tracker: { ...aBug, seeAlso: [issueUrl] } }) },
  },
  {
    name: 'an issue that has its bug is claimed by no other one',
    item: { ...aBug, seeAlso: [issueUrl] },
    claim: 5,
    known: { own: bugEnd(), named: aLink },
    expected: { kind: 'observe', link: bugEnd() },
  },
  {
    name: 'a bug joins the issue that it names',
    claim: 5,
    known: { named: issueEnd() },
    expected: { kind: 'bind', absorb: null },
  },
  {
    name: 'a bug joins the issue of ours that names it',
    known: { claimants: [issueEnd({ claim: 12, github: ourIssue })] },
    expected: { kind: 'bind' },
  },
  {
    name: 'a bug does not join an issue of others that names it',
    known: { claimants: [issueEnd({ claim: 12 })] },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a bug in which others name an issue does not join it, and waits until it is known who wrote that',
    claim: 5,
    isTheirs: true,
    known: { named: issueEnd() },
    expected: { kind: 'begin', claim: 5 },
  },
  {
    name: 'a bug in which others named an issue later keeps its own link',
    claim: 5,
    isTheirs: true,
    known: { own: bugEnd(), named: issueEnd() },
    expected: { kind: 'observe', link: bugEnd() },
  },
  {
    name: 'a bug of ours does not join an issue that the route does not take, and waits',
    claim: 5,
    route: labelled,
    known: { named: issueEnd() },
    expected: { kind: 'begin', claim: 5 },
  },
  {
    name: 'a bug joins an issue of ours without the label of the route',
    route: labelled,
    known: { claimants: [issueEnd({ claim: 12, github: ourIssue })] },
    expected: { kind: 'bind' },
  },
  {
    name: 'a bug of ours does not join what we opened for another bug',
    item: { ...ourBug, id: bugId(13) },
    claim: 5,
    known: { named: issueEnd({ github: ourIssue }) },
    expected: { kind: 'begin' },
  },
  {
    name: 'a private bug of others begins nothing, whatever it names',
    item: { ...aBug, isPrivate: true },
    claim: 5,
    isTheirs: true,
    known: {},
    expected: { kind: 'ignore' },
  },
  {
    name: 'a bug of others outside the selection begins nothing, whatever it names',
    item: { ...closed, creator: aBug.creator },
    claim: 5,
    isTheirs: true,
    route: openOnly,
    known: {},
    expected: { kind: 'ignore' },
  },
  {
    name: 'what a bug names goes before what names it',
    claim: 5,
    known: { named: issueEnd(), claimants: [issueEnd({ id: later, claim: 12, github: ourIssue })] },
    expected: { kind: 'bind', keep: issueEnd() },
  },
  {
    name: 'two halves become one link',
    claim: 5,
    known: { own: bugEnd(), named: issueEnd() },
    expected: { kind: 'bind', keep: issueEnd(), absorb: bugEnd() },
  },
  {
    name: 'an issue that belongs to another bug is no claim',
    claim: 5,
    known: { named: { ...aLink, id: later } },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a buried issue is not joined',
    claim: 5,
    known: { named: issueEnd(buried) },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a frozen issue is not joined',
    claim: 5,
    known: { named: issueEnd({ ...frozen, frozenBy: 'github' }) },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a bug does not join a bug',
    claim: 5,
    known: { named: bugEnd({ id: later }) },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a tombstone keeps its item',
    known: { own: bugEnd(buried), named: issueEnd() },
    expected: { kind: 'observe' },
  },
  {
    name: 'another route keeps its item',
    known: { own: { ...aLink, route: 'gadget' } },
    expected: { kind: 'ignore', reason: 'it belongs to route gadget' },
  },
  {
    name: 'another route keeps its half',
    known: { named: issueEnd({ route: 'gadget' }) },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'a private bug does not begin',
    item: { ...aBug, isPrivate: true },
    known: {},
    expected: { kind: 'ignore', reason: 'the bug is private' },
  },
  {
    name: 'a private bug joins the issue that it names, so that it gets no second bug; planning freezes the link',
    item: { ...aBug, isPrivate: true },
    claim: 5,
    known: { named: issueEnd() },
    expected: { kind: 'bind' },
  },
  {
    name: 'a bug that became private is observed',
    item: { ...aBug, isPrivate: true },
    known: { own: aLink },
    expected: { kind: 'observe' },
  },
  {
    name: 'a bug that is not selected is ignored',
    item: closed,
    route: openOnly,
    known: {},
    expected: { kind: 'ignore', reason: 'the route takes open bugs' },
  },
  {
    name: 'a bug that left the selection keeps its link',
    item: closed,
    route: openOnly,
    known: { own: aLink },
    expected: { kind: 'observe' },
  },
  {
    name: 'a bug that left the selection still joins its issue',
    item: closed,
    route: openOnly,
    claim: 5,
    known: { named: issueEnd() },
    expected: { kind: 'bind' },
  },
  {
    name: 'a bug that left the selection waits for its issue',
    item: closed,
    route: openOnly,
    claim: 5,
    known: {},
    expected: { kind: 'begin', claim: 5 },
  },
  {
    name: 'a bug of another product is ignored, whatever it names',
    item: { ...aBug, product: 'Gadget' },
    claim: 5,
    known: {},
    expected: { kind: 'ignore', reason: 'the route takes product Widget' },
  },
  {
    name: 'an issue joins the bug of ours that names it',
    item: anIssue,
    known: { claimants: [bugEnd({ claim: 5, tracker: ourBug })] },
    expected: { kind: 'bind' },
  },
  {
    name: 'an issue does not join a bug of others that names it',
    item: anIssue,
    known: { claimants: [bugEnd({ claim: 5 })] },
    expected: { kind: 'begin', claim: null },
  },
  {
    name: 'an issue that the route does not take joins no bug',
    item: anIssue,
    route: labelled,
    known: { claimants: [bugEnd({ claim: 5, tracker: ourBug })] },
    expected: { kind: 'ignore' },
  },
  {
    name: 'an issue of ours joins the bug that it names',
    item: ourIssue,
    claim: 12,
    known: { named: bugEnd() },
    expected: { kind: 'bind' },
  },
  {
    name: 'an issue without the label of the route is ignored',
    item: anIssue,
    route: labelled,
    known: {},
    expected: { kind: 'ignore' },
  },
];

describe('match', () => {
  test.each(cases)('$name', ({ item = aBug, claim, isTheirs, known, route = widgetRoute, expected }) => {
    const said = claim === undefined ? null : { ref: claim, isOurs: isTheirs !== true };
    expect(match(route, item, said, { ...none, ...known }, us)).toMatchObject(expected);
  });
});

describe('the end that an item names', () => {
  const marked = { ...ourIssue, author: anIssue.author };
  const unknown = { tracker: null, github: null };
  const other = anIssue.url.replace(/5$/u, '6');
  const [said, heard] = [(ref: number) => ({ ref, isOurs: true }), (ref: number) => ({ ref, isOurs: false })];
  test.each([
    ['see_also of a bug that we filed', { ...ourBug, seeAlso: [anIssue.url] }, us, said(5)],
    [
      'see_also of a bug that we filed, by our login in capitals',
      { ...ourBug, seeAlso: [anIssue.url] },
      { ...us, tracker: { login: us.tracker.login.toUpperCase() } },
      said(5),
    ],
    ['see_also of a bug of others', { ...aBug, seeAlso: [anIssue.url] }, us, heard(5)],
    ['see_also where the tracker does not tell who we are', { ...ourBug, seeAlso: [anIssue.url] }, unknown, heard(5)],
    ['see_also of a bug that we filed, with two issues', { ...ourBug, seeAlso: [other, anIssue.url] }, us, null],
    [
      'see_also of a bug that we filed, with one issue in two ways',
      { ...ourBug, seeAlso: [anIssue.url, `${anIssue.url}#top`] },
      us,
      said(5),
    ],
    ['see_also behind other addresses', { ...ourBug, seeAlso: ['https://example.test/1', anIssue.url] }, us, said(5)],
    [
      'see_also with an issue of another repository',
      { ...ourBug, seeAlso: ['https://github.com/acme/other/issues/5'] },
      us,
      null,
    ],
    [
      'see_also with an issue of that name elsewhere',
      { ...ourBug, seeAlso: ['https://gitlab.com/acme/widget/issues/5'] },
      us,
      null,
    ],
    ['see_also with a pull request', { ...ourBug, seeAlso: ['https://github.com/acme/widget/pull/5'] }, us, null],
    ['nothing in see_also', ourBug, us, null],
    ['our marker in our issue', ourIssue, us, said(12)],
    ['our marker in an issue of somebody else', marked, us, null],
    ['our marker in an issue of somebody else, where GitHub does not tell who we are', marked, unknown, null],
    [
      'our marker in an issue of a bot, where GitHub does not tell who we are',
      { ...marked, author: { ...anIssue.author, isBot: true } },
      unknown,
      said(12),
    ],
    ['our marker in an issue of another bot', { ...marked, author: { ...anIssue.author, isBot: true } }, us, null],
    ['the marker of another bridge', { ...ourIssue, body: ourIssue.body.replace('acme', 'other') }, us, null],
    ['the marker of a comment', { ...ourIssue, body: '<!-- bugferry:1 acme bug=12 comment=3 -->' }, us, null],
    ['a marker that is quoted', { ...ourIssue, body: `> ${ourMarker}\n\nsaid the bridge` }, us, null],
  ] as const)('%s', (_name, item, accounts, expected) => {
    expect(claimOf(widgetRoute, item, accounts)).toEqual(expected);
  });
});

const server = { ...widgetRoute, webHost: 'github.example.test:8443' };
test.each([
  ['https://github.com/acme/widget/issues/5', 5],
  ['http://github.com/Acme/WIDGET/issues/5', 5],
  ['https://GitHub.com/acme/widget/issues/5', 5],
  ['https://github.com:443/acme/widget/issues/5', 5],
  ['http://github.com:80/acme/widget/issues/5', 5],
  ['https://github.com/acme/widget/issues/5#issuecomment-7', 5],
  ['https://github.com/acme/widget/issues/5?x=1', 5],
  ['https://github.com/acme/widget/issues/5/', null],
  ['https://github.com/acme/widget/issues/05', null],
  ['https://github.com/acme/widget/issues/0', null],
  ['https://github.com/acme/widget/issues/5%20', null],
  ['https://github.com/acme/widge%74/issues/5', null],
  ['https://github.com/acme/widget/pull/5', null],
  ['https://github.com/acme/widget-extra/issues/5', null],
  ['https://github.com/acme/widget', null],
  ['https://github.com/x/acme/widget/issues/5', null],
  ['https://github.com/acme/widget/../gadget/issues/5', null],
  ['https://github.com/?/acme/widget/issues/5', null],
  ['https://gitlab.com/acme/widget/issues/5', null],
  ['https://codeberg.org/acme/widget/issues/5', null],
  ['https://www.github.com/acme/widget/issues/5', null],
  ['https://github.com.evil.test/acme/widget/issues/5', null],
  ['https://evil.test/github.com/acme/widget/issues/5', null],
  ['https://github.com@evil.test/acme/widget/issues/5', null],
  ['https://mona@github.com/acme/widget/issues/5', null],
  ['https://github.com./acme/widget/issues/5', null],
  ['https://git%68ub.com/acme/widget/issues/5', null],
  ['https://github.com:80/acme/widget/issues/5', null],
  ['http://github.com:443/acme/widget/issues/5', null],
  ['https://github.com:8443/acme/widget/issues/5', null],
  ['https://github.example.test:8443/acme/widget/issues/5', null],
  ['https:\\\\github.com/acme/widget/issues/5', null],
  ['ftp://github.com/acme/widget/issues/5', null],
  ['', null],
])('the issue in "%s" is %s', (address, number) => {
  expect(issueNumberIn(widgetRoute, address)).toBe(number);
});

test.each([
  ['https://github.example.test:8443/acme/widget/issues/5', 5],
  ['https://github.example.test/acme/widget/issues/5', null],
  ['https://github.com/acme/widget/issues/5', null],
])('on an Enterprise Server, the issue in "%s" is %s', (address, number) => {
  expect(issueNumberIn(server, address)).toBe(number);
});
