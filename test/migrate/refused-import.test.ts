/** An import that is refused for what it contains costs that bug its import, and no other bug. */

import { expect, test } from 'vitest';
import { repo, type Stage } from '../simulation/stage.ts';
import { cyclesOn, importStage, migrateOn, oneWay } from './bench.ts';

const page = (status: number): Response =>
  new Response(`<html><head><title>${status}</title></head></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });
const said = (status: number, message: string): Response => Response.json({ message }, { status });

/** Bugs of which some are refused whenever they are imported. */
function filled(isRefused: (body: string) => boolean, refusal: () => Response): Stage {
  const world = importStage();
  for (let index = 1; index <= 6; index += 1) {
    const bug = world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'It fails.' });
    world.tracker.as('bob').comment(bug, `Word ${index}`);
  }
  world.clock.advance(86_400_000);
  const { github } = world.servers;
  const refusing: typeof fetch = async (input, init) => {
    const isImport = init?.method === 'POST' && String(input).endsWith('/import/issues');
    return isImport && isRefused(String(init.body)) ? refusal() : github(input, init);
  };
  Object.assign(world.servers, { github: refusing });
  return world;
}

const titles = ({ github }: Stage) => github.issues(repo).map(({ title }) => title);
const isOneOf =
  (...bugs: readonly number[]) =>
  (body: string): boolean =>
    bugs.some((bug) => body.includes(`"Bug ${bug}"`));

test.each([
  ['too large, by a proxy', () => page(413)],
  ['too large, in words', () => said(413, 'Request body too large')],
  ['a bad request', () => said(400, 'Problems parsing JSON')],
  ['a firewall in front of a server', () => page(403)],
  ['a value that is not accepted', () => said(422, 'Validation Failed')],
])('%s: that bug is parked, and the others are imported', async (_name, refusal) => {
  const world = filled(isOneOf(3), refusal);
  expect(await migrateOn(world)).toEqual({ imported: 5, parked: 1, placeholders: 0, stopped: null });
  expect(titles(world)).toEqual([1, 2, 4, 5, 6].map((bug) => `Bug ${bug}`));
  expect(world.store.outbox.parked('widget')[0]?.why).toMatch(/import an issue/);
  expect(await cyclesOn(world, 2)).toEqual([]);
});

test.each([[[1]], [[6]], [[1, 2]], [[2, 5]], [[1, 2, 3, 4, 5, 6]]])('the bugs %s', async (bugs) => {
  const world = filled(isOneOf(...bugs), () => page(413));
  expect(await migrateOn(world)).toMatchObject({ imported: 6 - bugs.length, parked: bugs.length });
  expect(titles(world)).toHaveLength(6 - bugs.length);
  expect(await migrateOn(world), 'a second run').toMatchObject({ imported: 0, parked: bugs.length });
});

test('with kept numbers, the bug gets a reduced issue of its number', async () => {
  const world = filled(
    (body) => isOneOf(3)(body) && body.includes('Word 3'),
    () => page(413),
  );
  expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({ stopped: null });
  expect(world.github.issues(repo).map(({ number, title }) => [number, title])).toEqual(
    [1, 2, 3, 4, 5, 6].map((bug) => [bug, expect.stringContaining(bug === 3 ? '' : `Bug ${bug}`)]),
  );
});

test('what is refused for its size is written through the normal interface when it is tried again', async () => {
  const world = filled(isOneOf(3), () => page(413));
  await migrateOn(world);
  const [parked] = world.store.outbox.parked('widget');
  world.store.outbox.mark(parked?.operation.key ?? '', { state: 'planned', why: null });
  await cyclesOn(world, 2, oneWay);
  expect(titles(world)).toContain('Bug 3');
});

test.each([
  ['rights', () => said(403, 'Must have admin rights to Repository.')],
  ['a server without imports', () => said(404, 'Not Found')],
  ['a method that is not allowed', () => page(405)],
])('%s: nothing is imported, and the operator is told what to do', async (_name, refusal) => {
  const world = filled(() => true, refusal);
  await expect(migrateOn(world)).rejects.toMatchObject({
    kind: 'unauthorized',
    message: expect.stringContaining('--writer api'),
  });
  expect(titles(world)).toEqual([]);
});
