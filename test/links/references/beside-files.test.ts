import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/model/route.ts';
import { sweep } from '../../../src/sync/sweep.ts';
import { contextOn, repo } from '../../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../../support/routes.ts';
import { type World, worldOf } from '../restores/world.ts';

/** I9: after a lost state, a copy that names a hidden file as well loses its link to a hidden bug. */

const route: Route = { ...widgetRoute, attachments: branchRule, visibilityCheck: 'anonymous' };
const words = 'Like bug 1, and attachment 1.';
const linked = 'https://github.com/acme/widget/issues/1';

const hideBug = ({ tracker }: World): void => tracker.as('admin').change(1, { groups: { add: ['security'] } });
const showBug = ({ tracker }: World): void => tracker.as('admin').change(1, { groups: { remove: ['security'] } });
const hideFile = ({ tracker }: World): void => tracker.as('admin').changeAttachment(1, { is_private: true });

const copies = ({ github }: World): readonly string[] =>
  [github.issue(repo, 2)?.body ?? '', ...github.commentsOf(repo, 2).map(({ body }) => body)].filter((body) =>
    /and \[?attachment/u.test(body),
  );

/** Bug 2 names bug 1 and a file, in its description and in comments, one of which takes two parts. */
async function mirrored(): Promise<World> {
  const world = worldOf([route]);
  world.alice.file({ summary: 'One', description: 'The first.' });
  world.alice.file({ summary: 'Two', description: words });
  world.alice.attach(2, { bytes: new Uint8Array([1, 2, 3]), file_name: 'canary.log', summary: 'The log' });
  world.alice.comment(2, words);
  world.alice.comment(2, `${'a_b '.repeat(14_000)}\n\n${words}`);
  await world.passes();
  expect(copies(world).filter((body) => body.includes(linked))).toHaveLength(3);
  return world;
}

/** What a copy links to is compared by the full comparison. */
async function compared(world: World): Promise<void> {
  await sweep(contextOn(world.stage, route, { limits: testLimits }), { isForced: false });
  await world.passes(2);
}

async function lost(world: World, meanwhile: () => void): Promise<void> {
  world.clock.advance(600_000);
  world.states.putBack(null, 'silent');
  meanwhile();
  await world.passes();
}

describe.each<[string, readonly [hidesFile: string, hidesBug: string]]>([
  ['the file was hidden before, the bug while the state was lost', ['before', 'down']],
  ['both were hidden while the state was lost', ['down', 'down']],
  ['the file was hidden before, the bug later', ['before', 'later']],
  ['the bug was hidden while the state was lost, the file later', ['down', 'later']],
])('%s', (_what, [file, bug]) => {
  const at = (world: World, when: string): void => {
    if (file === when) hideFile(world);
    if (bug === when) hideBug(world);
  };

  test('no copy keeps the link, and all have it again', async () => {
    const world = await mirrored();
    at(world, 'before');
    await world.passes();
    await lost(world, () => at(world, 'down'));
    at(world, 'later');
    await compared(world);
    expect(copies(world).map((body) => body.includes(linked))).toEqual([false, false, false]);
    showBug(world);
    await world.passes(2);
    await compared(world);
    expect(copies(world).map((body) => body.includes(linked))).toEqual([true, true, true]);
  });
});

test('what people wrote over such a copy stays, but for the address of the file', async () => {
  const world = await mirrored();
  const copy = world.github.commentsOf(repo, 2).find(({ body }) => body.includes('Like'));
  world.mona.editComment(repo, copy?.id ?? 0, `${copy?.body.replace('Like', 'Quite like')}`);
  await world.passes();
  await lost(world, () => hideFile(world));
  const [shown = ''] = copies(world).filter((body) => body.includes('Quite like'));
  expect([shown.includes('Quite like'), shown.includes('attachments/')]).toEqual([true, false]);
});
