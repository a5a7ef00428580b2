import { describe, expect, test } from 'vitest';
import { growthIn, type Sample } from './gauge.ts';
import { unexplainedIn } from './log-lines.ts';
import { soak } from './soak.ts';
import { judged } from './visitor.ts';

/** I1, I3 and I4 over time. `npm run soak -- --minutes 60` is the same for longer. */
test('half a minute of people, faults and restarts ends in step, without a leak and without an unexplained word', async () => {
  const said: string[] = [];
  const soaked = await soak({ busyMs: 20_000, seed: 11, restarts: 2, report: (line) => said.push(line) });
  expect(soaked.complaints, said.join('\n')).toEqual([]);
  expect(soaked.acts).toBeGreaterThan(10);
  expect(soaked.faults).toBeGreaterThan(0);
  expect(soaked.hooks).toBeGreaterThan(3);
  expect(soaked.pages).toBeGreaterThan(3);
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

  const gauges = (inStep: number, outbox: Record<string, number>, attention = 0) =>
    [
      `bugferry_in_step{route="widget"} ${inStep}`,
      'bugferry_waiting_links{route="widget"} 0',
      ...Object.entries(outbox).map(([state, count]) => `bugferry_outbox{route="widget",state="${state}"} ${count}`),
      `bugferry_attention{route="widget"} ${attention}`,
    ].join('\n');
  test.each<[string, string, readonly string[]]>([
    ['nothing where all is in step', gauges(1, { planned: 0 }), []],
    [
      'a bridge that says it is not in step for no reason',
      gauges(0, { planned: 0 }),
      ['bugferry_in_step{route="widget"} 0'],
    ],
    ['what waits', gauges(1, { sent: 1 }), ['bugferry_outbox{route="widget",state="sent"} 1']],
    [
      'what waits beside something for a person',
      gauges(0, { planned: 1 }, 1),
      ['bugferry_outbox{route="widget",state="planned"} 1'],
    ],
    ['nothing where only a person can go on', gauges(0, { planned: 0, parked: 1 }), []],
    [
      'a bridge that says it is in step and needs a person',
      gauges(1, { parked: 1 }),
      ['bugferry_in_step{route="widget"} 1'],
    ],
    ['a bridge that says nothing', '', ['nothing of the route']],
  ])('%s', (_name, metrics, wrong) => {
    expect(judged(metrics).wrong).toEqual(wrong);
  });

  const line = (level: number, time: number, msg: string) => `${JSON.stringify({ level, time, msg })}\n`;
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['a warning long before any fault', line(40, 1_000, 'slow'), ['slow']],
    ['no warning in the wake of a fault', line(40, 100_500, 'slow'), []],
    ['no line of information', line(30, 1_000, 'started'), []],
    [
      'a fault of our own, whenever it comes',
      line(50, 100_500, 'this is a bug in bugferry'),
      ['this is a bug in bugferry'],
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
