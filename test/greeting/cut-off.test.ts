import { expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import type { Fault } from '../../src/sandbox/server/faults.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { some } from '../tiers/depth.ts';

/**
 * A first start asks both sides who we are, what they have and who may read it. Whichever of these requests goes wrong,
 * and however: nothing hidden is published, nothing is published twice, and the next starts do what this one did not.
 */
const repo = 'acme/widget';
type Failure = readonly [how: string, fault: Fault];
const failures: readonly [Failure, ...Failure[]] = [
  ['is refused', { kind: 'status', status: 403, isHtml: true, after: false }],
  ['finds a server that is down', { kind: 'status', status: 503, isHtml: false, after: false }],
  ['gets no answer', { kind: 'drop', after: false }],
];
/** As many reads as a start takes of each side before it writes, and no fewer. */
const reads = { tracker: 17, github: 7 } as const;
const startsMax = 4;

interface Trouble {
  readonly side: Side;
  /** Which read of that side goes wrong, from 1 on. */
  readonly at: number;
  readonly fault: Fault;
}

async function started(
  trouble: Trouble | null,
  act: (house: House, asked: Readonly<Record<Side, number>>) => Promise<void>,
): Promise<void> {
  const asked = { tracker: 0, github: 0 };
  const house = await openHouse(
    (tracker) => {
      const alice = tracker.as('alice');
      alice.comment(alice.file({ summary: 'For all', description: 'It fails.' }), 'A comment');
      tracker.hide(alice.file({ summary: 'For few', description: 'It leaks.' }));
    },
    {
      faults: (side, cost) => {
        if (cost !== 'read') return { kind: 'none' };
        asked[side] += 1;
        return trouble?.side === side && trouble.at === asked[side] ? trouble.fault : { kind: 'none' };
      },
    },
  );
  try {
    await act(house, asked);
  } finally {
    await house.close();
  }
}

const published = ({ github }: House) =>
  github.issues(repo).map(({ number, title }) => ({ title, comments: github.commentsOf(repo, number).length }));
const whole = [{ title: 'For all', comments: 1 }];

test('an undisturbed start publishes the public bugs, after as many reads as the cases below disturb', async () => {
  await started(null, async (house, asked) => {
    await house.run('plan');
    expect(asked).toEqual(reads);
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(published(house)).toEqual(whole);
  });
});

const troubles = (['tracker', 'github'] as const).flatMap((side) =>
  Array.from({ length: reads[side] }, (_, index) => {
    const [how, fault] = failures[index % failures.length] ?? failures[0];
    return { side, at: index + 1, how, fault };
  }),
);

test.each(some(troubles, 6))('a start whose read $at of $side $how', async (trouble) => {
  await started(trouble, async (house) => {
    for (let start = 0; start < startsMax; start += 1) {
      await house.run('once');
      expect(published(house).every(({ title }) => title === 'For all')).toBe(true);
    }
    expect(published(house)).toEqual(whole);
  });
});
