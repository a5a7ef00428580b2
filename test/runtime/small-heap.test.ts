import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Case, testCases } from '../support/faults/scenarios.ts';

/** A program that held much for a moment, and goes on without it: how much of that it still has, in memory of the machine. */
const program = (src: string): string => `
  const { keepHeapSmall } = await import(${JSON.stringify(`${src}/cli/small-heap.ts`)});
  keepHeapSmall();
  const held = () => process.memoryUsage().rss;
  const fill = (count) => Array.from({ length: count }, (_, index) => ({ index, text: 'x' + index, more: [index, {}] }));
  const before = held();
  let much = fill(400_000);
  const full = held();
  much = null;
  for (let turn = 0; turn < 20; turn += 1) {
    fill(100_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log((held() - before) / (full - before));`;

async function isGivenBack(src: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program(src)]);
  // Measured are 0.3, and around 2 while the pages are kept.
  return Number(stdout) < 0.7;
}

const cases: readonly Case[] = [
  {
    name: 'emptied pages are kept',
    ...{ file: 'cli/small-heap.ts', from: ", '--optimize-for-size'", to: '' },
    ...{ scenario: isGivenBack, right: true },
  },
];

testCases(cases);
