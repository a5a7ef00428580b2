/** What becomes of copies on GitHub after they were written, through the whole engine. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { openStore } from '../../src/store/open.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { branchRule, testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

const withFiles: Route = { ...widgetRoute, attachments: branchRule };
const restoring: Route = { ...widgetRoute, copies: 'restore' };

async function run(world: Stage, route: Route = widgetRoute, count = 3): Promise<number> {
  const context = contextOn(world, route, { limits: testLimits });
  let planned = 0;
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    planned += (await cycle(context, { isForced: false })).plan.operations.length;
  }
  return planned;
}

const swept = (world: Stage, route: Route = widgetRoute) =>
  sweep(contextOn(world, route, { limits: testLimits }), { isForced: true });

/** Has the thread of the first bug read afresh, from end to end. */
function unread({ store }: Stage): void {
  const [link] = store.links.after('widget', null, 1);
  if (link) store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
}

const bodyOf = (world: Stage, issue: number): string => world.github.issue(repo, issue)?.body ?? '';
const copiesOn = (world: Stage, issue: number): readonly string[] =>
  world.github.commentsOf(repo, issue).map(({ body }) => body);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const callsSince = ({ calls }: Stage, from: number): readonly string[] =>
  calls.slice(from).map(({ side, method }) => `${side} ${method}`);

describe('a reference to something that has no counterpart yet', () => {
  test('is made right by the next sweep, in comments and descriptions, and asks each thread once', async () => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One', description: 'Like bug 2.' });
    alice.comment(bug, 'See bug 2 comment 1, and comment 9.');
    await run(world);
    expect(bodyOf(world, 1)).toContain('Like bug 2.');
    const second = alice.file({ summary: 'Two' });
    alice.comment(second, 'Here.');
    await run(world);
    expect(await run(world)).toBe(0);
    await swept(world);
    const from = world.calls.length;
    await run(world);
    expect(bodyOf(world, 1)).toContain('Like [bug 2](https://github.com/acme/widget/issues/2).');
    const [target] = world.github.commentsOf(repo, 2);
    expect(copiesOn(world, 1).join()).toContain(
      `See [bug 2 comment 1](https://github.com/acme/widget/issues/2#issuecomment-${target?.id}), and comment 9.`,
    );
    const calls = callsSince(world, from).filter((call) => !/ (?:changes|lookAt)$/u.test(call));
    expect(calls.sort()).toEqual(['github rewrite', 'github update', 'tracker threads']);
    await swept(world);
    expect(await run(world)).toBe(0);
  });

  test('is made right where the bug was written about from the tracker’s own page', async () => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One' });
    alice.comment(bug, `As in ${world.tracker.url}/show_bug.cgi?id=2#c1`);
    await run(world);
    alice.comment(alice.file({ summary: 'Two' }), 'Here.');
    await run(world);
    await swept(world);
    await run(world);
    expect(copiesOn(world, 1)[0]).toContain('https://github.com/acme/widget/issues/2#issuecomment-');
  });
});

