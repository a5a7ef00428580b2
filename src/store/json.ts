/** Reads a JSON column. The type is taken on trust, because only this folder writes these columns. */
export function readJson<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

export const readJsonOrNull = <T>(text: string | null): T | null => (text === null ? null : readJson<T>(text));

export const writeJsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
