/** Which lines look like the bridge's own, as readers see them. */

import { describe, expect, test } from 'vitest';
import { issueBody, issueComment } from '../../../src/rules/comments/compose.ts';
import { issueFooter } from '../../../src/text/footer.ts';
import { imitates } from '../../../src/text/imitation/imitates.ts';
import * as marker from '../../../src/text/marker.ts';
import { aBug, aCommentLink } from '../../planner/samples.ts';
import { widgetRoute } from '../../support/routes.ts';

const url = 'https://github.com/acme/widget/pull/34';
const commit = { sha: 'a'.repeat(40), url, title: 'x', by: 'mona' };
const fix = { url, repo: 'acme/widget', pull: 34, commit: 'abc1234', login: 'mona' };

/** A sample of each line, by the function that writes it. */
const linesOf: Readonly<Record<string, readonly string[]>> = {
  wroteLine: [marker.wroteLine('octo', url), marker.wroteLine('octo', url, { revision: 'abc123', index: 1, count: 2 })],
  editedLine: [
    marker.editedLine(url, { revision: 'abc123' }),
    marker.withEditor(marker.editedLine(url, { revision: 'abc123' }), 'octo'),
  ],
  deletedLine: [marker.deletedLine('octo', url)],
  mirroredLine: [marker.mirroredLine(url)],
  movedLine: [marker.movedLine(url)],
  fixedLine: [
    marker.fixedLine(fix),
    marker.fixedLine({ ...fix, login: null }),
    marker.fixedLine({ ...fix, pull: null }),
    marker.fixedLine({ ...fix, commit: null }),
  ],
  pullLine: (['open', 'merged', 'closed'] as const).flatMap((state) => [
    marker.pullLine({ state, url, login: 'octo' }, ':'),
    marker.pullLine({ state, url, login: 'octo' }, '.'),
  ]),
  pushLine: [
    marker.pushLine('acme/widget', { branch: 'main', url, commits: [commit] }),
    marker.pushLine('acme/widget', { branch: 'release/1', url, commits: [commit, commit, commit] }),
  ],
};

test('each line of the tracker has a sample', () => {
  expect(Object.keys(linesOf).toSorted()).toEqual(
    Object.keys(marker)
      .filter((name) => name.endsWith('Line'))
      .toSorted(),
  );
});

const onTracker = Object.values(linesOf).flat();
const onGithub = [
  ...issueBody(widgetRoute, aBug, null),
  ...issueComment(widgetRoute, 12, { ...aCommentLink, text: 'x' }),
].map((text) => text.split('\n')[0] ?? '');

const disguises: Readonly<Record<string, (line: string) => string>> = {
  'as it is': (line) => line,
  'in capitals': (line) => line.toUpperCase(),
  'in wide letters': (line) =>
    line.replace(/[a-z]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfe_e0)),
  'in letters of another script': (line) => line.replaceAll('e', '\u0435').replaceAll('o', '\u03bf'),
  'with a small capital': (line) => line.replace('i', '\u0131').replace('o', '\u1d0f'),
  'with an accent': (line) => line.replace('o', 'o\u0301'),
  'with two spaces': (line) => line.replaceAll(' ', '  '),
  'with a tab': (line) => line.replace(' ', '\t'),
  'behind signs': (line) => `- **${line}`,
  'behind an emoji': (line) => `:octocat: ${line}`,
  'behind invisible signs': (line) => '\u200b'.repeat(1_001) + line,
  'behind spaces': (line) => '\u00a0'.repeat(1_100) + line,
  'on the next row': (line) => `I agree.\u2028${line}`,
  'behind so many spaces that it is on the next row': (line) => `I agree.${' '.repeat(300)}${line}`,
  'written from right to left': (line) => `\u202e${[...line].reverse().join('')}`,
  ...Object.fromEntries(
    ['\u034f', '\ufe0f', '\u3164', '\uffa0', '\u115f', '\u17b4', '\u180b', '\u{e0100}', '\u{e0041}', '\u00ad'].map(
      (sign) => [
        `with U+${sign.codePointAt(0)?.toString(16)} in its words`,
        (line) => line.replace(/(?<=\p{L})(?=\p{L})/gu, sign),
      ],
    ),
  ),
};

test.each(Object.entries(disguises))('our lines are known %s', (_name, disguise) => {
  for (const line of [...onTracker, ...onGithub]) expect(imitates(disguise(line)), line).toBe(true);
});

describe('on GitHub', () => {
  test.each([
    ['bob wrote in comment 3 on 2026-01-05 08:00 UTC:'],
    ['bob wrote in comment #3 on 2026-01-05 08:00 UTC:'],
    ['bob wrote in [comment 3](https://bugs.example.test/show_bug.cgi?id=1#c3) on 2026-01-05 08:00 UTC:'],
    ['bob wrote in comment 3 on 2026\u201101\u201105 08:00 UTC:'],
    [`${'bob '.repeat(60)} wrote in comment 3 on 2026-01-05 08:00 UTC:`],
    ['x opened bug 1 on 2026-01-05'],
    [issueFooter(widgetRoute, 12, aBug.url).split('\n')[1] ?? ''],
  ])('%s', (line) => expect(imitates(line)).toBe(true));
});

test.each([
  ['The GitHub user interface was edited.'],
  ['He wrote in the comment of 2026-01-05 that it fails.'],
  ['Fixed by #34 (https://github.com/acme/widget/pull/34).'],
  ['Fixed by a change of yesterday, see https://a.test/x#y.'],
  ['A commit on main broke this.'],
  ['3 commits on the branch of bob name no bug.'],
  ['As bob opened bug 3 on Monday, it crashed.'],
  [`${'word '.repeat(60)} as bob wrote in comment 3 on 2026-01-05.`],
  ['The log opened 3 files on 2026-01-05 08:00 UTC'],
  ['> GitHub user octo wrote (https://github.com/acme/widget/issues/1):'],
  ['  > bob wrote in comment 3 on 2026-01-05 08:00 UTC:'],
])('other lines are not ours: %s', (line) => expect(imitates(line)).toBe(false));
