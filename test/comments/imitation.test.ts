/** Texts that look like the bridge's own lines, and secrets that people take back: what readers of the copies see. */

import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { htmlOf } from '../text/rendered.ts';
import { differencesOn } from '../verify/mirror.ts';

let world: Stage;
beforeEach(async () => {
  world = stage();
  world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  await cycles(3);
});

const contextOf = (route = widgetRoute) => contextOn(world, route, { limits: testLimits });

async function cycles(count: number, route = widgetRoute): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOf(route), { isForced: false });
  }
}

const onTracker = (): readonly string[] => world.tracker.commentsOf(1).map(({ text }) => text);
const onGithub = (): readonly string[] => world.github.commentsOf(repo, 1).map(({ body }) => body);
const linesOf = (text: string | undefined): readonly string[] => text?.split('\n').slice(1) ?? [];
const differences = () => differencesOn([contextOf()]);

const address = `https://github.com/${repo}/issues/1#issuecomment-9`;

test.each([
  [`GitHub user octo wrote (${address}):`],
  [`GitHub user octo edited (${address}, revision abc123):`],
  [`   github USER octo wrote (${address}):`],
  [`**GitHub user octo wrote** (${address}):`],
  [`- GitHub\u00a0user octo wrote (${address}, part 1 of 2):`],
  [`\u200bGitHub user octo wrote (${address}):`],
  [`ＧｉｔＨｕｂ user octo wrote (${address}):`],
  [`A comment of GitHub user octo was deleted on GitHub (${address}).`],
  [`The pull request of GitHub user octo was merged (https://github.com/${repo}/pull/3):`],
  [`This bug is mirrored on GitHub (${address}).`],
  [`I think so.\u2028GitHub user octo wrote (${address}):`],
  [`I think so.&#8233;GitHub user octo wrote (${address}):`],
  [`G\u0456tHub user octo wrote (${address}):`],
  [`GitHub \u03c5s\u0435r octo wr\u03bfte (${address}):`],
  [`Git Hub-user octo wrote (${address}):`],
  [`GitHub u\u034fser octo wr\ufe0fote (${address}):`],
  [`${'\u00a0'.repeat(1_100)}GitHub user octo wrote (${address}):`],
  [`Fixed by ${repo}#34 (abc1234) by octo (https://github.com/${repo}/pull/34).`],
  [`A commit on octo of ${repo} names this bug (https://github.com/${repo}/commit/abc1234):`],
  [`3 commits on octo of ${repo} name this bug (https://github.com/${repo}/commit/abc1234):`],
])('a line of ours within a text of GitHub becomes a quotation: %s', async (line) => {
  world.github.as('mona').comment(repo, 1, `I agree.\n\n${line}\n\nI resign.`);
  await cycles(2);
  const copy = onTracker().at(-1);
  expect(copy).toMatch(/^GitHub user mona wrote /u);
  const shown = linesOf(copy).filter((each) => /octo|mirrored on/u.test(each));
  expect(shown.length).toBeGreaterThan(0);
  for (const each of shown) expect(each).toMatch(/^> /u);
  expect(await differences()).toEqual([]);
  // Nor is it taken for ours once the state is lost.
  const before = [onTracker(), onGithub()];
  world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
  await cycles(4);
  expect([onTracker(), onGithub()]).toEqual(before);
});

test.each([
  ['bob wrote in comment 3 on 2026-01-05 08:00 UTC:'],
  ['**bob** wrote in [comment 3](https://bugs.example.test/show_bug.cgi?id=1#c3) on 2026-01-05 08:00 UTC:'],
  ['Bob B. (bob) opened bug 1 on 2026-01-05 08:00 UTC:'],
  ['bob wrote  in comment #3 on 2026-01-05 08:00 UTC:'],
  ['bob wr\u3164ote in comment 3 on 2026-01-05 08:00 UTC:'],
  [`${'\u200b'.repeat(1_001)}bob wrote in comment 3 on 2026-01-05 08:00 UTC:`],
])('a line of ours within a text of the tracker becomes a quotation: %s', async (line) => {
  world.tracker.as('alice').comment(1, `I agree.\n\n${line}\n\nI resign.`);
  await cycles(2);
  const shown = linesOf(onGithub().at(-1)).filter((each) => /bob/iu.test(each));
  expect(shown.length).toBe(1);
  expect(shown[0]).toMatch(/^> /u);
  expect(await differences()).toEqual([]);
});

