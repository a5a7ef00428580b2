/** Texts that are too long for one comment of the other side: all of them arrives, in parts that fit. */

import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import { bugComment, bugDescription, issueBody, issueComment } from '../../src/rules/comments/compose.ts';
import { lengthOn } from '../../src/text/parts/room.ts';
import { type IssueReferences, noIssues, noReferences, type References } from '../../src/text/references.ts';
import { markdownParts, trackerParts } from '../../src/text/split.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { aBug, aCommentLink, anIssue } from '../planner/samples.ts';
import { random } from '../support/random.ts';
import { widgetRoute } from '../support/routes.ts';
import { rendered } from './rendered.ts';
import { trackerText } from './texts.ts';

const serverMax: Readonly<Record<Side, number>> = { tracker: 65_535, github: 65_536 };
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of it`);
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} says\nsome things.`).join('\n\n');

/** Words for GitHub; the tracker has Markdown, so that it stays as it is. */
const split = (text: string, on: Side): readonly string[] =>
  on === 'github' ? markdownParts(text, noReferences) : trackerParts(text, noIssues, true);
const whole = (text: string, on: Side): string => (on === 'github' ? toMarkdown(text) : text);

describe('a long text', () => {
  test.each(['tracker', 'github'] as const)('that fits the %s is one part', (on) => {
    expect(split('x'.repeat(60_000), on)).toEqual(['x'.repeat(60_000)]);
    expect(split('x'.repeat(60_001), on)).toHaveLength(2);
  });

  test('is cut between paragraphs', () => {
    const parts = split(paragraphs(5_000), 'tracker');
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part).toMatch(/^Paragraph \d+ says\n[\s\S]*some things\.$/u);
    expect(parts.join('\n\n')).toBe(paragraphs(5_000));
  });

  test('without paragraphs is cut between lines', () => {
    expect(split(lines(9_000).join('\n'), 'tracker').join('\n')).toBe(lines(9_000).join('\n'));
  });

  test('without lines is cut between words', () => {
    const text = 'some words '.repeat(20_000).trimEnd();
    const parts = split(text, 'github');
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(part).toMatch(/^(?:some|words) .*(?:some|words) ?$/u);
  });

  test.each([
    ['of one word', 'x'.repeat(200_000)],
    ['beyond the first plane', `x${'😀'.repeat(100_000)}`],
    ['of escapes', `x${'\\*'.repeat(100_000)}`],
    ['of entities', `xyz${'&lt;'.repeat(60_000)}`],
  ])('%s is cut between signs', (_name, text) => {
    for (const on of ['tracker', 'github'] as const) {
      const parts = split(text, on);
      expect(parts.join('') === whole(text, on)).toBe(true);
      for (const part of parts) {
        expect(lengthOn(on, part)).toBeLessThanOrEqual(60_000);
        expect(part.isWellFormed()).toBe(true);
        expect(part).not.toMatch(/(?<!\\)\\$|&[a-z]*$/u);
      }
    }
  });

  test.each([
    ['fenced', 'github', '```c', '```'],
    ['fenced', 'tracker', '```c', '```'],
    ['fenced in a quotation', 'github', '> ~~~', '> ~~~'],
    ['fenced in a quotation', 'tracker', '> ~~~~', '> ~~~~'],
  ] as const)('that is %s is fenced in each part for the %s', (_name, on, open, end) => {
    const place = open.startsWith('>') ? '> ' : '';
    const text = [`Before.`, '', open, ...lines(9_000).map((line) => `${place}${line}`), end, '', 'After.'].join('\n');
    const parts = on === 'github' ? markdownParts(text, noReferences, true) : trackerParts(text, noIssues, true);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(1)) expect(part.startsWith(`${open}\n`)).toBe(true);
    for (const part of parts.slice(0, -1)) expect(part.endsWith(`\n${end}`)).toBe(true);
    const joined = parts.map((part) => part.replaceAll(`${open}\n`, '').replaceAll(`\n${end}`, '')).join('\n');
    expect(joined).toBe(text.replace(`${open}\n`, '').replace(`\n${end}`, ''));
  });

  test('goes on in its quotation, and as words', () => {
    const [, second] = split(`> ${'x'.repeat(70_000)}`, 'github');
    expect(second).toMatch(/^> x/u);
    for (const before of [59_490, 59_491]) {
      const parts = split(`${'x'.repeat(before)} ${'# y '.repeat(4_000)}`, 'github');
      expect(parts.map((part) => [...rendered(part).elements])).toEqual(parts.map(() => ['p']));
    }
  });
});

