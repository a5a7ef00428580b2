import { afterEach, expect, test } from 'vitest';
import type { HouseConfig } from '../../support/bugferry.ts';
import { type Bridge, repo, type Way } from './bridge.ts';
import { outcome, type Play, played } from './play.ts';
import { hidden, withdrawn } from './private-deeds.ts';

/**
 * I9 at the built program: what became private while the state was away leaves GitHub, what was withdrawn since the
 * backup is known for that, and both sides end as in a twin whose state never went anywhere.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

const all = { ...hidden, ...withdrawn };
const ofTracker = Object.fromEntries(Object.entries(all).filter(([, { isFromGithub }]) => isFromGithub !== true));

const on =
  (route: object, user = 'bridge') =>
  (config: HouseConfig) => {
    Object.assign(config.routes[0], {
      milestones: true,
      assignee: true,
      attachments: { store: 'branch' },
      table: ['alias', 'url', 'cc'],
      labels: [
        { from: 'severity', as: 'severity: {value}', both: true },
        { from: 'keywords', as: '{value}', both: true },
        { from: 'whiteboard', as: 'tag: {value}', both: true },
      ],
      ...route,
    });
    if (user !== 'bridge')
      Object.assign(config.tracker, {
        login: `${user}@example.test`,
        apiKey: 'bridgeinsiderSandboxKey'.padEnd(40, '0'),
      });
  };
const configurations = {
  'a branch': on({}),
  releases: on({ attachments: { store: 'release' } }),
  'another repository': on({ attachments: { store: 'repo', repo: 'acme/files' } }),
  'an insider': on({}, 'bridge-insider'),
  'to GitHub': on({ direction: 'to-github' }),
  'no check of visibility': on({ visibilityCheck: 'none' }),
} as const;
type Configuration = keyof typeof configurations;

/** What of the secrets is on GitHub. */
function leaks({ github }: Bridge): readonly string[] {
  const texts = [
    ...github
      .issues(repo)
      .flatMap((issue) => [
        issue.title,
        issue.body,
        ...issue.labels,
        ...github.commentsOf(repo, issue.number).map(({ body }) => body),
      ]),
    ...[repo, 'acme/files'].flatMap((name) =>
      [...github.files(name, 'attachments')].flatMap(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
    ),
    ...[...github.assets(repo)].flatMap(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  ];
  return texts.filter((text) => text.includes('SECRET'));
}

async function after(way: Way, name: Configuration, play: Partial<Play> = {}) {
  const deeds = name === 'to GitHub' ? ofTracker : all;
  bridge = await played(deeds, {
    way,
    configure: configurations[name],
    async between(now) {
      expect.soft(leaks(now)).toEqual([]);
      for (const command of ['audit', 'verify']) {
        const { code, out } = await now.bugferry(command);
        expect.soft([command, code, out]).toEqual([command, way === 'restored twice' ? code : 0, out]);
      }
    },
    ...play,
  });
  // The second of two backups does not know the opening that took the lock.
  const unknown = way === 'restored twice' ? ['an issue of people, hidden for a while'] : [];
  return outcome(bridge, deeds, unknown);
}

const twins = new Map<string, object>();
async function twinOf(name: Configuration): Promise<object | undefined> {
  if (!twins.has(name)) {
    twins.set(name, await after('twin', name));
    await bridge?.close();
  }
  return twins.get(name);
}
const rows: readonly (readonly [Way, Configuration, Partial<Play>])[] = [
  ['restored', 'a branch', {}],
  ['restored', 'releases', {}],
  ['adopted', 'releases', {}],
  ['killed', 'releases', {}],
  ['adopted', 'a branch', {}],
  ['restored', 'another repository', {}],
  ['lost', 'another repository', {}],
  ['restored', 'an insider', {}],
  ['put back', 'a branch', {}],
  ['adopted', 'an insider', {}],
  ['restored', 'to GitHub', {}],
  ['lost', 'to GitHub', {}],
  ['killed', 'a branch', { killedAfter: 30 }],
  ['put back', 'no check of visibility', {}],
  ['restored twice', 'a branch', {}],
  ['lost', 'a branch', {}],
  ['run', 'a branch', {}],
  ['killed', 'a branch', {}],
  ['restored', 'a branch', { age: 2 }],
];

test.each(rows)('%s, %s, %o', async (way, name, play) => {
  const twin = await twinOf(name);
  const found = await after(way, name, play);
  expect(twin).toMatchObject(found);
});

/** L1: what the state does not know to be withdrawn shows no word, and is no alarm before any cycle has run. */
test.each(['restored', 'put back', 'adopted'] as const)('an audit before the first cycle: %s', async (way) => {
  const { 'a bug that is hidden, public and hidden again': _published, ...quiet } = withdrawn;
  bridge = await played(quiet, {
    way,
    configure: configurations['a branch'],
    async returned(now) {
      const { code, out } = await now.bugferry('audit');
      expect([code, out]).toEqual([0, expect.stringContaining('Everything published is allowed to be.')]);
    },
  });
});
