import { describe, expect, test } from 'vitest';
import { growthIn, type Sample } from './gauge.ts';
import { unexplainedIn } from './log-lines.ts';
import { soak } from './soak.ts';

/** I1, I3 and I4 over time. `npm run soak -- --minutes 60` is the same for longer. */
test('half a minute of people, faults and restarts ends in step, without a leak and without an unexplained word', async () => {
  const said: string[] = [];
  const soaked = await soak({ busyMs: 20_000, seed: 11, restarts: 2, tell: (line) => said.push(line) });
  expect(soaked.complaints, said.join('\n')).toEqual([]);
  expect(soaked.acts).toBeGreaterThan(10);
  expect(soaked.faults).toBeGreaterThan(0);
  expect(soaked.hooks).toBeGreaterThan(10);
  expect(soaked.pages).toBeGreaterThan(10);
  expect(soaked.memoryMax).toBeLessThan(400_000_000);
  expect(soaked.handlesMax).toBeLessThan(100);
}, 400_000);

describe('what a soak would notice', () => {
  const life = (memory: (index: number) => number, handles: (index: number) => number): readonly Sample[] =>
    Array.from({ length: 80 }, (_, index) => ({ at: index * 1000, memory: memory(index), handles: handles(index) }));

  test('memory that grows, and handles that are not closed', () => {
    expect(
      growthIn(
        life(
          (index) => 100e6 + index * 2e6,
          () => 20,
        ),
      ),
    ).toEqual([expect.stringContaining('memory grew from 1')]);
    expect(
      growthIn(
        life(
          () => 100e6,
          (index) => 20 + index,
        ),
      ),
    ).toEqual([expect.stringContaining('open handles grew')]);
  });

  test('nothing in a life that was mostly start', () => {
    const young = life(
      (index) => 100e6 + index * 4e6,
      (index) => 20 + index,
    ).slice(0, 50);
    expect(growthIn(young)).toEqual([]);
  });

  test('neither a heap that breathes, nor one that fills at first', () => {
    expect(
      growthIn(
        life(
          (index) => 100e6 + (index % 5) * 10e6,
          (index) => 20 + (index % 3),
        ),
      ),
    ).toEqual([]);
    expect(
      growthIn(
        life(
          (index) => Math.min(150e6, 80e6 + index * 10e6),
          () => 20,
        ),
      ),
    ).toEqual([]);
  });

  const line = (level: number, time: number, msg: string) => `${JSON.stringify({ level, time, msg })}\n`;
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['a warning long before any fault', line(40, 1_000, 'slow'), ['slow']],
    ['no warning in the wake of a fault', line(40, 100_500, 'slow'), []],
    ['no line of information', line(30, 1_000, 'started'), []],
    [
      'a fault of our own, whenever it comes',
      line(50, 100_500, 'this is a fault of bugferry itself'),
      ['this is a fault of bugferry itself'],
    ],
    [
      'an unhandled rejection, which is no line of the log',
      'node:internal/process/promises:394\n',
      ['not of the log: node:internal/process/promises:394'],
    ],
  ];
  test.each(rows)('%s', (_name, output, found) => {
    expect(unexplainedIn(output, [100_000])).toEqual(found);
  });
});
