import { describe, expect, test } from 'vitest';
import { claimOf, issueNumberIn, type Known, match } from '../../src/links/match.ts';
import { linkId } from '../../src/model/ids.ts';
import type { Item } from '../../src/model/item.ts';
import type { Link } from '../../src/model/link.ts';
import { aBug, aLink, anIssue, bugEnd, buried, frozen, issueEnd, ourMarker, ours } from '../planner/samples.ts';
import { us } from '../planner/world.ts';
import { widgetRoute } from '../support/routes.ts';

const none: Known = { own: null, named: null, claimants: [] };
const openOnly = { ...widgetRoute, selection: { ...widgetRoute.selection, openOnly: true } };
const closed = { ...aBug, status: 'RESOLVED', resolution: 'FIXED' };
const later = linkId(9);

interface Case {
  readonly name: string;
  readonly item?: Item;
  readonly claim?: number;
  readonly known: Partial<Known>;
  readonly route?: typeof widgetRoute;
  readonly expected: Partial<{ kind: string; link: Link; keep: Link; absorb: Link | null; claim: number | null; reason: string }>;
}

const cases: readonly Case[] = [
  { name: 'a bug that nothing is known of begins', known: {}, expected: { kind: 'begin', claim: null } },
  { name: 'a bug that names an issue not seen yet begins with a claim', claim: 5, known: {}, expected: { kind: 'begin', claim: 5 } },
  { name: 'a whole link is observed', known: { own: aLink }, expected: { kind: 'observe', link: aLink } },
  { name: 'a one-ended link is observed', known: { own: bugEnd() }, expected: { kind: 'observe' } },
  { name: 'a bug joins the issue that it names', claim: 5, known: { named: issueEnd() }, expected: { kind: 'bind', absorb: null } },
  { name: 'a bug joins the issue that names it', known: { claimants: [issueEnd({ claim: 12 })] }, expected: { kind: 'bind' } },
  {
    name: 'what a bug names goes before what names it',
    claim: 5,
    known: { named: issueEnd(), claimants: [issueEnd({ id: later, claim: 12 })] },
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
  { name: 'a bug does not join a bug', claim: 5, known: { named: bugEnd({ id: later }) }, expected: { kind: 'begin', claim: null } },
  { name: 'a tombstone keeps its item', known: { own: bugEnd(buried), named: issueEnd() }, expected: { kind: 'observe' } },
  {
    name: 'another route keeps its item',
    known: { own: { ...aLink, route: 'gadget' } },
    expected: { kind: 'ignore', reason: 'it belongs to route gadget' },
  },
  { name: 'another route keeps its half', known: { named: issueEnd({ route: 'gadget' }) }, expected: { kind: 'begin', claim: null } },
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
  { name: 'an issue joins the bug that names it', item: anIssue, known: { claimants: [bugEnd({ claim: 5 })] }, expected: { kind: 'bind' } },
  { name: 'an issue joins the bug that it names', item: anIssue, claim: 12, known: { named: bugEnd() }, expected: { kind: 'bind' } },
  {
    name: 'an issue without the label of the route is ignored',
    item: anIssue,
    route: { ...widgetRoute, label: 'mirror' },
    known: {},
    expected: { kind: 'ignore' },
  },
];

describe('match', () => {
  test.each(cases)('$name', ({ item = aBug, claim = null, known, route = widgetRoute, expected }) => {
    expect(match(route, item, claim, { ...none, ...known })).toMatchObject(expected);
  });
});

describe('the end that an item names', () => {
  const ourIssue = { ...anIssue, author: ours.github, body: `It crashes.\n\n${ourMarker}` };
  test.each([
    ['see_also with an issue of the repository', { ...aBug, seeAlso: [anIssue.url] }, us.github, 5],
    ['see_also behind other addresses', { ...aBug, seeAlso: ['https://example.test/1', anIssue.url] }, us.github, 5],
    ['see_also with an issue of another repository', { ...aBug, seeAlso: ['https://github.com/acme/other/issues/5'] }, us.github, null],
    ['see_also with a pull request', { ...aBug, seeAlso: ['https://github.com/acme/widget/pull/5'] }, us.github, null],
    ['nothing in see_also', aBug, us.github, null],
    ['our marker in our issue', ourIssue, us.github, 12],
    ['our marker in an issue of somebody else', { ...ourIssue, author: anIssue.author }, us.github, null],
    ['our marker where GitHub does not tell who we are', { ...ourIssue, author: anIssue.author }, null, 12],
    ['the marker of another bridge', { ...ourIssue, body: ourIssue.body.replace('acme', 'other') }, us.github, null],
    ['the marker of a comment', { ...ourIssue, body: '<!-- bugferry:1 acme bug=12 comment=3 -->' }, us.github, null],
    ['a marker that is quoted', { ...ourIssue, body: `> ${ourMarker}\n\nsaid the bridge` }, us.github, null],
  ] as const)('%s', (_name, item, ownLogin, expected) => {
    expect(claimOf(widgetRoute, item, ownLogin)).toBe(expected);
  });
});

test.each([
  ['https://github.com/acme/widget/issues/5', 5],
  ['http://github.com/Acme/WIDGET/issues/5', 5],
  ['https://github.com/acme/widget/issues/5#issuecomment-7', 5],
  ['https://github.com/acme/widget/issues/5?x=1', 5],
  ['https://github.com/acme/widget/issues/5/', null],
  ['https://github.com/acme/widget-extra/issues/5', null],
  ['https://github.com/acme/widget', null],
  ['https://github.com/x/acme/widget/issues/5', null],
  ['ftp://github.com/acme/widget/issues/5', null],
  ['', null],
])('the issue in "%s" is %s', (address, number) => {
  expect(issueNumberIn(widgetRoute, address)).toBe(number);
});
