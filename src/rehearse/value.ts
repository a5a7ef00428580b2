/** Reads values out of answers whose form is what a rehearsal is to find out. A path is `owner.login` or `0.id`. */

export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}

export const textAt = (data: unknown, path: string): string => {
  const value = valueAt(data, path);
  return typeof value === 'string' ? value : '';
};

export const numberAt = (data: unknown, path: string): number => {
  const value = valueAt(data, path);
  return typeof value === 'number' ? value : Number.NaN;
};

export const rowsOf = (data: unknown): readonly unknown[] => (Array.isArray(data) ? data : []);

export const timeAt = (data: unknown, path: string): number => Date.parse(textAt(data, path));
