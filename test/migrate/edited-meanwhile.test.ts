/** A description that people edit on the tracker while the import of its issue is under way. */

import { expect, test } from 'vitest';
import { repo } from '../simulation/stage.ts';
import { cyclesOn, importerOn, importStage, migrateOn } from './bench.ts';

test.each(['it goes on', 'it dies', 'the answer is lost'] as const)(
  'a description that is edited while the import of its issue is under way crosses: %s',
  async (how) => {
    const world = importStage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'It fails', description: 'First words.' });
    world.clock.advance(3_600_000);
    const importer = importerOn(world);
    const begin: typeof importer.begin = async (draft) => {
      const begun = await importer.begin(draft);
      world.tracker.editComment(world.tracker.commentsOf(bug)[0]?.id ?? 0, 'Edited words.');
      alice.comment(bug, 'A tracker shows an edit once its bug changes.');
      if (how === 'it dies') throw new Error('dies');
      return how === 'the answer is lost' ? { kind: 'unknown', why: 'the answer was lost' } : begun;
    };
    const run = migrateOn(world, { importer: { ...importer, begin } }).catch((error: unknown) => error);
    expect(await run).toMatchObject(how === 'it dies' ? { message: 'dies' } : {});
    world.clock.advance(7_200_000);
    await migrateOn(world);
    await cyclesOn(world, 3);
    expect(world.github.issues(repo).map(({ body }) => body.split('\n\n')[1])).toEqual(['Edited words.']);
  },
);