describe('what is said of a file', () => {
  test('follows its name, its summary, and whether it is obsolete or still there', async () => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One' });
    const id = alice.attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin', summary: 'First', comment: 'Look.' });
    await run(world, withFiles, 4);
    expect(copiesOn(world, 1)[0]).toContain('Attachment 1, [a.bin]');
    world.tracker.as('bridge').changeAttachment(id, { file_name: 'b.bin', summary: 'Second', is_obsolete: true });
    await run(world, withFiles, 4);
    const [copy, ...more] = copiesOn(world, 1);
    expect(more).toEqual([]);
    expect(copy).toMatch(
      /Attachment 1, \[b\.bin\]\(<[^>]+>\) \(application\/octet-stream, 1 byte, obsolete\): Second\n\nLook\./u,
    );
    expect(await run(world, withFiles)).toBe(0);
  });

  test('by its number leads to its copy, on other bugs too', async () => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const [one, two] = [alice.file({ summary: 'One' }), alice.file({ summary: 'Two' })];
    alice.comment(two, 'As attachment 1 shows.');
    await run(world, withFiles, 4);
    expect(copiesOn(world, 2)[0]).toContain('As attachment 1 shows.');
    alice.attach(one, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await run(world, withFiles, 5);
    expect(copiesOn(world, 2)[0]).toContain(
      'As [attachment 1](https://github.com/acme/widget/raw/attachments/0-999/1/1-a.bin) shows.',
    );
    expect(await run(world, withFiles)).toBe(0);
  });

  test('leads to the tracker where files stay there', async () => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One' });
    alice.attach(bug, { bytes: bytesOf('x') });
    alice.comment(bug, 'As attachment 1 shows.');
    await run(world, { ...widgetRoute, attachments: { ...branchRule, store: 'link' } }, 4);
    expect(copiesOn(world, 1)[1]).toContain('As [attachment 1](https://bugs.example.test/attachment.cgi?id=1) shows.');
  });
});

describe('a comment edited on the tracker', () => {
  const edited = async (text: string, route: Route = widgetRoute) => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One', description: 'Described.' });
    const id = alice.comment(bug, 'Said.');
    alice.comment(bug, 'After.');
    await run(world, route);
    world.tracker.editComment(id, text);
    unread(world);
    await run(world, route);
    return { world, id };
  };

  test('is edited on GitHub, once', async () => {
    const { world } = await edited('Said better.');
    expect(copiesOn(world, 1)[0]).toContain(':\n\nSaid better.\n\n<!--');
    expect(copiesOn(world, 1)).toHaveLength(2);
    expect(await run(world)).toBe(0);
  });

  test('that is longer now takes more copies, and fewer when it is shorter again', async () => {
    const { world, id } = await edited(`Begin\n\n${'A line of a log.\n'.repeat(8_000)}\nEnd`);
    const parts = copiesOn(world, 1).filter((body) => body.includes(' part='));
    expect(parts.map((body) => /part=\d\/\d/u.exec(body)?.[0])).toEqual(['part=1/3', 'part=2/3', 'part=3/3']);
    expect(await run(world)).toBe(0);
    world.tracker.editComment(id, 'Short.');
    unread(world);
    await run(world);
    expect(copiesOn(world, 1)).toHaveLength(2);
    expect(copiesOn(world, 1)[0]).toContain(':\n\nShort.\n\n<!--');
    world.tracker.editComment(id, `Begin\n\n${'A line of a log.\n'.repeat(4_000)}\nEnd`);
    unread(world);
    await run(world);
    expect(copiesOn(world, 1).filter((body) => body.includes(' part='))).toHaveLength(2);
    expect(await run(world)).toBe(0);
  });

  test('is reported in the body if it is the description', async () => {
    const world = stage();
    const bug = world.tracker
      .as('alice')
      .file({ summary: 'One', description: 'Described.', url: 'https://example.test/1/' });
    const route: Route = { ...widgetRoute, table: ['url'] };
    await run(world, route);
    const table = /<!-- bugferry:table -->[\s\S]*<\/details>/u.exec(bodyOf(world, 1))?.[0];
    world.tracker.editComment(world.tracker.commentsOf(bug)[0]?.id ?? 0, 'Described better.');
    unread(world);
    const from = world.calls.length;
    await run(world, route);
    expect(callsSince(world, from).filter((call) => call === 'github update')).toHaveLength(1);
    expect(bodyOf(world, 1)).toContain('Described better.');
    expect(bodyOf(world, 1)).toContain(table);
    expect(world.tracker.commentsOf(bug)).toHaveLength(1);
    expect(await run(world, route)).toBe(0);
  });
});

