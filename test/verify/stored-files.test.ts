import { copyFileSync, rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { pause } from '../e2e/process.ts';
import { type House, openHouse } from '../support/bugferry.ts';

/**
 * I9 as an operator meets it: an older or new state does not know files that were copied after it. `verify` and `audit`
 * list the attachment store, and each names exactly those files that are not public, until the bridge has removed them.
 */
let house: House;
afterEach(() => house.close());

const repo = 'acme/widget';
const bytes = new TextEncoder().encode('it crashed');
const attached = (bug: number, file_name: string): number =>
  house.tracker.as('alice').attach(bug, { bytes, file_name, summary: file_name });

async function turns(count: number, ...args: readonly string[]): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) expect((await house.run('once', ...args)).code).toBeLessThan(2);
}

const forget = (): void => {
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.state}${rest}`, { force: true });
};

/** Each file that a command says must not be on GitHub, and the command's exit code. */
interface Judged {
  readonly audit: readonly [number, readonly string[]];
  readonly verify: readonly [number, readonly string[]];
}

async function judged(): Promise<Judged> {
  const audit = await house.run('audit', '--json');
  const standing = audit
    .json<{
      readonly standing?: readonly { readonly name: string; readonly what: string; readonly ground: string }[];
    }>()
    .flatMap((line) => line.standing ?? []);
  const verify = await house.run('verify', '--json');
  const [report] = verify.json<{
    readonly routes: readonly {
      readonly pairs: readonly { readonly differences: readonly { aspect: string; about: string }[] }[];
    }[];
  }>();
  const pairs = report?.routes.flatMap((route) => route.pairs) ?? [];
  const named = (words: string): readonly string[] => /attachment \d+/u.exec(words) ?? [];
  return {
    audit: [
      audit.code,
      standing
        .filter(({ what, ground }) => what === 'file' && /refuted|to-go/u.test(ground))
        .flatMap((each) => named(each.name)),
    ],
    verify: [
      verify.code,
      pairs
        .flatMap(({ differences }) => differences)
        .filter(({ aspect }) => aspect === 'private')
        .flatMap((each) => named(each.about)),
    ],
  };
}

const nothing: Judged = { audit: [0, []], verify: [0, []] };
const names = (): readonly string[] =>
  [...house.github.files(repo, 'attachments').keys(), ...house.github.assets(repo).keys()].toSorted();

type Change = (config: { attachments?: object; visibilityCheck?: string; direction?: string }) => void;
const ways: readonly (readonly [string, 'restored' | 'lost', 'file' | 'bug', Change])[] = [
  ['a restored state, a branch, the file alone', 'restored', 'file', () => {}],
  ['a restored state, a branch, the whole bug', 'restored', 'bug', () => {}],
  [
    'a restored state, a release, the file alone',
    'restored',
    'file',
    (on) => Object.assign(on, { attachments: { store: 'release' } }),
  ],
  [
    'a restored state, a release, the whole bug',
    'restored',
    'bug',
    (on) => Object.assign(on, { attachments: { store: 'release' } }),
  ],
  [
    'a restored state without a check of visibility',
    'restored',
    'file',
    (on) => Object.assign(on, { visibilityCheck: 'none' }),
  ],
  ['a restored state of a route to GitHub', 'restored', 'file', (on) => Object.assign(on, { direction: 'to-github' })],
  ['a lost state, a branch, the file alone', 'lost', 'file', () => {}],
  ['a lost state, a branch, the whole bug', 'lost', 'bug', () => {}],
  [
    'a lost state, a release, the file alone',
    'lost',
    'file',
    (on) => Object.assign(on, { attachments: { store: 'release' } }),
  ],
];

test.each(ways)(
  'both name a file that is not public any more, until it is gone: %s',
  async (_name, state, hides, change) => {
    house = await openHouse((tracker) => {
      tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
      tracker.as('alice').file({ summary: 'It fails, too', description: 'Always.' });
    });
    house.configure((config) => {
      config.routes[0].attachments = { store: 'branch' };
      change(config.routes[0]);
    });
    attached(2, 'old.log');
    await turns(3);
    const backup = `${house.state}.backup`;
    copyFileSync(house.state, backup);
    attached(1, 'secret.log');
    attached(2, 'new.log');
    for (let turn = 0; turn < 30 && names().length < 3; turn += 1) {
      await turns(1);
      // Stamps have whole seconds: what changed in the second of the last reading counts only once that is over.
      await pause(200);
    }
    await turns(1);
    expect(names().length).toBe(3);
    expect(await judged()).toEqual(nothing);
    forget();
    if (state === 'restored') expect(await house.run('state', 'restore', backup)).toMatchObject({ code: 0 });
    else expect(await house.run('adopt')).toMatchObject({ code: 0 });
    // Nothing has become private yet: a file that the state does not know is no leak by that.
    expect((await judged()).audit).toEqual([0, []]);
    expect((await judged()).verify[1]).toEqual([]);
    if (hides === 'file') house.tracker.as('admin').changeAttachment(2, { is_private: true });
    else house.tracker.as('admin').change(1, { groups: { add: ['security'] } });
    const { audit, verify } = await judged();
    expect([audit, verify]).toEqual([
      [1, ['attachment 2']],
      [1, expect.arrayContaining(['attachment 2'])],
    ]);
    await turns(2, '--sweep');
    await turns(2);
    expect(names().length).toBe(2);
    expect(await judged()).toEqual(nothing);
  },
);
