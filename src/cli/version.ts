import { readFileSync } from 'node:fs';

/** The version of this program, as its package says; the file stands beside `src` as it stands beside `dist`. */
export function ownVersion(): string {
  const text: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : 'unknown';
}