describe('a copy that somebody changed on GitHub', () => {
  const defaced = async (route: Route) => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One', description: 'Described.' });
    const source = alice.comment(bug, 'Said.');
    await run(world, route);
    const [copy] = world.github.commentsOf(repo, 1);
    world.github.as('mona').editComment(repo, copy?.id ?? 0, 'Mona was here.');
    await run(world, route);
    return { world, bug, source, copy };
  };

  test('is put right where the route says so', async () => {
    const { world, copy } = await defaced(restoring);
    expect(copiesOn(world, 1)).toEqual([copy?.body]);
    expect(await run(world, restoring)).toBe(0);
  });

  test('is left where the route says so, also when its source changes later, and status says it', async () => {
    const { world, source } = await defaced(widgetRoute);
    expect(copiesOn(world, 1)).toEqual(['Mona was here.']);
    world.tracker.editComment(source, 'Said better.');
    unread(world);
    await run(world);
    expect(copiesOn(world, 1)).toEqual(['Mona was here.']);
    expect(JSON.stringify(world.store.findings.ofRoute('widget', 9).skips)).toContain(
      'a copy was changed by hand on GitHub',
    );
    expect(await run(world)).toBe(0);
  });

  test.each([
    ['leave', 'with'],
    ['leave', 'without'],
    ['restore', 'with'],
    ['restore', 'without'],
  ] as const)('before its answer was known is treated alike: %s, %s the marker', async (copies, marker) => {
    const world = stage();
    const route: Route = { ...widgetRoute, copies };
    const alice = world.tracker.as('alice');
    const bug = alice.file({ summary: 'One', description: 'Described.' });
    await run(world, route);
    const source = alice.comment(bug, 'Said.');
    world.faults = (side, cost) =>
      side === 'github' && cost === 'create' ? { kind: 'drop', after: true } : { kind: 'none' };
    await run(world, route, 1);
    world.faults = () => ({ kind: 'none' });
    const [copy] = world.github.commentsOf(repo, 1);
    const line = marker === 'with' ? `\n\n${copy?.body.split('\n').at(-1)}` : '';
    world.clock.advance(2_000);
    world.github.as('mona').editComment(repo, copy?.id ?? 0, `Mona was here.${line}`);
    await run(world, route);
    world.tracker.editComment(source, 'Said better.');
    unread(world);
    await run(world, route);
    const [shown, ...others] = copiesOn(world, 1);
    expect(shown).toContain(copies === 'leave' ? 'Mona was here.' : 'Said better.');
    expect([others, await run(world, route)]).toEqual([[], 0]);
  });

  test('and who put it back gets what was missed meanwhile', async () => {
    const { world, source, copy } = await defaced(widgetRoute);
    world.tracker.editComment(source, 'Said better.');
    unread(world);
    await run(world);
    world.github.as('mona').editComment(repo, copy?.id ?? 0, copy?.body ?? '');
    await run(world);
    expect(copiesOn(world, 1)[0]).toContain('Said better.');
  });

  test('stays deleted when it was deleted', async () => {
    const { world, copy, source } = await defaced(restoring);
    world.github.as('mona').deleteComment(repo, copy?.id ?? 0);
    world.tracker.editComment(source, 'Said better.');
    unread(world);
    await run(world, restoring);
    expect(copiesOn(world, 1)).toEqual([]);
    expect(await run(world, restoring)).toBe(0);
    expect(world.store.outbox.parked('widget')).toEqual([]);
    await swept(world, restoring);
    expect(await run(world, restoring)).toBe(0);
    expect(world.store.links.after('widget', null, 9)[0]?.state).toBe('live');
  });

  test('in its body is reported on the bug and stays, except on a route to GitHub that resets copies', async () => {
    const oneWay: Route = { ...restoring, direction: 'to-github' };
    for (const [route, words, comments] of [
      [restoring, 'Mona’s words.', 2],
      [oneWay, 'Described.', 1],
    ] as const) {
      const world = stage();
      const bug = world.tracker.as('alice').file({ summary: 'One', description: 'Described.' });
      await run(world, route);
      const body = bodyOf(world, 1);
      world.github.as('mona').edit(repo, 1, { body: body.replace('Described.', 'Mona’s words.') });
      await run(world, route);
      expect(bodyOf(world, 1)).toContain(words);
      expect(world.tracker.commentsOf(bug)).toHaveLength(comments);
      expect(await run(world, route)).toBe(0);
    }
  });
});

