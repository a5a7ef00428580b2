/** I4: issues that people transferred, of which a state that was put back, or lost, knows too little. */

import { expect, test } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import { SideError } from '../../../src/model/outcome.ts';
import { repo } from '../../simulation/stage.ts';
import { moving } from '../../support/routes.ts';
import { other, type World, worldOf } from './world.ts';

const { widget, gadget } = moving;
const begun = {
  'opened on GitHub': ({ mona }: World) => void mona.open(repo, { title: 'It is slow', body: 'Every day.' }),
  'filed on the tracker': ({ alice }: World) => void alice.file({ summary: 'It is slow', description: 'Every day.' }),
};

/** Where the only issue is. */
function placeIn({ github }: World) {
  const places = [repo, other].flatMap((at) => github.issues(at).map(({ number }) => ({ at, number })));
  expect(places).toHaveLength(1);
  return places[0] ?? { at: repo, number: 0 };
}

function transfer(world: World): void {
  const { at, number } = placeIn(world);
  world.mona.transfer(at, number, at === repo ? other : repo);
}

const count = (texts: readonly string[], words: string): number => texts.filter((text) => text.includes(words)).length;

type Way = 'told' | 'silent' | 'lost';
type Case = readonly [
  how: keyof typeof begun,
  times: number,
  seen: 'seen' | 'unseen',
  way: Way,
  known: 'known' | 'unknown',
  first: 'widget' | 'gadget',
];

/** Whether the bridge saw the transfers, how the state comes back, and whether that knows the pair. */
const cases: readonly Case[] = [
  ['opened on GitHub', 1, 'unseen', 'told', 'unknown', 'widget'],
  ['opened on GitHub', 1, 'unseen', 'silent', 'unknown', 'gadget'],
  ['opened on GitHub', 1, 'seen', 'told', 'known', 'widget'],
  ['opened on GitHub', 2, 'seen', 'lost', 'unknown', 'gadget'],
  ['opened on GitHub', 2, 'unseen', 'told', 'unknown', 'widget'],
  ['opened on GitHub', 3, 'seen', 'silent', 'unknown', 'widget'],
  ['filed on the tracker', 1, 'unseen', 'told', 'unknown', 'widget'],
  ['filed on the tracker', 1, 'seen', 'lost', 'unknown', 'gadget'],
  ['filed on the tracker', 2, 'seen', 'told', 'unknown', 'widget'],
  ['filed on the tracker', 2, 'unseen', 'lost', 'unknown', 'widget'],
  ['filed on the tracker', 3, 'seen', 'silent', 'known', 'widget'],
];

test.each(cases)(
  'an issue %s and transferred %i times, %s, keeps its bug: the state comes back (%s), the pair %s, %s first',
  async (how, times, seen, way, known, first) => {
    const world = worldOf(first === 'widget' ? [widget, gadget] : [gadget, widget]);
    const { mona, alice, tracker, github, states, store, passes } = world;
    await passes(2);
    const before = states.copy();
    begun[how](world);
    await passes(3);
    const backup = known === 'known' ? states.copy() : before;
    const words = ['Every day.'];
    const talk = async (): Promise<void> => {
      const { at, number } = placeIn(world);
      const [onBug, onIssue] = [`Alice no ${words.length}.`, `Mona no ${words.length}.`];
      words.push(onBug, onIssue);
      alice.comment(1, onBug);
      mona.comment(at, number, onIssue);
      await passes(2);
    };
    await talk();
    for (let left = times; left > 0; left -= 1) {
      transfer(world);
      if (seen === 'unseen') continue;
      await passes(3);
      await talk();
    }
    states.putBack(way === 'lost' ? null : backup, way === 'lost' ? 'silent' : way);
    await passes(8);
    await talk();
    await passes(2);
    const { at, number } = placeIn(world);
    const onBug = tracker.commentsOf(1).map(({ text }) => text);
    const onIssue = [github.issue(at, number)?.body ?? '', ...github.commentsOf(at, number).map(({ body }) => body)];
    for (const each of words) {
      expect(count(onBug, each), each).toBe(1);
      expect(count(onIssue, each), each).toBe(1);
    }
    expect(tracker.bugs()).toHaveLength(1);
    expect(store.links.byBug(bugId(1))).toMatchObject({ repo: at, issue: number, state: 'live' });
    expect(await world.differences()).toEqual([]);
    expect(['widget', 'gadget'].flatMap((name) => store.setAside.ofRoute(name))).toEqual([]);
  },
);

