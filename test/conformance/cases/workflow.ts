import { type Case, section } from '../case.ts';
import {
  at,
  check,
  codeOf,
  differs,
  either,
  equal,
  fails,
  isRefused,
  listAt,
  notOffered,
  ok,
  sameSet,
  textAt,
} from '../judge.ts';
import { groupOf } from '../needs.ts';
import { closing } from '../samples.ts';
import type { Bug, Tracker } from '../tracker.ts';
import type { Product } from '../vocabulary.ts';

/** Section 3: the moves between statuses, and what they do by themselves. */

const here = section('3');

/** A new bug, closed by one move; the closed status comes from the tracker's own workflow. */
async function closedBug(tracker: Tracker): Promise<number> {
  const bug = await tracker.file();
  await tracker.change(bug, await closing(tracker, bug));
  return bug;
}

async function reopening(tracker: Tracker, bug: number): Promise<string> {
  const { statuses } = await tracker.vocabulary();
  const now = (await tracker.read(bug))['status'];
  const next = statuses.find(({ name }) => name === now)?.next ?? [];
  const open = statuses.find(({ name, isOpen }) => isOpen && next.includes(name) && name !== 'UNCONFIRMED');
  return open?.name ?? notOffered('the workflow reopens nothing');
}

const resolving: readonly Case[] = [
  here('closing with a resolution', ['/resolve', '4.5/status', '4.5/resolution'], async (tracker) => {
    const bug = await tracker.file();
    const close = await closing(tracker, bug);
    const before = textAt(await tracker.read(bug), 'status');
    const { changes } = await tracker.change(bug, close);
    equal(at(changes, 'status'), { removed: before, added: close['status'] }, 'changes.status');
    equal(at(changes, 'resolution'), { removed: '', added: close['resolution'] }, 'changes.resolution');
    const { status, resolution, is_open } = await tracker.read(bug);
    equal({ status, resolution, is_open }, { ...close, is_open: false }, 'bug');
  }),
  here('closing without a resolution', ['/close-without-resolution', '7/resolution-missing'], async (tracker) => {
    const bug = await tracker.scratch();
    fails(await tracker.update(bug, { status: (await closing(tracker, bug))['status'] }), 400, 121);
  }),
  here('a resolution on an open bug is refused', ['/resolution-on-open', '7/resolution-on-open'], async (tracker) => {
    const { resolutions } = await tracker.vocabulary();
    const bug = await tracker.scratch();
    fails(await tracker.update(bug, { resolution: resolutions[0] }), 400, 122);
    equal((await tracker.read(bug))['resolution'], '', 'resolution afterwards');
  }),
  here('a closed bug may get another resolution', ['/resolution-on-closed'], async (tracker) => {
    const { resolutions } = await tracker.vocabulary();
    const [from, to] = resolutions;
    if (to === undefined) return notOffered('there is one resolution only');
    const { changes } = await tracker.change(await closedBug(tracker), { resolution: to });
    equal(changes, { resolution: { removed: from, added: to } }, 'changes');
  }),
  here('a closed bug cannot lose its resolution alone', ['/resolution-on-closed'], async (tracker) => {
    fails(await tracker.update(await closedBug(tracker), { resolution: '' }), 400, 121);
  }),
  here(
    'reopening clears the resolution',
    ['/reopen-clears-resolution'],
    async (tracker) => {
      const bug = await closedBug(tracker);
      const { resolution } = await tracker.read(bug);
      const { changes } = await tracker.change(bug, { status: await reopening(tracker, bug) });
      equal(at(changes, 'resolution'), { removed: resolution, added: '' }, 'changes.resolution');
      const read = await tracker.read(bug);
      equal([read['resolution'], read['is_open']], ['', true], 'resolution and is_open');
    },
    ['editor'],
  ),
  here('an unknown status is refused', ['/statuses'], async (tracker) => {
    fails(await tracker.update(await tracker.scratch(), { status: 'NO_SUCH_STATUS' }), 404, 51);
  }),
  here('an unknown resolution is refused', ['/statuses'], async (tracker) => {
    fails(await tracker.update(await closedBug(tracker), { resolution: 'NO_SUCH_RESOLUTION' }), 404, 51);
  }),
  here('the status that a bug has already is no change', ['/status-same'], async (tracker) => {
    const bug = await tracker.scratch();
    const { status } = await tracker.read(bug);
    equal((await tracker.change(bug, { status }))['changes'], {}, 'changes');
  }),
  here('the statuses and resolutions of the interface exist', ['/statuses'], async (tracker) => {
    const { statuses } = await tracker.vocabulary();
    const names = statuses.map(({ name }) => name);
    const missing = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED'].filter((name) => !names.includes(name));
    if (missing.length > 0) return notOffered(`another workflow is set up: there is no ${missing.join(', ')}`);
    check(
      (await tracker.vocabulary()).resolutions.includes('INVALID'),
      'resolutions',
      'INVALID among them',
      'no INVALID',
    );
  }),
];

