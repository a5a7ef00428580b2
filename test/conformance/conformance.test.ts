import { afterEach, describe, expect, test } from 'vitest';
import type { TrackerSettings } from '../../src/sandbox/tracker/installation/settings.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';
import { type Setup, setUp } from './setup.ts';
import { cases, type Result } from './suite.ts';

/** The embedded tracker passes the suite, whoever asks. The suite comes in through HTTP alone. */

/** The measured installation has no custom fields of these kinds. */
const withoutCustom = /^there is no custom field of this kind \((?:bug|date|integer)\)$/u;
const noInsider = /private comments$/u;
const noHours = /does not see hours$/u;
const noGroup = /^no group was found|^no other product has mandatory groups$/u;
const noEditor = /\(editbugs\)$/u;
const noTagger = /may not tag comments$/u;
const likeMain = /^there is no --other-key, or it /u;

/** Pairs of keys, the reasons for which a pair cannot show something, and how many cases it shows at least. */
const pairs: readonly (readonly [
  key: string,
  otherKey: string | null,
  reasons: readonly RegExp[],
  shownMin: number,
])[] = [
  ['alice', 'bob', [withoutCustom], 530],
  ['alice', 'bridge', [withoutCustom, likeMain], 525],
  ['admin', 'bob', [withoutCustom], 530],
  ['bridge-insider', 'carol', [withoutCustom, noHours], 510],
  ['bridge', 'bob', [withoutCustom, noInsider, noHours, noGroup], 490],
  ['carol', 'bob', [withoutCustom, noInsider, noHours, noGroup, noEditor, noTagger], 300],
  ['bob', null, [withoutCustom, noInsider, noHours, noGroup, noEditor, noTagger, likeMain, /--other-key$/u], 300],
];

const fresh = {
  insidergroup: '',
  timetrackinggroup: '',
  usetargetmilestone: '0',
  useqacontact: '0',
  usestatuswhiteboard: '0',
};

let tracker: Setup;
afterEach(() => tracker.close());

describe('the conformance suite against the embedded tracker', () => {
  test.each(pairs)('passes for %s, with %s as the other', async (key, otherKey, reasons, shownMin) => {
    tracker = await setUp();
    const results = await tracker.run(key, otherKey);
    expect(results.filter(({ verdict }) => verdict.kind === 'differs')).toEqual([]);
    const unexplained = reasonsOf(results).filter((reason) => !reasons.some((expected) => expected.test(reason)));
    expect(unexplained).toEqual([]);
    expect(results.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThanOrEqual(shownMin);
    // No more bugs than it needs, and none of them left open where the key may close what it made.
    expect(tracker.bugs().length).toBeLessThan(400);
    if (!reasons.includes(noEditor)) expect(tracker.bugs().filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  test('asks for another account where both keys belong to one', async () => {
    tracker = await setUp();
    const chosen = cases.filter(({ needs }) => needs?.includes('other'));
    const results = await tracker.run('alice', 'alice', chosen);
    expect(chosen.length).toBeGreaterThan(5);
    expect(results.map(({ verdict }) => verdict.kind)).toEqual(chosen.map(() => 'not offered'));
  });

  const settings: readonly (readonly [string, Partial<TrackerSettings>, string, string | null])[] = [
    [
      'a comment is wanted with each resolution',
      { commentonchange_resolution: '1', commentonduplicate: '1' },
      'alice',
      'bob',
    ],
    ['nothing is switched on that a fresh one has off', fresh, 'admin', null],
  ];

  test.each(settings)('finds no difference where %s', async (_name, changed, key, otherKey) => {
    tracker = await setUp(undefined, changed);
    const results = await tracker.run(key, otherKey);
    expect(results.filter(({ verdict }) => verdict.kind === 'differs')).toEqual([]);
    expect(results.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThanOrEqual(470);
  });

  /** How many cases show something, and how many of a version's ways are met, at least. */
  const versions: readonly (readonly [TrackerVersion, number, number])[] = [
    ['5.0', 530, 2],
    ['5.2', 535, 0],
    ['5.3', 525, 5],
    ['harmony', 450, 13],
  ];

  test.each(versions)('differs only as version %s is known to', async (version, shownMin, waysMin) => {
    tracker = await setUp(undefined, {}, version);
    const results = await tracker.run('alice', 'bob');
    expect(results.filter(({ verdict }) => verdict.kind === 'differs')).toEqual([]);
    expect(results.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThanOrEqual(shownMin);
    const met = new Set(results.flatMap(({ verdict }) => (verdict.kind === 'known' ? verdict.way : [])));
    expect(met.size).toBeGreaterThanOrEqual(waysMin);
  });

  test('has at least 150 cases, each with a name of its own', async () => {
    tracker = await setUp();
    expect(cases.length).toBeGreaterThanOrEqual(150);
    const names = cases.map(({ section, name }) => `${section} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

const reasonsOf = (results: readonly Result[]): readonly string[] =>
  results.flatMap(({ verdict }) => (verdict.kind === 'not offered' ? verdict.reason : []));
