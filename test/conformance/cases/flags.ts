import { type Case, section } from '../case.ts';
import { at, equal, fails, isRecord, isRefused, listAt, notOffered, ok, recordAt } from '../judge.ts';
import { type FlagType, flagTypes, type Need } from '../needs.ts';
import type { Body } from '../server.ts';
import type { Bug, Tracker } from '../tracker.ts';

/** Section 4.6, on bugs and on attachments: both take the same objects. */

type Target = 'bug' | 'attachment';

const create = section('4.6.1');
const change = section('4.6.2');

/** What has flags, made anew: how they are read and changed there. */
interface Flagged {
  readonly flags: () => Promise<readonly Bug[]>;
  readonly set: (...flags: readonly Body[]) => ReturnType<Tracker['update']>;
}

async function flaggedThing(tracker: Tracker, target: Target): Promise<Flagged> {
  const bug = await tracker.file();
  if (target === 'bug') {
    return {
      flags: async () => listAt(await tracker.read(bug), 'flags').filter(isRecord),
      set: (...flags) => tracker.update(bug, { flags }),
    };
  }
  const id = await tracker.attach(bug);
  return {
    flags: async () => listAt(await tracker.attachment(id), 'flags').filter(isRecord),
    set: (...flags) => tracker.updateAttachment(id, { flags }),
  };
}

const anyOf = async (tracker: Tracker, target: Target): Promise<FlagType> =>
  (await flagTypes(tracker, target))[0] ?? notOffered('there are no flags');

const typeWith = async (
  tracker: Tracker,
  target: Target,
  holds: (type: FlagType) => boolean,
  what: string,
): Promise<FlagType> => (await flagTypes(tracker, target)).find(holds) ?? notOffered(`no flag on a ${target} ${what}`);

const onTargets = (build: (target: Target, needs: readonly Need[]) => readonly Case[]): readonly Case[] => [
  ...build('bug', ['bug flags', 'editor']),
  ...build('attachment', ['attachment flags', 'editor']),
];