/** Brings a new bug into each status of the workflow by permitted moves; answers how each can be reached. */
async function waysTo(tracker: Tracker): Promise<ReadonlyMap<string, readonly string[]>> {
  const { statuses, initial } = await tracker.vocabulary();
  const { hasUnconfirmed } = await tracker.place();
  const isUsable = (name: string) => hasUnconfirmed || name !== 'UNCONFIRMED';
  const ways = new Map<string, readonly string[]>(initial.filter(isUsable).map((name) => [name, [name]]));
  for (const [from, way] of ways) {
    const next = statuses.find(({ name }) => name === from)?.next ?? [];
    for (const to of next.filter(isUsable)) if (!ways.has(to)) ways.set(to, [...way, to]);
  }
  return ways;
}

async function bugIn(tracker: Tracker, way: readonly string[]): Promise<number> {
  const bug = await tracker.file({ status: way[0] });
  for (const status of way.slice(1)) ok(await move(tracker, bug, status));
  return bug;
}

async function move(tracker: Tracker, bug: number, status: string) {
  const { statuses, resolutions } = await tracker.vocabulary();
  const isClosed = statuses.some(({ name, isOpen }) => name === status && !isOpen);
  return tracker.update(bug, { status, ...(isClosed ? { resolution: resolutions[0] } : {}) });
}

const matrix: readonly Case[] = [
  here(
    'every move of the tracker’s own workflow is permitted',
    ['/moves'],
    async (tracker) => {
      const { statuses } = await tracker.vocabulary();
      const ways = await waysTo(tracker);
      for (const { name, next } of statuses) {
        for (const to of next.filter((one) => ways.has(one))) {
          const way = ways.get(name);
          if (way === undefined) continue;
          const bug = await bugIn(tracker, way);
          equal(
            at(ok(await move(tracker, bug, to)), 'bugs', 0, 'changes', 'status'),
            { removed: name, added: to },
            `${name} to ${to}`,
          );
        }
      }
    },
    ['editor'],
  ),
  here(
    'every other move is refused',
    ['/moves'],
    async (tracker) => {
      const { statuses } = await tracker.vocabulary();
      const ways = await waysTo(tracker);
      for (const { name, next } of statuses) {
        const way = ways.get(name);
        const banned = [...ways.keys()].filter((to) => to !== name && !next.includes(to));
        if (way === undefined || banned.length === 0) continue;
        const bug = await bugIn(tracker, way);
        for (const to of banned) fails(await move(tracker, bug, to), 400, 123);
        equal((await tracker.read(bug))['status'], name, 'status afterwards');
      }
    },
    ['editor'],
  ),
  here('the answer names the status as the tracker spells it', ['/statuses'], async (tracker) => {
    const bug = await tracker.file();
    const close = await closing(tracker, bug);
    await tracker.change(bug, { ...close, status: String(close['status']).toLowerCase() });
    equal((await tracker.read(bug))['status'], close['status'], 'status');
  }),
];

