/** What is private stays private, and what becomes private is withdrawn, through the whole engine (I9). */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const filing: Route = {
  ...checking,
  attachments: {
    store: 'branch',
    owner: 'acme',
    repo: 'widget',
    branch: 'attachments',
    tag: 'attachments',
    bytesMax: 10_000,
  },
};

interface Options {
  readonly route?: Route;
  readonly user?: string;
  readonly brakeShare?: number;
  readonly writesPerCycle?: number;
  readonly isBlind?: () => boolean;
}

const contextOf = (
  world: Stage,
  { route = checking, user = 'bridge-insider', brakeShare = 1, writesPerCycle = 500, isBlind = () => false }: Options,
) => contextOn(world, route, { limits: { ...testLimits, brakeShare, writesPerCycle }, user, isBlind });

async function cycles(world: Stage, options: Options = {}, count = 4): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOf(world, options), { isForced: false });
  }
}

const one = (world: Stage, options: Options = {}): Promise<void> => cycles(world, options, 1);

async function sweepOnce(world: Stage, options: Options = {}): Promise<void> {
  world.clock.advance(61_000);
  await sweep(contextOf(world, options), { isForced: false });
}

/** Everything that people can read on GitHub. */
const readable = (world: Stage): string =>
  JSON.stringify([
    world.github.issues(repo).map(({ number, title, body, labels, milestone }) => ({
      ...{ title, body, labels, milestone },
      comments: world.github.commentsOf(repo, number).map(({ body: text }) => text),
    })),
    [...world.github.files(repo, 'attachments')].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  ]);

const issueOf = (world: Stage) => world.github.issues(repo)[0];

function mirrored(): { world: Stage; bug: number } {
  const world = stage();
  const bug = world.tracker
    .as('alice')
    .file({ summary: 'Canary title', description: 'Canary description', severity: 'major' });
  return { world, bug };
}

