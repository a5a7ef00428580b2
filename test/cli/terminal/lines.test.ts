/** What the commands print, line by line, as somebody reads it who did not write it. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../docs/documents.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

const repo = 'acme/widget';

let house: House;
beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (const summary of ['It fails', 'It hangs']) tracker.as('alice').file({ summary, description: 'Always.' });
  });
});
afterEach(() => house.close());

const route = (change: Readonly<Record<string, unknown>>) =>
  void house.configure((config) => Object.assign(config.routes[0], change));
const linesOf = async (...args: readonly string[]) => {
  const { code, out } = await house.run(...args);
  return { code, lines: out.trimEnd().split('\n') };
};

test('a route that is well has four lines: how it stands, when it was looked at, and each side', async () => {
  await house.run('once');
  const seconds = String.raw`\d+ s ago \([^)]* UTC\)`;
  const side = `last read ${seconds}; last compared in full ${seconds}`;
  expect(await linesOf('status')).toEqual({
    code: 0,
    lines: [
      'widget  Widget <-> acme/widget  in step: 2 pairs',
      expect.stringMatching(`^  visibility: all mirrored bugs were confirmed public; the oldest check was ${seconds}$`),
      expect.stringMatching(`^  the tracker: ${side}$`),
      expect.stringMatching(`^  GitHub: ${side}$`),
    ],
  });
  expect(await house.run('status', '--route', 'widget')).toMatchObject({ code: 0 });
  expect(await house.run('status', '--route', 'gadget')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no route gadget; the configuration has widget.'),
  });
});

test.each([
  ['both', 'Widget <-> acme/widget'],
  ['to-github', 'Widget -> acme/widget'],
  ['to-tracker', 'Widget <- acme/widget'],
])('a route %s is shown with its direction by every command', async (direction, words) => {
  route({ direction });
  for (const command of ['plan', 'once', 'status', 'verify', 'audit'])
    expect([command, (await house.run(command)).out]).toEqual([
      command,
      expect.stringMatching(new RegExp(`(?:^|  |Route )\\w+  ${words}(?:  |$)`, 'mu')),
    ]);
});

test('issues that a one-way route leaves alone are one line in their order, and nothing waits for them', async () => {
  route({ direction: 'to-github' });
  for (let number = 1; number <= 12; number += 1)
    house.github.as('mona').open(repo, { title: `Own ${number}`, body: 'It is ours.' });
  await house.run('once');
  const left = `  left      ${repo}#1, ${repo}#2, ${repo}#3, and 9 more: the route is one-way (to-github)`;
  const { code, lines } = await linesOf('status');
  expect({ code, lines: lines.slice(0, 2), count: lines.length }).toEqual({
    ...{ code: 0, count: 5 },
    lines: ['widget  Widget -> acme/widget  in step: 2 pairs', left],
  });
  expect((await linesOf('plan')).lines).toEqual(['Route widget  Widget -> acme/widget', left, '  Nothing to write.']);
});

describe('a conflict', () => {
  beforeEach(async () => {
    route({ conflicts: 'ask' });
    await house.run('once');
    house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
    house.github.as('mona').edit(repo, 1, { title: 'It fails at night' });
  });

  test.each(['status', 'plan'])('is followed by the command that ends it: %s', async (command) => {
    const once = await house.run('once');
    const words = 'bugferry decide bug 1 --keep tracker (or github)';
    expect(once).toMatchObject({ code: 1, out: expect.stringContaining(`${words} decides a conflict.`) });
    const { code, lines } = await linesOf(command);
    const at = lines.findIndex((line) => /^ {2}conflict {2}bug 1 = acme\/widget#1: title is /u.test(line));
    expect([code, lines[at + 1]]).toEqual([1, `            ${words}, or make both sides equal`]);
  });
});

test('a bug that waits for its turn says how many come first, bugs and writes', async () => {
  for (let number = 3; number <= 9; number += 1) house.tracker.as('alice').file({ summary: `Bug ${number}` });
  house.configure((config) => {
    config.limits.github.createsPerMinute = 2;
    config.routes[0].direction = 'to-github';
  });
  await house.run('once');
  for (const [bug, before] of [
    [5, 4],
    [9, 8],
  ])
    expect((await house.run('explain', 'bug', String(bug))).out).toMatch(
      new RegExp(
        `it waits; ${before} others of its route come first\\n.*on GitHub\\); ${(before ?? 0) - 2} writes of its route`,
        'u',
      ),
    );
});

test('with one repository, an issue is named by its number alone, or by the name of the route or the repository', async () => {
  await house.run('once');
  const { out } = await house.run('explain', 'bug', '2');
  expect(out).toContain('bug 2 = acme/widget#2');
  for (const words of ['issue 2', 'issue #2', 'issue widget#2', 'widget#2'])
    expect([words, (await house.run('explain', ...words.split(' '))).out]).toEqual([words, out]);
  house.configure((config) => {
    const copy = {
      ...config.routes[0],
      name: 'gadget',
      tracker: { product: 'Gadget' },
      github: { repo: 'acme/gadget' },
    };
    config.routes.push({ ...copy, create: { component: 'Firmware' } });
  });
  expect(await house.run('explain', 'issue', 'widget#2')).toMatchObject({ out });
  expect(await house.run('explain', 'issue', '2')).toMatchObject({
    code: 2,
    err: expect.stringContaining('bugferry explain issue acme/widget#5'),
  });
});

test('no number stands before a plural that one thing would make wrong', async () => {
  const nouns =
    'bugs|issues|comments|files|pairs|writes|requests|mails|items|routes|labels|milestones|differences|cases|times|texts|values|operations';
  const byHand = new RegExp(String.raw`(?<!of )\$\{[^{}]+\} (?:${nouns})\b`, 'u');
  const files = globSync('src/{cli,explain}/**/*.ts', { cwd: root });
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line) =>
        byHand.test(line) && !/=== 1 \?|pairs\} bugs and issues/u.test(line) ? [`${file}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
  const { out } = await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'preview.html'));
  expect(out).toMatch(/2 bugs become issues of acme\/widget, with 0 comments/u);
  house.tracker.hide(2);
  expect((await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'preview.html'))).out).toMatch(
    /: 1 bug becomes an issue of acme\/widget, with 0 comments/u,
  );
});

test('no message sends its reader to a document that the package lacks', () => {
  const named = (text: string): readonly string[] =>
    text
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/\/|\/\*\*)/u.test(line) && /\bdocs\/[\w-]+\.md|\w\.md#/u.test(line));
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/sandbox/'));
  expect(files.flatMap((file) => named(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  expect(named("out('See docs/privacy.md.')\n// See docs/privacy.md.")).toHaveLength(1);
});
