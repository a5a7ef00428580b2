import { readFileSync } from 'node:fs';

/** The version in package.json, which is beside both `src` and `dist`. */
export function ownVersion(): string {
  const text: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : 'unknown';
}