describe('a long text with links', () => {
  const page = 'https://github.com/acme/widget/issues/5';
  const everything: References = {
    bug: () => page,
    comment: () => `${page}#issuecomment-1`,
    attachment: () => `${page}#issuecomment-2`,
    page: () => null,
  };
  /** What keeps GitHub from finding mentions is not needed next to a link. */
  const seenLines = (part: string) => rendered(part).lines.map((line) => line.replaceAll('\u200b', ''));
  const issues: IssueReferences = { issue: () => 'bug 12', page: () => 'bug 12' };
  const textOf = (seed: number): string => {
    const r = random(seed);
    let text = '';
    while (text.length < 70_000)
      text += `${trackerText(r)}${r.pick(['\n', '\n\n', ' '])}${r.chance(0.02) ? 'see bug 12 and comment 3\n' : ''}`;
    return text;
  };

  test.each([1, 2, 3, 4])('is cut where it is cut without, and shows the same (seed %i)', (seed) => {
    const [plain, linked] = [noReferences, everything].map((references) => markdownParts(textOf(seed), references));
    expect(linked?.length).toBeGreaterThan(1);
    expect(linked).toHaveLength(plain?.length ?? 0);
    for (const [index, part] of (linked ?? []).entries()) {
      expect(lengthOn('tracker', part)).toBeLessThanOrEqual(62_000);
      expect(seenLines(part)).toEqual(seenLines(plain?.[index] ?? ''));
    }
    expect(linked?.flatMap((part) => rendered(part).links.filter((url) => url === page)).length).toBeGreaterThan(10);
  });

  test('has links in each of its parts', () => {
    const filling = 'and many others '.repeat(50);
    const text = `Words about bug 12 ${filling}\n\n`.repeat(200);
    for (const part of markdownParts(text, everything)) expect(part).toContain(`[bug 12](${page})`);
    for (const part of trackerParts(text.replaceAll('bug 12', '#5'), issues)) expect(part).toContain('about bug 12 ');
  });

  test('has as many links as there is room for', () => {
    const [plain, parts] = [noReferences, everything].map((references) =>
      markdownParts('bug 12\n'.repeat(12_000), references),
    );
    expect(parts).toHaveLength(plain?.length ?? 0);
    for (const part of parts ?? []) {
      expect(part.length).toBeLessThanOrEqual(62_000);
      expect(part).toMatch(/^\[bug 12\]\([^\n]*\n[\s\S]*\nbug 12$/u);
    }
  });
});

describe('what arrives', () => {
  const commentLinkOf = (text: string) => ({
    ...aCommentLink,
    text,
    url: `${anIssue.url}#issuecomment-7`,
    author: { login: 'm'.repeat(39), name: '*'.repeat(255) },
  });
  const all = (text: string) => ({
    github: [
      ...issueComment(widgetRoute, 12, commentLinkOf(text), noReferences),
      ...issueBody(widgetRoute, aBug, commentLinkOf(text)),
    ],
    tracker: [...bugComment(commentLinkOf(text), noIssues), ...bugDescription({ ...anIssue, body: text }, 'abc')],
  });

  test.each(Array.from({ length: 4 }, (_, index) => index + 1))(
    'fits the servers with our own lines, whatever is in it (seed %i)',
    (seed) => {
      const r = random(seed);
      let text = '';
      while (text.length < 80_000)
        text += `${trackerText(r)}${r.pick(['\n', '\n\n', ' '])}${r.chance(0.1) ? '🐛'.repeat(r.below(3_000)) : ''}`;
      for (const [on, texts] of Object.entries(all(text)) as [Side, readonly string[]][]) {
        expect(texts.length).toBeGreaterThan(1);
        for (const each of texts) expect(lengthOn(on, each)).toBeLessThanOrEqual(serverMax[on]);
      }
    },
  );

  test.each(['github', 'tracker'] as const)('says on %s which part it is', (on) => {
    const texts = all(paragraphs(4_000))[on];
    expect(texts[0]).toMatch(
      on === 'github'
        ? /\(part 1 of 3\):\n[\s\S]*comment=101 part=1\/3 -->$/u
        : /^GitHub user m+ wrote \(.*, part 1 of 3\):\n/u,
    );
    expect(texts[2]).toMatch(
      on === 'github'
        ? /\(part 3 of 3\):\n[\s\S]*comment=101 part=3\/3 -->$/u
        : /^GitHub user m+ wrote \(.*, part 3 of 3\):\n/u,
    );
  });

  test('is all of it, as a reader of GitHub sees it', () => {
    const text = [
      paragraphs(1_500),
      '--- a/x\n+++ b/x\n@@ -1 +1 @@',
      ...lines(4_000).map((line) => `+${line}`),
      '',
      '> quoted',
      paragraphs(500),
    ].join('\n');
    const seen = issueComment(widgetRoute, 12, commentLinkOf(text)).flatMap(
      (part) => rendered(part.slice(part.indexOf('\n\n') + 2)).lines,
    );
    const words = (list: readonly string[]) =>
      list
        .join(' ')
        .match(/\S+/gu)
        ?.filter((word) => word !== '>');
    expect(words(seen)).toEqual(words([text]));
  });
});