describe('a bug that becomes private', () => {
  test('shows a neutral line in the next cycle, its comments are erased, and its issue is closed and locked', async () => {
    const { world, bug } = mirrored();
    world.tracker.as('alice').comment(bug, 'Canary comment');
    await cycles(world);
    expect(readable(world)).toContain('Canary comment');
    world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    await one(world);
    expect(readable(world)).not.toContain('Canary');
    const issue = issueOf(world);
    expect([issue?.title, issue?.state, issue?.isLocked, issue?.labels]).toEqual([
      `Bug ${bug} is not public`,
      'closed',
      true,
      [],
    ]);
  });

  test.each([
    ['the brake', { brakeShare: 0.000_001 }],
    ['the limit of a cycle', { writesPerCycle: 1 }],
  ])('is not held up by %s', async (_what, limits) => {
    const world = stage();
    const alice = world.tracker.as('alice');
    const bugs = Array.from({ length: 15 }, (_, index) =>
      alice.file({ summary: `Canary ${index}`, description: 'Canary text' }),
    );
    await cycles(world);
    for (const bug of bugs) alice.change(bug, { groups: { add: ['security'] } });
    await one(world, limits);
    expect(readable(world)).not.toContain('Canary');
  });

  test('is restored from the tracker when it is public again: title, text, comments in order, labels and state', async () => {
    const { world, bug } = mirrored();
    const alice = world.tracker.as('alice');
    for (const text of ['First words', 'Second words']) alice.comment(bug, text);
    await cycles(world);
    alice.change(bug, { groups: { add: ['security'] } });
    await cycles(world);
    alice.change(bug, { summary: 'A better title', groups: { remove: ['security'] } });
    await cycles(world, {}, 8);
    const issue = issueOf(world);
    expect([issue?.title, issue?.state, issue?.isLocked]).toEqual(['A better title', 'open', false]);
    expect(issue?.body).toContain('Canary description');
    expect(issue?.labels).toContain('severity: major');
    const texts = world.github.commentsOf(repo, issue?.number ?? 0).map(({ body }) => body);
    expect(texts.map((text) => /(?:First|Second) words/u.exec(text)?.[0])).toEqual(['First words', 'Second words']);
    expect(world.tracker.bug(bug)?.summary).toBe('A better title');
    expect(world.tracker.bug(bug)?.status).toBe('CONFIRMED');
  });

  test.each([
    ['threads', 'comment'],
    ['list', 'file'],
  ])(
    'for the moment in which %s is asked takes along no %s that was hidden meanwhile, whatever was checked before',
    async (method, what) => {
      // Of files there are links only: contents are read without credentials whenever they are copied.
      const route: Route = { ...filing, attachments: filing.attachments && { ...filing.attachments, store: 'link' } };
      const options = { user: 'bridge', route };
      const { world, bug } = mirrored();
      const [alice, insider] = [world.tracker.as('alice'), world.tracker.as('bridge-insider')];
      alice.comment(bug, 'Canary comment');
      const bytes = new TextEncoder().encode('bytes');
      const file = insider.attach(bug, { bytes, file_name: 'canary.bin', summary: 'A file', comment: 'See it' });
      // Everything is checked, and nothing is written yet.
      world.faults = (side, cost) =>
        side === 'github' && cost !== 'read'
          ? { kind: 'limited', status: 429, retryAfterSeconds: 30 }
          : { kind: 'none' };
      await one(world, options);
      world.faults = () => ({ kind: 'none' });
      expect(readable(world)).not.toContain('anary');
      const comment = world.tracker.commentsOf(bug).find(({ text }) => text === 'Canary comment');
      if (what === 'comment') insider.change(bug, { comment_is_private: { [comment?.id ?? 0]: true } });
      else insider.changeAttachment(file, { is_private: true });
      let flips = 2;
      world.between = (side, asked, when) => {
        if (side !== 'tracker' || asked !== method || flips === 0) return;
        flips -= 1;
        alice.change(bug, { groups: when === 'before' ? { add: ['security'] } : { remove: ['security'] } });
      };
      await one(world, options);
      expect(flips).toBe(0);
      const hidden = what === 'comment' ? 'Canary comment' : 'canary.bin';
      expect(readable(world)).not.toContain(hidden);
      await cycles(world, options);
      expect(readable(world)).toContain('Canary title');
      expect(readable(world)).not.toContain(hidden);
    },
  );

  test('is found by the sweep where our account no longer sees it', async () => {
    const { world, bug } = mirrored();
    await cycles(world, { user: 'bridge' });
    world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    await sweepOnce(world, { user: 'bridge' });
    await one(world, { user: 'bridge' });
    expect(readable(world)).not.toContain('Canary');
  });

  test('is not told of when its issue was deleted meanwhile, and a request about it is in doubt', async () => {
    const { world, bug } = mirrored();
    await cycles(world, { user: 'bridge' });
    world.tracker.as('alice').change(bug, { summary: 'A newer title' });
    world.faults = (side, cost) =>
      side === 'github' && cost === 'edit' ? { kind: 'drop', after: true } : { kind: 'none' };
    await one(world, { user: 'bridge' });
    world.faults = () => ({ kind: 'none' });
    world.github.as('mona').deleteIssue(repo, issueOf(world)?.number ?? 0);
    await sweepOnce(world, { user: 'bridge' });
    world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    await one(world, { user: 'bridge' });
    const lines = world.store.links.after('widget', null, 9).flatMap(({ id }) => world.store.ledger.ofLink(id));
    expect(lines.map(({ kind }) => kind)).toContain('settle');
    expect(JSON.stringify(lines)).not.toContain('A newer title');
  });

  test('asks nothing more of GitHub once it is withdrawn', async () => {
    const { world, bug } = mirrored();
    await cycles(world);
    world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    await cycles(world, {}, 3);
    const before = world.calls.filter(({ method }) =>
      ['update', 'erase', 'lock', 'probe', 'bugs'].includes(method),
    ).length;
    await cycles(world, {}, 3);
    expect(
      world.calls.filter(({ method }) => ['update', 'erase', 'lock', 'probe', 'bugs'].includes(method)).length,
    ).toBe(before);
  });

  test('leaves the words of people on an issue that they opened, and takes away what came from the tracker', async () => {
    const world = stage();
    world.github.as('mona').open(repo, { title: 'It crashes', body: 'When I click.' });
    await cycles(world);
    const bug = world.tracker.bugs().at(-1)?.id ?? 0;
    world.tracker.as('alice').comment(bug, 'Canary comment');
    world.tracker.as('alice').change(bug, { summary: 'Canary title', severity: 'critical' });
    await cycles(world);
    expect(readable(world)).toContain('Canary title');
    world.tracker.as('alice').change(bug, { groups: { add: ['security'] } });
    await one(world);
    expect(readable(world)).not.toContain('Canary');
    const issue = issueOf(world);
    expect([issue?.title, issue?.state, issue?.isLocked]).toEqual(['It crashes', 'open', true]);
    expect(issue?.body).toContain('When I click.');
    expect(issue?.labels).not.toContain('severity: critical');
  });
});

