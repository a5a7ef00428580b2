import { describe, expect, it } from 'vitest';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { type Asking, askedTracker } from '../recorded/asked.ts';

const plain = {
  data: Buffer.from('hello').toString('base64'),
  file_name: 'h.txt',
  summary: 'h',
  content_type: 'text/plain',
};
const at = (second: number): string => `2026-11-21T12:00:0${second}Z`;
const [alice, bob, carol] = ['alice@example.test', 'bob@example.test', 'carol@example.test'];
const needinfo = (requestee?: string, more: object = {}) => ({ name: 'needinfo', status: '?', requestee, ...more });

/** A tracker with bug 1 of bob, whose flags are set one after the other by alice, a second apart. */
async function withFlags(...sets: readonly (readonly object[])[]): Promise<Asking> {
  const asking = askedTracker();
  asking.world.as('bob').file({ summary: 'a', component: 'UI', assigned_to: bob });
  for (const flags of sets) {
    asking.tick();
    expect(await setFlags(asking, 'alice', flags)).toMatchObject({ status: 200, body: { bugs: [{ id: 1 }] } });
  }
  asking.tick();
  return asking;
}

const setFlags = ({ ask }: Asking, caller: string, flags: unknown) => ask(caller, 'PUT', '/rest/bug/1', { flags });
const changesOf = async (asking: Asking, caller: string, flags: unknown) => {
  const { body } = await setFlags(asking, caller, flags);
  return body.error === true ? body : body.bugs[0].changes['flagtypes.name'];
};
const flagsOf = async ({ ask }: Asking) => (await ask('alice', 'GET', '/rest/bug/1')).body.bugs[0].flags;
const inShort = async (asking: Asking) =>
  (await flagsOf(asking)).map(
    ({ id, name, status, requestee = '' }: Record<string, string>) => `${id} ${name}${status}${requestee}`,
  );

