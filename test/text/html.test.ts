/**
 * Faithful text: what people of GitHub write in HTML, or between the signs of it, says the same on the tracker. Words
 * in angle brackets stay, preformatted text keeps its spaces, lists their numbers, quotations their sign, and no reader
 * sees a template. Texts are put together from parts of which it is known what becomes of them.
 *
 * Planted faults: each rule taken away, at the end.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { hold } from '../planner/hold.ts';
import { type Fault, plant } from '../support/plant.ts';
import { type Random, random } from '../support/random.ts';
import { sample } from '../tiers/depth.ts';

interface Part {
  readonly markdown: string;
  /** Null if nothing of it appears. */
  readonly text: string | null;
}

const words = ['one', 'two', 'the log', 'a page', 'Version', 'they', '三'];
/** None of them is an element that GitHub renders. */
const names = [
  'String',
  'int',
  'module',
  'T',
  'Time',
  'Section',
  'script',
  'style',
  'textarea',
  'iframe',
  'my-widget',
  'user',
];
const kinds = ['Note', 'Tip', 'Important', 'Warning', 'Caution'];

const listOf = <T>(r: Random, max: number, make: () => T): readonly T[] =>
  Array.from({ length: 1 + r.below(max) }, make);
const phrase = (r: Random): string => listOf(r, 4, () => r.pick(words)).join(' ');

function brackets(r: Random): Part {
  const name = (): string => r.pick([`<${r.pick(names)}>`, `List<${r.pick(names)}>`, `</${r.pick(names)}>`]);
  const line = listOf(r, 3, () => `${phrase(r)} ${name()}`).join(' ');
  return { markdown: line, text: line };
}

function preformatted(r: Random): Part {
  const row = (): string => ' '.repeat(r.below(9)) + phrase(r).replace(' ', ' '.repeat(1 + r.below(4)));
  const rows = [row(), ...listOf(r, 4, () => (r.chance(0.25) ? '' : row())), row()].join('\n');
  return { markdown: `<pre>\n${rows}\n</pre>`.replaceAll('\n\n', r.pick(['\n\n', '\n\n\n'])), text: null };
}

function list(r: Random): Part {
  const start = r.chance(0.5) ? 1 : r.below(40);
  const items = listOf(r, 4, () => phrase(r));
  const [end, br, space] = [r.pick(['</li>', '']), r.pick(['', '\n']), r.pick(['', ' '])];
  const isNumbered = r.chance(0.7);
  const open = isNumbered ? `<ol${start === 1 ? '' : ` start="${start}"`}>` : '<ul>';
  const mark = (index: number): string => (isNumbered ? `${start + index}. ` : '- ');
  return {
    markdown: `${open}${br}${items.map((item) => `<li>${space}${item}${end}${br}`).join('')}${isNumbered ? '</ol>' : '</ul>'}`,
    text: items.map((item, index) => mark(index) + item).join('\n'),
  };
}

function quotation(r: Random): Part {
  const rows = listOf(r, 3, () => phrase(r));
  const apart = r.pick(['\n', '\n\n']);
  return {
    markdown: `<blockquote>${apart}${rows.join('\n')}${apart}</blockquote>`,
    text: rows.map((row) => `> ${row}`).join('\n'),
  };
}

function alert(r: Random): Part {
  const [kind, row] = [r.pick(kinds), phrase(r)];
  return { markdown: `> [!${r.pick([kind.toUpperCase(), kind])}]\n> ${row}`, text: `${kind}:\n> ${row}` };
}

function template(r: Random): Part {
  const rows = listOf(r, 3, () => r.pick(['Please search first', '', '- [ ] done?', '## Steps'])).join('\n');
  return { markdown: `<!--${r.pick([' ', '\n', ''])}${rows}${r.pick([' ', '\n'])}-->`, text: null };
}

/** Signs that a parser would search for minutes, below a template: such a text crosses as it stands. */
const endless = 'a*b '.repeat(16_000);

/** A text, and what it says. */
function textOf(r: Random): readonly [markdown: string, text: string] {
  const parts = listOf(r, 5, () => r.pick([brackets, preformatted, list, quotation, alert, template])(r));
  const shown = parts.flatMap(({ markdown, text }) => (markdown.startsWith('<pre>') ? rowsOf(markdown) : (text ?? [])));
  return [parts.map(({ markdown }) => markdown).join('\n\n'), shown.join('\n\n')];
}

const rowsOf = (markdown: string): string => markdown.replace(/^<pre>\n|\n<\/pre>$/gu, '');

type Translation = typeof toTrackerText;

function holdSame(translate: Translation, markdown: string, text: string, where: string): void {
  const shown = translate(markdown);
  hold(
    shown === text,
    `${where}: ${JSON.stringify(markdown.slice(0, 400))} became ${JSON.stringify(shown.slice(0, 400))}`,
  );
}

function holdAll(translate: Translation, count: number): void {
  for (let seed = 1; seed <= count; seed += 1) holdSame(translate, ...textOf(random(seed)), `seed ${seed}`);
  holdSame(translate, `<!-- Please search first -->\n${endless}`, endless.trimEnd(), 'an endless text');
}

test('HTML says the same on the tracker', () => {
  holdAll(toTrackerText, 2_000);
});

describe('a planted fault of it is caught', () => {
  const inHtml = (from: string, to: string): Fault => ({ file: 'text/html.ts', from, to });
  const inTracker = (from: string, to: string): Fault => ({ file: 'text/to-tracker.ts', from, to });
  const isWritten = 'names.has(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase())';
  const faults: Readonly<Record<string, Fault>> = {
    'words in angle brackets vanish': inHtml(isWritten, 'true'),
    'types of programs vanish': inHtml(isWritten, 'names.has(name.toLowerCase())'),
    'what GitHub shows of elements vanishes': inHtml(
      "'tr tt ul var video wbr'",
      "'tr tt ul var video wbr script style textarea iframe'",
    ),
    'preformatted text loses its spaces': inHtml('isPreformatted ? text : text.trim()', 'text.trim()'),
    'preformatted text loses its empty lines': inHtml(' || (isPreformatted && !isFirst)', ''),
    'preformatted text begins with an empty line': inHtml('isFirst = depth.preformatted > 0;', ''),
    'preformatted text has no end': inHtml('depth.preformatted = isEnd ? 0 : 1', 'depth.preformatted = 1'),
    'lists lose their numbers': inHtml("if (number === null) return '- ';", "return '- ';"),
    'lists do not count': inHtml('lists[lists.length - 1] = number + 1;', ''),
    'lists begin at one': inHtml('?.[0] ?? 1)', '?.[9] ?? 1)'),
    'lists do not end': inHtml('if (isEnd) lists.pop();', 'if (isEnd) lists.at(0);'),
    'quotations lose their sign': inHtml("if (name === 'blockquote')", "if (name === 'none')"),
    'Markdown in quotations loses it': inTracker('depth.quotes === 0 ? lines', 'depth.quotes >= 0 ? lines'),
    'alerts stay as they are': inTracker('const kind = isOfAlert ?', 'const kind = lines.length < 0 ?'),
    'templates appear': inHtml('if (length === 0) break;', 'break;'),
    'templates appear above an endless text': inTracker('unmarked(withoutTemplates(source))', 'unmarked(source)'),
  };

  test.each(sample(Object.entries(faults)))('%s', async (_name, fault) => {
    const faulty = (await import(join(plant(fault), 'text/to-tracker.ts'))) as { toTrackerText: Translation };
    expect(() => holdAll(faulty.toTrackerText, 300)).toThrow(/ became "/u);
  });
});
