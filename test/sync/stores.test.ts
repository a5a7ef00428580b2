import { describe, expect, test } from 'vitest';
import type { AttachmentRule, Route, StoreKind } from '../../src/model/route.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** What becomes of files of all kinds, in every place where their copies may stand. */
const ruleFor = (store: StoreKind): AttachmentRule => ({
  store,
  ...{ owner: 'acme', repo: 'widget', branch: 'attachments', tag: 'attachments', bytesMax: 100_000 },
});
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function cycles(world: Stage, store: StoreKind, count = 4): Promise<void> {
  const route: Route = { ...widgetRoute, attachments: ruleFor(store) };
  const context = contextOn(world, route, { limits: testLimits });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

function filed(): { world: Stage; bug: number } {
  const world = stage();
  return { world, bug: world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }) };
}

const textsOn = (world: Stage): string =>
  [world.github.issue(repo, 1)?.body ?? '', ...world.github.commentsOf(repo, 1).map(({ body }) => body)].join(
    '\n=====\n',
  );
const copies = ({ github }: Stage): readonly string[] =>
  [...github.files(repo, 'attachments').values(), ...github.assets(repo).values()].map((bytes) =>
    new TextDecoder().decode(bytes),
  );
const writes = ({ github }: Stage): number => github.requests.filter(({ method }) => method !== 'GET').length;
/** What people get who open a link. */
const opened = async ({ github }: Stage, url: string): Promise<string | null> => {
  const page = await githubServer(github).request(new URL(url).pathname);
  return page.status === 200 ? page.text() : null;
};

const withdrawn = ({ store }: Stage) =>
  store.ledger
    .latest('widget', 50)
    .filter(({ kind }) => kind === 'withdraw')
    .map(({ detail }) => detail);

const names = [
  ...[
    'same.log',
    'same.log',
    'Übersicht 日本語 🫖.png',
    '../../etc/passwd',
    'C:\\temp\\dump.txt',
    '.git',
    'CON',
    '#?%&.txt',
    '"><img src=x>.svg',
  ],
  ...['mail from jo.doe@example.test.txt', '[a](b).txt', '`x`', `${'n'.repeat(200)}.tar.gz`, '-rf', '@mona fixes #1'],
];

