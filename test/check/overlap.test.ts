/** `check` names routes that leave nothing to later ones, and is right: the rule that assigns bugs and issues agrees. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeOverlaps } from '../../src/check/overlap.ts';
import { parseConfig } from '../../src/config/load.ts';
import { routesOf } from '../../src/config/routes.ts';
import type { Route } from '../../src/model/route.ts';
import { whyNotSelected } from '../../src/rules/links/match.ts';
import { aBug, anIssue } from '../planner/samples.ts';
import { openHouse } from '../support/bugferry.ts';

type Written = Readonly<Record<string, unknown>>;

const routes = (...written: readonly Written[]): readonly Route[] => {
  const text = JSON.stringify({
    instance: 'acme',
    tracker: { url: 'https://bugs.example.org', apiKey: 'a-key' },
    github: { token: 'a-token' },
    routes: written.map((each, index) => ({ name: `r${index}`, create: { component: 'Core' }, ...each })),
  });
  return routesOf(parseConfig(text, 'bridge.yaml'));
};
const widget = { tracker: { product: 'Widget' }, github: { repo: 'acme/widget' } };
const found = (...written: readonly Written[]) =>
  judgeOverlaps(routes(...written)).map(({ level, about, words }) => `${level} ${about}: ${words}`);

describe('two routes', () => {
  test.each<readonly [string, Written, Written, RegExp]>([
    ['are the same', widget, widget, /^failure route r1: all its bugs belong to route r0, and all its issues belong/u],
    [
      'are the same in other capitals',
      widget,
      { ...widget, github: { repo: 'ACME/Widget' } },
      /^failure route r1: .*nothing is left/u,
    ],
    [
      'go one way each',
      { ...widget, direction: 'to-github' },
      { ...widget, direction: 'to-tracker' },
      /^failure route r1: all its issues belong to route r0, .*nothing is left/u,
    ],
    [
      'differ in what the second narrows',
      widget,
      { tracker: { product: 'Widget', component: 'Core', keyword: 'k' }, github: { repo: 'acme/core' } },
      /^warning route r1: all its bugs belong to route r0, which the configuration names first\. Put the narrower/u,
    ],
    [
      'share a repository without labels',
      widget,
      { tracker: { product: 'Gadget' }, github: { repo: 'acme/widget' } },
      /^warning route r1: all its issues belong to route r0/u,
    ],
    [
      'share some components',
      { tracker: { product: 'Widget', component: ['Core', 'UI'] }, github: { repo: 'acme/one' } },
      { tracker: { product: 'Widget', component: ['Core', 'Doc'] }, github: { repo: 'acme/two' } },
      /^warning route r1: a bug that route r0 also selects belongs there/u,
    ],
    [
      'have the narrower one first',
      { tracker: { product: 'Widget', component: 'Core' }, github: { repo: 'acme/core' } },
      widget,
      /^ok route r1: a bug that route r0 also selects belongs there/u,
    ],
  ])('that %s are found', (_name, one, other, words) => {
    expect(found(one, other)).toEqual([expect.stringMatching(words)]);
  });

  test.each<readonly [string, Written, Written]>([
    ['products', widget, { tracker: { product: 'Gadget' }, github: { repo: 'acme/gadget' } }],
    [
      'components',
      { tracker: { product: 'Widget', component: 'Core' }, github: { repo: 'acme/core' } },
      { tracker: { product: 'Widget', component: 'UI' }, github: { repo: 'acme/ui' }, create: {} },
    ],
    [
      'labels',
      { ...widget, github: { repo: 'acme/all', label: 'widget' } },
      { tracker: { product: 'Gadget' }, github: { repo: 'acme/all', label: 'gadget' } },
    ],
  ])('with different %s are not', (_name, one, other) => {
    expect(found(one, other)).toEqual([]);
  });
});

test('whatever the routes: one fails exactly if the routes before it take every bug and issue that it reads', () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const one = fc.record({
    tracker: fc.record({
      product: fc.constantFrom('Widget', 'Gadget'),
      component: maybe(fc.subarray(['Core', 'UI'], { minLength: 1 })),
      keyword: maybe(fc.constantFrom('k', 'K')),
      createdSince: maybe(fc.constantFrom('2024-01-01', '2025-01-01')),
      openOnly: fc.boolean(),
    }),
    github: fc.record({
      repo: fc.constantFrom('acme/one', 'Acme/One', 'acme/two'),
      label: maybe(fc.constantFrom('a', 'b')),
    }),
    direction: fc.constantFrom('both', 'to-github', 'to-tracker'),
  });
  const bugs = ['Widget', 'Gadget'].flatMap((product) =>
    ['Core', 'UI', 'Doc'].flatMap((component) =>
      [[], ['k']].flatMap((keywords) =>
        ['2023', '2024', '2025'].flatMap((year) =>
          ['CONFIRMED', 'RESOLVED'].map((status) => ({
            ...aBug,
            ...{ product, keywords, status, createdAt: Date.parse(`${year}-06-01`) },
            values: { ...aBug.values, component },
            resolution: status === 'RESOLVED' ? 'FIXED' : '',
          })),
        ),
      ),
    ),
  );
  const issues = [[], ['a'], ['b'], ['a', 'b']].map((labels) => ({ ...anIssue, labels }));
  const nameOf = ({ owner, repo }: Route) => `${owner}/${repo}`.toLowerCase();
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (written) => {
      const all = routes(
        ...written.map((each) => ({ ...each, create: { component: each.tracker.component?.[0] ?? 'Core' } })),
      );
      const failing = judgeOverlaps(all).flatMap(({ level, about }) => (level === 'failure' ? about : []));
      const idle = all.filter((route) => {
        const ownBugs = bugs.filter((bug) => all.find((each) => whyNotSelected(each, bug) === null) === route);
        const ownIssues = issues.filter(
          (issue) =>
            all.find((each) => nameOf(each) === nameOf(route) && whyNotSelected(each, issue) === null) === route,
        );
        return (
          (route.direction === 'to-tracker' || ownBugs.length === 0) &&
          (route.direction === 'to-github' || ownIssues.length === 0)
        );
      });
      expect(failing).toEqual(idle.map(({ name }) => `route ${name}`));
    }),
    { numRuns: 300 },
  );
});

test('check ends with 2 for a second route of the same product and repository, and a route that is off takes nothing', async () => {
  const house = await openHouse(() => {});
  try {
    const second = (isFirstOn: boolean) =>
      house.configure((config) => {
        config.routes[0].enabled = isFirstOn;
        config.routes.push({ ...config.routes[0], enabled: true, name: 'again' });
      });
    second(true);
    expect(await house.run('check')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^failure {2}route again: all its bugs belong to route \S+, and all its issues/mu),
    });
    second(false);
    expect((await house.run('check')).out).not.toContain('belong to route');
  } finally {
    await house.close();
  }
});