test('a body that people edited is theirs from then on', async () => {
  const world = stage();
  const bug = world.tracker.as('alice').file({ summary: 'One', description: 'Like bug 2.' });
  await run(world, restoring);
  world.github.as('mona').edit(repo, 1, { body: bodyOf(world, 1).replace('Like', 'Just like') });
  await run(world, restoring);
  world.tracker.as('alice').file({ summary: 'Two' });
  await run(world, restoring);
  await swept(world, restoring);
  await run(world, restoring);
  expect(bodyOf(world, 1)).toContain('Just like bug 2.');
  expect(world.tracker.commentsOf(bug)).toHaveLength(2);
  expect(await run(world, restoring)).toBe(0);
});

describe('an edit of the body of an issue that mirrors a bug', () => {
  const reportOf = async (from: string, to: string, description: string): Promise<string> => {
    const route: Route = { ...restoring, table: ['alias'] };
    const world = stage();
    const bug = world.tracker.as('alice').file({ summary: 'One', description });
    await run(world, route);
    world.github.as('mona').edit(repo, 1, { body: bodyOf(world, 1).replaceAll('\n', '\r\n').replace(from, to) });
    await run(world, route);
    const [, report, ...others] = world.tracker.commentsOf(bug);
    expect(others).toEqual([]);
    expect(await run(world, route)).toBe(0);
    return report?.text ?? '';
  };
  const edited = /^GitHub user mona edited \(https?:[^\s]+\/issues\/1, revision [0-9a-f]+\):\n\n/u;

  test('tells the words that changed, and nothing of the line and the table of the bridge', async () => {
    const text = await reportOf('often', 'sometimes', 'It crashes often.\n\nWith `x`.');
    expect(text).toMatch(edited);
    expect(text.replace(edited, '')).toBe('It crashes [-…-]{+sometimes+}.\n\nWith `x`.');
  });

  test('tells the whole text where most of it is new', async () => {
    expect((await reportOf('It crashes.', 'The window goes away.', 'It crashes.')).replace(edited, '')).toBe(
      'The window goes away.',
    );
  });

  test('tells the whole text where that is long', async () => {
    const long = 'A line of a log.\n'.repeat(400).trim();
    expect((await reportOf('A line', 'The line', long)).replace(edited, '')).toBe(long.replace('A line', 'The line'));
  });

  test('tells of each edit what it changed', async () => {
    const world = stage();
    const bug = world.tracker.as('alice').file({ summary: 'One', description: 'It crashes often here.' });
    await run(world, restoring);
    for (const [from, to] of [
      ['often', 'sometimes'],
      ['here', 'there'],
    ] as const) {
      world.github.as('mona').edit(repo, 1, { body: bodyOf(world, 1).replace(from, to) });
      await run(world, restoring);
    }
    expect(
      world.tracker
        .commentsOf(bug)
        .slice(1)
        .map(({ text }) => text.replace(edited, '')),
    ).toEqual(['It crashes [-…-]{+sometimes+} here.', 'It crashes sometimes [-…-]{+there+}.']);
  });
});

describe('a comment on GitHub that shows nothing', () => {
  test('has no copy until somebody writes something into it', async () => {
    const world = stage();
    const bug = world.tracker.as('alice').file({ summary: 'One', description: 'Described.' });
    await run(world, restoring);
    const mona = world.github.as('mona');
    const id = mona.comment(repo, 1, '<!-- Please fill in -->');
    await run(world, restoring);
    expect(world.tracker.commentsOf(bug)).toHaveLength(1);
    expect(await run(world, restoring)).toBe(0);
    mona.editComment(repo, id, '<!-- Please fill in -->\nMe too.');
    await run(world, restoring);
    expect(world.tracker.commentsOf(bug).slice(1)).toMatchObject([
      { text: expect.stringMatching(/ wrote \(.+\):\n\nMe too\.$/u) },
    ]);
    expect(await run(world, restoring)).toBe(0);
    mona.editComment(repo, id, '<!-- Please fill in -->');
    await run(world, restoring);
    expect(world.tracker.commentsOf(bug)[2]?.text).toMatch(/ edited \(.+\):\n\n\(The text was emptied\.\)$/u);
    expect(await run(world, restoring)).toBe(0);
  });
});

