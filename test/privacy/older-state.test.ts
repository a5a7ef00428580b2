/** A state that is older than what GitHub shows: a withdrawal that it does not know is one all the same (I9). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isExposed } from '../../src/model/reports/audit.ts';
import type { Route } from '../../src/model/route.ts';
import { unwatched } from '../../src/model/runtime.ts';
import { backupState, restoreState } from '../../src/store/backup.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { audit } from '../../src/sync/withdraw/list-published.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

const route: Route = { ...widgetRoute, attachments: branchRule, assignee: true, visibilityCheck: 'anonymous' };
const folder = mkdtempSync(join(tmpdir(), 'older-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

interface Play {
  readonly world: Stage;
  readonly file: string;
  readonly on: Route;
}

const opened = (file: string, world: Stage): Stage => ({
  ...world,
  store: openStore(file, { mode: 'write', now: world.clock.now, scrub }),
});

async function cycles({ world, on }: Pick<Play, 'world' | 'on'>, count = 5, turn: typeof cycle = cycle): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, on, { limits: { ...testLimits, brakeShare: 1 } }), { isForced: false });
  }
}

/** What people see on both sides; a copy that was made again has another number. */
const shown = ({ tracker, github }: Stage): unknown => ({
  bugs: tracker
    .bugs()
    .map(({ id, summary, status, resolution, severity }) => [id, summary, status, resolution, severity]),
  said: tracker.bugs().map(({ id }) => tracker.commentsOf(id).map(({ text }) => text)),
  issues: github.issues(repo).map(({ number, title, body, state, labels, isLocked }) => {
    const words = github.commentsOf(repo, number).map((comment) => comment.body);
    return { number, title, body, state, labels: labels.toSorted(), isLocked, words };
  }),
  files: [...github.files(repo, 'attachments').keys()],
});

/** Bug 1 began on the tracker, with a file and a long comment; bug 2 on GitHub, unless the route takes no issues. */
async function mirrored(on: Route = route): Promise<Play> {
  files += 1;
  const file = join(folder, `${files}.db`);
  const world = opened(file, stage());
  const alice = world.tracker.as('alice');
  const bug = alice.file({ summary: 'Canary title', description: 'Canary description', severity: 'major' });
  alice.comment(bug, 'Canary comment');
  alice.comment(bug, 'a_b* '.repeat(12_000));
  alice.attach(bug, { bytes: new Uint8Array([1, 2, 3]), file_name: 'canary.log', summary: 'The log' });
  if (on.direction === 'both') world.github.as('mona').open(repo, { title: 'It crashes', body: 'When I click.' });
  await cycles({ world, on });
  if (on.direction === 'both') alice.comment(2, 'Canary answer');
  await cycles({ world, on }, 2);
  return { world, file, on };
}

async function backup({ file }: Play): Promise<string> {
  const target = `${file}.backup`;
  await backupState(file, target);
  return target;
}

async function restored({ world, file, on }: Play, source: string): Promise<Play> {
  world.store.close();
  await restoreState(file, source, world.clock.now());
  return { world: opened(file, world), file, on };
}

const all = ({ tracker }: Stage): readonly number[] => tracker.bugs().map(({ id }) => id);
const hide = ({ world }: Play): void => {
  for (const id of all(world)) world.tracker.hide(id);
};
const unhide = ({ world }: Play): void => {
  for (const id of all(world)) world.tracker.unhide(id);
};

async function exposed({ world, on }: Play): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const pair of audit({ route: on, store: world.store, watch: unwatched, against: null }))
    if (isExposed(pair)) found.push(Number(pair.bug));
  return found;
}

const toGithub: Route = { ...route, direction: 'to-github' };
const unchecked: Route = { ...route, visibilityCheck: 'none' };

describe.each([
  ['both ways', route],
  ['to GitHub', toGithub],
  ['without a visibility check', unchecked],
])('%s: a bug that was withdrawn after the backup', (_name, on) => {
  test.each(['before', 'after'])('is on both sides as it was, if it is public again %s the restore', async (when) => {
    const play = await mirrored(on);
    const [before, source] = [shown(play.world), await backup(play)];
    hide(play);
    await cycles(play);
    if (when === 'before') unhide(play);
    const now = await restored(play, source);
    if (when === 'after') await cycles(now, 3);
    if (when === 'after') expect(await exposed(now)).toEqual([]);
    if (when === 'after') unhide(now);
    await cycles(now, 8);
    expect(shown(now.world)).toEqual(before);
    const writes = now.world.github.requests.filter(({ method }) => method !== 'GET').length;
    await cycles(now, 3);
    expect(now.world.github.requests.filter(({ method }) => method !== 'GET').length).toBe(writes);
  });

  test('is on both sides as it was, if the state is lost', async () => {
    const play = await mirrored(on);
    const before = shown(play.world);
    hide(play);
    await cycles(play);
    unhide(play);
    const lost = { ...play, world: opened(':memory:', play.world) };
    await cycles(lost, 8);
    expect(shown(lost.world)).toEqual(before);
  });
});

