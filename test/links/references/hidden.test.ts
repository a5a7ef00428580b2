/** A copy that links to a bug or comment loses the link when its target is hidden, and has it again afterwards. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { backupState, restoreState } from '../../../src/store/backup.ts';
import { openStore } from '../../../src/store/open.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

const contextOf = (world: Stage, user: string) =>
  contextOn(world, widgetRoute, { limits: { ...testLimits, brakeShare: 1 }, user });

async function cycles(world: Stage, user: string, count = 3): Promise<number> {
  let planned = 0;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    planned += (await cycle(contextOf(world, user), { isForced: false })).plan.operations.length;
  }
  return planned;
}

/** A comparison of everything, and the cycles after it. */
async function compared(world: Stage, user: string): Promise<void> {
  world.clock.advance(61_000);
  await sweep(contextOf(world, user), { isForced: true });
  await cycles(world, user);
}

/** The words of an issue's body and comments that are no frame of ours. */
const wordsOn = (world: Stage, issue: number): string =>
  [world.github.issue(repo, issue)?.body ?? '', ...world.github.commentsOf(repo, issue).map(({ body }) => body)]
    .map((text) => text.split('\n\n')[1] ?? '')
    .join('\n')
    .replaceAll(/issuecomment-\d+/gu, 'issuecomment-N');

const folder = mkdtempSync(join(tmpdir(), 'bugferry-references-'));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

interface Kept extends Stage {
  readonly file: string;
}

const opened = (world: Stage, file: string): Kept => ({
  ...world,
  file,
  store: openStore(file, { mode: 'write', now: world.clock.now, scrub }),
});

const secret = { groups: { add: ['security'] } };
const open = { groups: { remove: ['security'] } };

async function scene(user: string): Promise<{ world: Kept; target: number; text: string }> {
  made += 1;
  const world = opened(stage(), join(folder, `${made}.db`));
  const alice = world.tracker.as('alice');
  const target = alice.file({ summary: 'One', description: 'The first.' });
  alice.comment(target, 'A comment of the first.');
  await cycles(world, user);
  const page = `${world.tracker.url}/show_bug.cgi?id=${target}`;
  const text = `Like bug ${target}, bug ${target} comment 1, ${page} and ${page}#c1.`;
  const bug = alice.file({ summary: 'Two', description: text });
  alice.comment(bug, text);
  await cycles(world, user);
  return { world, target, text };
}

const setPrivate = ({ tracker }: Stage, bug: number, isPrivate: boolean): void =>
  tracker.as('admin').change(bug, { comment_is_private: { [tracker.commentsOf(bug)[1]?.id ?? 0]: isPrivate } });

const linksOf = (words: string): readonly string[] => words.match(/https:\/\/github\.com[^)\s]*/gu) ?? [];

describe.each(['bridge', 'bridge-insider'])('copies that link to what is hidden later, for %s', (user) => {
  test('a bug', async () => {
    const { world, target, text } = await scene(user);
    const shown = wordsOn(world, 2);
    expect(linksOf(shown)).toHaveLength(8);
    world.tracker.as('alice').change(target, secret);
    await cycles(world, user);
    await compared(world, user);
    expect(linksOf(wordsOn(world, 2))).toEqual([]);
    expect(wordsOn(world, 2)).toContain(text.slice(0, 20));
    expect(await cycles(world, user)).toBe(0);
    world.tracker.as('alice').change(target, open);
    await cycles(world, user);
    await compared(world, user);
    expect(wordsOn(world, 2)).toBe(shown);
    expect(await cycles(world, user)).toBe(0);
  });

  test('a comment', async () => {
    const { world, target } = await scene(user);
    const shown = wordsOn(world, 2);
    setPrivate(world, target, true);
    await cycles(world, user);
    await compared(world, user);
    const links = linksOf(wordsOn(world, 2));
    expect(links.filter((each) => each.includes('#'))).toEqual([]);
    expect(links).toHaveLength(4);
    setPrivate(world, target, false);
    await cycles(world, user);
    await compared(world, user);
    expect(wordsOn(world, 2)).toBe(shown);
  });

  test('a bug, before a state was lost', async () => {
    const { world, target } = await scene(user);
    world.tracker.as('alice').change(target, secret);
    const anew = opened(world, `${world.file}.new`);
    await cycles(anew, user, 5);
    await compared(anew, user);
    expect(linksOf(wordsOn(world, 2))).toEqual([]);
    expect(await cycles(anew, user)).toBe(0);
  });

  test('a bug, before an older state came back', async () => {
    const { world, target } = await scene(user);
    await backupState(world.file, `${world.file}.backup`);
    world.tracker.as('alice').change(target, secret);
    await cycles(world, user);
    world.store.close();
    await restoreState(world.file, `${world.file}.backup`, world.clock.now());
    const older = opened(world, world.file);
    await cycles(older, user);
    await compared(older, user);
    expect(linksOf(wordsOn(older, 2))).toEqual([]);
    expect(await cycles(older, user)).toBe(0);
  });
});

test('the bug of an issue that people opened', async () => {
  const world = stage();
  const issue = world.github.as('mona').open(repo, { title: 'One', body: 'The first.' });
  await cycles(world, 'bridge-insider');
  world.tracker.as('alice').file({ summary: 'Two', description: 'Like bug 1.' });
  await cycles(world, 'bridge-insider');
  expect(linksOf(wordsOn(world, 2))).toEqual([expect.stringContaining(`/issues/${issue}`)]);
  world.tracker.as('alice').change(1, secret);
  await cycles(world, 'bridge-insider');
  await compared(world, 'bridge-insider');
  expect(linksOf(wordsOn(world, 2))).toEqual([]);
});
