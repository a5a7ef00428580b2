import { accessSync, constants } from 'node:fs';

/** The program that the variable names, or the first of these places that has one; null where there is none. */
export const programAt = (variable: string, places: readonly string[]): string | null =>
  [process.env[variable] ?? '', ...places].find(isProgram) ?? null;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
