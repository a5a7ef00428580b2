import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { routeOn, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';
import { linesOf, verified } from '../verify/mirror.ts';

async function run(world: Stage, count = 3, from = widgetRoute): Promise<void> {
  const context = contextOn(world, routeOn(world.tracker.state.version, from), { limits: testLimits });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

const writes = (world: Stage): number =>
  world.calls.filter(({ method }) => ['comment', 'create', 'update', 'rewrite', 'erase'].includes(method)).length;
const lastOnGithub = (world: Stage): string => world.github.commentsOf(repo, 1).at(-1)?.body ?? '';
const lastOnTracker = (world: Stage) => world.tracker.commentsOf(1).at(-1);

const kinds = [
  ['comment', { version: '5.3' }],
  ['site', { version: 'harmony', hasMarkdown: true }],
] as const;

describe.each(kinds)('a tracker that reads Markdown, by %s', (markdown, installation) => {
  const begin = async (): Promise<{ world: Stage; bug: number }> => {
    const world = stage(installation);
    const bug = world.tracker.as('alice').file({ summary: 'Loud' });
    await run(world);
    return { world, bug };
  };

  test('its Markdown stays Markdown on GitHub, and pings nobody', async () => {
    const { world, bug } = await begin();
    world.tracker.as('alice').comment(bug, 'It **always** crashes, @mona:\n\n- #12\n- <b>', { isMarkdown: true });
    await run(world);
    expect(lastOnGithub(world)).toContain('It **always** crashes, @\u200bmona:\n\n- #\u200b12\n- &lt;b>');
  });

  test('texts of GitHub stay Markdown there, once, and nothing is written after that', async () => {
    const { world } = await begin();
    world.github.as('mona').comment(repo, 1, 'It **never** crashed in #1, see `x`:\n\n| a |\n|---|\n| b |');
    await run(world);
    expect(lastOnTracker(world)?.text).toContain('It **never** crashed in bug 1, see `x`:\n\n| a |\n|---|\n| b |');
    expect(lastOnTracker(world)?.isMarkdown).toBe(true);
    const before = writes(world);
    await run({ ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) }, 4);
    expect(writes(world)).toBe(before);
  });

  test('an issue becomes a bug with a description in Markdown', async () => {
    const { world } = await begin();
    world.github.as('mona').open(repo, { title: 'New', body: 'Look at *this*' });
    await run(world);
    expect(world.tracker.commentsOf(2)[0]).toMatchObject({
      isMarkdown: true,
      text: expect.stringMatching(/\n\nLook at \*this\*$/u),
    });
  });

  test('verify finds both sides to read the same, and sees when they do not', async () => {
    const { world, bug } = await begin();
    const said =
      'It **always** crashes, @mona:\n\n| a | b |\n|---|---|\n| <b> | ![x](https://p.test/x.png) |\n\nsee bug 1';
    world.tracker.as('alice').comment(bug, said, { isMarkdown: true });
    world.github.as('mona').comment(repo, 1, 'So **what**? See #1, and `x`.\n\n- a\n- b');
    await run(world);
    const context = contextOn(world, routeOn(world.tracker.state.version, widgetRoute), { limits: testLimits });
    expect(linesOf(await verified(context))).toEqual([]);
    for (const { id } of world.tracker.commentsOf(bug).slice(1))
      world.tracker.editComment(id, `${world.tracker.commentsOf(bug).find((each) => each.id === id)?.text} or so`);
    expect(linesOf(await verified(context)).length).toBe(2);
  });

  test('an edit is told by its words', async () => {
    const { world } = await begin();
    const id = world.github.as('mona').comment(repo, 1, 'It **always** crashes on the first start.');
    await run(world);
    world.github.as('mona').editComment(repo, id, 'It **never** crashes on the first start.');
    await run(world);
    expect(lastOnTracker(world)?.text).toMatch(/It \*\[-…-\]\{\+never\+\}\* crashes/u);
    if (markdown === 'comment') expect(lastOnTracker(world)?.isMarkdown).toBeUndefined();
  });

  test('long texts go on as Markdown', async () => {
    const { world } = await begin();
    world.github.as('mona').comment(repo, 1, `begins\n\n${'- a **word**\n'.repeat(4_900)}\nends`);
    await run(world);
    expect(world.tracker.commentsOf(1).map(({ isMarkdown }) => isMarkdown === true)).toEqual([
      markdown === 'site',
      true,
      true,
    ]);
  });
});

test('where each comment says it, one that is plain crosses as plain text', async () => {
  const world = stage({ version: '5.3' });
  const bug = world.tracker.as('alice').file({ summary: 'Loud' });
  world.tracker.as('alice').comment(bug, 'It *always* crashes');
  await run(world);
  expect(lastOnGithub(world)).toContain('It \\*always\\* crashes');
});

describe('where all texts are Markdown, an author turns it off', () => {
  const off = (world: Stage): string => lastOnGithub(world).split('\n\n').slice(1, -1).join('\n\n');
  test.each([
    ['for a text', '#[markdown(off)]\n# not a heading\n*a* and_b_', '\\# not a heading\n\\*a\\* and_b\\_'],
    ['behind an empty line', '\n#[markdown(off)]\n\n- one\n1) *two*', '\\- one\n1\\) \\*two\\*'],
    ['on the same line', '#[markdown(off)] <b>*', '&lt;b>\\*'],
    ['with the line ends of a browser', '#[markdown(off)]\r\n**x**', '\\*\\*x\\*\\*'],
  ])('%s', async (_name, text, shown) => {
    const world = stage({ version: 'harmony', hasMarkdown: true });
    const bug = world.tracker.as('alice').file({ summary: 'Loud' });
    world.tracker.as('alice').comment(bug, text);
    await run(world);
    expect(off(world)).toBe(shown);
    const context = contextOn(world, routeOn('harmony', widgetRoute), { limits: testLimits });
    expect(linesOf(await verified(context))).toEqual([]);
  });

  test('a reader without an account sees the same words', async () => {
    const world = stage({ version: 'harmony', hasMarkdown: true });
    const bug = world.tracker.as('alice').file({ summary: 'Loud', description: '#[markdown(off)]\n*d*' });
    world.tracker.as('alice').comment(bug, '#[markdown(off)]\n# not a heading');
    await run(world, 3, { ...widgetRoute, visibilityCheck: 'anonymous' });
    expect(off(world)).toBe('\\# not a heading');
    const { body } = world.github.issue(repo, 1) ?? {};
    expect(body).toContain('\\*d\\*');
    expect(body).not.toContain('markdown(off)');
  });

  test('and not amid a text, or on a tracker that marks each comment', async () => {
    for (const installation of [{ version: 'harmony', hasMarkdown: true }, { version: '5.3' }] as const) {
      const world = stage(installation);
      const bug = world.tracker.as('alice').file({ summary: 'Loud' });
      const before = installation.version === '5.3' ? '' : 'So ';
      world.tracker.as('alice').comment(bug, `${before}#[markdown(off)]\n*a*`, { isMarkdown: true });
      await run(world);
      expect(off(world)).toBe(`${before}#[markdown(off)]\n*a*`);
    }
  });
});