const setting = onTargets((target, needs) => [
  ...(['name', 'type_id'] as const).map((key) =>
    change(
      `a flag is set on a ${target} by ${key}`,
      [`/${key}`, '/status'],
      async (tracker) => {
        const type = await anyOf(tracker, target);
        const thing = await flaggedThing(tracker, target);
        ok(await thing.set({ [key]: key === 'name' ? type.name : type.id, status: '+' }));
        equal(
          (await thing.flags()).map(({ name, status }) => [name, status]),
          [[type.name, '+']],
          'flags',
        );
      },
      needs,
    ),
  ),
  change(
    `a flag on a ${target} goes through ?, + and -, and X clears it`,
    ['/status', '3/flag-statuses', '/updates-single'],
    async (tracker) => {
      const type = await anyOf(tracker, target);
      const thing = await flaggedThing(tracker, target);
      for (const status of ['?', '+', '-']) {
        ok(await thing.set({ name: type.name, status }));
        equal(
          (await thing.flags()).map((flag) => flag['status']),
          [status],
          'status',
        );
      }
      ok(await thing.set({ name: type.name, status: 'X' }));
      equal(await thing.flags(), [], 'flags after X');
    },
    needs,
  ),
  change(
    `a flag on a ${target} is changed by id`,
    ['/id'],
    async (tracker) => {
      const type = await anyOf(tracker, target);
      const thing = await flaggedThing(tracker, target);
      ok(await thing.set({ name: type.name, status: '?' }));
      const id = (await thing.flags())[0]?.['id'];
      ok(await thing.set({ id, status: '-' }));
      equal(
        (await thing.flags()).map((flag) => [flag['id'], flag['status']]),
        [[id, '-']],
        'flags',
      );
    },
    needs,
  ),
  change(
    `the answer tells a flag’s change on a ${target}`,
    ['/status', target === 'bug' ? '4.5/flags' : '4.9/flags'],
    async (tracker) => {
      const type = await anyOf(tracker, target);
      const thing = await flaggedThing(tracker, target);
      const body = ok(await thing.set({ name: type.name, status: '+' }));
      const changes = recordAt(body, target === 'bug' ? 'bugs' : 'attachments', 0, 'changes');
      equal(changes['flagtypes.name'], { removed: '', added: `${type.name}+` }, 'changes.flagtypes.name');
    },
    needs,
  ),
  change(
    `who set a flag on a ${target} is its setter`,
    ['2.3/setter'],
    async (tracker) => {
      const type = await anyOf(tracker, target);
      const thing = await flaggedThing(tracker, target);
      ok(await thing.set({ name: type.name, status: '+' }));
      equal((await thing.flags())[0]?.['setter'], await tracker.login(), 'setter');
    },
    needs,
  ),
  change(
    `new sets one more flag of a name on a ${target}`,
    ['/new', '/id-required'],
    async (tracker) => {
      const type = await typeWith(tracker, target, ({ isMultiple }) => isMultiple, 'may be set more than once');
      const thing = await flaggedThing(tracker, target);
      ok(await thing.set({ name: type.name, status: '?' }));
      ok(await thing.set({ name: type.name, status: '+', new: true }));
      const flags = await thing.flags();
      equal(flags.map(({ status }) => String(status)).sort(), ['+', '?'], 'statuses');
      fails(await thing.set({ name: type.name, status: '-' }), 400, 132);
      ok(await thing.set({ id: flags[0]?.['id'], status: 'X' }));
      equal((await thing.flags()).length, 1, 'flags after one was cleared by id');
    },
    needs,
  ),
  change(
    `a requestee is named while a flag on a ${target} is asked of somebody`,
    ['/requestee', '2.3/requestee'],
    async (tracker) => {
      const type = await typeWith(tracker, target, ({ isRequestable }) => isRequestable, 'can be asked of a person');
      const thing = await flaggedThing(tracker, target);
      const login = await tracker.login();
      ok(await thing.set({ name: type.name, status: '?', requestee: login }));
      equal((await thing.flags())[0]?.['requestee'], login, 'requestee');
      ok(await thing.set({ name: type.name, status: '+' }));
      equal((await thing.flags())[0]?.['requestee'], undefined, 'requestee once it is granted');
    },
    needs,
  ),
  change(
    `a requestee is refused where a flag on a ${target} is asked of nobody`,
    ['/requestee', '7/codes'],
    async (tracker) => {
      const type = await typeWith(tracker, target, ({ isRequestable }) => !isRequestable, 'is asked of nobody');
      const thing = await flaggedThing(tracker, target);
      fails(await thing.set({ name: type.name, status: '?', requestee: await tracker.login() }), 400, 131);
    },
    needs,
  ),
  change(
    `an unknown requestee on a ${target} is refused`,
    ['/requestee'],
    async (tracker) => {
      const type = await typeWith(tracker, target, ({ isRequestable }) => isRequestable, 'can be asked of a person');
      const thing = await flaggedThing(tracker, target);
      fails(await thing.set({ name: type.name, status: '?', requestee: 'nobody@no-such.example.test' }), 404, 51);
    },
    needs,
  ),
  change(
    `an unknown flag on a ${target} is refused`,
    ['/name', '7/codes'],
    async (tracker) => {
      const thing = await flaggedThing(tracker, target);
      fails(await thing.set({ name: `no-such-${tracker.run}`, status: '?' }), 404, 51);
      equal(await thing.flags(), [], 'flags');
    },
    needs,
  ),
  change(
    `an unknown flag id or type id on a ${target} is refused`,
    ['/id', '/type_id'],
    async (tracker) => {
      const thing = await flaggedThing(tracker, target);
      fails(await thing.set({ type_id: 2 ** 31 - 7, status: '?' }), 404, 51);
      fails(await thing.set({ id: 2 ** 31 - 7, status: '?' }), 404, 51);
    },
    needs,
  ),
  change(
    `a status that is none is refused on a ${target}`,
    ['/status', '7/codes'],
    async (tracker) => {
      const thing = await flaggedThing(tracker, target);
      fails(await thing.set({ name: (await anyOf(tracker, target)).name, status: 'Z' }), 400, 129);
    },
    needs,
  ),
  change(
    `a flag on a ${target} without a status is refused`,
    ['/required'],
    async (tracker) => {
      const thing = await flaggedThing(tracker, target);
      isRefused(await thing.set({ name: (await anyOf(tracker, target)).name }));
      equal(await thing.flags(), [], 'flags');
    },
    needs,
  ),
]);

