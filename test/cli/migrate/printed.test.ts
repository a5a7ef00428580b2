import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageOf } from '../../../src/cli/migrate/preview.ts';
import { framed } from '../../../src/cli/page-frame.ts';
import { reportStyle } from '../../../src/cli/verify/page-assets.ts';

/** On paper, nobody scrolls: whatever a page hides on a screen until somebody does is printed as a whole, and light. */
const styleIn = (page: string): string => /<style>(.*?)<\/style>/su.exec(page)?.[1] ?? '';
const archive = readFileSync(new URL('../../../src/archive/assets/style.css', import.meta.url), 'utf8');
const family = readFileSync(new URL('../../../src/http/assets/family.css', import.meta.url), 'utf8');
const styles: readonly (readonly [page: string, style: string])[] = [
  ['plan and the preview of migrate', styleIn(pageOf('Preview', []))],
  ['verify', styleIn(framed({ title: 'Report', what: 'Report', style: reportStyle, content: [] }))],
  ['the archive', family + archive],
];

interface Rule {
  readonly selector: string;
  readonly declarations: string;
}

const rulesIn = (style: string): readonly Rule[] =>
  [...style.matchAll(/([^{}]+)\{([^{}]*)\}/gu)].flatMap(([, selectors = '', declarations = '']) =>
    selectors.split(',').map((selector) => ({ selector: selector.trim(), declarations })),
  );

/** Of a screen as wide as paper, and of paper. */
function rulesOf(style: string): Readonly<Record<'screen' | 'print', readonly Rule[]>> {
  const plain = style.replaceAll(/\/\*.*?\*\//gsu, '');
  const media = /@media ([^{]+)\{((?:[^{}]*\{[^{}]*\})*)\s*\}/gu;
  const printed = [...plain.matchAll(media)].flatMap(([, of = '', rules = '']) =>
    of.trim() === 'print' ? [rules] : [],
  );
  return { screen: rulesIn(plain.replaceAll(media, '')), print: rulesIn(printed.join('\n')) };
}

/** What hides a part on a screen, and what shows it on paper. */
const hiding: readonly (readonly [on: RegExp, off: RegExp])[] = [
  [/content-visibility: auto/u, /content-visibility: visible/u],
  [/max-height: .*overflow(?:-y)?: auto|overflow(?:-y)?: auto.*max-height: /su, /max-height: none/u],
  [/(?:pre|preview) \{.*overflow(?:-x)?: auto/su, /white-space: pre-wrap/u],
  [/text-overflow: ellipsis/u, /white-space: normal/u],
];

const isPrinted = (print: readonly Rule[], selector: string, off: RegExp): boolean =>
  print.some((rule) => rule.selector.endsWith(selector) && off.test(rule.declarations));

function lostOnPaper(style: string): readonly string[] {
  const { screen, print } = rulesOf(style);
  const hidden = hiding.flatMap(([on, off]) =>
    screen.filter(
      (rule) => on.test(`${rule.selector} {${rule.declarations}}`) && !isPrinted(print, rule.selector, off),
    ),
  );
  const isLight = isPrinted(print, ':root', /color-scheme: light;/u);
  return [...hidden.map(({ selector }) => selector), ...(isLight ? [] : ['dark'])];
}

describe.each(styles)('%s', (_page, style) => {
  test('prints what a screen hides, on white', () => {
    expect(style).toContain('@media print');
    expect(lostOnPaper(style)).toEqual([]);
  });
});

test.each([
  ['plan and the preview of migrate', ['.issue', '.index', 'pre', 'dark']],
  ['verify', ['.pair', '.values dd', '.title', 'dark']],
  ['the archive', ['.markdown pre', '.preview', 'dark']],
])('without its rules for paper, %s loses %j', (page, lost) => {
  const style = styles.find(([name]) => name === page)?.[1] ?? '';
  expect(lostOnPaper(style.replaceAll('@media print', '@media speech'))).toEqual(lost);
});