describe.each(['5.3', 'harmony'] as const)('on a tracker that reads Markdown: %s', (version) => {
  const route = routeOn(version, widgetRoute);
  beforeEach(async () => {
    world = stage(version === '5.3' ? { version } : { version, hasMarkdown: true });
    world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    await cycles(3, route);
  });

  test.each([
    [`GitHub user octo wr&#111;te (${address}):`],
    [`GitHub us**e**r octo wrote (${address}):`],
    [`[GitHub user](http://a.test) octo <b>wrote</b> (${address}):`],
    [`# G&#105;tHub user octo wrote (${address}):`],
    [`- \`\`\`\n  GitHub user octo wrote (${address}):\n  \`\`\``],
    [`<pre>GitHub user octo wrote (${address}):</pre>`],
  ])('a line of ours within a text of GitHub is quoted where it stands: %s', async (line) => {
    world.github.as('mona').comment(repo, 1, `I agree.\n\n${line}\n\nI resign.`);
    await cycles(2, route);
    expect(seenIn(onTracker().at(-1))).toEqual([expect.stringMatching(/^> .*octo/u)]);
    expect(await differencesOn([contextOf(route)])).toEqual([]);
    const before = [onTracker(), onGithub()];
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await cycles(4, route);
    expect([onTracker(), onGithub()]).toEqual(before);
  });

  const page = 'https://bugs.example.test/show_bug.cgi?id=1#c3';
  test.each([
    [`**octo** wr&#111;te in [comment 3](${page}) on 2026-01-05 08:00 UTC:`],
    [`**octo** wrote i**n** [c&#111;mment 3](${page}) on 2026-0&#49;-05 08:00 UTC:`],
    [`**octo** wrote in [comment](${page}) 3 on 2026-01-05 08:00 UTC:`],
    ['- ```\n  octo wrote in comment 3 on 2026-01-05 08:00 UTC:\n  ```'],
    ['| octo opened bug 1 on 2026-01-05 08:00 UTC: |\n|---|'],
  ])('and within a text of the tracker: %s', async (line) => {
    world.tracker.as('alice').comment(1, `I agree.\n\n${line}\n\nI resign.`, { isMarkdown: true });
    await cycles(2, route);
    expect(seenIn(onGithub().at(-1))).toEqual([expect.stringMatching(/^> octo/u)]);
    expect(await differencesOn([contextOf(route)])).toEqual([]);
  });
});

/** The lines about octo, as a reader sees them. */
const seenIn = (markdown = ''): readonly string[] =>
  htmlOf(markdown)
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&gt;', '>')
    .split('\n')
    .filter((line) => line.includes('octo'));

test.each([
  ['The GitHub user interface was edited.'],
  ['He wrote in the comment of 2026-01-05 that it fails.'],
  [`> GitHub user octo wrote (${address}):`],
])('other lines stay as they are: %s', async (line) => {
  world.github.as('mona').comment(repo, 1, `I agree.\n\n${line}\n\nI resign.`);
  await cycles(2);
  expect(linesOf(onTracker().at(-1)).filter((each) => !each.startsWith('>>') && each.includes(line)).length).toBe(1);
  // Nor do they look edited once the state is lost.
  const before = onTracker();
  world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
  await cycles(4);
  expect(onTracker()).toEqual(before);
});

test.each([['#\n\nwords'], ['&nbsp;\nwords'], [`https://github.com/${repo}/issues/1 and ${address}`]])(
  'a comment that nobody edited is not reported once the state is lost: %j',
  async (text) => {
    world.github.as('mona').comment(repo, 1, text);
    await cycles(2);
    const before = onTracker();
    world = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await cycles(4);
    expect(onTracker()).toEqual(before);
  },
);

test.each([
  ['a word', 'My key is hunter2hunter2 and it fails here.', 'My key is secret and it fails here.'],
  [
    'a line',
    'It fails here, every day.\n\nkey: hunter2hunter2\n\nThanks a lot.',
    'It fails here, every day.\n\nThanks a lot.',
  ],
  ['most words', 'hunter2hunter2 hunter2hunter2 it', 'it'],
  ['all words', 'hunter2hunter2', 'Nothing to see.'],
])('a secret that people remove is not repeated: %s', async (_name, before, after) => {
  const id = world.github.as('mona').comment(repo, 1, before);
  await cycles(2);
  const copies = onTracker().length;
  world.github.as('mona').editComment(repo, id, after);
  await cycles(2);
  const reports = onTracker().slice(copies);
  expect(reports.length).toBe(1);
  expect(reports.join()).not.toContain('hunter2');
});

test.each([
  ['title', 'Bug 2 is not public', 'When I click.'],
  ['body', 'It hangs', 'This text was withdrawn because its original is not public.\n\n<!-- bugferry:1 acme bug=2 -->'],
])('a copy that was deleted is not made again under the neutral %s of a stranger', async (_what, title, body) => {
  const { tracker, github } = world;
  const issue = github.as('octo').open(repo, { title: 'It hangs', body: 'When I click.' });
  await cycles(3);
  tracker.as('bob').comment(2, 'BUY PILLS');
  await cycles(2);
  github.as('octo').edit(repo, issue, { title, body });
  await cycles(2);
  const [copy] = github.commentsOf(repo, issue);
  expect(copy?.body).toContain('BUY PILLS');
  github.as('mona').deleteComment(repo, copy?.id ?? 0);
  await cycles(4);
  expect(github.commentsOf(repo, issue)).toEqual([]);
});
