import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/kernel/context.ts';
import type { BodyVersion } from '../../../src/model/replica.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { type Return, statesOf } from '../../simulation/restores/states.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';
import { scrub } from '../../support/scrub.ts';

/**
 * I3 and I9: what people wrote under a private description stays, also with an older state. What may hold words of the
 * description goes.
 */

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const secret = 'Canary description';
const words = 'Words of Mona.';

type Way = Return | 'lost' | 'kept';
type Versions = (all: readonly BodyVersion[] | null) => readonly BodyVersion[] | null;

interface Play {
  readonly user?: string;
  /** What Mona makes of the body, once our account has emptied it. */
  readonly edit?: (body: string) => string;
  /** What else happens before the state comes back. */
  readonly since?: (world: Stage, turns: (count: number) => Promise<void>) => Promise<void>;
  readonly versions?: Versions;
}

const marker = (body: string): string => body.slice(body.lastIndexOf('<!--'));
const setPrivate = ({ tracker }: Stage, isPrivate: boolean): void =>
  tracker.as('admin').change(1, { comment_is_private: { [tracker.commentsOf(1)[0]?.id ?? 0]: isPrivate } });
const bodyOf = ({ github }: Stage): string => github.issue(repo, 1)?.body ?? '';
const editBody = ({ github }: Stage, body: string): void => github.as('mona').edit(repo, 1, { body });

async function play(way: Way, { user = 'bridge', edit, since, versions = (all) => all }: Play) {
  const bare = stage();
  const states = statesOf(bare.clock.now, scrub);
  const world: Stage = { ...bare, store: states.store };
  const turns = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(61_000);
      const context = contextOn(world, route, { limits: testLimits, user });
      const { bodyVersions } = context.github;
      const github = { ...context.github, bodyVersions: async (ref: number) => versions(await bodyVersions(ref)) };
      await cycle({ ...context, github } as Context, { isForced: false });
    }
  };
  world.tracker.as('alice').file({ summary: 'It crashes', description: secret });
  await turns(3);
  const copy = states.copy();
  world.clock.advance(600_000);
  setPrivate(world, true);
  await turns(3);
  expect(bodyOf(world)).not.toContain(secret);
  if (edit !== undefined) editBody(world, edit(bodyOf(world)));
  await turns(2);
  await since?.(world, turns);
  if (way !== 'kept') states.putBack(way === 'lost' ? null : copy, way === 'lost' ? 'silent' : way);
  await turns(5);
  return { world, turns };
}

const under = (body: string): string => `${words}\n\n${marker(body)}`;

describe.each<Way>(['told', 'silent', 'lost'])('the state comes back: %s', (way) => {
  test.each<[string, Play]>([
    ['above our line', { edit: under }],
    ['alone', { edit: () => words }],
    ['above our line, and our account sees hidden comments', { user: 'bridge-insider', edit: under }],
    [
      'twice',
      {
        edit: () => 'Other words.',
        since: async (world) => editBody(world, under(`${bodyOf(world)}\n\n<!-- bugferry:1 acme bug=1 -->`)),
      },
    ],
  ])('what people wrote stays: %s', async (_what, deeds) => {
    const { world, turns } = await play(way, deeds);
    expect(bodyOf(world)).toContain(words);
    editBody(world, bodyOf(world).replace(words, `${words} And more.`));
    await turns(3);
    expect(bodyOf(world)).toContain('And more.');
    world.tracker.as('admin').change(1, { groups: { add: ['security'] } });
    await turns(3);
    expect(world.github.issue(repo, 1)).toMatchObject({
      title: 'Bug 1 is not public',
      body: expect.stringMatching(/^This text was withdrawn/u),
    });
  });

  test.each<[string, Play]>([
    [
      'our account had filled it again before',
      {
        edit: under,
        versions: (all) => [
          ...(all?.slice(0, 1) ?? []),
          { login: 'bugferry-bot', text: `**Alice** opened [bug 1](x) on 2026:\n\n${secret}` },
        ],
      },
    ],
    ['GitHub does not tell', { edit: under, versions: () => null }],
    [
      'an old version was deleted',
      { edit: under, versions: (all) => all?.map((each, at) => (at === 0 ? each : { ...each, text: null })) ?? null },
    ],
    [
      'an editor is unknown',
      { edit: under, versions: (all) => all?.map((each, at) => (at === 0 ? { ...each, login: null } : each)) ?? null },
    ],
    ['it is another version by now', { edit: under, versions: (all) => all?.slice(1) ?? null }],
  ])('what may be the description goes: %s', async (_what, deeds) => {
    const { world } = await play(way, deeds);
    expect(bodyOf(world)).toMatch(/^This text was withdrawn/u);
  });
});

test('once the description is public again, the body is as with a state that was never lost', async () => {
  const bodies: string[] = [];
  for (const way of ['kept', 'told', 'silent'] as const) {
    const { world, turns } = await play(way, { edit: under });
    setPrivate(world, false);
    await turns(4);
    bodies.push(bodyOf(world));
  }
  expect(new Set(bodies).size).toBe(1);
});
