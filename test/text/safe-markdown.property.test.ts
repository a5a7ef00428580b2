/**
 * I13, silence, and faithful text, for trackers whose texts are Markdown: on GitHub they read as they do there and do
 * nothing else, and what comes back from GitHub is what was written. An independent parser renders both sides.
 *
 * Planted faults: each rule taken away, at the end.
 */

import { join } from 'node:path';
import type { Nodes } from 'mdast';
import { describe, expect, test } from 'vitest';
import { keptMarkdown } from '../../src/text/kept-markdown.ts';
import { parsed } from '../../src/text/parse.ts';
import type { IssueReferences, References } from '../../src/text/references.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { hold } from '../planner/hold.ts';
import { type Fault, plant } from '../support/plant.ts';
import { random } from '../support/random.ts';
import { perTier, sample } from '../tiers/depth.ts';
import { trackerMarkdown } from './markdown-texts.ts';
import { htmlOf, rendered } from './rendered.ts';

interface Passes {
  readonly safeMarkdown: (text: string, references?: References) => string;
  readonly keptMarkdown: (text: string, issues?: IssueReferences) => string;
}

const ours: Passes = { safeMarkdown, keptMarkdown };

const seeds = perTier({ check: 50, test: 200, deep: 500 });
/** Some faults show in few texts. */
const seedsOfFaults = 1500;
/** Texts that once went wrong, found among 10,000. */
const seedsOnceWrong: readonly number[] = [
  ...[1482, 2305, 2319, 2321, 2337, 2456, 2622, 4342, 4593, 4714, 4738, 5835],
  ...[6460, 6650, 7043, 8277, 8360, 8801, 8823, 9058, 9243, 9495, 9755, 9975],
];
/** The generator may change; what those seeds were about stays. */
const textsOnceWrong: readonly string[] = [
  'x ![Bob](mailto:bob@example.test)',
  '\t. [*@mona*](http://y.test/#12)$$[see bug 12](http://y.test)',
  '#12*https://github.com/a*<br>',
  '*#12**https://github.com/a*. ~~old~~.',
  '**strong***https://github.com/a*!',
  'a*<https://github.com/a> b*',
  '#12*https://github.com/a*\u200b*#12* ',
  '  *https://github.com/a*\\[\u200b&amp; _u_ http://a.test/x_y(z)\n',
  '_u_\u200b===',
  '[^1]\n\u200b> q\n> q @mona\n',
  '\u200b**@mona**![i](http://p.test/i.png)',
  '\ufeff@mona `a` #12',
];
const seedsUpTo = (last: number): readonly number[] => [
  ...seedsOnceWrong,
  ...Array.from({ length: last }, (_, index) => index + 1),
];

const mirror = 'https://github.com/acme/widget/issues/5';
const everywhere: References = { bug: () => mirror, comment: () => mirror, attachment: () => mirror, page: () => null };

/** CharacterSupport and signs that a reader sees, in their order; an address of a person is what is left of it. */
const readAs = (markdown: string): string =>
  htmlOf(markdown)
    .replace(/<img[^>]*alt="([^"]*)"[^>]*>/gu, '\n$1')
    .replace(/<input[^>]*>/gu, '')
    .replace(/<[^>]*>/gu, '\n')
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&quot;/gu, '"')
    .replace(/&amp;/gu, '&')
    .replaceAll('\u200b', '')
    .replace(/([\p{L}\p{N}_.+-]+)@(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|…)/gu, '$1@')
    .replace(/\s+/gu, '')
    .toWellFormed()
    .replace(/(?![\t\n])\p{Cc}/gu, '\ufffd');

function same(before: string, after: string, what: string): void {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const [one, other] = [before.slice(Math.max(0, at - 20), at + 30), after.slice(Math.max(0, at - 20), at + 30)];
  hold(before === after, `${what}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`);
}

