import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { limitsOf, routesOf } from '../../src/config/routes.ts';
import { changed, env, smallest, withRoute } from './sample.ts';

const routeFrom = (text: string) => routesOf(parseConfig(text, 'bridge.yaml', env))[0];
const shown = (state: string, label: string | null = null) => ({ state, label });
const closed = { FIXED: shown('completed'), DUPLICATE: shown('duplicate'), '*': shown('not_planned') };
const open = shown('open');

test('a minimal route gets the defaults', () => {
  expect(routeFrom(smallest)).toEqual({
    name: 'widget',
    instance: 'acme',
    selection: { product: 'Widget', components: ['Core'], keyword: null, createdSinceAt: null, openOnly: false },
    owner: 'acme',
    repo: 'widget',
    webHost: 'github.com',
    label: null,
    direction: 'both',
    visitors: 'welcome',
    newBugUrl: 'https://bugs.example.org/enter_bug.cgi?product=Widget&component=Core',
    conflicts: 'newest',
    copies: 'leave',
    deletions: 'nothing',
    create: {
      component: 'Core',
      version: 'unspecified',
      op_sys: 'All',
      platform: 'All',
      severity: 'normal',
      priority: '---',
    },
    createFurther: {},
    status: {
      toGithub: {
        UNCONFIRMED: open,
        NEW: open,
        CONFIRMED: open,
        ASSIGNED: open,
        IN_PROGRESS: open,
        REOPENED: open,
        RESOLVED: closed,
        VERIFIED: closed,
        CLOSED: closed,
      },
      reopened: 'CONFIRMED',
      completed: ['RESOLVED', 'FIXED'],
      notPlanned: ['RESOLVED', 'WONTFIX'],
    },
    labels: [
      { from: 'component', as: 'component: {value}', both: false },
      { from: 'severity', as: 'severity: {value}', both: true },
      { from: 'keywords', as: '{value}', both: true },
    ],
    attachments: null,
    pointer: 'with-next-change',
    people: { github: new Map(), tracker: new Map(), nobody: [] },
    assignee: false,
    milestones: false,
    mentions: false,
    dependencies: false,
    table: [],
    thumbsUp: false,
    visibilityCheck: 'anonymous',
    isEnabled: true,
    lagMaxMs: 3_900_000,
    contact: null,
    privateRepository: 'refuse',
  });
});

test.each([
  ['pulls: true', ['bug {bug}']],
  ['pulls: { patterns: ["bz#{bug}"] }', ['bz#{bug}']],
  ['pulls: false', undefined],
])('%s', (line, patterns) => {
  expect(routeFrom(withRoute(line))?.pulls).toEqual(patterns);
  expect(routeFrom(withRoute(line, 'direction: to-github'))?.pulls).toBeUndefined();
});

const usual = ['bug {bug}', 'bz#{bug}', 'PR {component}/{bug}'];

test.each([
  ['commits: true', { branch: null, patterns: usual }],
  ['commits: { branch: stable }', { branch: 'stable', patterns: usual }],
  ['commits: { patterns: ["PR {bug}"] }', { branch: null, patterns: ['PR {bug}'] }],
  ['commits: false', undefined],
])('%s', (line, rule) => {
  expect(routeFrom(withRoute(line))?.commits).toEqual(rule);
  expect(routeFrom(withRoute(line, 'direction: to-github'))?.commits).toBeUndefined();
});

test('a route can set every key', () => {
  const text = withRoute(
    'direction: to-tracker',
    'conflicts: ask',
    'create: { component: UI, version: "2.0", priority: P1 }',
    'status:',
    '  toGithub: { NEW: open, IN_PROGRESS: { open: { label: busy } }, RESOLVED: { FIXED: completed, "*": not_planned }, DONE: completed }',
    '  toTracker: { reopened: NEW, completed: [RESOLVED, FIXED], not_planned: [RESOLVED, INVALID] }',
    'labels: [{ from: version, as: "v{value}" }]',
  )
    .replace('component: Core }', 'component: [Core, UI], keyword: open, createdSince: 2024-01-31, openOnly: true }')
    .replace('repo: acme/widget', 'repo: acme/widget, label: tracked');
  expect(routeFrom(text)).toMatchObject({
    selection: { components: ['Core', 'UI'], keyword: 'open', createdSinceAt: Date.UTC(2024, 0, 31), openOnly: true },
    label: 'tracked',
    direction: 'to-tracker',
    conflicts: 'ask',
    create: { component: 'UI', version: '2.0', priority: 'P1', severity: 'normal' },
    status: {
      toGithub: {
        NEW: open,
        IN_PROGRESS: shown('open', 'busy'),
        RESOLVED: { FIXED: shown('completed'), '*': shown('not_planned') },
        DONE: shown('completed'),
      },
      reopened: 'NEW',
      notPlanned: ['RESOLVED', 'INVALID'],
    },
    labels: [{ from: 'version', as: 'v{value}', both: false }],
  });
});

