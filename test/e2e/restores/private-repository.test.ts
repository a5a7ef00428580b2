import { afterEach, expect, test } from 'vitest';
import { type Bridge, openBridge, repo } from './bridge.ts';

/**
 * M2 at the built program: the repository has become private when the state comes back, and nothing that people said
 * there since reaches the tracker, until it is public again.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

test.each(['restored', 'put back', 'lost', 'killed'] as const)('the state is %s', async (way) => {
  bridge = await openBridge((tracker) => {
    for (const summary of ['First', 'Second']) tracker.as('alice').file({ summary, description: 'It fails.' });
  });
  const { tracker, github, turns, settled, bugferry } = bridge;
  github.as('mona').open(repo, { title: 'Third', body: 'Steps' });
  await settled();
  await bridge.backUp();
  tracker.as('alice').file({ summary: 'Since the backup', description: 'It fails.' });
  await settled();
  github.setPrivate(repo, true);
  const mona = github.as('mona');
  mona.open(repo, { title: 'Canary issue', body: 'Canary body' });
  mona.comment(repo, 2, 'Canary comment');
  mona.edit(repo, 3, { title: 'Canary title' });
  await bridge.comesBack(way, 3);
  const onTracker = (): string =>
    JSON.stringify(tracker.bugs().map((bug) => [bug.summary, tracker.commentsOf(bug.id)]));
  for (const command of ['once', 'once --sweep', 'once --force', 'migrate'])
    expect(await bugferry(...command.split(' '))).toMatchObject({ code: expect.toSatisfy((code) => code > 1) });
  expect(onTracker()).not.toContain('Canary');
  github.setPrivate(repo, false);
  await turns(1);
  await settled();
  for (const words of ['Canary issue', 'Canary body', 'Canary comment', 'Canary title'])
    expect(onTracker().split(words)).toHaveLength(2);
});
