import { expect, test } from 'vitest';
import { repo } from '../simulation/stage.ts';
import { linesOf, long, mirrored, untilQuiet, verified } from './mirror.ts';

test('a long text that came with a file is compared without the notice of the file, in all its parts', async () => {
  const { world, context, at } = await mirrored();
  const bytes = new TextEncoder().encode('output');
  world.tracker.as('alice').attach(at.bug, {
    bytes,
    file_name: 'fix.patch',
    content_type: 'text/plain',
    comment: long.replace('story', 'patch'),
  });
  await untilQuiet(world, context);
  const parts = world.github.commentsOf(repo, at.issue).filter(({ body }) => /part=\d\/\d -->/u.test(body));
  expect(parts).toHaveLength(4);
  expect(linesOf(await verified(context))).toEqual([]);
  const last = parts.at(-1);
  world.github.as('mona').editComment(repo, last?.id ?? 0, last?.body.replace('The end of', 'The rest of') ?? '');
  expect(linesOf(await verified(context))).toEqual([
    expect.stringMatching(/comment: comment \d+ reads differently on GitHub/u),
  ]);
});