const duplicates: readonly Case[] = [
  here('dupe_of closes a bug as a duplicate by itself', ['/dupe-of', '4.5/dupe_of'], async (tracker) => {
    const [target, bug] = [await tracker.file(), await tracker.file()];
    const { changes } = await tracker.change(bug, { dupe_of: target });
    equal(at(changes, 'dupe_of'), { removed: '', added: String(target) }, 'changes.dupe_of');
    const { status, resolution, dupe_of, is_open } = await tracker.read(bug);
    const { duplicate_or_move_bug_status: expected = status } = (await tracker.vocabulary()).parameters;
    equal(
      [status, resolution, dupe_of, is_open],
      [expected, 'DUPLICATE', target, false],
      'status, resolution, dupe_of and is_open',
    );
  }),
  here('the duplicate and its target both say so in a comment', ['/dupe-of'], async (tracker) => {
    const [target, bug] = [await tracker.file(), await tracker.file()];
    await tracker.change(bug, { dupe_of: target });
    const [there, here_] = [await tracker.comments(target), await tracker.comments(bug)];
    equal([there.length, here_.length], [2, 2], 'comments on the target and on the duplicate');
    check(
      textAt(there, -1, 'text').includes(String(bug)),
      'comment on the target',
      `one that names ${bug}`,
      there.at(-1),
    );
    check(
      textAt(here_, -1, 'text').includes(String(target)),
      'comment on the duplicate',
      `one that names ${target}`,
      here_.at(-1),
    );
  }),
  here('the resolution DUPLICATE without a target is refused', ['/dupe-of'], async (tracker) => {
    const bug = await tracker.scratch();
    fails(await tracker.update(bug, { ...(await closing(tracker, bug)), resolution: 'DUPLICATE' }), 400, 119);
  }),
  here('a bug cannot be a duplicate of itself or of nothing', ['/dupe-of'], async (tracker) => {
    const bug = await tracker.scratch();
    fails(await tracker.update(bug, { dupe_of: bug }), 400, 118);
    fails(await tracker.update(bug, { dupe_of: 2 ** 31 - 7 }), 404, 101);
  }),
  here(
    'a duplicate that is reopened is none any more',
    ['/dupe-of', '/reopen-clears-resolution'],
    async (tracker) => {
      const [target, bug] = [await tracker.file(), await tracker.file()];
      await tracker.change(bug, { dupe_of: target });
      await tracker.change(bug, { status: await reopening(tracker, bug) });
      const { dupe_of, resolution } = await tracker.read(bug);
      equal([dupe_of, resolution], [null, ''], 'dupe_of and resolution');
    },
    ['editor'],
  ),
  here('another resolution takes the duplicate mark away', ['/dupe-of'], async (tracker) => {
    const [target, bug] = [await tracker.file(), await tracker.file()];
    await tracker.change(bug, { dupe_of: target });
    const [resolution] = (await tracker.vocabulary()).resolutions;
    await tracker.change(bug, { resolution });
    const read = await tracker.read(bug);
    equal([read['dupe_of'], read['resolution']], [null, resolution], 'dupe_of and resolution');
  }),
];

const creation: readonly Case[] = [
  here(
    'a new bug takes each status that the tracker allows at creation',
    ['/create-status', '4.4/status'],
    async (tracker) => {
      const { initial } = await tracker.vocabulary();
      const { hasUnconfirmed } = await tracker.place();
      for (const status of initial.filter((one) => hasUnconfirmed || one !== 'UNCONFIRMED')) {
        equal((await tracker.read(await tracker.file({ status })))['status'], status, `a bug filed as ${status}`);
      }
    },
    ['editor'],
  ),
  here(
    'a new bug cannot have a status that is not allowed at creation',
    ['/create-status', '/create-resolution'],
    async (tracker) => {
      const { statuses, initial, resolutions } = await tracker.vocabulary();
      for (const { name, isOpen } of statuses.filter((status) => !initial.includes(status.name))) {
        fails(await tracker.tryFile({ status: name, ...(isOpen ? {} : { resolution: resolutions[0] }) }), 400, 123);
      }
    },
    ['editor'],
  ),
  here(
    'filing a closed bug needs a resolution',
    ['/create-resolution', '4.4/resolution'],
    async (tracker) => {
      const { statuses } = await tracker.vocabulary();
      const closed = statuses.find(({ isOpen }) => !isOpen)?.name;
      const reply = await tracker.tryFile({ status: closed });
      fails(reply, 400, 121, 123);
      return either(codeOf(reply), 'closed at creation', { spec: 121, measured: 123 });
    },
    ['editor'],
  ),
  here(
    'a bug cannot be filed as a duplicate',
    ['/create-duplicate', '4.4/resolution', '7/create-duplicate'],
    async (tracker) => {
      const { statuses } = await tracker.vocabulary();
      isRefused(
        await tracker.tryFile({ status: statuses.find(({ isOpen }) => !isOpen)?.name, resolution: 'DUPLICATE' }),
      );
    },
    ['editor'],
  ),
  here(
    'an unknown status at creation is refused',
    ['/create-status'],
    async (tracker) => {
      fails(await tracker.tryFile({ status: 'NO_SUCH_STATUS' }), 404, 51);
    },
    ['editor'],
  ),
];

