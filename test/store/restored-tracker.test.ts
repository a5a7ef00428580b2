import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saidNothing } from '../simulation/restores/crowd.ts';
import { dumpOf, loadDump } from '../simulation/restores/tracker-dump.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/** I4 as an operator meets it: the tracker comes back from its dump, and gives numbers again. */
const repo = 'acme/widget';
let house: House;
let goBack: () => void;

async function mirrored(direction: string, more: object = {}): Promise<void> {
  house.configure((config) => {
    Object.assign(config.routes[0], { direction, ...more });
  });
  for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
  const said = saidNothing();
  const dump = dumpOf(house.tracker, said);
  goBack = () => loadDump(house.tracker, dump, said);
  house.tracker.as('alice').file({ summary: 'Since the dump', description: 'It fails.' });
  house.github.as('mona').open(repo, { title: 'Since the dump, too', body: 'Steps' });
  for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
}

beforeEach(async () => {
  house = await openHouse((tracker) => {
    for (let number = 1; number <= 3; number += 1)
      tracker.as('alice').file({ summary: `Bug ${number}`, description: 'It fails.' });
  });
  house.github.allow(repo, 'bugferry-bot', 'admin');
});
afterEach(() => house.close());

const everything = () => [
  house.tracker.bugs().map(({ id, summary, status }) => [id, summary, status]),
  house.github.issues(repo).map(({ number, title, state }) => [number, title, state]),
  house.writes(),
];

const commands = [
  'plan',
  'once',
  'once --sweep',
  'migrate',
  'migrate --writer api',
  'migrate --dry-run',
  'cutover --yes comment',
];

test.each(['both', 'to-github', 'to-tracker'])(
  'every command stops before it writes, until a person lets go of the pairs (%s)',
  async (direction) => {
    await mirrored(direction);
    goBack();
    await pause(2_100);
    house.tracker.as('bob').file({ summary: 'Another one', description: 'It fails.' });
    const before = everything();
    for (const command of commands)
      expect(await house.run(...command.split(' '))).toMatchObject({
        code: 3,
        err: expect.stringMatching(/bug 4 is not the one .* Nothing was written\. .* run bugferry once --force/u),
      });
    expect(everything()).toEqual(before);
    expect(await house.run('once', '--force')).toMatchObject({ code: 0 });
    for (let cycle = 0; cycle < 3; cycle += 1) expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(house.tracker.bugs().map(({ summary }) => summary)).toEqual(['Bug 1', 'Bug 2', 'Bug 3', 'Another one']);
    const titles = house.github.issues(repo).map(({ title }) => title);
    expect(titles.filter((title) => title === 'Another one')).toHaveLength(direction === 'to-tracker' ? 0 : 1);
    expect(new Set(titles).size).toBe(titles.length);
    expect((await house.run('status')).out).not.toContain('in doubt');
  },
);

test.each([
  ['an issue that is filed then', () => void house.github.as('mona').open(repo, { title: 'After it', body: 'Steps' })],
  ['a title of GitHub', () => void house.github.as('mona').edit(repo, 1, { title: 'Bug 1, after it' })],
  ['a comment on GitHub', () => void house.github.as('mona').comment(repo, 1, 'After it')],
  ['a dependency', () => void house.tracker.as('alice').change(1, { depends_on: { add: [2] } })],
])('%s is carried over once after the tracker came back', async (_name, act) => {
  await mirrored('both', { dependencies: true });
  goBack();
  act();
  const before = everything();
  // A dry run of a migration writes nothing anyway, and asks for no mirrored bug.
  for (const command of commands.filter((each) => !each.includes('dry-run')))
    expect({ command, ...(await house.run(...command.split(' '))) }).toMatchObject({
      command,
      code: 3,
      err: expect.stringMatching(/bug 5 and bug 4, the newest .* Nothing was written\. .* run bugferry once --force/u),
    });
  expect(everything()).toEqual(before);
  expect((await house.run('once', '--force')).code).toBeLessThan(2);
  for (let cycle = 0; cycle < 4; cycle += 1)
    expect((await house.run('once', ...(cycle === 2 ? ['--sweep'] : []))).code).toBeLessThan(2);
  const summaries = house.tracker.bugs().map(({ summary }) => summary);
  expect(new Set(summaries).size).toBe(summaries.length);
  const said = house.tracker
    .bugs()
    .flatMap(({ id, summary }) => [summary, ...house.tracker.commentsOf(id).map(({ text }) => text)]);
  const issue = house.github.issue(repo, 1);
  expect(said.filter((text) => text.includes('fter it')).length + (issue?.blockedBy.length ?? 0)).toBe(1);
  expect((await house.run('status')).out).not.toContain('in doubt');
});
