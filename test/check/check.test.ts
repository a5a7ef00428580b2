import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Site } from '../../src/check/site.ts';
import { judgeRoute } from '../../src/check/topics.ts';
import type { LabelSource, Route, Vocabulary } from '../../src/model/route.ts';
import type { IssueField, RepositoryRight } from '../../src/model/survey.ts';
import { createRelease } from '../../src/sandbox/github/world/releases.ts';
import { repoNamed } from '../../src/sandbox/github/world/state.ts';
import type { SettingName } from '../../src/sandbox/tracker/installation/settings.ts';
import type { Product } from '../../src/sandbox/tracker/world/state.ts';
import { changeUser } from '../contract/tracker/scenario.ts';
import { type House, type HouseConfig, openHouse } from '../support/bugferry.ts';
import { widgetRoute } from '../support/routes.ts';

const vocabulary: Vocabulary = {
  values: {
    component: ['Core', 'UI'],
    version: ['unspecified'],
    severity: ['normal', 'minor'],
    priority: ['---'],
    platform: ['All'],
    op_sys: ['All'],
    keywords: ['crash'],
    cf_area: ['---', 'Minor', 'ui'],
  },
  customs: { cf_area: 'one', cf_note: 'other', cf_rank: 'number', deadline: 'day' },
  workflow: {
    UNCONFIRMED: ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED'],
    CONFIRMED: ['IN_PROGRESS', 'RESOLVED'],
    IN_PROGRESS: ['CONFIRMED', 'RESOLVED'],
    RESOLVED: ['CONFIRMED', 'VERIFIED'],
    VERIFIED: ['CONFIRMED'],
  },
};
const site: Site = {
  route: { ...widgetRoute, visibilityCheck: 'anonymous' },
  vocabulary,
  login: 'bridge@example.test',
  tracker: {
    groups: ['editbugs', 'canconfirm'],
    takesBugs: true,
    parameters: {
      ...{ use_see_also: '1', usetargetmilestone: '1', maxattachmentsize: '50000' },
      ...{ commentonchange_resolution: '0', commentonduplicate: '0', noresolveonopenblockers: '0' },
    },
    creationFields: [],
    clockAt: 0,
    askedAt: 0,
    timeZone: '+0000',
  },
  unknownNames: [],
  anotherRepository: null,
  noLabel: null,
  isServed: true,
  reads: [],
  repository: {
    id: 1,
    name: 'acme/widget',
    right: 'push',
    isPrivate: false,
    isArchived: false,
    hasIssues: true,
    webHost: 'github.com',
    scopes: ['repo'],
    tokenEndsAt: null,
    retirement: null,
    clockAt: 0,
    askedAt: 0,
  },
  isRestricted: null,
  types: [],
  fields: [],
  unreadCommits: null,
  attachmentStore: null,
  place: null,
};
const { create, selection, status } = widgetRoute;
const { values } = vocabulary;
/** A route with these label rules, each a field and its template. */
const shows = (...rules: readonly string[]): Pick<Route, 'labels'> => ({
  labels: Array.from({ length: rules.length / 2 }, (_, index) => ({
    from: rules[2 * index] as LabelSource,
    as: rules[2 * index + 1] ?? '',
    both: true,
  })),
});
const areas = (...names: readonly string[]) => ({ values: { ...values, cf_area: names } });
const { cf_area: _areas, ...withoutAreas } = values;
const { keywords: _keywords, ...untold } = vocabulary.values;

const first = <T>(list: readonly T[]): T => list[0] as T;

