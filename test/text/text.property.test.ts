/**
 * I13, silence, and faithful text: whatever people wrote, the far side shows the same and does nothing else. An
 * independent parser of GitHub's Markdown renders what the bridge makes of a text; what a reader sees of that is
 * compared with what the author typed.
 *
 * Planted faults: each escape and each rule taken away, at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import insider from '../../src/sandbox/world-data/insider.json' with { type: 'json' };
import { noReferences, type References } from '../../src/text/references.ts';
import { linesOf, toMarkdown, toMarkdowns } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { hold } from '../planner/hold.ts';
import { type Fault, plant } from '../support/plant.ts';
import { random } from '../support/random.ts';
import { perTier, sample } from '../tiers/depth.ts';
import { rendered } from './rendered.ts';
import { markdownText, trackerText } from './texts.ts';

interface Texts {
  readonly toMarkdown: (text: string, references?: References) => string;
  readonly toMarkdowns: typeof toMarkdowns;
  readonly toTrackerText: (text: string) => string;
}

const ours: Texts = { toMarkdown, toMarkdowns, toTrackerText };
const seeds = perTier({ check: 500, test: 1_000, deep: 10_000 });

/**
 * A line as a reader sees it: white space by its width, marks of quotations and lists in one spelling and at the
 * margin, nothing that has no width.
 */
function asSeen(line: string): string {
  return line
    .replace(/\u200b/gu, '')
    .replace(/\u00a0/gu, ' ')
    .replace(/\t/gu, '        ')
    .replace(/^>[> ]*/u, (quote) => '> '.repeat(quote.replace(/ /gu, '').length))
    .replace(/^((?:> )*) {0,3}[*-] (?=\S)/u, '$1- ')
    .replace(/^((?:> )*) {0,3}(\d+)[.)] (?=\S)/u, '$1$2. ')
    .trimEnd();
}

const isFence = (line: string): boolean => /^(?:> )*(?:`{3,}|~{3,})[\w+#.-]*$/u.test(line);
const hasWords = (line: string): boolean => /[^> ]/u.test(line);

function holdSame(before: readonly string[], after: readonly string[], what: string): void {
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    hold(
      before[index] === after[index],
      `${what}: line ${index} ${JSON.stringify(before[index])} became ${JSON.stringify(after[index])}`,
    );
  }
}

/** (a) and (b) */
function reads(texts: Texts, text: string): void {
  const markdown = texts.toMarkdown(text);
  const seen = rendered(markdown);
  const lines = (all: readonly string[]) => all.map(asSeen).filter((line) => hasWords(line) && !isFence(line));
  holdSame(lines(linesOf(text)), lines(seen.lines), 'shows something else');
  const wanted = ['p', 'pre', 'code', 'blockquote', 'ul', 'ol', 'li', 'a'];
  for (const element of seen.elements) hold(wanted.includes(element), `markup: <${element}> in ${markdown}`);
  const typed = linesOf(text).join('\n');
  for (const url of seen.links) hold(typed.includes(url) || typed.includes(decodeURI(url)), `links to ${url}`);
  hold(!seen.links.some((url) => /^https?:\/\/(?:www\.|gist\.)?github\.com\b/iu.test(url)), 'links into GitHub');
  hold(!/(?<![\w`])@[A-Za-z0-9]/u.test(seen.searched.replaceAll(/https?:\S+/gu, '')), `pings in ${markdown}`);
  hold(
    !/(?<!\/)#\d+(?!\w)|\bGH-\d/iu.test(seen.searched.replaceAll(/https?:\S+/gu, '')),
    `links to a number in ${markdown}`,
  );
  hold(
    !/\b(?=\d*[a-f])[0-9a-f]{7,40}\b/iu.test(seen.searched.replaceAll(/https?:\S+/gu, '')),
    `links to a commit in ${markdown}`,
  );
  hold(!/:(?:smile|\+1):/u.test(seen.searched.replaceAll(/https?:\S+/gu, '')), `an emoji in ${markdown}`);
  hold(
    !/[\w.]@[\w-]+\.\w{2}/u.test(markdown.replaceAll(/https?:\S+/gu, '').replaceAll('git@host.test:', '')),
    `an address in ${markdown}`,
  );
}

/** (a), of blank lines: between two lines of prose there are as many as the author left. */
function keepsBlankLines(texts: Texts, text: string): void {
  const seen = rendered(texts.toMarkdown(text)).lines.map((line) => line.trim());
  holdSame(
    linesOf(text).map((line) => line.trim()),
    seen.slice(seen.findIndex((line) => line !== '')),
    'blank lines',
  );
}

const mirror = 'https://github.com/acme/widget/issues/5';
const everywhere: References = {
  bug: () => mirror,
  comment: () => mirror,
  attachment: () => mirror,
  page: () => mirror,
};