describe('a flag of a bug', () => {
  it('is shown with all its fields, and without a requestee when nobody is asked', async () => {
    const asking = await withFlags([needinfo(bob)], [{ name: 'blocker', status: '+', requestee: bob }]);
    const common = { setter: alice };
    expect(await flagsOf(asking)).toEqual([
      { ...common, id: 2, name: 'blocker', type_id: 2, status: '+', creation_date: at(2), modification_date: at(2) },
      {
        ...common,
        id: 1,
        name: 'needinfo',
        type_id: 1,
        status: '?',
        requestee: bob,
        creation_date: at(1),
        modification_date: at(1),
      },
    ]);
    expect((await asking.ask('alice', 'GET', '/rest/bug?id=1&include_fields=flags')).body.bugs).toEqual([
      { flags: await flagsOf(asking) },
    ]);
  });

  it('puts whoever is asked on the cc list, and tells of both in the answer and the history', async () => {
    const asking = await withFlags();
    const { body } = await setFlags(asking, 'alice', [needinfo(carol)]);
    expect(body.bugs[0].changes).toEqual({
      'flagtypes.name': { removed: '', added: `needinfo?(${carol})` },
      cc: { removed: '', added: carol },
    });
    expect(body.bugs[0].last_change_time).toBe(at(1));
    expect((await asking.ask('alice', 'GET', '/rest/bug/1/history')).body.bugs[0].history).toEqual([
      {
        when: at(1),
        who: alice,
        changes: [
          { field_name: 'flagtypes.name', removed: '', added: `needinfo?(${carol})` },
          { field_name: 'cc', removed: '', added: carol },
        ],
      },
    ]);
  });

  it.each([
    [
      'of its name',
      [needinfo(bob)],
      [{ name: 'needinfo', status: '+' }],
      `needinfo?(${bob})`,
      'needinfo+',
      ['1 needinfo+'],
    ],
    ['of its kind', [needinfo(bob)], [{ type_id: 1, status: '-' }], `needinfo?(${bob})`, 'needinfo-', ['1 needinfo-']],
    ['with its id', [needinfo(bob)], [{ id: 1, status: 'X' }], `needinfo?(${bob})`, '', []],
    [
      'with another',
      [needinfo(bob)],
      [needinfo(carol)],
      `needinfo?(${bob})`,
      `needinfo?(${carol})`,
      [`1 needinfo?${carol}`],
    ],
    ['without a requestee', [needinfo(bob)], [needinfo()], `needinfo?(${bob})`, 'needinfo?', ['1 needinfo?']],
    [
      'asked for as new',
      [needinfo(bob)],
      [needinfo(carol, { new: true })],
      '',
      `needinfo?(${carol})`,
      [`1 needinfo?${bob}`, `2 needinfo?${carol}`],
    ],
    [
      'of another kind',
      [needinfo(bob)],
      [{ name: 'blocker', status: '-' }],
      '',
      'blocker-',
      ['2 blocker-', `1 needinfo?${bob}`],
    ],
    [
      'among several',
      [needinfo(bob), needinfo(carol)],
      [{ id: 2, status: 'X' }],
      `needinfo?(${carol})`,
      '',
      [`1 needinfo?${bob}`],
    ],
  ])('is changed, or joined by one, %s', async (_how, before, wishes, removed, added, left) => {
    const asking = await withFlags(before);
    expect(await changesOf(asking, 'alice', wishes)).toEqual({ removed, added });
    expect(await inShort(asking)).toEqual(left);
  });

  it.each([
    ['a kind that is not set is cleared', [{ name: 'blocker', status: 'X' }]],
    ['it is set to what it is', [needinfo(bob)]],
    ['nothing is asked for', []],
    ['null is', null],
  ])('stays as it is when %s, and no time moves', async (_when, wishes) => {
    const asking = await withFlags([needinfo(bob)]);
    const before = await flagsOf(asking);
    expect(await changesOf(asking, 'carol', wishes)).toBeUndefined();
    expect([await flagsOf(asking), asking.world.bug(1)?.changedAt]).toEqual([before, Date.parse(at(1))]);
  });

  it('that somebody else sets to what it is keeps its setter', async () => {
    const asking = await withFlags([{ name: 'blocker', status: '+' }]);
    expect(await changesOf(asking, 'carol', [{ name: 'blocker', status: '+' }])).toBeUndefined();
    expect(await flagsOf(asking)).toMatchObject([{ setter: alice, modification_date: at(1) }]);
  });

  it('that another user sets again is reported as changed, although its text is the same', async () => {
    const asking = await withFlags([{ name: 'blocker', status: '+' }]);
    const again = [
      { id: 1, status: '-' },
      { id: 1, status: '+' },
    ];
    expect(await changesOf(asking, 'bridge', again)).toEqual({ removed: 'blocker+', added: 'blocker+' });
  });

  it('counts on its own where two read alike', async () => {
    const asking = await withFlags([needinfo(), needinfo(undefined, { new: true })]);
    expect(await changesOf(asking, 'alice', [{ id: 1, status: 'X' }])).toEqual({ removed: 'needinfo?', added: '' });
  });

  it('that is new and cleared at once is nothing, even where another one stands', async () => {
    const asking = await withFlags([{ name: 'blocker', status: '+' }]);
    expect(await changesOf(asking, 'alice', [{ name: 'blocker', status: 'X', new: true }])).toBeUndefined();
  });

  it('may go on being asked of somebody who can no longer see the bug', async () => {
    const asking = await withFlags([needinfo(carol)]);
    asking.world.as('alice').change(1, { is_cc_accessible: false });
    asking.world.hide(1);
    expect(await changesOf(asking, 'alice', [needinfo(carol)])).toBeUndefined();
    expect(await changesOf(asking, 'alice', [needinfo(bob), needinfo(carol, { new: true })])).toMatchObject({
      code: 32_000,
    });
  });

  it('may be set by everybody who sees the bug, and belongs to who set it last', async () => {
    const asking = await withFlags([needinfo(bob)]);
    await setFlags(asking, 'carol', [needinfo(carol)]);
    expect(await flagsOf(asking)).toMatchObject([
      { setter: alice, requestee: carol, creation_date: at(1), modification_date: at(2) },
    ]);
    await setFlags(asking, 'carol', [{ name: 'needinfo', status: '+' }]);
    expect(await flagsOf(asking)).toMatchObject([{ setter: carol, status: '+' }]);
  });

  it.each([
    [51, 404, 'an unknown name', [{ name: 'nope', status: '?' }]],
    [51, 404, 'the name of an attachment’s', [{ name: 'review', status: '?' }]],
    [51, 404, 'a name in another case', [{ name: 'NeedInfo', status: '?' }]],
    [51, 404, 'an unknown kind', [{ type_id: 9, status: '?' }]],
    [51, 404, 'an unknown id', [{ id: 99, status: 'X' }]],
    [51, 404, 'an unknown requestee', [needinfo('nobody@example.test', { new: true })]],
    [129, 400, 'an unknown status', [{ name: 'blocker', status: 'Z' }]],
    [129, 400, 'no status', [{ name: 'blocker' }]],
    [131, 400, 'asking somebody for what nobody is asked', [{ name: 'blocker', status: '?', requestee: bob }]],
    [132, 400, 'one of several without its id', [{ name: 'needinfo', status: 'X' }]],
    [50, 400, 'neither a name nor a number', [{ status: '?' }]],
    [
      32_000,
      400,
      'a second where there can be one',
      [
        { name: 'blocker', status: '+' },
        { name: 'blocker', status: '-' },
      ],
    ],
    [32_000, 400, 'asking somebody who cannot see the bug', [needinfo(carol, { new: true })]],
    [100_500, 200, 'no list', { name: 'blocker', status: '+' }],
    [100_500, 200, 'a list of texts', ['blocker+']],
  ])('is refused with %i (%i) for %s, with all that was to be set besides', async (code, status, _what, flags) => {
    const asking = await withFlags([needinfo(bob), needinfo(alice, { new: true })]);
    asking.world.hide(1);
    const before = [await flagsOf(asking), asking.world.bug(1)];
    const answer = await asking.ask('alice', 'PUT', '/rest/bug/1', { flags, summary: 'new' });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([await flagsOf(asking), asking.world.bug(1)]).toEqual(before);
  });

  it('is named by its id where several share a name, as the refusal says', async () => {
    const asking = await withFlags([needinfo(bob), needinfo(alice, { new: true })]);
    const { body } = await setFlags(asking, 'alice', [{ name: 'needinfo', status: 'X' }]);
    expect(body.message).toBe(
      "The flag 'needinfo' has been set multiple times. You must specify the id value to update the flag.",
    );
  });

  it('that comes with a new bug is told by the history, with the cc that it brings', async () => {
    const { ask } = askedTracker();
    const bug = { product: 'Widget', component: 'UI', version: '1.0', summary: 's', cc: [carol] };
    await ask('alice', 'POST', '/rest/bug', {
      ...bug,
      flags: [needinfo(bob), needinfo(carol), { name: 'blocker', status: '?' }, { name: 'needinfo', status: 'X' }],
    });
    expect((await ask('alice', 'GET', '/rest/bug/1?include_fields=cc')).body.bugs[0].cc).toEqual([bob, carol]);
    expect((await ask('alice', 'GET', '/rest/bug/1/history')).body.bugs[0].history).toEqual([
      {
        when: at(0),
        who: alice,
        changes: [
          { field_name: 'flagtypes.name', removed: '', added: `blocker?, needinfo?(${bob}), needinfo?(${carol})` },
          { field_name: 'cc', removed: '', added: bob },
        ],
      },
    ]);
    const refused = await ask('alice', 'POST', '/rest/bug', { ...bug, flags: [{ name: 'nope', status: '?' }] });
    expect([refused.status, refused.body.code, (await ask('alice', 'GET', '/rest/bug/2')).status]).toEqual([
      404, 51, 404,
    ]);
  });
});