const creating: readonly Case[] = [
  ...(['name', 'type_id'] as const).flatMap((key) => [
    create(
      `a bug is filed with a flag, by ${key}`,
      [`/${key}`, '/create-bug', '/status', '4.4/flags'],
      async (tracker) => {
        const type = await anyOf(tracker, 'bug');
        const bug = await tracker.file({ flags: [{ [key]: key === 'name' ? type.name : type.id, status: '?' }] });
        equal(
          listAt(await tracker.read(bug), 'flags').map((flag) => [at(flag, 'name'), at(flag, 'status')]),
          [[type.name, '?']],
          'flags',
        );
      },
      ['bug flags', 'editor'],
    ),
    create(
      `an attachment is made with a flag, by ${key}`,
      [`/${key}`, '/create-attachment', '/status', '4.8/flags'],
      async (tracker) => {
        const type = await anyOf(tracker, 'attachment');
        const flags = [{ [key]: key === 'name' ? type.name : type.id, status: '?' }];
        const read = await tracker.attachment(await tracker.attach(await tracker.scratch(), { flags }));
        equal(
          listAt(read, 'flags').map((flag) => [at(flag, 'name'), at(flag, 'status')]),
          [[type.name, '?']],
          'flags',
        );
      },
      ['attachment flags', 'editor'],
    ),
  ]),
  create(
    'a flag of a new bug is asked of somebody',
    ['/requestee'],
    async (tracker) => {
      const type = await typeWith(tracker, 'bug', ({ isRequestable }) => isRequestable, 'can be asked of a person');
      const requestee = await tracker.login();
      const bug = await tracker.file({ flags: [{ name: type.name, status: '?', requestee }] });
      equal(at(await tracker.read(bug), 'flags', 0, 'requestee'), requestee, 'requestee');
    },
    ['bug flags', 'editor'],
  ),
  create(
    'an unknown flag on a new bug is refused',
    ['/name'],
    async (tracker) => {
      fails(await tracker.tryFile({ flags: [{ name: `no-such-${tracker.run}`, status: '?' }] }), 404, 51);
    },
    ['bug flags'],
  ),
  create(
    'an unknown flag on a new attachment is refused',
    ['/name'],
    async (tracker) => {
      fails(
        await tracker.tryAttach(await tracker.scratch(), { flags: [{ name: `no-such-${tracker.run}`, status: '?' }] }),
        404,
        51,
      );
    },
    ['attachment flags'],
  ),
  create(
    'a flag without a status is refused on a new bug',
    ['/required'],
    async (tracker) => {
      isRefused(await tracker.tryFile({ flags: [{ name: (await anyOf(tracker, 'bug')).name }] }));
    },
    ['bug flags'],
  ),
  create(
    'new: true is taken with a new attachment’s flag',
    ['/new-in-sample'],
    async (tracker) => {
      const type = await anyOf(tracker, 'attachment');
      const read = await tracker.attachment(
        await tracker.attach(await tracker.scratch(), { flags: [{ name: type.name, status: '?', new: true }] }),
      );
      equal(listAt(read, 'flags').length, 1, 'flags');
    },
    ['attachment flags', 'editor'],
  ),
];

export const flags: readonly Case[] = [...setting, ...creating];
