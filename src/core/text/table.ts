/** Nobody reads columns that are wider, and a row need not be as wide as the widest of them all. */
const widthMax = 60;

/** A row that lacks cells gets them for the sake of alignment only. */
const columnsMax = 50;

/** A table of a Markdown text, with its columns aligned as a fixed-width font shows them. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.min(widthMax, Math.max(widths[column] ?? 3, widthOf(cell)));
  }
  const line = (row: readonly string[]): string => {
    const own = widths.slice(0, Math.max(row.length, columnsMax));
    return `| ${own.map((width, column) => padded(row[column] ?? '', width)).join(' | ')} |`;
  };
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)];
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;
const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : /\p{M}|\u200b/u.test(character) ? 0 : 1), 0);
