/**
 * What GitHub adds to Markdown, which neither parser knows: it draws mathematics, diagrams and maps, shows colours
 * beside their codes, and draws a box around a quotation that begins with `[!NOTE]`.
 */

import type { PageTree } from './pages.ts';

/**
 * A tree does not tell an escaped sign from another, so escapes of the two signs that matter here become other signs.
 */
export const escapesShown = (markdown: string): string =>
  markdown.replace(/\\([\s\S])/gu, (whole, sign: string) =>
    sign === '$' ? '\u203b' : sign === '[' ? '\u203d' : whole,
  );

/** Whether a text has signs whose escapes matter. */
export const hasSigns = (markdown: string): boolean => /\$|\[!/u.test(markdown);

const drawn = /^(?:mermaid|math|geojson|topojson|stl|suggestion)$/iu;
const colour = /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([^()]*\))$/iu;
const alert = /^\[!(?:note|tip|important|warning|caution)\]\s*$/iu;

/** What must not be drawn in a page. */
export function* drawingsIn({ languages, spans }: PageTree): Generator<string> {
  for (const language of languages) if (drawn.test(language)) yield `a drawing: ${language}`;
  for (const span of spans) if (colour.test(span)) yield `a colour: ${span}`;
}

/** What must not be alive in a page of a text whose escapes are shown. */
export function* signsIn({ quotations, runs }: PageTree): Generator<string> {
  for (const line of quotations) if (alert.test(line)) yield `an alert: ${line}`;
  for (const run of runs) {
    const found = /\$/u.exec(run.replace(/\b[a-z]+:\/\/[^\s\u200b]+|\bwww\.[^\s\u200b]+/giu, ' '));
    if (found !== null) yield `mathematics: ${run.slice(Math.max(0, found.index - 20), found.index + 40)}`;
  }
}