test('a process that dies in the first cycle after the restore leaves the next one as wise', async () => {
  const play = await mirrored();
  const [before, source] = [shown(play.world), await backup(play)];
  hide(play);
  await cycles(play);
  unhide(play);
  const now = await restored(play, source);
  now.world.between = (side, method, when) => {
    if (side === 'github' && method === 'threads' && when === 'before')
      throw Object.assign(new Error('it dies'), { name: 'AbortError' });
  };
  await expect(cycles(now, 1)).rejects.toThrow('it dies');
  now.world.between = () => undefined;
  await cycles(now, 8);
  expect(shown(now.world)).toEqual(before);
});

test('a backup of while it was withdrawn does not undo what people did since it is public', async () => {
  const play = await mirrored();
  hide(play);
  await cycles(play);
  const source = await backup(play);
  unhide(play);
  await cycles(play, 8);
  const now = await restored(play, source);
  const { github, tracker } = now.world;
  const issue = github.issues(repo).find(({ title }) => title === 'Canary title')?.number ?? 0;
  now.world.clock.advance(61_000);
  github.as('mona').edit(repo, issue, { title: 'Renamed on GitHub' });
  await cycles(now, 8);
  expect(tracker.bug(1)?.summary).toBe('Renamed on GitHub');
  expect([github.issue(repo, issue)?.isLocked, github.commentsOf(repo, issue).length]).toEqual([false, 4]);
});

test('a bug that is hidden, public and hidden again around the backup is withdrawn, and returns', async () => {
  const play = await mirrored();
  const before = shown(play.world);
  hide(play);
  await cycles(play);
  const source = await backup(play);
  unhide(play);
  await cycles(play, 8);
  hide(play);
  const now = await restored(play, source);
  await cycles(now, 4);
  expect(now.world.github.issues(repo).map(({ title }) => title)).not.toContain('Canary title');
  expect(now.world.github.issues(repo).flatMap(({ number }) => now.world.github.commentsOf(repo, number))).toEqual([]);
  expect(await exposed(now)).toEqual([]);
  unhide(now);
  await cycles(now, 8);
  expect(shown(now.world)).toEqual(before);
});

test.each([
  ['within minutes', 0],
  ['hours later', 60],
] as const)(
  'a title that the bridge wrote after the backup goes from an issue of people: hidden %s',
  async (_w, waits) => {
    const play = await mirrored();
    const source = await backup(play);
    play.world.tracker.as('alice').change(2, { summary: 'Canary title of the tracker' });
    await cycles(play);
    expect(play.world.github.issue(repo, 1)?.title).toBe('Canary title of the tracker');
    const back = await restored(play, source);
    await cycles(back, 2 + waits);
    back.world.tracker.hide(2);
    await cycles(back, 3);
    expect(back.world.github.issue(repo, 1)?.title).toBe('Bug 2 is not public');
    back.world.tracker.unhide(2);
    await cycles(back);
    expect(back.world.github.issue(repo, 1)?.title).toBe('Canary title of the tracker');
  },
);

test('a title that people gave a withdrawn issue does not cross', async () => {
  const play = await mirrored();
  const [before, source] = [shown(play.world), await backup(play)];
  hide(play);
  await cycles(play);
  const issue = play.world.github.issues(repo).find(({ title }) => title === 'Bug 1 is not public')?.number ?? 0;
  play.world.github.as('mona').edit(repo, issue, { title: 'What was here?' });
  unhide(play);
  const now = await restored(play, source);
  await cycles(now, 8);
  expect(shown(now.world)).toEqual(before);
});

describe('people who copy our words', () => {
  const neutral = 'This text was withdrawn because its original is not public.\n\n<!-- bugferry:1 acme bug=2 -->';
  const plain = 'Words.\n\n---\n*Mirrored as bug 2, which is not public.*\n\n<!-- bugferry:1 acme bug=2 -->';

  test.each([neutral, plain])('withdraw nothing by that, and their closing crosses', async (body) => {
    const play = await mirrored();
    const issue = play.world.github.issues(repo).find(({ title }) => title === 'It crashes')?.number ?? 0;
    play.world.github.as('mona').edit(repo, issue, { body });
    play.world.github.as('mona').close(repo, issue);
    await cycles(play, 4);
    expect(play.world.tracker.bug(2)).toMatchObject({ summary: 'It crashes', status: 'RESOLVED', resolution: 'FIXED' });
    expect(
      play.world.github
        .commentsOf(repo, issue)
        .map((comment) => comment.body)
        .join(),
    ).toContain('Canary answer');
  });

  test('keep a new issue of theirs, which gets a bug of its own', async () => {
    const play = await mirrored();
    play.world.github.as('mona').open(repo, { title: 'Bug 1 is not public', body: neutral });
    await cycles(play, 4);
    expect(play.world.tracker.bug(3)?.summary).toBe('Bug 1 is not public');
    expect(play.world.tracker.bug(1)?.summary).toBe('Canary title');
  });
});