const moveTo = ({ name, component, version, milestone }: Product) => ({
  product: name,
  component,
  version,
  target_milestone: milestone,
});

const moving: readonly Case[] = [
  here(
    'a bug moves to another product with a component, a version and a milestone of it',
    ['/product-move', '4.5/product'],
    async (tracker) => {
      const { others } = await tracker.place();
      const target = others[0];
      if (target === undefined) return notOffered('there is one product only');
      const bug = await tracker.file();
      await tracker.change(bug, moveTo(target));
      const { product, component, version, target_milestone } = await tracker.read(bug);
      equal(
        [product, component, version, target_milestone],
        [target.name, target.component, target.version, target.milestone],
        'bug',
      );
    },
    ['two products', 'editor'],
  ),
  here(
    'what the new product does not have is refused',
    ['/product-move', '4.5/product'],
    async (tracker) => {
      const { others, components } = await tracker.place();
      const target = others.find((product) => !components.includes(product.component));
      if (target === undefined) return notOffered('all products have the same components');
      fails(await tracker.update(await tracker.scratch(), { product: target.name }), 404, 51);
    },
    ['two products', 'editor'],
  ),
  here(
    'a move removes groups that the new product does not have',
    ['/move-drops-groups'],
    async (tracker) => {
      const group = await groupOf(tracker);
      for (const target of (await tracker.place()).others) {
        if (await allows(tracker, target, group)) continue;
        const bug = await tracker.file({ groups: [group] });
        await tracker.change(bug, moveTo(target));
        check(!listAt(await tracker.read(bug), 'groups').includes(group), 'groups', `none of them ${group}`, [group]);
        return;
      }
      return notOffered('every product has the group');
    },
    ['two products', 'editor', 'group'],
  ),
  here(
    'a move adds the groups that are mandatory in the new product',
    ['/move-adds-groups'],
    async (tracker) => {
      for (const target of (await tracker.place()).others) {
        const groups = await mandatory(tracker, target);
        if (groups.length === 0) continue;
        const bug = await tracker.file();
        await tracker.change(bug, moveTo(target));
        sameSet((await tracker.read(bug))['groups'], groups, 'groups');
        return;
      }
      return notOffered('no other product has mandatory groups');
    },
    ['two products', 'editor'],
  ),
  here(
    'a product in which the key may not file is refused',
    ['4.5/product'],
    async (tracker) => {
      fails(await tracker.update(await tracker.scratch(), { product: `No such product ${tracker.run}` }), 401, 106);
    },
    ['editor'],
  ),
];

/** A bug filed in another product, to look at what that one demands. */
function filedIn(tracker: Tracker, { name, component, version }: Product): Promise<Bug> {
  return tracker.once(`filed in ${name}`, async () =>
    tracker.read(await tracker.file({ product: name, component, version, groups: [] })),
  );
}

async function mandatory(tracker: Tracker, target: Product): Promise<readonly unknown[]> {
  return listAt(await filedIn(tracker, target), 'groups');
}

async function allows(tracker: Tracker, target: Product, group: string | null): Promise<boolean> {
  const bug = Number((await filedIn(tracker, target))['id']);
  if ((await mandatory(tracker, target)).includes(group)) return true;
  const reply = await tracker.update(bug, { groups: { add: [group] } });
  if (at(reply.body, 'error') === undefined) return true;
  return codeOf(reply) === 120 ? false : differs(reply.asked, 'code 120 or success', reply.body);
}

export const workflow: readonly Case[] = [...resolving, ...matrix, ...duplicates, ...creation, ...moving];