describe('check reports', () => {
  test('what a private repository shows to readers of the tracker, for each setting of the route', () => {
    const found = (change: Partial<Route>, isPrivate = true): string =>
      judgeRoute({ ...site, route: { ...site.route, ...change }, repository: { ...site.repository, isPrivate } })
        .map(({ words }) => words)
        .join('\n');
    expect(found({})).toMatch(/^acme\/widget is private; .* titles, texts, comments, .*remove from a comment$/mu);
    expect(found({ pulls: ['#%1'], assignee: true })).toMatch(/assignees; titles and authors of pull requests/u);
    expect(found({ milestones: true })).toMatch(/milestones/u);
    for (const words of [found({ direction: 'to-github' }), found({}, false)])
      expect(words).not.toContain('readers of');
  });

  const type = { name: 'type', label: 'Type', isMandatory: true, isList: false, values: ['defect'], shownWhere: null };
  const wanting: Site = { ...site, tracker: { ...site.tracker, creationFields: [type] } };
  const ending: Site = {
    ...site,
    repository: { ...site.repository, retirement: { sinceAt: 0, endsAt: site.repository.askedAt + 86_400_000 } },
  };
  const cases = [
    { name: 'a mandatory field of new bugs', seen: wanting, words: /refuses new bugs without Type/ },
    { name: 'the end of the interface version', seen: ending, words: /ends the interface version/ },
  ] as const;

  test.each(cases)('$name', ({ seen, words }) => {
    expect(judgeRoute(seen).map((verdict) => verdict.words)).toContainEqual(expect.stringMatching(words));
  });
});

describe('check announces the mails of the tracker', () => {
  const told = { ...site.route, pulls: ['bug {bug}'], commits: { branch: null, patterns: ['bug {bug}'] } };
  const pulls = /each pull request sends up to two mails for each bug that it names/;
  const commits = /each push sends a mail for each bug that its commits name/;
  const mailOf = (route: Route) =>
    judgeRoute({ ...site, route }).find(({ about }) => about === 'route widget, mail')?.words;

  test('about pull requests and commits, if the route reports them', () => {
    expect(mailOf(told)).toMatch(pulls);
    expect(mailOf(told)).toMatch(commits);
    const { pulls: _pulls, ...onlyCommits } = told;
    expect(mailOf(onlyCommits)).not.toMatch(/pull request/);
    expect(mailOf(site.route)).not.toMatch(/pull request|push/);
    expect(mailOf({ ...told, direction: 'to-github' })).toMatch(/sends no mail/);
  });
});

