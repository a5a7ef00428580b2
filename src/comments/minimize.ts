import { aboutOf } from '../kernel/about.ts';
import type { MinimizeReason } from '../model/item.ts';
import { bodyId } from '../model/link.ts';
import type { MinimizeOperation } from '../model/operation.ts';
import type { Talk } from './copy.ts';

/** Tags with which people of trackers fold comments away; the first three do so by a tracker's own settings. In the order of their weight. */
const minimized: readonly (readonly [tag: string, minimize: MinimizeReason])[] = [
  ['spam', 'spam'],
  ['off-topic', 'off-topic'],
  ['obsolete', 'outdated'],
  ['outdated', 'outdated'],
  ['offtopic', 'off-topic'],
  ['abuse', 'abuse'],
  ['abusive', 'abuse'],
  ['duplicate', 'duplicate'],
  ['resolved', 'resolved'],
];

/** What the tags of a comment say of its copy. Trackers keep the case of tags and do not look at it. */
export function minimizeReasonOf(tags: readonly string[]): MinimizeReason | null {
  const lower = new Set(tags.map((tag) => tag.toLowerCase()));
  return minimized.find(([tag]) => lower.has(tag))?.[1] ?? null;
}

/**
 * Copies that are to be folded away because their originals were tagged so, or to be shown again. What is not for other eyes never gets
 * here, and is taken away altogether. The body of an issue cannot be folded.
 */
export function planMinimizing({ link, commentLinks }: Pick<Talk, 'link' | 'commentLinks'>): readonly MinimizeOperation[] {
  const ofTracker = commentLinks.filter(({ origin }) => origin === 'tracker');
  const wanted = new Map(ofTracker.filter(({ part }) => part === 1).map(({ source, minimize }) => [source, minimize]));
  return ofTracker.flatMap((commentLink): readonly MinimizeOperation[] => {
    const { id, source, part, state, copy } = commentLink;
    const minimize = wanted.get(source);
    if (minimize === undefined || state !== 'mirrored' || copy === null || copy.id === bodyId || minimize === copy.minimize) return [];
    const key = `${link.id}:github:fold:${source}${part === 1 ? '' : `:${part}`}`;
    return [{ kind: 'minimize', on: 'github', key, link: link.id, about: aboutOf(link, 'github'), commentLink: id, minimize }];
  });
}
