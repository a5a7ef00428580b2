import { describe, expect, test } from 'vitest';
import { repo } from '../simulation/stage.ts';
import { linesOf, mirrored, mirrorRoute, untilQuiet, verified } from './mirror.ts';

/**
 * A bug is filed with a file, so that its description names the file; later the file, or the description, becomes
 * private.
 */
async function filedWithFile() {
  const mirror = await mirrored({ ...mirrorRoute, visibilityCheck: 'anonymous' });
  const { tracker } = mirror.world;
  const alice = tracker.as('alice');
  const bug = alice.file({ summary: 'Filed with a file', description: 'See the file.' });
  const file = alice.attach(bug, { bytes: new TextEncoder().encode('output'), file_name: 'output.txt' });
  const [description] = tracker.state.comments.get(bug) ?? [];
  if (description === undefined) throw new Error('The bug has no description.');
  tracker.state.comments.set(bug, [{ ...description, attachment: file, attachmentEvent: 'created' }]);
  await untilQuiet(mirror.world, mirror.context);
  const bodyOf = () => mirror.world.github.issues(repo).find(({ title }) => title === 'Filed with a file')?.body;
  return { ...mirror, bug, file, description: description.id, alice, bodyOf };
}

describe('a withdrawn description is no difference', () => {
  test.each([
    ['its file is private', 'it names a file that is not public', { file: true, description: false }],
    ['it is private itself', 'it is private', { file: false, description: true }],
  ])('while %s', async (_name, why, isPrivate) => {
    const { world, context, alice, bug, file, description, bodyOf } = await filedWithFile();
    expect(linesOf(await verified(context))).toEqual([]);
    expect(bodyOf()).toContain('See the file.');
    if (isPrivate.file) alice.changeAttachment(file, { is_private: true });
    if (isPrivate.description) alice.change(bug, { comment_is_private: { [description]: true } });
    await untilQuiet(world, context);
    expect(bodyOf()).toContain('This text was withdrawn');
    const report = await verified(context);
    expect(linesOf(report)).toEqual([]);
    const pair = report.pairs.find((each) => each.bug === bug);
    expect(pair?.leftOut).toContainEqual({ about: 'description', why });
  });

  test('that never was public, once its bug was hidden and is shown again', async () => {
    const { world, context } = await mirrored({ ...mirrorRoute, visibilityCheck: 'anonymous' });
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'Filed in private', description: 'For insiders.' });
    const [description] = world.tracker.commentsOf(bug);
    alice.change(bug, { comment_is_private: { [description?.id ?? 0]: true } });
    await untilQuiet(world, context);
    const issue = world.github.issues(repo).find(({ title }) => title === 'Filed in private');
    expect(issue?.body).toContain('without a public description');
    for (const how of ['add', 'remove']) {
      world.tracker.as('admin').change(bug, { groups: { [how]: ['security'] } });
      await untilQuiet(world, context);
    }
    expect(world.github.issue(repo, issue?.number ?? 0)).toMatchObject({
      title: 'Filed in private',
      body: expect.stringContaining('This text was withdrawn'),
    });
    expect(linesOf(await verified(context))).toEqual([]);
  });

  test('but it is one if its original is public', async () => {
    const { world, context, bodyOf } = await filedWithFile();
    const issue = world.github.issues(repo).find(({ title }) => title === 'Filed with a file');
    const marker = /<!--.*-->\s*$/u.exec(bodyOf() ?? '')?.[0] ?? '';
    const body = `What stood here was withdrawn, because its original is not public.\n\n${marker}`;
    world.github.as('mona').edit(repo, issue?.number ?? 0, { body });
    expect(linesOf(await verified(context))).toEqual([
      expect.stringMatching(/description: description is missing on GitHub/u),
    ]);
  });
});

test('a dependency on a hidden bug is a difference until it is off GitHub', async () => {
  const { world, context } = await mirrored({ ...mirrorRoute, visibilityCheck: 'anonymous', dependencies: true });
  const alice = world.tracker.as('alice');
  const [waiting = 0, blocker = 0] = ['Waits', 'Blocks'].map((summary) => alice.file({ summary, description: 'Hot.' }));
  world.tracker.as('admin').change(waiting, { depends_on: { add: [blocker] } });
  await untilQuiet(world, context);
  const [issue = 0, other = 0] = ['Waits', 'Blocks'].map(
    (title) => world.github.issues(repo).find((each) => each.title === title)?.number ?? 0,
  );
  world.tracker.hide(blocker);
  await untilQuiet(world, context);
  expect(linesOf(await verified(context))).toEqual([]);
  world.github.as('mona').block(repo, issue, other);
  expect(linesOf(await verified(context)).join()).toContain(`dependency on bug ${blocker} is on GitHub only`);
  await untilQuiet(world, context);
  expect(linesOf(await verified(context))).toEqual([]);
});
