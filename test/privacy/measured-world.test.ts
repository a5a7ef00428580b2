import { expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** I9: what the measured tracker shows to somebody without an account, by numbers. */
import shown from './anonymous-world.json' with { type: 'json' };

const route: Route = {
  ...widgetRoute,
  visibilityCheck: 'anonymous',
  attachments: {
    store: 'branch',
    owner: 'acme',
    repo: 'widget',
    branch: 'attachments',
    tag: 'attachments',
    bytesMax: 25_000_000,
  },
};

async function mirrored(): Promise<Stage> {
  const world = stage();
  loadTrackerWorld(world.tracker);
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(61_000);
    await cycle(contextOn(world, route, { limits: { ...testLimits, writesPerCycle: 5_000 }, user: 'bridge-insider' }), {
      isForced: false,
    });
  }
  return world;
}

const sorted = (list: readonly number[]): readonly number[] => [...list].sort((one, other) => one - other);

test('the measured tracker, read as an insider, mirrors exactly what a reader without an account is shown, and nothing else (I9)', async () => {
  const world = await mirrored();
  const { store, tracker, github } = world;
  const links = store.links.after('widget', null, 1_000).filter(({ issue }) => issue !== null);
  const bugs = shown.bugs.filter(({ product }) => product === 'Widget').map(({ id }) => id);
  expect(sorted(links.flatMap(({ bug }) => bug ?? []))).toEqual(sorted(bugs));
  expect(github.issues(repo)).toHaveLength(bugs.length);

  const comments = new Map(Object.entries(shown.comments).map(([bug, ids]) => [Number(bug), ids]));
  const files = new Map(Object.entries(shown.attachments).map(([bug, ids]) => [Number(bug), ids]));
  for (const { id, bug } of links) {
    const commentLinks = store.commentLinks.ofLink(id).filter(({ origin, part }) => origin === 'tracker' && part === 1);
    // What the tracker wrote by itself, and what has no text, needs no copy; nor what names a file that nobody is
    // shown.
    const known = commentLinks
      .filter(({ state }) => state === 'mirrored' || state === 'skipped')
      .map(({ source }) => source);
    const named = commentLinks.filter(
      ({ attachment }) => attachment !== null && !(files.get(bug ?? 0) ?? []).includes(attachment),
    );
    const wanted = (comments.get(bug ?? 0) ?? []).filter((each) => !named.some(({ source }) => source === each));
    expect(sorted(known), `comments of bug ${bug}`).toEqual(sorted(wanted));
    const carried = store.attachmentLinks
      .ofLink(id)
      .filter(({ state, origin }) => origin === 'tracker' && state !== 'withdrawn');
    expect(sorted(carried.map(({ source }) => Number(source))), `files of bug ${bug}`).toEqual(
      sorted(files.get(bug ?? 0) ?? []),
    );
  }

  const places = JSON.stringify([...(github.state.repos.get(repo)?.issues.values() ?? [])]);
  const hidden = [...tracker.state.bugs.values()].filter(({ id }) => !shown.bugs.some((bug) => bug.id === id));
  expect(hidden.length).toBeGreaterThan(0);
  for (const { summary } of hidden) expect(places).not.toContain(summary);
});