test('further values of new bugs are separate from the standard ones', () => {
  const route = routeFrom(withRoute('create: { severity: S2, type: defect, cf_team: Core, cf_area: [ui, net] }'));
  expect(route?.create).toEqual({ ...route?.create, severity: 'S2', component: 'Core' });
  expect(Object.keys(route?.create ?? {}).toSorted()).toEqual([
    'component',
    'op_sys',
    'platform',
    'priority',
    'severity',
    'version',
  ]);
  expect(route?.createFurther).toEqual({ type: 'defect', cf_team: 'Core', cf_area: ['ui', 'net'] });
});

test('statuses of the route replace the defaults instead of extending them', () => {
  const route = routeFrom(
    withRoute('status: { toGithub: { CONFIRMED: open, RESOLVED: { FIXED: completed, "*": not_planned } } }'),
  );
  expect(Object.keys(route?.status.toGithub ?? {})).toEqual(['CONFIRMED', 'RESOLVED']);
});

test('new bugs get the first component of the route', () => {
  expect(routeFrom(changed('component: Core', 'component: [UI, Core]'))?.create.component).toBe('UI');
});

test.each([
  ['2024-01-31T12:00:00Z', Date.UTC(2024, 0, 31, 12)],
  ['2024-01-31T12:00:00+02:00', Date.UTC(2024, 0, 31, 10)],
])('the moment %s is understood with its time zone', (since, at) => {
  const route = routeFrom(changed('component: Core', `component: Core, createdSince: "${since}"`));
  expect(route?.selection.createdSinceAt).toBe(at);
});

test('routes stay in the order of the file', () => {
  const second =
    '  - name: another\n    tracker: { product: Other, component: Core }\n    github: { repo: acme/other }\n';
  expect(routesOf(parseConfig(smallest + second, 'bridge.yaml', env)).map(({ name }) => name)).toEqual([
    'widget',
    'another',
  ]);
});

test('limits are in the units of the model', () => {
  const text = `${smallest}limits: { writesPerCycle: 7, brakeShare: 0.5, settleSeconds: 1.5, attempts: 2 }\n`;
  expect(limitsOf(parseConfig(text, 'bridge.yaml', env))).toEqual({
    writesPerCycle: 7,
    brakeShare: 0.5,
    settleMs: 1500,
    attempts: 2,
  });
});

test.each([
  [
    'on a branch of the route, by default',
    'attachments: {}',
    { store: 'branch', owner: 'acme', repo: 'widget', branch: 'attachments', tag: 'attachments', bytesMax: 25_000_000 },
  ],
  [
    'in another repository',
    'attachments: { store: repo, repo: acme/files, branch: bugs, maxMegabytes: 1.5 }',
    { store: 'repo', owner: 'acme', repo: 'files', branch: 'bugs', bytesMax: 1_500_000 },
  ],
  [
    'in releases of its own repository',
    'attachments: { store: release }',
    { store: 'release', owner: 'acme', repo: 'widget', tag: 'attachments' },
  ],
  [
    'in releases of another one',
    'attachments: { store: release, repo: acme/files, tag: bugs }',
    { store: 'release', owner: 'acme', repo: 'files', tag: 'bugs' },
  ],
  ['nowhere', 'attachments: { store: link }', { store: 'link', owner: 'acme', repo: 'widget' }],
])('copies of files stand %s', (_where, written, rule) => {
  expect(routeFrom(withRoute(written))?.attachments).toMatchObject(rule);
});

test('an unknown store is refused, and the message names the known ones', () => {
  expect(() => routeFrom(withRoute('attachments: { store: upload }'))).toThrow(
    /attachments\.store must be one of branch, repo, release, link/u,
  );
});
