import type { Entry } from '../model/link.ts';

/**
 * The issue that people on GitHub say this one duplicates, by GitHub's own convention: a comment "Duplicate of #12".
 * The list of issues tells that an issue is a duplicate, but not of which.
 */
export function duplicateNamed(repo: string, entries: readonly Entry[]): number | null {
  const texts = entries.filter((entry) => entry.origin === 'github' && entry.state !== 'gone').map((entry) => entry.text ?? '');
  for (const text of texts.reverse()) {
    const match = /\bduplicate of\s+(?:([\w.-]+\/[\w.-]+)?#|https?:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/issues\/)(\d+)/iu.exec(text);
    const where = (match?.[1] ?? match?.[2] ?? repo).toLowerCase();
    if (match && where === repo.toLowerCase()) return Number(match[3]);
  }
  return null;
}