describe('a rewriting whose answer is lost', () => {
  test.each([true, false])(
    'is settled by looking, and nobody’s edit is seen in it (took effect: %s)',
    async (after) => {
      const world = stage();
      const alice = world.tracker.as('alice');
      const bug = alice.file({ summary: 'One', description: 'Described.' });
      const said = alice.comment(bug, 'Said.');
      await run(world, restoring);
      world.tracker.editComment(said, 'Said better.');
      world.tracker.editComment(world.tracker.commentsOf(bug)[0]?.id ?? 0, 'Described better.');
      unread(world);
      world.faults = (side, cost) =>
        side === 'github' && cost === 'edit' ? { kind: 'drop', after } : { kind: 'none' };
      await run(world, restoring, 2);
      world.faults = () => ({ kind: 'none' });
      await run(world, restoring, 4);
      expect(bodyOf(world, 1)).toContain('Described better.');
      expect(copiesOn(world, 1)[0]).toContain('Said better.');
      expect(copiesOn(world, 1)).toHaveLength(1);
      expect(world.tracker.commentsOf(bug)).toHaveLength(2);
      expect(await run(world, restoring)).toBe(0);
    },
  );
});

describe('a comment that is deleted on GitHub', () => {
  const recording: Route = { ...widgetRoute, deletions: 'note' };
  const deleted = async (route: Route) => {
    const world = stage();
    const issue = world.github.as('mona').open(repo, { title: 'One' });
    const id = world.github.as('mona').comment(repo, issue, 'Said in haste.');
    await run(world, route);
    world.github.as('mona').deleteComment(repo, id);
    await swept(world, route);
    return { world, url: `https://github.com/acme/widget/issues/${issue}#issuecomment-${id}` };
  };
  const reports = (world: Stage) =>
    world.tracker.commentsOf(1).filter(({ text }) => text.startsWith('A comment of GitHub user'));

  test('is noted on the bug, once, where the route says so', async () => {
    const { world, url } = await deleted(recording);
    await run(world, recording);
    expect(reports(world).map(({ text }) => text)).toEqual([
      `A comment of GitHub user mona was deleted on GitHub (${url}).\n\nIts copy on this bug is comment 1.`,
    ]);
    await swept(world, recording);
    expect(await run(world, recording)).toBe(0);
  });

  test('is passed over in silence where it does not', async () => {
    const { world } = await deleted(widgetRoute);
    await run(world);
    expect(reports(world)).toEqual([]);
    expect(world.tracker.commentsOf(1)).toHaveLength(2);
    expect(await run(world)).toBe(0);
  });

  test.each([true, false])('is noted once also when the answer is lost (took effect: %s)', async (after) => {
    const { world } = await deleted(recording);
    world.faults = (side, cost) =>
      side === 'tracker' && cost === 'create' ? { kind: 'drop', after } : { kind: 'none' };
    await run(world, recording, 1);
    world.faults = () => ({ kind: 'none' });
    await run(world, recording, 4);
    expect(reports(world)).toHaveLength(1);
    expect(await run(world, recording)).toBe(0);
  });

  test('is not noted again when the database is lost', async () => {
    const { world } = await deleted(recording);
    await run(world, recording);
    const forgetful = { ...world, store: openStore(':memory:', { mode: 'write', now: world.clock.now, scrub }) };
    await run(forgetful, recording, 4);
    await swept(forgetful, recording);
    expect(await run(forgetful, recording, 4)).toBe(0);
    expect(reports(world)).toHaveLength(1);
  });
});