describe('what becomes private on a bug that stays public', () => {
  test('a comment is erased in the next cycle, and comes back when it is public again', async () => {
    const { world, bug } = mirrored();
    world.tracker.as('alice').comment(bug, 'Canary comment');
    await cycles(world);
    const id = world.tracker.commentsOf(bug).at(-1)?.id ?? 0;
    world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: true } });
    await one(world);
    expect(readable(world)).not.toContain('Canary comment');
    expect(readable(world)).toContain('Canary title');
    world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: false } });
    await cycles(world);
    expect(readable(world)).toContain('Canary comment');
  });

  test.each(['bridge', 'bridge-insider'])(
    'the description is taken out of the body, for %s, and comes back',
    async (user) => {
      const { world, bug } = mirrored();
      await cycles(world, { user });
      const id = world.tracker.commentsOf(bug)[0]?.id ?? 0;
      world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: true } });
      await one(world, { user });
      expect(readable(world)).not.toContain('Canary description');
      expect(issueOf(world)?.isLocked).toBe(false);
      world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: false } });
      await cycles(world, { user });
      expect(issueOf(world)?.body).toContain('Canary description');
    },
  );

  test('a description that was private from the beginning is announced as missing, and follows', async () => {
    const { world, bug } = mirrored();
    const id = world.tracker.commentsOf(bug)[0]?.id ?? 0;
    world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: true } });
    await cycles(world);
    expect(issueOf(world)?.body).toMatch(/ UTC, without a public description\.\n\n<!-- /u);
    world.tracker.as('bridge-insider').change(bug, { comment_is_private: { [id]: false } });
    await cycles(world);
    expect(issueOf(world)?.body).toMatch(/ UTC:\n\nCanary description\n\n<!-- /u);
  });

  test('a file is removed from the attachment store, with the comment that names it, although the tracker still shows that comment', async () => {
    const { world, bug } = mirrored();
    const file = {
      bytes: new TextEncoder().encode('Canary content'),
      file_name: 'canary-name.bin',
      summary: 'Canary file',
      comment: 'See it.',
    };
    const id = world.tracker.as('alice').attach(bug, file);
    await cycles(world, { route: filing });
    expect(readable(world)).toContain('canary-name');
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: true });
    await one(world, { route: filing });
    expect(readable(world)).not.toMatch(/canary-name|Canary (?:file|content)|See it/u);
    world.tracker.as('bridge-insider').changeAttachment(id, { is_private: false });
    await cycles(world, { route: filing });
    expect(readable(world)).toContain('canary-name');
  });
});

describe('the visibility check', () => {
  test('nothing is published of a bug that our account sees and a reader without one does not', async () => {
    const { world } = mirrored();
    await cycles(world, { isBlind: () => true });
    expect(readable(world)).not.toContain('Canary');
  });

  test('a bug that readers without an account are not shown any more is withdrawn by the sweep, and restored by a later one', async () => {
    const { world } = mirrored();
    await cycles(world);
    expect(readable(world)).toContain('Canary title');
    await sweepOnce(world, { isBlind: () => true });
    await one(world, { isBlind: () => true });
    expect(readable(world)).not.toContain('Canary');
    await sweepOnce(world);
    await cycles(world, {}, 6);
    expect(readable(world)).toContain('Canary description');
    expect(issueOf(world)?.isLocked).toBe(false);
  });

  test('stops a route whose tracker now requires a login; a person must judge the published copies', async () => {
    const { world } = mirrored();
    await cycles(world);
    Object.assign(world.tracker.state.settings, { requirelogin: '1' });
    await expect(sweepOnce(world)).rejects.toThrow('You must log in');
    world.tracker.as('alice').file({ summary: 'Another canary' });
    await expect(one(world)).rejects.toThrow('shows nothing to readers without an account');
    expect(readable(world)).toContain('Canary title');
    expect(readable(world)).not.toContain('Another');
  });

  test('is asked for once, in one reading for all bugs, and a quiet cycle asks nothing', async () => {
    const world = stage();
    for (let index = 0; index < 12; index += 1)
      world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'Text' });
    await cycles(world, {}, 6);
    const asked = () => world.calls.filter(({ method }) => method === 'bugs' || method === 'comments').length;
    const before = asked();
    expect(before).toBeLessThan(8);
    await cycles(world, {}, 3);
    expect(asked()).toBe(before);
  });
});
