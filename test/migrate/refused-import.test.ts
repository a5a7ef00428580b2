/** An import that is refused for what it contains costs that bug its import, and no other bug. */

import { describe, expect, test } from 'vitest';
import { repo, type Stage } from '../simulation/stage.ts';
import { bot, cyclesOn, importStage, migrateOn, oneWay } from './bench.ts';

const page = (status: number, words = String(status)): Response =>
  new Response(`<html><head><title>${words}</title></head></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });
const said = (status: number, message: string): Response => Response.json({ message }, { status });

/** Bugs of which some are refused whenever they are imported. */
function filled(isRefused: (body: string) => boolean, refusal: () => Response, count = 6): Stage {
  const world = importStage();
  for (let index = 1; index <= count; index += 1) {
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

/** Answers of GitHub, or of a proxy, that also mean that all imports are refused. */
const doubtful: readonly (readonly [string, () => Response])[] = [
  ['402', () => said(402, 'Payment required')],
  ['403 for its words', () => said(403, 'Content flagged as spam')],
  ['404', () => said(404, 'Not Found')],
  ['405, as a page', () => page(405)],
  ['406', () => said(406, 'Not acceptable')],
  ['409', () => said(409, 'Conflict')],
  ['410', () => said(410, 'Gone')],
  ['415', () => said(415, 'Unsupported')],
  ['423, as a page', () => page(423)],
  ['424', () => said(424, 'Failed dependency')],
  ['451', () => said(451, 'Unavailable')],
];

describe('an answer that does not say what it is about', () => {
  test.each(doubtful)('%s: that bug is parked, and the others are imported', async (_name, refusal) => {
    const world = filled(isOneOf(3), refusal);
    expect(await migrateOn(world)).toEqual({ imported: 5, parked: 1, placeholders: 0, stopped: null });
    const why = world.store.outbox.parked('widget')[0]?.why;
    expect(why).toMatch(/import an issue/);
    expect(why).not.toMatch(/admin role/);
    expect(await migrateOn(world), 'a second run').toMatchObject({ imported: 0, parked: 1 });
  });

  test.each([[[1]], [[6]], [[1, 2, 3]], [[1, 3, 5]], [[3, 4, 5, 6]]])('the bugs %s are parked', async (bugs) => {
    const world = filled(isOneOf(...bugs), () => said(403, 'Content flagged as spam'));
    expect(await migrateOn(world)).toMatchObject({ imported: 6 - bugs.length, parked: bugs.length });
    expect(titles(world)).toHaveLength(6 - bugs.length);
  });

  test('with kept numbers, the bug gets a reduced issue of its number', async () => {
    const isRefused = (body: string) => isOneOf(3)(body) && body.includes('Word 3');
    const world = filled(isRefused, () => said(409, 'Conflict'));
    expect(await migrateOn(world, { numbers: 'keep' })).toMatchObject({ stopped: null });
    expect(world.github.issues(repo).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('more in a row than a person should miss end the run, and the next run goes on behind them', async () => {
    const bugs = [2, 3, 4, 5, 6, 7, 8];
    const world = filled(isOneOf(...bugs), () => said(403, 'Content flagged as spam'), 9);
    await expect(migrateOn(world)).rejects.toMatchObject({ message: expect.stringMatching(/5 bugs .* are parked/) });
    expect(await migrateOn(world)).toMatchObject({ imported: 1, parked: 7 });
    expect(titles(world)).toEqual(['Bug 1', 'Bug 9']);
  });
});

test.each([
  ['408', () => page(408)],
  ['425', () => said(425, 'Too early')],
  ['a limit as a page', () => page(403, 'You have exceeded a secondary rate limit.')],
  ['404 of a proxy', () => page(404)],
])('%s says nothing about the bug, which is sent again', async (_name, refusal) => {
  let times = 0;
  const world = filled((body) => isOneOf(3)(body) && ++times === 1, refusal);
  expect(await migrateOn(world)).toEqual({ imported: 6, parked: 0, placeholders: 0, stopped: null });
  expect([...titles(world)].sort()).toEqual([1, 2, 3, 4, 5, 6].map((bug) => `Bug ${bug}`));
});

describe('from the third bug on', () => {
  test.each([
    ['the token has expired', () => said(401, 'Bad credentials'), 'write', 0],
    ['the account has lost its role', () => said(403, 'Must have admin rights to Repository.'), 'write', 0],
    ['the imports are closed', () => said(404, 'Not Found'), 'admin', 5],
    ['a firewall refuses everything', () => page(403), 'admin', 50],
  ] as const)('%s: few bugs are parked', async (_name, refusal, role, parked) => {
    let asked = 0;
    const world: Stage = filled(
      (body) => {
        if (body.includes('"Bug 1"') || body.includes('"Bug 2"')) return false;
        world.github.allow(repo, bot, role);
        asked += 1;
        return true;
      },
      refusal,
      60,
    );
    await expect(migrateOn(world)).rejects.toMatchObject({ message: expect.stringMatching(/import an issue/) });
    expect(world.store.outbox.parked('widget')).toHaveLength(parked);
    expect(asked).toBeLessThanOrEqual(Math.max(1, parked));
  });
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
  expect(world.store.outbox.parked('widget')).toEqual([]);
  const imports = world.github.requests.filter(({ path }) => path.includes('import'));
  expect(imports.length).toBeLessThan(10);
  await expect(migrateOn(world, { numbers: 'keep' })).rejects.toMatchObject({ kind: 'unauthorized' });
});