describe('a flag of an attachment', () => {
  const review = { name: 'review', status: '?', requestee: bob };

  /** Bug 1 with attachment 1 of alice, which bob is asked to review. */
  async function withReview(more: object = {}): Promise<Asking> {
    const asking = await withFlags();
    const { status } = await asking.ask('alice', 'POST', '/rest/bug/1/attachment', {
      ...plain,
      ...more,
      flags: [review],
    });
    expect(status).toBe(201);
    asking.tick();
    return asking;
  }
  const change = ({ ask }: Asking, caller: string, body: object) => ask(caller, 'PUT', '/rest/bug/attachment/1', body);
  const shown = async ({ ask }: Asking) =>
    (await ask('alice', 'GET', '/rest/bug/attachment/1')).body.attachments[1].flags;

  it('that comes with it is told by the history, and whoever is asked gets on the cc list', async () => {
    const asking = await withReview();
    expect(await shown(asking)).toEqual([
      {
        id: 1,
        name: 'review',
        type_id: 3,
        status: '?',
        setter: alice,
        requestee: bob,
        creation_date: at(1),
        modification_date: at(1),
      },
    ]);
    expect(asking.world.bug(1)?.cc).toEqual([bob]);
    expect((await asking.ask('bob', 'GET', '/rest/bug/1/history')).body.bugs[0].history).toEqual([
      {
        when: at(1),
        who: alice,
        changes: [
          { field_name: 'flagtypes.name', removed: '', added: `review?(${bob})`, attachment_id: 1 },
          { field_name: 'cc', removed: '', added: bob },
        ],
      },
    ]);
  });

  it('is changed with the attachment, which moves its time', async () => {
    const asking = await withReview();
    const { body } = await change(asking, 'alice', {
      flags: [
        { name: 'review', status: '+' },
        { name: 'approval', status: '?' },
      ],
    });
    expect(body.attachments).toEqual([
      {
        id: 1,
        last_change_time: at(2),
        changes: { 'flagtypes.name': { removed: `review?(${bob})`, added: 'approval?, review+' } },
      },
    ]);
    expect((await shown(asking)).map(({ id, name }: Record<string, unknown>) => [id, name])).toEqual([
      [2, 'approval'],
      [1, 'review'],
    ]);
  });

  it('may be answered by whoever is asked, who may do nothing else', async () => {
    const asking = await withReview();
    for (const more of [
      { summary: 'x' },
      {
        flags: [
          { name: 'review', status: '+' },
          { name: 'approval', status: '+' },
        ],
      },
    ]) {
      expect((await change(asking, 'bob', { flags: [{ name: 'review', status: '+' }], ...more })).body.code).toBe(
        32_000,
      );
    }
    expect((await change(asking, 'carol', { flags: [{ name: 'review', status: '+' }] })).body.code).toBe(32_000);
    expect((await change(asking, 'bob', { flags: [{ name: 'review', status: '-' }], comment: 'no' })).status).toBe(200);
    expect(await shown(asking)).toMatchObject([{ status: '-', setter: bob }]);
  });

  it('that is a request goes when the attachment becomes obsolete, and only then', async () => {
    const asking = await withReview();
    await change(asking, 'alice', { flags: [{ name: 'approval', status: '+' }] });
    const { body } = await change(asking, 'alice', { is_obsolete: true });
    expect(body.attachments[0].changes).toEqual({
      is_obsolete: { removed: '0', added: '1' },
      'flagtypes.name': { removed: `review?(${bob})`, added: '' },
    });
    await change(asking, 'alice', { is_obsolete: true, flags: [{ name: 'review', status: '?' }] });
    await change(asking, 'alice', { is_obsolete: true });
    expect((await shown(asking)).map(({ name }: { name: string }) => name)).toEqual(['approval', 'review']);
  });

  it('that goes with an obsolete attachment cannot be answered in the same breath', async () => {
    const asking = await withReview();
    expect((await change(asking, 'alice', { is_obsolete: true, flags: [{ id: 1, status: '+' }] })).status).toBe(200);
    expect(await shown(asking)).toEqual([]);
  });

  it('on a private one is asked of insiders only', async () => {
    const asking = await withFlags();
    const ask = (requestee: string) =>
      asking.ask('alice', 'POST', '/rest/bug/1/attachment', {
        ...plain,
        is_private: true,
        flags: [{ ...review, requestee }],
      });
    expect((await ask(bob)).body.code).toBe(32_000);
    expect((await ask(alice)).status).toBe(201);
  });
});

