/** I4: bugs that moved between the products of two routes, of which a state that was put back, or lost, knows too little. */

import { expect, test } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import type { Link } from '../../../src/model/link.ts';
import type { Route } from '../../../src/model/route.ts';
import { saysMoved } from '../../../src/text/marker.ts';
import { repo } from '../../simulation/stage.ts';
import { moving } from '../../support/routes.ts';
import { other, type World, worldOf } from './world.ts';

const { widget, gadget } = moving;
/** All issues of both repositories. */
const issuesIn = ({ github }: World) =>
  [repo, other].flatMap((at) =>
    github.issues(at).map(({ number }) => ({ at, number, body: github.issue(at, number)?.body ?? '' })),
  );

const to = {
  Gadget: { product: 'Gadget', component: 'Firmware', version: 'A1', target_milestone: '---' },
  Widget: { product: 'Widget', component: 'Core', version: 'unspecified', target_milestone: '---' },
};

/** Begins a pair on that route and lets both sides talk; then the bug moves to the product of the other one. */
async function moveOne({ alice, mona, passes }: World, how: Case['how'], from: Route): Promise<void> {
  const place = from === widget ? repo : other;
  if (how === 'opened on GitHub') mona.open(place, { title: 'It is slow', body: 'Every day.' });
  else alice.file({ summary: 'It is slow', description: 'Every day.' });
  if (how === 'filed on the tracker' && from === gadget) alice.change(1, to.Gadget);
  await passes(4);
  mona.comment(place, 1, 'Said on GitHub.');
  alice.comment(1, 'Said on the tracker.');
  await passes(3);
  alice.change(1, from === widget ? to.Gadget : to.Widget);
}

interface Case {
  readonly how: 'opened on GitHub' | 'filed on the tracker';
  readonly from: 'widget' | 'gadget';
  readonly way: 'told' | 'silent' | 'lost';
  readonly seen: 'seen' | 'unseen';
  readonly first: 'widget' | 'gadget';
}

const unseen = (['opened on GitHub', 'filed on the tracker'] as const).flatMap((how) =>
  (['told', 'silent', 'lost'] as const).flatMap((way) =>
    (['widget', 'gadget'] as const).flatMap((from) =>
      (['widget', 'gadget'] as const).map((first): Case => ({ how, way, from, seen: 'unseen', first })),
    ),
  ),
);
const cases: readonly Case[] = [
  ...unseen,
  { how: 'opened on GitHub', from: 'widget', way: 'told', seen: 'seen', first: 'widget' },
  { how: 'opened on GitHub', from: 'gadget', way: 'lost', seen: 'seen', first: 'widget' },
  { how: 'filed on the tracker', from: 'widget', way: 'silent', seen: 'seen', first: 'gadget' },
  { how: 'filed on the tracker', from: 'gadget', way: 'lost', seen: 'seen', first: 'gadget' },
];

test.each(cases)(
  'a bug $how in $from that moved, $seen, has one issue: the state comes back ($way), $first first',
  async ({ how, way, from, seen, first }) => {
    const world = worldOf(first === 'widget' ? [widget, gadget] : [gadget, widget]);
    const { mona, tracker, states, store, passes } = world;
    await passes(2);
    const before = states.copy();
    await moveOne(world, how, from === 'widget' ? widget : gadget);
    const words = ['Every day.', 'Said on GitHub.', 'Said on the tracker.'];
    if (seen === 'seen') await passes(4);
    else {
      mona.comment(from === 'widget' ? repo : other, 1, 'Said while the bridge was down.');
      words.push('Said while the bridge was down.');
    }
    states.putBack(way === 'lost' ? null : before, way === 'lost' ? 'silent' : way);
    await passes(9);
    expect(tracker.bugs()).toHaveLength(1);
    const link = store.links.byBug(bugId(1));
    expect(link).toMatchObject({ route: from === 'widget' ? 'gadget' : 'widget', state: 'live' });
    expect(left(link, issuesIn(world))).toEqual([]);
    const said = tracker.commentsOf(1).map(({ text }) => text);
    for (const each of words)
      expect(
        said.filter((text) => text.includes(each)),
        each,
      ).toHaveLength(1);
    expect(await world.differences()).toEqual([]);
    expect(['widget', 'gadget'].flatMap((name) => store.setAside.ofRoute(name))).toEqual([]);
    // Nobody is told that an issue was closed which goes on.
    expect(world.github.issue(link?.repo ?? '', link?.issue ?? 0)?.stateReason).toBeNull();
  },
);

/** Issues that do not say that their bug went on in another one, but for that. */
const left = (link: Link | null, issues: ReturnType<typeof issuesIn>) =>
  issues.filter(
    ({ at, number, body }) => (at !== link?.repo || number !== link.issue) && !saysMoved(widget.instance, body),
  );

test.each([
  ['widget', [widget, gadget]],
  ['gadget', [gadget, widget]],
] as const)(
  'a mirror that says nothing on the tracker leaves the issue of a bug that moved, too: %s first',
  async (_first, routes) => {
    const world = worldOf(routes.map((route) => ({ ...route, direction: 'to-github' })));
    const { alice, states, store, passes } = world;
    await passes(2);
    const before = states.copy();
    alice.file({ summary: 'It is slow', description: 'Every day.' });
    await passes(3);
    alice.change(1, to.Gadget);
    states.putBack(before, 'silent');
    await passes(9);
    const link = store.links.byBug(bugId(1));
    expect(link).toMatchObject({ route: 'gadget', state: 'live' });
    expect(issuesIn(world)).toHaveLength(2);
    expect(left(link, issuesIn(world))).toEqual([]);
    expect(await world.differences()).toEqual([]);
  },
);

test.each(['opened on GitHub', 'filed on the tracker'] as const)(
  'a bug %s gets another issue if the one that it names is gone',
  async (how) => {
    const world = worldOf([gadget, widget]);
    const { states, store, passes, github, mona } = world;
    await passes(2);
    const before = states.copy();
    await moveOne(world, how, widget);
    mona.deleteIssue(repo, 1);
    states.putBack(before, 'silent');
    await passes(9);
    expect(github.issues(other)).toMatchObject([{ title: 'It is slow' }]);
    expect(store.links.byBug(bugId(1))).toMatchObject({ repo: other, issue: 1, state: 'live' });
    expect(['widget', 'gadget'].flatMap((name) => store.setAside.ofRoute(name))).toEqual([]);
  },
);

test('who names a thousand issues of the other route in a bug costs no request for any of them', async () => {
  const { alice, passes, calls, github } = worldOf([widget, gadget]);
  await passes(2);
  alice.file({ summary: 'It is slow', description: 'Every day.' });
  const named = Array.from({ length: 1_000 }, (_none, index) => `https://github.com/acme/gadget/issues/${index + 50}`);
  alice.change(1, { see_also: { add: named } });
  calls.length = 0;
  await passes(3);
  expect(github.issues(repo)).toMatchObject([{ title: 'It is slow' }]);
  expect(
    calls.filter(({ side, method }) => side === 'github' && ['placeOf', 'probe', 'items'].includes(method)),
  ).toEqual([]);
});