describe('a route, compared with the tracker', () => {
  test('passes every check if it fits', () => {
    expect(judgeRoute(site).filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(judgeRoute(site).length).toBeGreaterThan(10);
  });

  const rows: readonly (readonly [
    string,
    Partial<Route>,
    Partial<Vocabulary>,
    'failure' | 'warning' | 'ok',
    RegExp,
  ])[] = [
    [
      'a keyword it lacks',
      { selection: { ...selection, keyword: 'crush' } },
      {},
      'failure',
      /no keyword "crush"; it has crash/,
    ],
    [
      'a severity it does not accept',
      { create: { ...create, severity: 'S1' } },
      {},
      'failure',
      /create.severity is "S1".*normal, minor/,
    ],
    ['no component for new bugs', { create: { ...create, component: '' } }, {}, 'failure', /create.component is empty/],
    [
      'a closing status it lacks',
      { status: { ...status, completed: ['CLOSED', 'FIXED'] } },
      {},
      'failure',
      /toTracker names CLOSED; the tracker has UNCONFIRMED/,
    ],
    [
      'a status the map lacks',
      {},
      { workflow: { ...vocabulary.workflow, WAITING: ['CONFIRMED', 'RESOLVED'] } },
      'warning',
      /does not name WAITING/,
    ],
    [
      'a status without a way out',
      {},
      { workflow: { ...vocabulary.workflow, VERIFIED: [] } },
      'warning',
      /a VERIFIED bug cannot become open: .*no way/,
    ],
    ['a workflow it does not tell', {}, { workflow: null }, 'warning', /does not report its workflow/],
    ['keywords it does not tell', {}, { values: untold }, 'warning', /values of keywords/],
    [
      'a custom field it lacks',
      shows('cf_aera', 'area: {value}'),
      {},
      'failure',
      /no custom field cf_aera; it has cf_area, cf_note, cf_rank/,
    ],
    [
      'a custom field that is a text',
      shows('cf_note', 'note: {value}'),
      {},
      'failure',
      /cf_note holds text.*from labels to table/,
    ],
    [
      'a custom field with a whole number',
      shows('cf_rank', 'rank: {value}'),
      {},
      'failure',
      /cf_rank holds a number, which labels cannot show; choose an issue field/,
    ],
    ['a custom field that it has', shows('cf_area', 'area: {value}'), {}, 'ok', /every label means exactly one value/],
    [
      'a value of two fields',
      shows('severity', 'is {value}', 'cf_area', 'Is {value}'),
      {},
      'failure',
      /severity "minor" and cf_area "Minor"/,
    ],
    [
      'a value in two spellings',
      {},
      { values: { ...values, keywords: ['Perf', 'perf'] } },
      'failure',
      /"Perf" would mean keywords "Perf" and/,
    ],
    [
      'a value too long for a label',
      {},
      { values: { ...values, component: ['Core', 'UI', 'x'.repeat(51)] } },
      'warning',
      /component "x+" would have 62 characters, and GitHub allows 50: it is cut to "component: x+…"/,
    ],
    [
      'two values that are the same when they are cut',
      {},
      { values: { ...values, component: ['Core', 'UI', `${'x'.repeat(51)}1`, `${'x'.repeat(51)}2`] } },
      'failure',
      /the label "component: x+…" would mean component "x+1" and component "x+2"/,
    ],
    [
      'the label of a status',
      shows('cf_area', 'status: {value}'),
      areas('in progress'),
      'failure',
      /a status .* and cf_area "in progress"/,
    ],
    [
      'the label of the route',
      { ...shows('cf_area', '{value}'), label: 'UI' },
      {},
      'failure',
      /issues to mirror .* and cf_area "ui"/,
    ],
    [
      'a label that fits a rule whose values it does not tell',
      shows('cf_area', 'x {value}', 'version', 'x y {value}'),
      { values: { ...withoutAreas, version: ['1'] } },
      'failure',
      /"x y 1" means version "1", and would be read as cf_area/,
    ],
  ];
  test.each(rows)('%s', (_name, route, known, level, words) => {
    const verdicts = judgeRoute({
      ...site,
      route: { ...site.route, ...route },
      vocabulary: { ...vocabulary, ...known },
    });
    expect(verdicts.filter((verdict) => words.test(verdict.words)).map((verdict) => verdict.level)).toEqual([level]);
  });

  test('needs no values for new bugs if it never files any', () => {
    const route: Route = { ...site.route, direction: 'to-github', create: { ...create, component: '' } };
    expect(
      judgeRoute({ ...site, route, tracker: { ...site.tracker, takesBugs: false } }).every(
        ({ level }) => level === 'ok',
      ),
    ).toBe(true);
  });
});

describe('a rule for the types of issues', () => {
  const asType = (from: LabelSource): Route => ({
    ...widgetRoute,
    labels: [{ from, as: '{value}', both: true, isType: true }],
  });
  const words = (route: Route, types: readonly string[], known: Partial<Vocabulary> = {}) =>
    judgeRoute({ ...site, route, types, vocabulary: { ...vocabulary, ...known } }).flatMap(
      ({ level, about, words: said }) => (about.endsWith('labels') ? [`${level}: ${said}`] : []),
    );
  test('needs a repository with issue types and a field with one value, and should have a type for each value', () => {
    expect(words(asType('severity'), [])).toEqual([
      expect.stringMatching(/^failure: the repository has no issue types/u),
    ]);
    expect(words(asType('severity'), ['Normal'])).toEqual([
      expect.stringMatching(/^warning: no issue type .* "minor"; there are Normal/u),
    ]);
    expect(words(asType('severity'), ['Normal', 'Minor'])).toEqual([expect.stringMatching(/^ok/u)]);
    expect(words(asType('cf_area'), ['ui'], { customs: { cf_area: 'several' } })).toEqual([
      expect.stringMatching(/^failure: cf_area may/u),
    ]);
  });
});

describe('a rule for a field of the organisation', () => {
  const inField = (from: LabelSource): Route => ({
    ...widgetRoute,
    labels: [{ from, as: '{value}', both: true, field: 'Severity' }],
  });
  const field = (change: Partial<IssueField>): IssueField => ({
    ...{ id: 1, name: 'Severity', kind: 'single_select', options: ['Normal', 'Minor'], isForMembers: false },
    ...change,
  });
  const words = (from: LabelSource, fields: readonly IssueField[], known: Partial<Vocabulary> = {}) =>
    judgeRoute({ ...site, route: inField(from), fields, vocabulary: { ...vocabulary, ...known } }).flatMap(
      ({ level, about, words: said }) => (about.endsWith('labels') ? [`${level}: ${said}`] : []),
    );

  test.each<[string, LabelSource, readonly IssueField[]]>([
    ['failure: no issue fields are visible: the owner of the repository must have defined some', 'severity', []],
    ['failure: the repository has no issue field "Severity"; it has Effort', 'severity', [field({ name: 'Effort' })]],
    ['failure: the issue field "Severity" has the kind colour', 'severity', [field({ kind: 'colour' })]],
    [
      'warning: the issue field "Severity" has the kind date, which cannot hold severity "normal", "minor"',
      'severity',
      [field({ kind: 'date', options: [] })],
    ],
    [
      'warning: the issue field "Severity" has the kind number, which cannot hold severity "normal", "minor"',
      'severity',
      [field({ kind: 'number', options: [] })],
    ],
    [
      'failure: the issue field "Severity" has the kind number, which cannot hold deadline',
      'deadline',
      [field({ kind: 'number' })],
    ],
    [
      'failure: the issue field "Severity" has the kind single_select, which cannot hold deadline',
      'deadline',
      [field({})],
    ],
    [
      'failure: the issue field "Severity" has the kind date, which cannot hold cf_rank; choose one with a number or text',
      'cf_rank',
      [field({ kind: 'date' })],
    ],
    ['ok: every label', 'cf_rank', [field({ kind: 'number', options: [] })]],
    ['ok: every label', 'deadline', [field({ kind: 'date', options: [] })]],
    ['ok: every label', 'deadline', [field({ kind: 'text', options: [] })]],
    ['failure: a bug may have several keywords', 'keywords', [field({})]],
    ['failure: the issue field "Severity" holds several options', 'severity', [field({ kind: 'multi_select' })]],
    [
      'warning: the issue field "Severity" has no option for severity "minor"',
      'severity',
      [field({ options: ['Normal'] })],
    ],
    ['warning: only members of the organisation see', 'severity', [field({ isForMembers: true })]],
    ['ok: every label', 'severity', [field({})]],
    ['ok: every label', 'severity', [field({ kind: 'text', options: [] })]],
    ['ok: every label', 'keywords', [field({ kind: 'multi_select', options: ['crash', 'regression'] })]],
  ])('hears "%s"', (heard, from, fields) => {
    expect(
      words(from, fields, { values: { severity: ['normal', 'minor'], keywords: ['crash', 'regression'] } }),
    ).toEqual([expect.stringContaining(heard)]);
  });
});

describe('an account with the role triage', () => {
  const said = (
    labels: Route['labels'],
    right: RepositoryRight = 'triage',
    direction: Route['direction'] = 'both',
    isRestricted: boolean | null = null,
  ) => {
    const route: Route = { ...widgetRoute, labels, direction };
    return judgeRoute({ ...site, route, isRestricted, repository: { ...site.repository, right, scopes: ['repo'] } })
      .filter(({ about }) => about.endsWith('rights'))
      .map(({ level, words: text }) => `${level}: ${text}`);
  };
  const field = { from: 'severity', as: '{value}', both: true, field: 'Severity' } as const;
  const type = { from: 'cf_impact', as: '{value}', both: true, isType: true } as const;

  test.each([
    ['fields', [field], 'failure: only the write role may set types and fields .* show severity as labels'],
    ['types', [type], 'failure: only the write role may set types and fields .* show cf_impact as labels'],
    ['locking', [], 'failure: only the write role may lock issues, create labels and edit what others wrote'],
    ['labels alone', [], 'warning: if .* restricts who may create issues to collaborators'],
  ])('hears what GitHub keeps from it: %s', (_what, labels, heard) => {
    expect(said(labels)).toContainEqual(expect.stringMatching(new RegExp(heard, 'u')));
    expect(said(labels, 'push').join()).not.toMatch(new RegExp(heard, 'u'));
    expect(said(labels, 'triage', 'to-tracker').join()).not.toMatch(new RegExp(heard, 'u'));
  });

  test.each([
    [[], true, ['failure: .* restricts who may create issues to collaborators, and the account has triage']],
    [[field], true, ['failure: only the write role may set', 'failure: .* restricts who may create issues']],
    [[], false, []],
    [[type], false, ['failure: only the write role may set']],
  ])('hears whether GitHub restricts new issues: %j, %j', (labels, isRestricted, heard) => {
    expect(said(labels, 'triage', 'both', isRestricted).filter((each) => !each.startsWith('ok'))).toEqual(
      ['failure: only the write role may lock', ...heard].map((each) => expect.stringMatching(new RegExp(each, 'u'))),
    );
  });
});

describe('check and explain ask both sides', () => {
  let house: House;

  beforeEach(async () => {
    house = await openHouse((tracker) => {
      tracker.as('alice').file({ summary: 'In Core', description: '', component: 'Core' });
      tracker.as('alice').file({ summary: 'In UI', description: '', component: 'UI' });
      tracker.hide(tracker.as('alice').file({ summary: 'Hidden', description: '', component: 'Core' }));
    });
  });
  afterEach(() => house.close());

  const onlyCore = (config: HouseConfig) => {
    config.routes[0].tracker.component = 'Core';
  };

  test('check says ok line by line and writes nothing', async () => {
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(Array.from({ length: 21 }, () => 'ok'));
    expect(out).toMatch(
      /mail: each bug that gets an issue sends one mail, for the address of the issue \(pointer: now\)/,
    );
    house.configure((config) => {
      config.routes[0].pointer = 'with-next-change';
    });
    expect((await house.run('check')).out).toMatch(/mail: mirroring a bug sends no mail/);
    expect(out).toMatch(/only an account that administers acme\/widget may import/);
    house.github.allow('acme/widget', 'bugferry-bot', 'admin');
    expect((await house.run('check')).out).toMatch(
      /migrate would take --writer import, as the account administers acme\/widget/,
    );
    house.github.allow('acme/widget', 'bugferry-bot', 'write');
    expect(out).toMatch(/texts: the tracker reads plain text/);
    expect(out).toContain('as bridge@example.test');
    expect(out).toContain('as bugferry-bot');
    expect(house.writes()).toBe(0);
  });

  test('check warns about a state file that others can read, and the next start restricts it and says so', async () => {
    await house.run('once');
    chmodSync(house.state, 0o644);
    const { code, out } = await house.run('check');
    expect(code).toBe(0);
    expect(out).toMatch(/^warning +.*state\.db: other users of this machine can read it \(0644\).*chmod 600/mu);
    const { err } = await house.run('once');
    expect(err).toMatch(/could read the state file .* \(0644\).*Now only its owner can \(0600\)/u);
    expect((await house.run('check')).out).not.toContain('others on this machine');
  });

  const inProduct = (change: Partial<Product>) => {
    const { products } = house.tracker.state;
    products.splice(0, 1, { ...first(products), ...change });
  };
  const groups = (...names: readonly string[]) => changeUser(house.tracker, 'bridge', { groups: names });
  const setting = (name: SettingName, value: string) =>
    Object.assign(house.tracker.state, { settings: { ...house.tracker.state.settings, [name]: value } });
  const route = (change: object) => {
    house.configure((config) => Object.assign(config.routes[0], change));
  };
  const filesIn = (options: Parameters<typeof house.github.addRepo>[1]) => {
    house.github.addRepo('acme/files', options);
    route({ attachments: { store: 'repo', repo: 'acme/files' } });
  };
  const bot = 'bugferry-bot';
  const late = (world: { readonly state: { readonly now: () => number } }, ms: number) => {
    const { now } = world.state;
    Object.assign(world.state, { now: () => now() + ms });
  };

  /** What is arranged, with the exit code and the line that tells it. */
  const rows: readonly (readonly [string, () => void, number, RegExp])[] = [
    [
      'a wrong API key',
      () => changeUser(house.tracker, 'bridge', { apiKey: 'another' }),
      4,
      /failure {2}route widget, tracker: .*key/i,
    ],
    [
      'an account that is closed',
      () => changeUser(house.tracker, 'bridge', { disabledText: 'left' }),
      4,
      /failure {2}route widget, tracker: /,
    ],
    ['a revoked token', () => house.github.setToken(bot, null), 4, /failure {2}route widget, GitHub: .*401/],
    [
      'a repository that cannot be seen',
      () => {
        house.github.setPrivate('acme/widget', true);
        house.github.allow('acme/widget', bot, null);
      },
      4,
      /failure {2}route widget, GitHub: .*404.*the token has no access to it/,
    ],
    [
      'issues that are switched off',
      () => house.github.setRepo('acme/widget', { hasIssues: false }),
      4,
      /failure {2}route widget, GitHub: .*issues disabled. Enable them/,
    ],
    [
      'an archived repository',
      () => house.github.setRepo('acme/widget', { isArchived: true }),
      2,
      /failure {2}route widget, rights: acme\/widget is archived.*unarchive it/,
    ],
    [
      'an account that may only read',
      () => house.github.allow('acme/widget', bot, 'read'),
      2,
      /failure {2}route widget, rights: may only read acme\/widget: give the account/,
    ],
    [
      'a token without the scope',
      () => house.github.setToken(bot, house.token, { tokenScopes: ['gist'] }),
      2,
      /failure {2}route widget, rights: the token has the scopes gist.*create one with the scope repo/,
    ],
    [
      'a token that ends soon',
      () => house.github.setToken(bot, house.token, { tokenEndsAt: Date.now() + 3 * 86_400_000 }),
      0,
      /warning {2}route widget, token: the token expires on 20.*create a new one/,
    ],
    [
      'an interface version that ends',
      () => {
        const sunset = new Date(Date.now() + 30 * 86_400_000).toUTCString();
        house.github.limits.retirement = { deprecation: '@1773100800', sunset };
      },
      0,
      /warning {2}route widget, rights: GitHub ends the interface version that bugferry uses on 20.*; install/,
    ],
    [
      'no right to import',
      () => {},
      0,
      /ok {7}route widget, migrate: only an account that administers .* may import: .*admin role/,
    ],
    [
      'a private repository',
      () => house.github.setPrivate('acme/widget', true),
      2,
      /failure.*route widget, privacy: acme\/widget is private.*private: mirror/,
    ],
    [
      'no right to change bugs of others',
      () => groups('canconfirm'),
      0,
      /warning {2}route widget, tracker rights: bridge@example.test is not in .*editbugs.*ask an administrator/,
    ],
    [
      'no right to confirm',
      () => groups('editbugs'),
      0,
      /warning {2}route widget, tracker rights: .*canconfirm.*ask an administrator/,
    ],
    [
      'more rights than needed',
      () => groups('editbugs', 'canconfirm', 'insider'),
      0,
      /warning {2}route widget, tracker rights: .*group insider.*remove the account.*schedule\.sweep/,
    ],
    [
      'a product of a group that we are not in',
      () => inProduct({ mandatoryGroups: ['security'] }),
      2,
      /failure {2}route widget, selection: .*sees no product "Widget"; check its spelling .* and the rights/,
    ],
    [
      'a product that is not there as one that has no values to file bugs with',
      () => route({ tracker: { product: 'Wigdet' } }),
      2,
      /warning {2}route widget, create: this cannot be checked without the product\n/,
    ],
    [
      'a product that is closed',
      () => inProduct({ isClosed: true }),
      2,
      /failure {2}route widget, create: product Widget does not accept new bugs.*to-github/,
    ],
    [
      'a component that does not exist',
      () => route({ tracker: { product: 'Widget', component: ['Core', 'Gear'] } }),
      2,
      /failure {2}route widget, selection: .*no component "Gear"; it has Core, UI/,
    ],
    [
      'a version that does not exist',
      () => route({ create: { component: 'Core', version: '9' } }),
      2,
      /failure {2}route widget, create: create.version is "9".*it accepts .*unspecified/,
    ],
    [
      'a status that does not exist',
      () =>
        route({
          status: {
            toGithub: { CLOSED: { '*': 'completed' }, CONFIRMED: 'open', RESOLVED: { '*': 'not_planned' } },
            toTracker: { completed: ['CLOSED', 'FIXED'] },
          },
        }),
      2,
      /failure {2}route widget, status: status.toTracker names CLOSED; the tracker has UNCONFIRMED/,
    ],
    [
      'comments that are asked for at closing',
      () => setting('commentonchange_resolution', '1'),
      0,
      /warning {2}route widget, tracker settings: commentonchange_resolution is on.*turn the parameter off/,
    ],
    [
      'comments that are asked for at duplicates',
      () => setting('commentonduplicate', '1'),
      0,
      /warning {2}route widget, tracker settings: commentonduplicate is on/,
    ],
    [
      'blockers that keep bugs open',
      () => setting('noresolveonopenblockers', '1'),
      0,
      /warning {2}route widget, tracker settings: noresolveonopenblockers is on/,
    ],
    [
      'no See Also',
      () => setting('use_see_also', '0'),
      0,
      /warning {2}route widget, tracker settings: use_see_also is off/,
    ],
    [
      'no target milestones',
      () => {
        setting('usetargetmilestone', '0');
        route({ milestones: true });
      },
      0,
      /warning {2}route widget, tracker settings: usetargetmilestone is off/,
    ],
    [
      'no such branch of commits',
      () => route({ commits: { branch: 'stable' } }),
      2,
      /failure {2}route widget, commits: the commits of the branch stable of acme\/widget cannot be read: GitHub answered 404 .*; name a branch/,
    ],
    [
      'commits',
      () => route({ commits: true }),
      0,
      /ok {7}route widget, commits: bugs get a comment about commits on the default branch/,
    ],
    [
      'small attachments',
      () => route({ attachments: {} }),
      0,
      /ok {7}route widget, files: the tracker takes attachments of up to 1000 kB/,
    ],
    [
      'no repository for files',
      () => route({ attachments: { store: 'repo', repo: 'acme/nowhere' } }),
      2,
      /failure {2}route widget, files: files cannot go to acme\/nowhere: /,
    ],
    [
      'no right to put files',
      () => filesIn({}),
      2,
      /failure {2}route widget, files: may not write contents in acme\/files; give the account/,
    ],
    [
      'files that readers cannot open',
      () => filesIn({ isPrivate: true, permissions: { [bot]: 'write' } }),
      0,
      /warning {2}route widget, files: acme\/files is private and acme\/widget is public/,
    ],
    [
      'files that everybody could read',
      () => {
        house.github.setPrivate('acme/widget', true);
        filesIn({ permissions: { [bot]: 'write' } });
      },
      2,
      /failure {2}route widget, files: .*anyone could read the files; make it private/,
    ],
    [
      'a repository for files without a commit',
      () => filesIn({ isEmpty: true, permissions: { [bot]: 'write' } }),
      2,
      /failure {2}route widget, files: acme\/files has no commits yet.*commit something/,
    ],
    [
      'files among the code',
      () => route({ attachments: { branch: 'main' } }),
      2,
      /failure {2}route widget, files: the branch main of acme\/widget contains other work; set attachments.branch/,
    ],
    [
      'releases that take no files',
      () => {
        const repo = repoNamed(house.github.state, 'acme/widget');
        repo.hasImmutableReleases = true;
        const request = { tag: 'attachments', name: '', body: '', isDraft: false, isPrerelease: true };
        createRelease(house.github.state, repo.owner, repo, request);
        route({ attachments: { store: 'release' } });
      },
      2,
      /failure {2}route widget, files: the releases of acme\/widget are immutable/,
    ],
    [
      'files in releases',
      () => route({ attachments: { store: 'release', tag: 'files' } }),
      0,
      /ok {7}route widget, files: files go to acme\/widget, in the releases files, files-2 and so on/,
    ],
    [
      'a tracker whose clock is ahead',
      () => late(house.tracker, 300_000),
      0,
      /warning {2}route widget, clocks: the tracker's clock is 5 minutes ahead of GitHub's and that of this machine; .*newest.*Set the clock/,
    ],
    [
      'the same on a route that compares no times, because one side always wins',
      () => {
        route({ direction: 'to-github' });
        late(house.tracker, 300_000);
      },
      0,
      /warning {2}route widget, clocks: .* and that of this machine; the times of copies look wrong\. Set the clock/,
    ],
    [
      'a machine whose clock is wrong',
      () => {
        late(house.tracker, 300_000);
        late(house.github, 300_000);
      },
      0,
      /warning {2}route widget, clocks: the clock of this machine is \d minutes behind those of both sides; .*Set the clock of this machine/,
    ],
  ];

  test.each(rows)('check reports %s', async (_name, arrange, code, line) => {
    const before = await house.run('check');
    if (!/^ok/u.test(line.source)) expect(before.out).not.toMatch(line);
    arrange();
    const after = await house.run('check');
    expect({ code: after.code, out: after.out }).toEqual({ code, out: expect.stringMatching(line) });
    expect(house.writes()).toBe(0);
  });

  test('check demands no rights that a one-way route does not use', async () => {
    groups();
    setting('commentonchange_resolution', '1');
    route({ direction: 'to-github' });
    expect((await house.run('check')).out).not.toMatch(/warning|failure/);
    route({ direction: 'to-tracker' });
    groups('editbugs', 'canconfirm');
    setting('commentonchange_resolution', '0');
    house.github.setRepo('acme/widget', { isArchived: true });
    expect(await house.run('check')).toMatchObject({ code: 0 });
  });

  const unlinked: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['a bug of another component', ['bug', '2'], 0, /route widget: the route does not take component UI/],
    ['a hidden bug', ['bug', '3'], 0, /hidden from the account of the bridge, as private bugs should be/],
    ['a bug that does not exist', ['bug', '99'], 1, /the tracker has no bug 99/],
    ['a repository without a route', ['issue', 'acme/other#1'], 1, /no route has the repository acme\/other/],
    ['an issue that does not exist', ['issue', 'acme/widget#99'], 1, /GitHub has no .*#99/],
  ];
  test.each(unlinked)('explain says why nothing happens to %s', async (_name, args, expected, words) => {
    house.configure(onlyCore);
    await house.run('once');
    const { code, out } = await house.run('explain', ...args);
    expect(code).toBe(expected);
    expect(out).toContain('is not mirrored.');
    expect(out).toMatch(words);
  });

  test('explain shows the full history of a bug, by bug or issue number', async () => {
    house.configure(onlyCore);
    await house.run('once');
    house.tracker.as('admin').change(1, { severity: 'minor' });
    await house.run('once');
    const byBug = await house.run('explain', 'bug', '1');
    expect(byBug.out).toMatch(/bug 1 = acme\/widget#1 {2}"In Core"/);
    expect(byBug.out).toMatch(/\d UTC {2}the issue was opened: http/);
    expect(byBug.out).toMatch(/\d UTC {2}on the issue, severity went from normal to minor/);
    const names = [
      ['issue', 'ACME/Widget#1'],
      ['acme/widget#1'],
      ['1'],
      ['bug', '#1'],
      [`${house.trackerUrl}/show_bug.cgi?id=1`],
    ];
    for (const words of names) expect([words, (await house.run('explain', ...words)).out]).toEqual([words, byBug.out]);
  });

  test('explain says that a bug is frozen because it was hidden', async () => {
    await house.run('once');
    house.tracker.hide(1);
    await house.run('once', '--sweep');
    const { out } = await house.run('explain', 'bug', '1');
    expect(out).toMatch(/frozen: .*; nothing is written until the tracker shows its item again/);
  });
});
