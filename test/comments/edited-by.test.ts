import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { GithubReplica } from '../../src/model/replica.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** Reports of edits name who edited: a maintainer may edit the words of everybody. */
let world: Stage;
let own: Partial<GithubReplica>;

beforeEach(() => {
  world = stage();
  world.github.addUser('maintainer');
  world.github.allow(repo, 'maintainer', 'write');
  own = {};
});

const mona = () => world.github.as('mona');
const maintainer = () => world.github.as('maintainer');

async function turns(count = 4): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    const context = contextOn(world, widgetRoute, { limits: testLimits });
    await cycle({ ...context, github: { ...context.github, ...own } } as Context, { isForced: false });
  }
}

async function begin(body = 'It crashes at noon.'): Promise<{ readonly issue: number; readonly comment: number }> {
  const issue = mona().open(repo, { title: 'It crashes', body });
  const comment = mona().comment(repo, issue, 'My password is hunter2, by the way.');
  await turns();
  return { issue, comment };
}

const reports = (): readonly string[] =>
  world.tracker
    .bugs()
    .flatMap(({ id }) => world.tracker.commentsOf(id))
    .flatMap(({ text }) => (text.includes(' edited (') ? [text] : []));
const asked = (): number => world.calls.filter(({ method }) => method === 'editor').length;

describe('a report of an edit', () => {
  test('names the maintainer who took words out, shows none of them, and costs one question', async () => {
    const { comment } = await begin();
    maintainer().editComment(repo, comment, 'My password is [removed by a maintainer], by the way.');
    await turns();
    expect(reports()).toEqual([expect.stringMatching(/^GitHub user maintainer edited \(/u)]);
    expect(reports().join()).not.toContain('hunter2');
    expect(asked()).toBe(1);
  });

  test('names the author who edited their own words, and the editor of the body', async () => {
    const { issue, comment } = await begin();
    mona().editComment(repo, comment, 'My password is a secret, by the way.');
    await turns();
    maintainer().edit(repo, issue, {
      body: (world.github.issue(repo, issue)?.body ?? '').replace('at noon', 'at night'),
    });
    await turns();
    const who = reports().map((text) => text.split(' ', 3)[2]);
    expect(who).toEqual(['mona', 'maintainer']);
  });

  test.each([
    ['GitHub does not say', async () => null],
    ['the bridge edited last', async () => ({ login: 'bugferry-bot', name: 'bugferry-bot', at: 0 })],
    ['somebody edited since', async () => ({ login: 'hubot', name: 'hubot', at: Number.MAX_SAFE_INTEGER })],
    ['our account may not ask', () => Promise.reject(new SideError('refused', 'no', { side: 'github' }))],
  ])('names nobody if %s', async (_why, editor) => {
    const { comment } = await begin();
    own = { editor };
    maintainer().editComment(repo, comment, 'My password is gone, by the way.');
    await turns(16);
    expect(reports()).toEqual([expect.stringMatching(/^GitHub user somebody edited \(/u)]);
  });

  test('waits for an answer that GitHub cannot give just now', async () => {
    const { comment } = await begin();
    own = { editor: () => Promise.reject(new SideError('later', 'cut short', { side: 'github' })) };
    maintainer().editComment(repo, comment, 'My password is gone, by the way.');
    await turns(3);
    expect(reports()).toEqual([]);
    own = {};
    await turns();
    expect(reports()).toEqual([expect.stringMatching(/^GitHub user maintainer edited \(/u)]);
  });
});