/** (a), of texts in which all that can be linked is: the words stay as they stood, and nothing else comes of it. */
function linksInPlace(texts: Texts, text: string): void {
  const both = [noReferences, everywhere] as const;
  const alone = both.map((references) => texts.toMarkdown(text, references));
  for (const [index, each] of texts.toMarkdowns(text, both).entries())
    hold(each === alone[index], 'together with others, it is another');
  const [plain, linked] = [rendered(alone[0] ?? ''), rendered(alone[1] ?? '')];
  const lines = (all: readonly string[]) => all.map((line) => line.replaceAll('\u200b', ''));
  holdSame(lines(plain.lines), lines(linked.lines), 'with links');
  const added = [...linked.elements].filter((element) => !plain.elements.has(element) && element !== 'a');
  hold(added.length === 0, `links bring <${added.join('>, <')}>`);
}

/** (d) */
function comesBack(texts: Texts, text: string): void {
  const lines = (source: string) =>
    linesOf(source)
      .map(asSeen)
      .map((line) => (isFence(line) ? line.replace(/~{3,}|`{3,}/u, '```') : line))
      .filter(hasWords);
  holdSame(lines(text), lines(texts.toTrackerText(texts.toMarkdown(text))), 'comes back as something else');
}

/** (c): the words in their order, and every address; and no bug that people of GitHub spoke of is one of ours. */
function keepsWords(texts: Texts, markdown: string): void {
  const text = texts.toTrackerText(markdown);
  // The kind of an alert is a word of its own, with a capital.
  const said = text.toLowerCase();
  hold(!/\b(?:bugs?|comment|attachment)\s*#?\d/iu.test(text), `links in ${JSON.stringify(text)}`);
  const seen = rendered(markdown);
  let at = 0;
  for (const line of seen.lines) {
    for (const word of line.replace(/^\s*\d+\. /u, '').match(/[\p{L}\p{N}]+/gu) ?? []) {
      const found = said.indexOf(word.toLowerCase(), at);
      hold(found !== -1, `loses "${word}" of ${JSON.stringify(markdown)}: ${JSON.stringify(text)}`);
      at = found + word.length;
    }
  }
  for (const url of seen.links)
    hold(
      text.includes(decodeURI(url).replace(/^mailto:|^http:\/\/(?=www\.)/u, '')),
      `loses ${url} in ${JSON.stringify(text)}`,
    );
}

function forEachSeed(check: (text: string) => void, make: (seed: number) => string, count = seeds): void {
  for (let seed = 1; seed <= count; seed += 1) onSeed(check, make, seed);
}

function onSeed(check: (text: string) => void, make: (seed: number) => string, seed: number): void {
  const text = make(seed);
  try {
    check(text);
  } catch (failure) {
    throw new Error(`seed ${seed}, ${JSON.stringify(text)}: ${String(failure)}`, { cause: failure });
  }
}

const hostile = (seed: number): string => trackerText(random(seed));
const plain = (seed: number): string => {
  const r = random(seed);
  const words = Array.from({ length: 1 + r.below(9) }, () => r.pick(['one', 'two', '三', 'vier.', 'a_b']));
  return words.map((word) => `${word}${'\n'.repeat(1 + r.below(4))}`).join('');
};
const markdown = (seed: number): string => markdownText(random(seed));
const world = Object.values(insider.comments).flatMap(({ comments }) =>
  comments.map(({ id, text }) => [id, text] as const),
);

describe('the text of a tracker', () => {
  test('reads the same on GitHub, pings nobody and links nowhere by accident', () => {
    forEachSeed((text) => reads(ours, text), hostile);
  });

  test('keeps its blank lines', () => {
    forEachSeed((text) => keepsBlankLines(ours, text), plain, 2000);
  });

  test('shows the same with all its references linked', () => {
    forEachSeed((text) => linksInPlace(ours, text), hostile);
  });

  test('comes back from GitHub as it was', () => {
    forEachSeed((text) => comesBack(ours, text), hostile);
  });

  test.each(world)('that was measured, in comment %s, does both', (_id, text) => {
    reads(ours, text);
    comesBack(ours, text);
  });
});

test('the Markdown of a person keeps every word and every address on the tracker', () => {
  forEachSeed((text) => keepsWords(ours, text), markdown);
});

describe('a planted fault of the text is caught', () => {
  const faults: Readonly<Record<string, Fault>> = {
    'mentions ping': inText('text/autolinks', '(@)(?=[A-Z', '(@)(?=\\0[A-Z'),
    'numbers link': inText('text/autolinks', '/(#)(?=\\d', '/(#)(?=\\0'),
    'old numbers link': inText('text/autolinks', 'GH-)(?=\\d)', 'GH-)(?=\\0)'),
    'commits link': inText('text/autolinks', '([0-9a-f]{7,40})(?:', '([0-9a-f]{60,80})(?:'),
    'emoji are drawn': inText('text/autolinks', '/:(?=(', '/:(?=\\0('),
    'pages link without a scheme': inText('text/autolinks', '(www)(?=', '(www)(?=\\0'),
    'elements are elements': inEscape(
      ".replace(elementStart, '&lt;')\n    .replace(/[`*[\\]<|$~]/gu",
      '.replace(/[`*[\\]|$~]/gu',
    ),
    'entities are entities': inEscape("    .replace(/&(?=#?\\w+;)/gu, '&amp;')\n", ''),
    'emphasis is emphasis': inEscape("'\\\\_'", "'_'"),
    'backslashes vanish': inEscape("'\\\\\\\\')", "'\\\\')"),
    'headings are headings': inEscape("    .replace(/^(?=#{1,6}(?:\\s|$|\\u200b))/u, '\\\\')\n", ''),
    'bullets are bullets': inEscape("    .replace(/^(?=[+-](?:\\s|$))/u, '\\\\')\n", ''),
    'lines lie under headings': inEscape("    .replace(/^(?=(?:-\\s*){2,}$|=+\\s*$|:?-+:?\\s*$)/u, '\\\\')\n", ''),
    'numbers count': inEscape("    .replace(/^(\\d{1,9})(?=[.)](?:\\s|$))/u, '$1\\\\')", ''),
    'quotes are eaten': inText('text/to-markdown', 'if (lines.length > 0 && !isAfterSpacer)', 'if (lines.length > 9)'),
    'blank lines fall together': inText('text/to-markdown', 'if (count < 2)', 'if (count > 0)'),
    'two lists become one': inText(
      'text/to-markdown',
      'if (last.sign !== wanted.sign) return wanted;',
      'if (last.sign !== "") return wanted;',
    ),
    'fences end early': inText('text/to-markdown', 'Math.max(longest, run.length)', 'Math.min(longest, run.length)'),
    'indentation goes': inText('text/to-markdown', "'&nbsp;'.repeat(spaces.length)", "' '.repeat(spaces.length)"),
    'addresses of GitHub leave a trace': inText(
      'text/to-markdown',
      'hasEntity || isGithubPage',
      'hasEntity && isGithubPage',
    ),
    'addresses of people pass': inText('text/canonical', "name === 'git' ? whole", "name !== 'git' ? whole"),
    'of several sets of references, the first counts': inText(
      'text/to-markdown',
      'if (lines.some(mayRefer))',
      'if (lines.every(mayRefer))',
    ),
    'links become pictures': inText('text/to-markdown', "part.replace(/!$/u, '\\\\!')", 'part'),
    'a list skips a number': inText('text/layout/blocks', 'item[3] === String(first + index)', 'true'),
    'words of strong text are lost': inText(
      'text/phrasing',
      "return around('*', inlineText(node.children, inline));",
      "return '';",
    ),
    'addresses of links are lost': inText(
      'text/phrasing',
      "return url === '' ? plain :",
      "return url !== '' ? plain :",
    ),
    'code in a line links': inText('text/phrasing', 'asItStands(node.value)', 'node.value'),
    'code links': inText('text/to-tracker', 'asItStands(value).split', 'value.split'),
    'tables are lost': inText('text/to-tracker', 'return tableLines(', 'return [].slice('),
    'marks stay': inText(
      'text/phrasing',
      'trackerWords(unmarked(plain), issues)',
      'trackerWords(plain.replaceAll(String.fromCharCode(0x200b), "?"), issues)',
    ),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const folder = plant(fault);
    const faulty = {
      ...((await import(join(folder, 'text/to-markdown.ts'))) as Pick<Texts, 'toMarkdown' | 'toMarkdowns'>),
      ...((await import(join(folder, 'text/to-tracker.ts'))) as Pick<Texts, 'toTrackerText'>),
    };
    // Hardly ever drawn.
    const rare = ['1. one\n2. two\n\n1. three\n2. four', 'so!bug 5'];
    // All promises seed by seed, so that a fault costs no more seeds than the promise that it breaks needs.
    expect(() => {
      for (const [seed, text] of rare.entries())
        for (const check of [reads, linksInPlace])
          onSeed(
            (each) => check(faulty, each),
            () => text,
            seed,
          );
      for (let seed = 1; seed <= 3000; seed += 1) {
        onSeed((text) => reads(faulty, text), hostile, seed);
        onSeed((text) => linksInPlace(faulty, text), hostile, seed);
        if (seed <= 50) onSeed((text) => keepsBlankLines(faulty, text), plain, seed);
        if (seed <= 1000) onSeed((text) => comesBack(faulty, text), hostile, seed);
        if (seed <= 1000) onSeed((text) => keepsWords(faulty, text), markdown, seed);
      }
    }).toThrow(/seed \d+/u);
  });
});

function inText(file: string, from: string, to: string): Fault {
  return { file: `${file}.ts`, from, to };
}

function inEscape(from: string, to: string): Fault {
  return inText('text/escape', from, to);
}
