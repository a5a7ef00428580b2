import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { table } from './support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const bench = (...args: readonly string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: Ended) => failure,
  );

describe('npm run bench', () => {
  test('prints a table, and writes the same numbers to a file', async () => {
    const file = join(folder, 'bench.json');
    const { code, stdout, stderr } = await bench('read', '--bugs', '40', '--json', file);
    expect([code, stderr]).toEqual([0, '']);
    const { read } = JSON.parse(readFileSync(file, 'utf8'));
    expect(read.map(({ name }: { name: string }) => name)).toEqual([
      'all',
      '1 % changed',
      'all, 100 a page',
      '1 % changed, 100 a page',
    ]);
    expect(read[0].numbers).toMatchObject({ bugs: 40, requestsPerBug: read[0].numbers.requests / 40 });
    expect(stdout).toBe(`read\n\n${table(read)}\n`);
  });

  test('tells by --help what is measured', async () => {
    const { code, stdout } = await bench('--help');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}read\n {4}The public client reads all bugs/mu)]);
  });

  test.each([
    [['write'], 'There is no benchmark "write"'],
    [['all', 'read', '--write-docs'], 'The page is from one run'],
    [['--write-docs'], 'The page is from one run'],
    [['peers', '--tracker', 'http://127.0.0.1:1'], '--tracker and --key go together'],
    [['read', '--tracker', 'http://127.0.0.1:1', '--key', 'K'], '--tracker goes with "peers"'],
    [['size', 'read'], '"size" takes hours'],
    [['size', '--bugs', '52001'], '--bugs takes a number from 1 to 52000'],
    [['--bugs', '20001'], '--bugs takes a number from 1 to 20000'],
    [['read', '--bugs', '1', '--json', join(folder, 'missing', 'bench.json')], 'missing/bench.json'],
  ])('%j ends with 1 and says why', async (args, complaint) => {
    expect(await bench(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(complaint) });
  });
});

describe('the table', () => {
  test('has a column for each thing that was measured, and digits that tell something', () => {
    const measured = [
      { name: 'all', numbers: { bugs: 20_000, requestsPerBug: 0.01834, ratio: 2 / 1.5 } },
      { name: 'few', numbers: { bugs: 6, requestsPerBug: 0.5, bytesPerBug: 2789.4 } },
    ];
    expect(table(measured).split('\n')).toEqual([
      '                      all     few',
      'bugs               20,000       6',
      'requests per bug    0.018    0.50',
      'ratio                1.33',
      'bytes per bug               2,789',
    ]);
  });

  test('has a line for each of many things', () => {
    const measured = Array.from({ length: 11 }, (_, nth) => ({ name: `thing ${nth}`, numbers: { size: nth } }));
    const lines = table(measured).split('\n');
    expect([lines.length, lines[0]?.trim(), lines[11]]).toEqual([12, 'size', 'thing 10     10']);
  });
});