test('a comment that the state knows from its copy alone is found again by its author and time, as GitHub says them', async () => {
  const world = worldOf([widget, gadget]);
  const { mona, states, passes, github, tracker, store } = world;
  mona.open(repo, { title: 'It is slow', body: 'Every day.' });
  await passes(3);
  const before = states.copy();
  mona.comment(repo, 1, 'Since Monday.');
  await passes(2);
  const second = mona.transfer(repo, 1, other);
  await passes(2);
  states.putBack(before, 'silent');
  await passes(4);
  expect(store.links.byBug(bugId(1))).toMatchObject({ issue: second, urgency: 'none' });
  const third = mona.transfer(other, second, repo);
  const there = github.state.repos.get(repo)?.issues.get(third)?.comments ?? [];
  there.splice(0, 9, ...there.map((each) => ({ ...each, id: each.id + 1_000 })));
  await passes(4);
  const onBug = tracker.commentsOf(1).map(({ text }) => text);
  expect(count(onBug, 'Since Monday.')).toBe(1);
});

const byLabel = { ...gadget, label: 'wanted' };

test.each([
  ['widget', [widget, byLabel]],
  ['gadget', [byLabel, widget]],
] as const)(
  'a bug waits no longer than until the other route does not take its issue: %s first',
  async (_first, routes) => {
    const { mona, states, passes, store, github, tracker } = worldOf([...routes]);
    await passes(2);
    mona.open(repo, { title: 'It is slow', body: 'Every day.' });
    await passes(3);
    mona.transfer(repo, 1, other);
    states.putBack(null, 'silent');
    await passes(4);
    expect(tracker.bugs()).toHaveLength(1);
    expect(github.issues(repo)).toMatchObject([{ number: 2, title: 'It is slow' }]);
    expect(store.links.byBug(bugId(1))).toMatchObject({ repo, issue: 2, state: 'live' });
    expect(routes.flatMap(({ name }) => store.setAside.ofRoute(name))).toEqual([]);
  },
);

test('a bug gets another issue though GitHub failed to say at once where people transferred the one that it names', async () => {
  const world = worldOf([widget, gadget]);
  const { mona, alice, passes, store, github } = world;
  alice.file({ summary: 'It is slow', description: 'Every day.' });
  await passes(2);
  mona.transfer(repo, 1, other);
  await passes(3);
  alice.change(1, { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' });
  await passes(3);
  let failures = 0;
  world.stage.between = (side, method, when) => {
    if (side !== 'github' || method !== 'placeOf' || when !== 'before' || failures > 0) return;
    failures += 1;
    throw new SideError('later', 'GitHub does not answer', { side: 'github' });
  };
  alice.change(1, { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' });
  await passes(4);
  expect(failures).toBe(1);
  expect(github.issues(repo)).toMatchObject([{ title: 'It is slow' }]);
  expect(store.links.byBug(bugId(1))).toMatchObject({ repo, issue: 2, state: 'live' });
});

test('a bug that names a thousand issues costs no request for each of them, and keeps its own', async () => {
  const world = worldOf([widget, gadget]);
  const { alice, passes, states, stage: at, tracker } = world;
  await passes(2);
  const before = states.copy();
  alice.file({ summary: 'It is slow', description: 'Every day.' });
  await passes(3);
  transfer(world);
  await passes(3);
  const named = Array.from({ length: 1_000 }, (_none, index) => `https://github.com/acme/widget/issues/${index + 50}`);
  alice.change(1, { see_also: { add: named } });
  states.putBack(before, 'silent');
  at.calls.length = 0;
  await passes(2);
  expect(at.calls.filter(({ method }) => method === 'placeOf').length).toBeLessThan(300);
  await passes(4);
  expect(placeIn(world).at).toBe(other);
  expect(tracker.bugs()).toHaveLength(1);
});

test.each([
  ['opened on GitHub', 'silent'],
  ['filed on the tracker', 'silent'],
  ['opened on GitHub', 'lost'],
] as const)('an issue %s and transferred out of all routes is not opened again for its bug (%s)', async (how, way) => {
  const world = worldOf([widget]);
  const { mona, alice, states, passes, github, tracker, store } = world;
  await passes(2);
  const before = states.copy();
  begun[how](world);
  await passes(3);
  mona.transfer(repo, 1, other);
  states.putBack(way === 'lost' ? null : before, 'silent');
  await passes(4);
  alice.comment(1, 'Still slow.');
  await passes(4);
  expect(github.issues(repo)).toEqual([]);
  expect(tracker.commentsOf(1).map(({ text }) => text.includes('edited'))).not.toContain(true);
  expect(store.links.byBug(bugId(1))).toMatchObject({ state: 'frozen' });
});
