import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Site } from '../../src/check/site.ts';
import { judgeRoute } from '../../src/check/topics.ts';
import type { Route } from '../../src/model/route.ts';
import { changeUser } from '../contract/tracker/scenario.ts';
import { type House, openHouse } from '../support/bugferry.ts';
import { widgetRoute } from '../support/routes.ts';

/** `check` says ok of nothing that it has not looked at: what a side does not tell is a warning, with what to do. */
const untold: Site = {
  route: {
    ...widgetRoute,
    visibilityCheck: 'anonymous',
    labels: [{ from: 'cf_area', as: 'area: {value}', both: false }],
  },
  vocabulary: { values: { component: ['Core'] }, workflow: null },
  login: null,
  tracker: {
    groups: null,
    takesBugs: null,
    creationFields: null,
    parameters: null,
    clockAt: null,
    askedAt: 0,
    timeZone: null,
  },
  unknownNames: [],
  anotherRepository: null,
  noLabel: null,
  isServed: true,
  reads: [],
  repository: {
    ...{
      name: 'acme/widget',
      id: null,
      right: null,
      isPrivate: null,
      isArchived: false,
      hasIssues: true,
      webHost: null,
    },
    ...{ scopes: null, tokenEndsAt: null, retirement: null, clockAt: null, askedAt: 0 },
  },
  isRestricted: null,
  types: [],
  fields: [],
  unreadCommits: null,
  attachmentStore: null,
  place: null,
};

const warningsIn = (site: Site, about: string) =>
  judgeRoute(site).flatMap((verdict) =>
    verdict.about === `route widget, ${about}` ? [`${verdict.level}: ${verdict.words}`] : [],
  );

describe('a route whose sides reveal nothing', () => {
  test.each([
    ['rights', /^warning: GitHub does not report whether we may write in acme\/widget/],
    [
      'tracker rights',
      /^warning: the tracker does not report the owner of the key.*tracker\.login.*needs editbugs and canconfirm/,
    ],
    [
      'create',
      /^warning: the tracker does not report the values of version.*whether the product accepts new bugs.*the required fields of new bugs/,
    ],
    ['status', /^warning: the tracker does not report its workflow/],
    [
      'tracker settings',
      /^warning: the tracker does not report commentonchange_resolution, commentonduplicate.*use_see_also/,
    ],
    ['labels', /^warning: the tracker does not report its custom fields.*cf_area/],
    ['clocks', /^warning: neither side reports its time/],
  ])('has a warning about %s, and no ok', (about, words) => {
    const found = warningsIn(untold, about);
    expect(found[0]).toMatch(words);
    expect(found.filter((each) => each.startsWith('ok'))).toEqual([]);
  });

  const rows: readonly (readonly [string, string, Partial<Site>, Partial<Route>, RegExp])[] = [
    [
      'groups that are not shown',
      'tracker rights',
      { login: 'me@here' },
      {},
      /^warning: .*does not show the groups of me@here/,
    ],
    [
      'whose key it is, on a one-way route',
      'tracker rights',
      {},
      { direction: 'to-github' },
      /^warning: .*no group that gives access to hidden bugs/,
    ],
    [
      'a keyword',
      'selection',
      {},
      { selection: { ...widgetRoute.selection, keyword: 'perf' } },
      /^warning: the tracker does not report its keywords.*"perf"/,
    ],
    [
      'one of two clocks',
      'clocks',
      { repository: { ...untold.repository, clockAt: 0 } },
      { conflicts: 'newest' },
      /^warning: the tracker does not report its time.*conflicts: newest/,
    ],
    [
      'a token that does not say what it may do',
      'rights',
      { repository: { ...untold.repository, right: 'admin' } },
      {},
      /^warning: the account may label .*Issues: read and write/,
    ],
    [
      'a token without scopes',
      'rights',
      { repository: { ...untold.repository, right: 'push', scopes: [] } },
      {},
      /^warning: the account may label .*a classic token needs the scope repo/,
    ],
  ];
  test.each(rows)('gets a warning about %s', (_name, about, site, route, words) => {
    const found = warningsIn({ ...untold, ...site, route: { ...untold.route, ...route } }, about);
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(words)]));
    if (about !== 'rights') expect(found.filter((each) => each.startsWith('ok'))).toEqual([]);
  });

  test('gets no warning about milestones that it does not mirror', () => {
    expect(warningsIn(untold, 'milestones')).toEqual(['ok: the route does not mirror milestones']);
  });
});

describe('check on a tracker that does not report the owner of the key', () => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  });
  afterEach(() => house.close());

  const without = () =>
    house.configure((config) => {
      delete config.tracker.login;
    });
  const groups = (...names: readonly string[]) => changeUser(house.tracker, 'bridge', { groups: names });
  const line = (out: string, about: string) =>
    out.split('\n').filter((each) => each.includes(`route widget, ${about}`));

  test.each([
    ['with all rights', ['editbugs', 'canconfirm']],
    ['without editbugs', []],
    ['of an insider', ['editbugs', 'canconfirm', 'insider', 'security']],
  ])('says of a key %s that nobody has looked at its rights', async (_name, names) => {
    groups(...names);
    without();
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(line(out, 'tracker rights')).toEqual([
      expect.stringMatching(
        /^warning {2}.*does not report the owner of the key, so its rights were not checked.*tracker\.login/,
      ),
    ]);
  });

  test.each([
    [['editbugs', 'canconfirm'], [/^ok .*may change and confirm all bugs \(its groups are .*canconfirm, editbugs\)/]],
    [[], [/^warning .*not in .*editbugs/, /^warning .*not in .*canconfirm/]],
    [
      ['editbugs', 'canconfirm', 'insider', 'security'],
      [
        /^warning .*in the tracker's group insider and does not need it/,
        /^warning .*in the tracker's group security, and/,
      ],
    ],
  ] as const)('with the login says what the groups %s mean', async (names, words) => {
    groups(...names);
    const { out } = await house.run('check');
    expect(line(out, 'tracker rights')).toEqual(words.map((each) => expect.stringMatching(each)));
  });

  test('asks whoami if the tracker has it, and warns about parameters that such a tracker hides', async () => {
    house.tracker.state.version = 'harmony';
    without();
    house.configure((config) => Object.assign(config.routes[0].create, { type: 'task', priority: '--' }));
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(line(out, 'tracker rights')).toEqual([
      expect.stringMatching(/^ok .*bridge@example\.test may change and confirm all bugs/),
    ]);
    expect(line(out, 'tracker settings')).toEqual([
      expect.stringMatching(/^warning .*does not report commentonchange_resolution/),
    ]);
  });

  test('does not confuse the rights of the account with those of the token', async () => {
    expect(line((await house.run('check')).out, 'rights')[0]).toMatch(
      /^ok .*may label and close issues.*the token has the scopes repo/,
    );
    house.github.setToken('bugferry-bot', house.token, { tokenScopes: null });
    expect(line((await house.run('check')).out, 'rights')[0]).toMatch(
      /^warning .*GitHub does not report the rights of this kind of token/,
    );
  });
});
