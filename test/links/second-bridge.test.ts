import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';

/** I4 as an operator meets it: two bridges under one name stop before they do harm, and say which of them is to go. */
const repo = 'acme/widget';
let first: House;
let second: House;
let serial = 0;

const filled = (word: string) =>
  openHouse((tracker) => {
    for (let index = 1; index <= 4; index += 1)
      tracker.as('alice').file({ summary: `${word} ${index}`, description: `${word} words` });
  });

beforeEach(async () => {
  [first, second] = await Promise.all([filled('First'), filled('Second')]);
  second.configure((config) => {
    config.github.url = first.githubUrl;
    config.github.token = first.token;
  });
  for (let cycle = 0; cycle < 3; cycle += 1) expect(await first.run('once')).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await first.close();
  await second.close();
});

const lose = (): void => {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${first.state}${rest}`, { force: true });
};
const titles = (): readonly string[] => first.github.issues(repo).map(({ title }) => title);
const summaries = (house: House): readonly string[] => house.tracker.bugs().map(({ summary }) => summary);
const everything = () => [titles(), summaries(first), summaries(second), first.writes(), second.writes()];
const bodyOf = (number: number): string => first.github.issue(repo, number)?.body ?? '';

describe('a bridge of another tracker under the same name', () => {
  test.each(['once', 'plan', 'adopt', 'migrate --writer api'])(
    'is refused by %s before it writes anything',
    async (command) => {
      const before = everything();
      const { code, err } = await second.run(...command.split(' '));
      expect({ code, err }).toEqual({
        code: 3,
        err: expect.stringMatching(/acme\/widget#1 mirrors a bug of .* no pairs yet: give it another instance/u),
      });
      expect(err).not.toContain('--force');
      expect(everything()).toEqual(before);
    },
  );

  test('with another name, it has nothing to do with those issues', async () => {
    second.configure((config) => {
      config.github.url = first.githubUrl;
      config.github.token = first.token;
      config.instance = 'staging';
      config.routes[0].direction = 'to-github';
    });
    expect(await second.run('once')).toMatchObject({ code: 0 });
    expect(titles().slice(0, 4)).toEqual(summaries(first));
  });

  test('is noticed by the one that has pairs, which says that the other one has to go', async () => {
    const body = bodyOf(1).replace(first.trackerUrl, 'https://elsewhere.example.test');
    first.github.as('bugferry-bot').open(repo, { title: 'Of another tracker', body });
    const before = everything();
    expect(await first.run('once')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/#5 mirrors a bug of elsewhere\.example\.test,.* stop the other one/u),
    });
    expect(everything()).toEqual(before);
  });

  test('goes on being noticed after a sweep, and does not keep a hidden bug public', async () => {
    const body = bodyOf(1).replace(first.trackerUrl, 'https://elsewhere.example.test');
    first.github.as('bugferry-bot').open(repo, { title: 'Of another tracker', body });
    first.tracker.as('admin').change(2, { groups: { add: ['security'] } });
    expect(await first.run('once', '--sweep')).toMatchObject({ code: 3 });
    expect(await first.run('once')).toMatchObject({ code: 3 });
    expect(titles()[1]).toBe('Bug 2 is not public');
  });
});

describe('a bridge of another name on the same product', () => {
  const named = async (args = 'once') => {
    const ours = join(first.folder, 'bridge.yaml');
    const file = join(first.folder, 'other.yaml');
    writeFileSync(
      file,
      readFileSync(ours, 'utf8').replaceAll(first.state, join(first.folder, 'other.db')).replace('test', 'staging'),
    );
    return first.run(...args.split(' '), '--config', file);
  };
  const stops = { code: 3, err: expect.stringMatching(/mirrors bug \d for the bridge test, and this one, staging, /u) };

  test.each(['once', 'plan', 'adopt', 'migrate --writer api'])(
    'is refused by %s before it writes anything',
    async (command) => {
      const before = everything();
      expect(await named(command)).toMatchObject(stops);
      expect(everything()).toEqual(before);
    },
  );

  test('is refused, too, where people opened all issues', async () => {
    for (const { id } of first.tracker.bugs()) first.tracker.remove(id);
    first.github.as('mona').open(repo, { title: 'Opened', body: 'Words' });
    for (let cycle = 0; cycle < 2; cycle += 1) await first.run('once', '--force');
    const before = everything();
    expect(await named()).toMatchObject(stops);
    expect(everything()).toEqual(before);
  });
});

describe('no second bridge is', () => {
  test('an issue under which people wrote the line of another one, and which is left out', async () => {
    const body = bodyOf(1).replace('bugferry:1 test ', 'bugferry:1 other ');
    first.github.as('mona').open(repo, { title: 'Copied', body });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    expect(summaries(first)).not.toContain('Copied');
  });

  test('an issue in which people copied a body of ours, with its marker', async () => {
    const body = bodyOf(1).replace(first.trackerUrl, 'https://elsewhere.example.test');
    first.github.as('mona').open(repo, { title: 'Copied', body });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    expect(summaries(first)).toContain('Copied');
  });

  test('a tracker that got another address, where the state was lost', async () => {
    lose();
    first.configure((config) => {
      config.tracker.url = first.trackerUrl.replace('127.0.0.1', 'localhost');
    });
    const [before, since] = [[titles(), summaries(first)], first.github.requests.length];
    expect(await first.run('adopt')).toMatchObject({ code: 0, out: expect.stringContaining('4 pairs restored') });
    expect([titles(), summaries(first)]).toEqual(before);
    // Who wrote the bodies, which name the old address, is a question.
    const sent = first.github.requests.slice(since).filter(({ method }) => method !== 'GET');
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['/graphql']));
  });

  test('an issue in which a maintainer changed the number in the marker, where the state was lost', async () => {
    lose();
    first.github.as('mona').edit(repo, 3, { body: bodyOf(3).replace('bug=3', 'bug=4') });
    expect(await first.run('adopt')).toMatchObject({ code: 0, out: expect.stringContaining('4 pairs restored') });
    for (let cycle = 0; cycle < 3; cycle += 1) await first.run('once');
    expect(titles()).toEqual(summaries(first));
  });

  test.each(['', '** opened [bug 9](https://elsewhere.example.test/show_bug.cgi?id=9) on '])(
    'a bug whose reporter has a name like our line: %s',
    async (name) => {
      first.github.as('bugferry-bot').open(repo, { title: 'First 1', body: bodyOf(1).replace(/^\*\*/u, `**x${name}`) });
      expect(await first.run('once')).toMatchObject({ code: 0 });
      expect(titles()).toHaveLength(5);
    },
  );
});

describe('a bridge on a copy of the state', () => {
  const other = () => join(first.folder, 'other.yaml');
  const alice = () => first.tracker.as('alice');
  const byOther = (...args: readonly string[]) => first.run(...args, '--config', other());

  /** Somebody copies the folder. */
  const copied = async (): Promise<void> => {
    const state = join(first.folder, 'other.db');
    expect(await first.run('state', 'backup', state)).toMatchObject({ code: 0 });
    const config = JSON.parse(readFileSync(join(first.folder, 'bridge.yaml'), 'utf8'));
    writeFileSync(other(), JSON.stringify({ ...config, state }));
  };
  /** Stamps have whole seconds. */
  const later = () => pause(1_100);

  const deeds: Readonly<Record<string, () => void>> = {
    'files bugs': () => void alice().file({ summary: 'Third', description: 'More words' }),
    comments: () => void alice().comment(1, 'More words'),
    'opens issues': () => void first.github.as('mona').open(repo, { title: 'Third', body: 'More words' }),
    'comments on GitHub': () => void first.github.as('mona').comment(repo, 1, 'More words'),
  };

  /** The tracker shows an edit only once its bug changes. */
  const edited = (count: number): void => {
    serial += 1;
    first.tracker.editComment(first.tracker.commentsOf(1)[count]?.id ?? 0, `Other words ${serial}`);
    alice().change(1, { severity: serial % 2 === 0 ? 'major' : 'minor' });
  };
  const rewrites: Readonly<Record<string, () => void>> = {
    'edits a description': () => edited(0),
    'edits a comment': () => edited(1),
  };

  test.each(Object.entries(deeds))('stops as soon as that is sure, where somebody %s', async (_name, act) => {
    await copied();
    const words = () => [
      first.tracker.bugs().map(({ id, summary }) => [summary, first.tracker.commentsOf(id).length]),
      first.github.issues(repo).map(({ number, title }) => [title, first.github.commentsOf(repo, number).length]),
    ];
    act();
    await first.run('once');
    const before = words();
    await later();
    // This state may have been put back in the meantime, and the bridge goes on with it.
    expect(await byOther('once')).toMatchObject({ code: 0 });
    expect(words()).toEqual(before);
    await later();
    act();
    await first.run('once');
    const [then, writes] = [words(), first.writes()];
    for (const command of ['once', 'plan', 'once'])
      expect(await byOther(command)).toMatchObject({
        code: 3,
        err: expect.stringMatching(/second bridge with the instance test .* Stop one of the two.* bugferry adopt/u),
      });
    expect([words(), first.writes()]).toEqual([then, writes]);
    expect((await byOther('status')).out).toContain('a second bridge');
    expect(await byOther('adopt')).toMatchObject({ code: 0, out: expect.stringContaining('goes on') });
    await later();
    act();
    for (let cycle = 0; cycle < 2; cycle += 1) expect(await byOther('once')).toMatchObject({ code: 0 });
    expect(words()).not.toEqual(then);
    expect(await byOther('verify')).toMatchObject({ code: 0 });
  });

  test.each(Object.entries(rewrites))(
    'is noticed by what it writes over its copies, where somebody %s',
    async (_name, act) => {
      alice().comment(1, 'First comment');
      await first.run('once');
      await copied();
      const texts = () =>
        first.github.issues(repo).map(({ number, body }) => [body, first.github.commentsOf(repo, number)]);
      const said = () => first.tracker.bugs().map(({ id }) => first.tracker.commentsOf(id).map(({ text }) => text));
      for (const code of [0, 3]) {
        await later();
        act();
        for (let cycle = 0; cycle < 2; cycle += 1) expect(await first.run('once')).toMatchObject({ code: 0 });
        const before = [texts(), said()];
        expect(JSON.stringify(before[0])).toContain(`Other words ${serial}`);
        await later();
        expect(await byOther('once')).toMatchObject({ code });
        expect([texts(), said()]).toEqual(before);
      }
      expect((await byOther('status')).out).toContain('a second bridge');
    },
  );

  test('is none where one state is put back again and again', async () => {
    const backup = join(first.folder, 'backup.db');
    await first.run('state', 'backup', backup);
    for (let turn = 1; turn <= 3; turn += 1) {
      for (const act of Object.values(deeds)) act();
      for (let cycle = 0; cycle < 2; cycle += 1) expect(await first.run('once')).toMatchObject({ code: 0 });
      await later();
      expect(await first.run('state', 'restore', backup)).toMatchObject({ code: 0 });
      expect(await first.run('once')).toMatchObject({ code: 0 });
    }
    expect(first.tracker.bugs()).toHaveLength(4 + 6);
  });
});

test('a second issue of a bug is named as such, with the first one', async () => {
  first.github.as('bugferry-bot').open(repo, { title: 'First 1', body: bodyOf(1) });
  expect(await first.run('once')).toMatchObject({ code: 0 });
  expect((await first.run('status')).out).toContain('it is a second issue of bug 1, which is paired with issue 1');
  expect(summaries(first)).toHaveLength(4);
});

test('a second issue of a bug shows nothing of it once the bug is hidden', async () => {
  first.github.as('bugferry-bot').open(repo, { title: 'First 1', body: bodyOf(1) });
  await first.run('once');
  first.tracker.as('admin').change(1, { groups: { add: ['security'] } });
  await first.run('once');
  expect([titles()[0], titles()[4]]).toEqual(['Bug 1 is not public', 'Bug 1 is not public']);
  expect(bodyOf(5)).not.toContain('opened [bug 1]');
  first.tracker.as('admin').change(1, { groups: { remove: ['security'] } });
  for (let cycle = 0; cycle < 3; cycle += 1) await first.run('once');
  expect([titles()[0], titles()[4]]).toEqual(['First 1', 'Bug 1 goes on in another issue']);
  expect(bodyOf(5)).toContain('goes on in [acme/widget#1]');
});