/** (a) and (b) */
function reads(passes: Passes, text: string): void {
  for (const markdown of [passes.safeMarkdown(text), passes.safeMarkdown(text, everywhere)]) {
    same(readAs(text), readAs(markdown), `reads differently in ${JSON.stringify(markdown)}`);
    const seen = rendered(markdown);
    const searched = searchedIn(markdown);
    hold(!seen.elements.has('img'), `a picture in ${JSON.stringify(markdown)}`);
    hold(!/(?<![A-Za-z0-9_])@[A-Za-z0-9]/u.test(searched), `pings in ${JSON.stringify(markdown)}`);
    hold(!/(?<!\/)#\d+(?!\w)|\bGH-\d/iu.test(searched), `links to a number in ${JSON.stringify(markdown)}`);
    hold(!/\b(?=\d*[a-f])[0-9a-f]{7,40}\b/iu.test(searched), `links to a commit in ${JSON.stringify(markdown)}`);
    hold(!/:smile:/u.test(searched), `an emoji in ${JSON.stringify(markdown)}`);
    hold(
      !/[\w.]@[\w-]+\.\w{2}/u.test(htmlOf(markdown).replaceAll('%5C@', '')),
      `an address in ${JSON.stringify(markdown)}`,
    );
    hold(!/(?<!\\)(?:\\\\)*\$/u.test(withoutCode(markdown)), `mathematics in ${JSON.stringify(markdown)}`);
    hold(!/language-mermaid/u.test(htmlOf(markdown)), `a drawing in ${JSON.stringify(markdown)}`);
    const stray = [...seen.links, ...definedIn(parsed(markdown))].filter(
      (url) => /^https?:\/\/(?:www\.)?github\.com\b/iu.test(url) && url !== mirror,
    );
    hold(stray.length === 0, `links to ${stray.join()} in ${JSON.stringify(markdown)}`);
    hold(!seen.links.some((url) => /^mailto:/iu.test(url)), `links to a person in ${JSON.stringify(markdown)}`);
    hold(!/<!-- ?bugferry:/u.test(markdown), `a marker in ${JSON.stringify(markdown)}`);
    hold(
      htmlOf(`${markdown}\n\nbelow`).includes('<p>below</p>'),
      `swallows what stands below ${JSON.stringify(markdown)}`,
    );
  }
}

/** Where definitions lead: another parser may see a link by one where ours sees words. */
const definedIn = (node: Nodes): readonly string[] =>
  node.type === 'definition' ? [node.url] : 'children' in node ? node.children.flatMap(definedIn) : [];

/** Where GitHub looks for mentions, numbers and commits: each run of text by itself, outside of code and links. */
const searchedIn = (markdown: string): string =>
  htmlOf(markdown)
    .replace(/<code[\s>][\s\S]*?<\/code>|<code>[\s\S]*?<\/code>|<a [\s\S]*?<\/a>|<[^>]*>/gu, '\n')
    .replace(/(?:https?:|\bwww\.)\S+/gu, '');

/** Neither in code, be it marked or indented, nor in the address of a page is a sign one of mathematics. */
function withoutCode(markdown: string): string {
  const rows = [...htmlOf(markdown).matchAll(/<pre><code>([\s\S]*?)<\/code>/gu)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const isCode = (line: string): boolean =>
    /^(?: {4}|\s*\t)/u.test(line) && rows.some((row) => row.trim() === encoded(line.trim()));
  const prose = markdown.split('\n').filter((line) => !isCode(line));
  return prose
    .join('\n')
    .replace(/`[^`]*`/gu, '')
    .replace(/\]\((?:<[^>]*>|(?:\\.|[^)\\])*)\)|https?:\S+/gu, ' ');
}

const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** (a): markup stays; what the bridge changes are links, pictures and elements. */
function keepsMarkup(passes: Passes, text: string): void {
  const [before, after] = [rendered(text).elements, rendered(passes.safeMarkdown(text)).elements];
  const free = new Set(['a', 'img', 'p', 'br']);
  for (const element of before)
    hold(free.has(element) || after.has(element), `loses <${element}> of ${JSON.stringify(text)}`);
  for (const element of after)
    hold(
      free.has(element) || element === 'code' || before.has(element),
      `brings <${element}> to ${JSON.stringify(text)}`,
    );
}

/** (c): the words in their order, and every address. */
function keepsWords(passes: Passes, written: string): void {
  const text = written.replaceAll('bugferry', '');
  const [before, kept] = [rendered(text), passes.keptMarkdown(text)];
  const after = rendered(kept);
  for (const url of before.links)
    hold(
      after.links.includes(url) || kept.includes(url.replace(/^mailto:/u, '')),
      `loses ${url} of ${JSON.stringify(text)}: ${JSON.stringify(kept)}`,
    );
}

/** (d) */
function comesBack(passes: Passes, text: string): void {
  // Of an address of a person not all comes back.
  if (text.includes('example.test')) return;
  const back = passes.keptMarkdown(passes.safeMarkdown(text));
  same(readAs(text), readAs(back), `comes back as ${JSON.stringify(back)}`);
  hold(
    !back.includes('https://redirect.github.com'),
    `comes back with an address of the bridge: ${JSON.stringify(back)}`,
  );
  const again = passes.safeMarkdown(back);
  same(readAs(passes.safeMarkdown(text)), readAs(again), `crosses again as ${JSON.stringify(again)}`);
}

const make = (seed: number): string => trackerMarkdown(random(seed));

function onSeed(check: (text: string) => void, seed: number): void {
  const text = make(seed);
  try {
    check(text);
  } catch (failure) {
    throw new Error(`seed ${seed}, ${JSON.stringify(text)}: ${String(failure)}`, { cause: failure });
  }
}

describe('the Markdown of a tracker', () => {
  test.each([
    ['reads the same on GitHub, pings nobody and links nowhere by accident', reads],
    ['keeps its markup', keepsMarkup],
    ['comes back from GitHub as it was', comesBack],
    ['of a person on GitHub keeps every address', keepsWords],
  ])('%s', (_name, check) => {
    for (const seed of seedsUpTo(seeds)) onSeed((text) => check(ours, text), seed);
  });

  test.each(textsOnceWrong)('%j holds all of it', (text) => {
    for (const check of [reads, keepsMarkup, comesBack, keepsWords]) check(ours, text);
  });

  test('keeps the backslash and the ampersand of an address that is written anew', () => {
    const kept = keptMarkdown('[x](https://redirect.github.com/a\\\\*b&amp;copy;c)');
    expect(rendered(kept).links).toEqual(['https://github.com/a%5C*b&copy;c']);
  });
});

describe('what one parser takes for words, and GitHub for an element', () => {
  const inElement = '[https://github.com/o/p/issues/3](https://redirect.github.com/o/p/issues/3)';
  const safe: readonly (readonly [string, string])[] = [
    ['x <img src=https://evil.test/x.png> y', 'x &lt;img src=[https://evil.test/x.png>](https://evil.test/x.png%3E) y'],
    ['<img src=a/b>', '&lt;img src=a/b>'],
    ['<img alt=a src=//evil.test/x.png>', '&lt;img alt=a src=//evil.test/x.png>'],
    ['<a href="https://github.com/o/p/issues/3">x</a>', `&lt;a href="${inElement}">x&lt;/a>`],
  ];

  test.each(safe)('has no sign that begins one: %s', (text, written) => {
    expect(safeMarkdown(text)).toBe(written);
  });

  test.each<readonly [string, Fault]>([
    ['words may be elements', { file: 'text/escape.ts', from: "line.replace(elementStart, '&lt;')", to: 'line' }],
    [
      'elements have addresses',
      {
        file: 'text/safe-html.ts',
        from: 'return written(linkedParts(words, references), escapedPart);',
        to: 'return escapeProse(words);',
      },
    ],
  ])('is alive with a planted fault: %s', async (_name, fault) => {
    const folder = plant(fault);
    const faulty = (await import(join(folder, 'text/safe-markdown.ts'))) as Pick<Passes, 'safeMarkdown'>;
    expect(safe.filter(([text, written]) => faulty.safeMarkdown(text) !== written)).not.toEqual([]);
  });
});

describe('a bracket beside what was a link', () => {
  const besides: readonly (readonly [string, string])[] = [
    ['[r][Bob](mailto:bob@example.test)\n\n[r]: mailto:mona@example.test', '[r]Bob\n\n[r]: #'],
    ['[r] [Bob](mailto:bob@example.test)\n\n[r]: https://y.test', '[r] Bob\n\n[r]: https://y.test'],
  ];

  test.each(besides)('refers to no person: %j', (text, written) => {
    expect(safeMarkdown(text)).toBe(written);
    expect(rendered(written).links.filter((url) => url.startsWith('mailto:'))).toEqual([]);
  });

  test('refers to one with a planted fault', async () => {
    const folder = plant(inSafe('isOfPerson(node.url) ||', ''));
    const faulty = (await import(join(folder, 'text/safe-markdown.ts'))) as Pick<Passes, 'safeMarkdown'>;
    expect(besides.map(([text]) => rendered(faulty.safeMarkdown(text)).links)).toEqual([
      [expect.stringMatching(/^mailto:/u)],
      ['https://y.test'],
    ]);
  });
});

describe('a planted fault of it is caught', () => {
  const faults: Readonly<Record<string, Fault>> = {
    'words are not made safe': inSafe('disarmed(broken(isLinked', 'disarmed(String(isLinked'),
    'mathematics is drawn': { file: 'text/escape.ts', from: '/[`$]|(?<=!)', to: '/[`]|(?<=!)' },
    'drawings are drawn': { file: 'text/autolinks.ts', from: '(drawn.test(language) ?', to: '(language === "" ?' },
    'elements are elements': inSafe(
      'pass.changes.push(htmlChange(pass.source, pass.references, node, place));',
      'undefined;',
    ),
    'pictures are loaded': inSafe('walkPicture(pass, node, place);', 'undefined;'),
    'links into GitHub leave a trace': {
      file: 'text/references.ts',
      from: "withoutPort(hostOf(url)) !== 'github.com') return better",
      to: "withoutPort(hostOf(url)) !== 'github.invalid') return better",
    },
    'definitions lead into GitHub': inSafe('walkDefinition(pass, node, place);', 'undefined;'),
    'addresses of people pass': inSafe('withoutAddresses(changed(', 'String(changed('),
    'people are linked to': inSafe('if (isOfPerson(url)) unlink(pass, node);', 'if (isOfPerson(url)) return;'),
    'a fence swallows what stands below': {
      file: 'text/safe-spans.ts',
      from: '|| !isPlainFence(sourceOf(source, node))',
      to: '',
    },
    'markers pass': inSafe('rowsOf(visible(text))', 'rowsOf(text)'),
    'a sign at the very beginning shifts all places': {
      file: 'text/canonical.ts',
      from: '/^\\ufeff+/u',
      to: '/(?!)/u',
    },
    'escapes are lost': inSafe('line.isRaw) return written', 'line.start >= 0) return written'),
    'a link behind an exclamation mark is a picture': {
      file: 'text/escape.ts',
      from: 'isEscaped ? before :',
      to: "before !== '' ? before :",
    },
    'brackets undo emphasis': { file: 'text/escape.ts', from: "type === 'emphasis' ||", to: "type === 'heading' ||" },
    'marks stay': inKept('const words = unbroken(line.text);', 'const words = line.text;'),
    'marks of their author go': {
      file: 'text/autolinks.ts',
      from: '.replace(/(?<=[@#:…]|\\bGH-|www|<!--)\\u200b/giu',
      to: '.replace(/\\u200b/giu',
    },
    'pictures link to people': inSafe('!isLinked && !isOfPerson(url);', '!isLinked;'),
    'brackets undo emphasis on the way back': inKept('if (!isBare) keepApart(pass, node);', ''),
    'an address loses its end on the way back': inKept('text: isBare ? words : angled(words, url)', 'text: words'),
    'signs that brackets kept from emphasis are emphasis': inKept('!isSign(source[start - 1]) &&', ''),
    'redirections stay': inKept('url.startsWith(redirection)', 'url.startsWith("https://nowhere")'),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const folder = plant(fault);
    const faulty = {
      ...((await import(join(folder, 'text/safe-markdown.ts'))) as Pick<Passes, 'safeMarkdown'>),
      ...((await import(join(folder, 'text/kept-markdown.ts'))) as Pick<Passes, 'keptMarkdown'>),
    };
    expect(() => {
      for (const text of textsOnceWrong) comesBack(faulty, text);
      for (const seed of seedsUpTo(seedsOfFaults))
        for (const check of [reads, keepsMarkup, comesBack, keepsWords]) onSeed((text) => check(faulty, text), seed);
    }).toThrow(/^(?:seed \d+|comes back|crosses again|reads)\b/u);
  });
});

function inSafe(from: string, to: string): Fault {
  return { file: 'text/safe-markdown.ts', from, to };
}
function inKept(from: string, to: string): Fault {
  return { file: 'text/kept-markdown.ts', from, to };
}
