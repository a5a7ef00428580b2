import { expect, test } from 'vitest';
import { groupParked } from '../../src/explain/parked.ts';
import { commentLinkId, linkId } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { Stuck } from '../../src/model/route-status.ts';

const copy = (link: number): Operation => ({
  ...({
    kind: 'comment',
    key: 'k',
    link: linkId(link),
    about: '',
    on: 'github',
    commentLink: commentLinkId(1),
  } as const),
  ...({ digest: '', tells: 'copy', part: 1, parts: 1 } as const),
});
const stuck = (number: number, link: number, why: string | null): Stuck => ({
  ...{ number, about: `bug ${link}`, operation: copy(link), attempts: 5, why },
});

test('parked writes of one kind to one item are one group for each reason', () => {
  const full = 'the issue is full';
  const parked = [stuck(1, 7, full), stuck(2, 8, full), stuck(4, 7, full), stuck(5, 7, null), stuck(9, 7, full)];
  expect(groupParked(parked).map(({ first, numbers, what }) => [first.about, first.why, numbers, what])).toEqual([
    ['bug 7', full, [1, 4, 9], '3 comments to copy'],
    ['bug 8', full, [2], 'copy a comment'],
    ['bug 7', null, [5], 'copy a comment'],
  ]);
});
