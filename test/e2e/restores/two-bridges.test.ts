import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pause } from '../process.ts';
import { type Bridge, openBridge, repo } from './bridge.ts';

/**
 * M4, L2 and L3 at the built program: two bridges of one name stop before they do harm, a second issue of a bug is named
 * as such, and no marker that a maintainer changed pairs what does not belong together.
 */
let first: Bridge;
let second: Bridge;

const filled = (word: string) =>
  openBridge((tracker) => {
    for (let index = 1; index <= 4; index += 1)
      tracker.as('alice').file({ summary: `${word} ${index}`, description: `${word} words` });
  });

beforeEach(async () => {
  [first, second] = await Promise.all([filled('First'), filled('Second')]);
  configureSecond({});
  await first.settled();
});
afterEach(async () => {
  await first.close();
  await second.close();
});

function configureSecond(change: object): void {
  second.configure((config) => {
    Object.assign(config.github, { url: first.githubUrl, token: first.token });
    config.limits.brakeShare = 1;
    config.schedule = { poll: '* * * * * *', sweep: '*/4 * * * * *' };
    Object.assign(config, change);
  });
}

const titles = (): readonly string[] => first.github.issues(repo).map(({ title }) => title);
const summaries = ({ tracker }: Bridge): readonly string[] => tracker.bugs().map(({ summary }) => summary);
const everything = () => [titles(), summaries(first), summaries(second), first.writes(), second.writes()];
const bodyOf = (number: number): string => first.github.issue(repo, number)?.body ?? '';

describe('a bridge of another tracker under the same name', () => {
  const says =
    /acme\/widget#\d mirrors a bug of .*(give it another instance|another instance and another repository)/su;

  test.each([['once'], ['once --sweep'], ['once --force'], ['adopt'], ['migrate'], ['cutover --yes comment,close']])(
    '%s',
    async (command) => {
      const before = everything();
      const { code, out } = await second.bugferry(...command.split(' '));
      expect([code, out]).toEqual([3, expect.stringMatching(says)]);
      expect(everything()).toEqual(before);
    },
  );

  test('a daemon, also after its own tracker gets a bug', async () => {
    const before = everything();
    const daemon = second.begin('run');
    for (let tries = 0; tries < 600 && !says.test(daemon.output()); tries += 1) await pause(50);
    second.tracker.as('alice').change(1, { severity: 'major' });
    await pause(3_000);
    expect([says.test(daemon.output()), everything()]).toEqual([true, before]);
    expect(await daemon.end('SIGTERM')).toBe(0);
  });
});

describe('a bridge on a copied state', () => {
  test.each(['restored', 'put back', 'killed'] as const)('the first one goes on, its own state %s', async (way) => {
    await first.backUp();
    const other = join(first.folder, 'other.yaml');
    const config = JSON.parse(readFileSync(join(first.folder, 'bridge.yaml'), 'utf8'));
    writeFileSync(other, JSON.stringify({ ...config, state: join(first.folder, 'copy.db') }));
    expect(await first.bugferry('state', 'backup', join(first.folder, 'copy.db'))).toMatchObject({ code: 0 });
    await first.comesBack(way);
    const codes: (number | null)[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      first.tracker.as('alice').file({ summary: `New ${turn}`, description: 'It fails.' });
      await first.turns(1);
      await pause(1_100);
      codes.push((await first.bugferry('once', '--config', other)).code);
    }
    expect(codes.at(-1)).toBe(3);
    expect(titles().toSorted()).toEqual(summaries(first).toSorted());
    expect(new Set(titles()).size).toBe(titles().length);
  });
});

/** What a maintainer does to the text of issue 3, or another one. */
const markers: Readonly<Record<string, (edit: (issue: number, from: RegExp, to: string) => void) => void>> = {
  'the number of another bug': (edit) => edit(3, /bug=3/u, 'bug=4'),
  'the number of a bug that does not exist': (edit) => edit(3, /bug=3/u, 'bug=77'),
  'two numbers exchanged': (edit) => {
    edit(3, /bug=3/u, 'bug=4');
    edit(4, /bug=4/u, 'bug=3');
  },
  'no marker': (edit) => edit(3, /<!-- bugferry.*-->/u, ''),
  'the marker twice': (edit) => edit(3, /(<!-- bugferry.*-->)/u, '$1\n\n<!-- bugferry:1 test bug=1 -->'),
  'another name': (edit) => edit(3, /bugferry:1 test /u, 'bugferry:1 staging '),
};

describe.each(['lost', 'adopted', 'restored'] as const)('a marker that was changed, and a state that is %s', (way) => {
  test.each(Object.entries(markers))('%s', async (_name, act) => {
    await first.backUp();
    first.tracker.as('alice').comment(3, 'Said since.');
    await first.settled();
    act((issue, from, to) => first.github.as('mona').edit(repo, issue, { body: bodyOf(issue).replace(from, to) }));
    await pause(1_100);
    await first.comesBack(way);
    await first.settled();
    expect(titles()).toEqual(['First 1', 'First 2', 'First 3', 'First 4']);
    expect(summaries(first)).toEqual(titles());
    first.tracker.as('alice').change(3, { summary: 'Third' });
    await first.settled();
    expect([titles()[2], titles()[3], summaries(first)[2], summaries(first)[3]]).toEqual([
      'Third',
      'First 4',
      'Third',
      'First 4',
    ]);
  });
});

describe.each(['restored', 'put back', 'lost', 'adopted', 'killed'] as const)('a second issue, the state %s', (way) => {
  test('is named as such, and shows nothing of a hidden bug', async () => {
    await first.backUp();
    first.github.as('bugferry-bot').open(repo, { title: 'First 1', body: bodyOf(1) });
    await first.turns(2);
    await first.comesBack(way);
    await first.settled();
    const { out } = await first.bugferry('status');
    expect(out).toMatch(/it is a second issue of bug 1, which is paired with issue 1\b/u);
    expect(summaries(first)).toHaveLength(4);
    first.tracker.hide(1);
    await first.settled();
    expect([titles()[0], titles()[4]]).toEqual(['Bug 1 is not public', 'Bug 1 is not public']);
    expect(`${bodyOf(1)} ${bodyOf(5)}`).not.toContain('First words');
  });
});