describe.each(['branch', 'release'] as const)('with the store %s', (store) => {
  test('files with names of all kinds stand once, and every comment leads to its own', async () => {
    const { world, bug } = filed();
    for (const [index, name] of names.entries())
      world.tracker
        .as('alice')
        .attach(bug, { bytes: bytesOf(`content ${index}.`), file_name: name, content_type: 'application/x-thing' });
    await cycles(world, store);
    expect([...copies(world)].sort()).toEqual(names.map((_, index) => `content ${index}.`).sort());
    const comments = world.github.commentsOf(repo, 1);
    expect(comments).toHaveLength(names.length);
    for (const [index, { body }] of comments.entries()) {
      const url = /^Attachment \d+, \[.*?\]\(<([^>]+)>\)/mu.exec(body)?.[1] ?? '';
      expect([index, await opened(world, url)]).toEqual([index, `content ${index}.`]);
    }
    expect(textsOn(world)).not.toMatch(/@example|(?<!\\)<img|@mona|[^\w&]#1\b/u);
    const where = [...world.github.files(repo, 'attachments').keys(), ...world.github.assets(repo).keys()].join('\n');
    expect(where).not.toMatch(/@example|\.\.\/|\/\.git(?:\/|$)/mu);
  });

  test('what is obsolete crosses and says so; what is too large, or has lost its content, stays', async () => {
    const { world, bug } = filed();
    const alice = world.tracker.as('alice');
    const [, large, lost] = [
      alice.attach(bug, { bytes: bytesOf('old'), file_name: 'old.bin' }),
      alice.attach(bug, { bytes: new Uint8Array(100_001), file_name: 'large.bin' }),
      alice.attach(bug, { bytes: bytesOf('lost'), file_name: 'lost.bin' }),
    ];
    alice.changeAttachment(1, { is_obsolete: true });
    const row = world.tracker.state.attachments.get(lost);
    if (row) world.tracker.state.attachments.set(lost, { ...row, content: null, size: 0 });
    await cycles(world, store);
    expect(copies(world)).toEqual(['old']);
    expect(textsOn(world)).toMatch(/Attachment 1, \[old\.bin\]\(<https:\/\/github\.com\/[^>]+>\) \([^)]*obsolete/u);
    for (const id of [large, lost])
      expect(textsOn(world)).toContain(`(<https://bugs.example.test/attachment.cgi?id=${id}>)`);
  });

  test('flags are told without the people that they name, and anew when they change', async () => {
    const { world, bug } = filed();
    const alice = world.tracker.as('alice');
    alice.attach(bug, {
      bytes: bytesOf('new'),
      file_name: 'new.bin',
      flags: [{ name: 'review', status: '?', requestee: 'bob@example.test' }],
    });
    await cycles(world, store);
    expect(textsOn(world)).toMatch(/Attachment 1, \[new\.bin\][^\n]*, review\?\)/u);
    expect(textsOn(world)).not.toContain('bob');
    alice.changeAttachment(1, { flags: [{ name: 'review', status: '+' }] });
    await cycles(world, store);
    expect(textsOn(world)).toMatch(/Attachment 1, \[new\.bin\][^\n]*, review\+\)/u);
    expect(copies(world)).toEqual(['new']);
  });

  test('a second database uploads nothing again', async () => {
    const { world, bug } = filed();
    for (const name of ['a.log', 'b.log'])
      world.tracker.as('alice').attach(bug, { bytes: bytesOf(name), file_name: name });
    await cycles(world, store);
    const before = writes(world);
    const { store: _lost, ...rest } = world;
    await cycles({ ...rest, store: stage().store }, store);
    expect([writes(world), [...copies(world)].sort()]).toEqual([before, ['a.log', 'b.log']]);
  });

  test('what becomes private is taken away, the ledger says what is left of it, and it comes back', async () => {
    const { world, bug } = filed();
    const id = world.tracker.as('alice').attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await cycles(world, store);
    const url = /\(<(https:\/\/github\.com\/[^>]+)>\)/u.exec(textsOn(world))?.[1] ?? '';
    expect(await opened(world, url)).toBe('x');
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: true });
    await cycles(world, store);
    expect([copies(world), await opened(world, url)]).toEqual([[], null]);
    expect(withdrawn(world)).toMatchObject([{ files: 1, left: store === 'branch' ? expect.any(String) : null }]);
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: false });
    await cycles(world, store);
    expect(copies(world)).toEqual(['x']);
  });

  test('the files of a bug that becomes private go together', async () => {
    const { world, bug } = filed();
    for (const name of ['a', 'b', 'c'])
      world.tracker.as('alice').attach(bug, { bytes: bytesOf(name), file_name: name });
    await cycles(world, store);
    expect(copies(world)).toHaveLength(3);
    const before = world.calls.length;
    world.tracker.hide(bug);
    world.clock.advance(61_000);
    await sweep(contextOn(world, { ...widgetRoute, attachments: ruleFor(store) }, { limits: testLimits }), {
      isForced: false,
    });
    await cycles(world, store, 1);
    expect(copies(world)).toEqual([]);
    expect(world.calls.slice(before).filter(({ method }) => method === 'remove')).toHaveLength(1);
    expect(withdrawn(world)).toMatchObject([{ files: 3, isIssue: true }]);
  });

  test('a content that an administrator deletes is taken away from the copy, too', async () => {
    const { world, bug } = filed();
    const alice = world.tracker.as('alice');
    const id = alice.attach(bug, { bytes: bytesOf('x'), file_name: 'a.bin' });
    await cycles(world, store);
    const row = world.tracker.state.attachments.get(id);
    if (row) world.tracker.state.attachments.set(id, { ...row, content: null, size: 0 });
    alice.comment(bug, 'Somebody deleted it.');
    await cycles(world, store);
    expect(copies(world)).toEqual([]);
  });
});
