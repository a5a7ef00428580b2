import type { Measured } from '../benchmark.ts';

/** A column for each thing that was measured, a line for each number. */
export function table(measured: readonly Measured[]): string {
  const rows = cellsOf(measured);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = ([name = '', ...cells]: readonly string[]): string =>
    [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))]
      .join('   ')
      .trimEnd();
  return rows.map(lineOf).join('\n');
}

/** More things than these get a line each. */
const columnsMax = 10;

/** The same as cells; the first row, or else the first column, names what was measured. */
export function cellsOf(measured: readonly Measured[]): readonly (readonly string[])[] {
  const names = [...new Set(measured.flatMap(({ numbers }) => Object.keys(numbers)))];
  const rows = [
    ['', ...measured.map(({ name }) => name)],
    ...names.map((name) => [wordsOf(name), ...measured.map(cellOf(name))]),
  ];
  if (measured.length <= columnsMax) return rows;
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));
}

/** `requestsPerBug` is written as `requests per bug`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/gu, (capital) => ` ${capital.toLowerCase()}`);

const cellOf =
  (name: string) =>
  ({ numbers }: Measured): string => {
    const value = numbers[name];
    return value === undefined ? '' : digits(value);
  };

/** Amounts are shown whole, shares with as many digits as tell something. */
function digits(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en');
  return value < 1 ? value.toPrecision(2) : value.toFixed(2);
}