describe('kinds of flags', () => {
  it('are listed by product and component, to whoever sees the product', async () => {
    const { ask } = askedTracker();
    const { body } = await ask('alice', 'GET', '/rest/flag_type/widget/core');
    const settable = { is_active: true, values: ['X', '?', '+', '-'] };
    expect(body.bug[1]).toEqual({
      ...settable,
      ...{
        id: 1,
        name: 'needinfo',
        description: 'more info wanted',
        type: 'bug',
        is_multiplicable: true,
        is_requesteeble: true,
      },
    });
    expect(body.attachment.map(({ name }: { name: string }) => name)).toEqual(['approval', 'review']);
    const shown = (await ask(null, 'GET', '/rest/flag_type/Widget')).body;
    expect({ ...shown, bug: shown.bug.slice(1) }).toEqual({ ...body, bug: body.bug.slice(1) });
    expect([body.bug[0].values, shown.bug[0].values]).toEqual([
      ['X', '?', '+', '-'],
      ['X', '?'],
    ]);
  });

  it('belong to products, and a bug that moves loses those that its new one does not have', async () => {
    const { ask, world } = askedTracker();
    expect(
      (await ask('alice', 'GET', '/rest/flag_type/Gadget')).body.bug.map(({ name }: { name: string }) => name),
    ).toEqual(['needinfo']);
    const flags = [
      { name: 'blocker', status: '?' },
      { name: 'needinfo', status: '?' },
    ];
    const other = { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' };
    const bug = world.as('alice').file({ summary: 's', flags });
    world.as('alice').change(bug, other);
    expect(world.bug(bug)?.flags).toMatchObject([{ type: 1 }]);
    const refused = await ask('alice', 'PUT', `/rest/bug/${bug}`, { flags });
    expect([refused.status, refused.body.code]).toEqual([404, 51]);
  });

  it('are granted and denied by their group, and asked for by everyone; whoever asked may take it back', async () => {
    const { ask, world } = askedTracker();
    const bug = world.as('carol').file({ summary: 's' });
    const set = async (who: string, status: string) =>
      (await ask(who, 'PUT', `/rest/bug/${bug}`, { flags: [{ name: 'blocker', status }] })).body.code;
    expect([await set('carol', '+'), await set('carol', '?'), await set('carol', '-')]).toEqual([130, undefined, 130]);
    expect([await set('alice', '+'), await set('carol', '-'), await set('carol', 'X')]).toEqual([
      undefined,
      130,
      undefined,
    ]);
  });

  it.each([
    ['alice', 'Nope', 401, 106],
    ['bob', 'Secret', 401, 106],
    ['alice', 'Widget/Nope', 404, 51],
    ['alice', 'Widget/Core/', 404, 32_614],
  ])('are not listed to %s for %s: %i (%i)', async (caller, path, status, code) => {
    const answer = await askedTracker().ask(caller, 'GET', `/rest/flag_type/${path}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('stand in each component of a product', async () => {
    const { body } = await askedTracker().ask('alice', 'GET', '/rest/product/Widget');
    for (const { flag_types } of body.products[0].components) {
      expect(flag_types.bug.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
      expect(flag_types.attachment[1]).toEqual({
        ...{
          id: 3,
          name: 'review',
          description: 'review me',
          cc_list: '',
          sort_key: 1,
          grant_group: null,
          request_group: null,
        },
        ...{ is_active: true, is_requestable: true, is_requesteeble: true, is_multiplicable: false },
      });
    }
  });
});

it('new flags go on being counted where the loaded world stopped', async () => {
  const { ask, world } = askedTracker();
  loadTrackerWorld(world);
  await ask('alice', 'PUT', '/rest/bug/21', { flags: [needinfo(alice, { new: true })] });
  expect(world.bug(21)?.flags.map(({ id }) => id)).toEqual([2, 3, 4, 5]);
});