test('the neutral title is nobody’s edit, whoever gave it', async () => {
  const play = await mirrored();
  const issue = play.world.github.issues(repo).find(({ title }) => title === 'Canary title')?.number ?? 0;
  play.world.github.as('mona').edit(repo, issue, { title: 'Bug 1 is not public' });
  await cycles(play, 3);
  expect([play.world.tracker.bug(1)?.summary, play.world.github.issue(repo, issue)?.title]).toEqual([
    'Canary title',
    'Canary title',
  ]);
});

test('a private description of a public bug is no withdrawal: what people do meanwhile crosses', async () => {
  const play = await mirrored();
  const { tracker, github } = play.world;
  const first = tracker.commentsOf(1)[0]?.id ?? 0;
  tracker.as('admin').change(1, { comment_is_private: { [first]: true } });
  await cycles(play, 3);
  const issue = github.issues(repo).find(({ title }) => title === 'Canary title')?.number ?? 0;
  expect(github.issue(repo, issue)?.body).toMatch(/^This text was withdrawn/u);
  const lost = { ...play, world: opened(':memory:', play.world) };
  github.as('mona').edit(repo, issue, { title: 'Renamed on GitHub' });
  await cycles(lost, 4);
  expect(tracker.bug(1)?.summary).toBe('Renamed on GitHub');
});

test('a planted fault is caught: what GitHub shows of a withdrawal is not seen', async () => {
  const fault = {
    file: 'sync/withdraw/seen-withdrawal.ts',
    from: "return { ...link, isWithdrawn: true, urgency: 'live', threadReadAt: null, visibility };",
    to: 'return link;',
  };
  const { cycle: turn }: { cycle: typeof cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
  const play = await mirrored();
  const [before, source] = [shown(play.world), await backup(play)];
  hide(play);
  await cycles(play);
  unhide(play);
  const lost = { ...play, world: opened(':memory:', play.world) };
  await cycles(lost, 8, turn);
  const isWhole = JSON.stringify(shown(lost.world)) === JSON.stringify(before);
  hide(play);
  await cycles(lost);
  unhide(play);
  const now = await restored(play, source);
  await cycles(now, 8, turn);
  expect(isWhole && JSON.stringify(shown(now.world)) === JSON.stringify(before)).toBe(false);
});

test('a description that became private while the state was lost leaves the issue, and comes back', async () => {
  const play = await mirrored();
  const [description] = play.world.tracker.commentsOf(1);
  const hideIt = (isPrivate: boolean) =>
    play.world.tracker.as('bridge-insider').change(1, { comment_is_private: { [description?.id ?? 0]: isPrivate } });
  const lost = { ...play, world: opened(':memory:', play.world) };
  const isShown = () => lost.world.github.issues(repo).some(({ body }) => body.includes('Canary description'));
  hideIt(true);
  await cycles(lost, 4);
  expect(isShown()).toBe(false);
  hideIt(false);
  await cycles(lost, 4);
  expect(isShown()).toBe(true);
});

/** Bug 2 was made to wait for bug 3 after the backup, and bug 3 is hidden. */
test.each([
  ['before the restore', 'restored', true],
  ['after the restore', 'restored', false],
  ['before the state is lost', 'lost', true],
] as const)('a dependency on a bug that is hidden %s does not stay on GitHub', async (_name, how, isBefore) => {
  const play = await mirrored({ ...route, dependencies: true });
  play.world.tracker.as('alice').file({ summary: 'Third', description: 'It waits.' });
  await cycles(play);
  const source = await backup(play);
  const blockers = ({ world }: Play) =>
    world.github.issues(repo).find(({ title }) => title === 'It crashes')?.blockedBy.length;
  play.world.tracker.as('admin').change(2, { depends_on: { add: [3] } });
  await cycles(play);
  expect(blockers(play)).toBe(1);
  if (isBefore) play.world.tracker.hide(3);
  const now = how === 'lost' ? { ...play, world: opened(':memory:', play.world) } : await restored(play, source);
  if (!isBefore) now.world.tracker.hide(3);
  await cycles(now, 8);
  expect(blockers(now)).toBe(0);
  now.world.tracker.unhide(3);
  await cycles(now, 4);
  expect(blockers(now)).toBe(1);
});
