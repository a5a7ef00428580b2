/** A fault of ours on one bug costs that bug, whatever the command: the others go on, and the command names it (I11). */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type House, openHouse, runHere } from '../support/bugferry.ts';
import { plant } from '../support/plant.ts';

const repo = 'acme/widget';
let house: House | null = null;
afterEach(() => house?.close());

const fails = (item: string): string => `if (JSON.stringify(${item}).includes('Poison')) throw new TypeError(${item});`;

/** Three bugs, and what a command from source with this fault says of them. */
async function runWith(
  fault: { file: string; from: string; item: string },
  args: readonly string[],
  isMirrored: boolean,
) {
  house = await openHouse((tracker) => {
    const alice = tracker.as('alice');
    for (const summary of ['One', 'Poison', 'Three']) alice.file({ summary, description: `${summary} fails.` });
  });
  house.github.allow(repo, 'bugferry-bot', 'admin');
  if (isMirrored) for (let turn = 0; turn < 2; turn += 1) await house.run('once');
  const { file, from, item } = fault;
  const folder = plant({ file, from, to: `${from}\n${fails(item)}` });
  const { runCommand } = (await import(join(folder, 'cli/program.ts'))) as typeof import('../../src/cli/program.ts');
  const { code, out, err } = await runHere([...args, '--config', join(house.folder, 'bridge.yaml')], runCommand);
  return { house, code, output: out + err };
}

const title = (bug: number): string => ['One', 'Poison', 'Three'][bug - 1] ?? '';

const inPlan = { file: 'rules/plan/create.ts', from: '  const { status, ...expressed } = source;', item: 'bug' };
const inRead = {
  file: 'sync/observe/observe-items.ts',
  from: '  const side = sideOf(item);\n  const ref = refOf(item);',
  item: 'item',
};

test.each([
  ['imports the others when it cannot plan a bug', inPlan, []],
  ['imports the others when it cannot read a bug', inRead, []],
  ['keeps the numbers of the others when it cannot plan a bug', inPlan, ['--numbers', 'keep']],
  ['files the others when it cannot plan a bug', inPlan, ['--writer', 'api']],
] as const)('migrate %s', async (_name, fault, options) => {
  const { house: at, code, output } = await runWith(fault, ['migrate', '--no-verify', ...options], false);
  const issues = at.github.issues(repo);
  const titles = issues.map((issue) => issue.title);
  expect(titles, output).toEqual(expect.arrayContaining([title(1), title(3)]));
  if (options[0] === '--numbers') {
    // The number of the other one is held, and a later plan, of an update, fills its issue.
    for (const bug of [1, 2, 3]) expect(issues.find(({ number }) => number === bug)?.title).toBe(title(bug));
    return;
  }
  expect(titles).not.toContain('Poison');
  expect(code, output).toBe(1);
  expect((await at.run('status')).out).toContain('bug 2');
});

test.each([
  [
    'the pair',
    { file: 'verify/compare/pair.ts', from: 'export function comparePair(pair: Pair): Findings {', item: 'pair.bug' },
  ],
  [
    'the description',
    { file: 'verify/compare/seen-text.ts', from: '  const marker = parseGithubMarker(instance, body);', item: 'body' },
  ],
])('verify compares the others when it fails on %s', async (_what, fault) => {
  const { code, output } = await runWith(fault, ['verify'], true);
  expect(output).toMatch(/bug 2.*bugferry failed on it: TypeError at/su);
  expect(output).not.toMatch(/Poison/u);
  expect(code).toBe(2);
});

test('archive writes the others when it fails on the page of a bug', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fault = {
    file: 'archive/bug-page.ts',
    from: '  const references = referencesOf(record, root, around);',
    item: 'record',
  };
  const { code, output } = await runWith(fault, ['archive', folder], false);
  expect(output).toMatch(/bug 2.*bugferry failed on it/su);
  expect(code).toBe(1);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toContain('Poison');
});
