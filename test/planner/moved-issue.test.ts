import { expect, test } from 'vitest';
import { isOnTheMove, movedPatch } from '../../src/rules/plan/moves.ts';
import { widgetRoute } from '../support/routes.ts';
import { aBug, aLink, anIssue } from './samples.ts';

const there = { product: 'Gadget', issue: { url: 'https://github.com/acme/gadget/issues/7' }, name: 'acme/gadget#7' };
const bodyWith = (link: Parameters<typeof movedPatch>[1]): string => {
  if (aLink.github === null) throw new Error('the sample has no issue');
  return movedPatch(widgetRoute, link, aLink.github, there).body ?? '';
};

test('the issue that a bug left names the bug with its address, or without one if the state knows none', () => {
  const goesOn = 'moved to product Gadget, and goes on in [acme/gadget#7](https://github.com/acme/gadget/issues/7).*';
  expect(bodyWith(aLink)).toContain(`*[Bug ${aLink.bug}](${aLink.tracker?.url}) ${goesOn}`);
  expect(bodyWith({ ...aLink, tracker: null })).toContain(`*Bug ${aLink.bug} ${goesOn}`);
});

test.each([
  ['fits', 64_000, true, true],
  ['has room for the marker alone', 65_400, false, true],
  ['is full', 65_500, false, false],
])('no word of people is cut off a body that %s', (_name, length, hasLine, hasMarker) => {
  const words = `${'word '.repeat(length / 5 - 1)}last`;
  const github = { ...anIssue, body: words };
  const { body = words } = movedPatch(widgetRoute, { ...aLink, github }, github, there);
  expect(body.startsWith(words)).toBe(true);
  expect([body.length <= 65_536, body.includes('goes on in'), body.includes('moved -->')]).toEqual([
    true,
    hasLine,
    hasMarker,
  ]);
  const seen = { ...aLink, github: { ...github, body }, tracker: { ...aBug, product: 'Gadget' }, movedTo: 'Gadget' };
  expect(isOnTheMove(widgetRoute, seen)).toBe(false);
});
