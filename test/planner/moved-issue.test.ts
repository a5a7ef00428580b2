import { expect, test } from 'vitest';
import { movedPatch } from '../../src/rules/plan/moves.ts';
import { widgetRoute } from '../support/routes.ts';
import { aLink } from './samples.ts';

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
