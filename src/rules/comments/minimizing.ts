import type { MinimizeReason } from '../../model/item.ts';
import { aboutOf, bodyId } from '../../model/link.ts';
import type { MinimizeOperation } from '../../model/plan/operation.ts';
import type { CopyInput } from './copy.ts';

/**
 * Tags that trackers use to collapse comments; the first three do so by a tracker's default settings. Ordered by
 * weight.
 */
const reasons: readonly (readonly [tag: string, minimize: MinimizeReason])[] = [
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

/** The minimize reason for the tags of a comment. Trackers preserve the case of tags but ignore it. */
export function minimizeReasonOf(tags: readonly string[]): MinimizeReason | null {
  const lower = new Set(tags.map((tag) => tag.toLowerCase()));
  return reasons.find(([tag]) => lower.has(tag))?.[1] ?? null;
}

/**
 * Copies to minimize because their originals were tagged, or to show again. A comment that is not public never gets
 * here; its copy is removed altogether. The body of an issue cannot be minimized.
 */
export function planMinimizing({
  link,
  commentLinks,
}: Pick<CopyInput, 'link' | 'commentLinks'>): readonly MinimizeOperation[] {
  const ofTracker = commentLinks.filter(({ origin }) => origin === 'tracker');
  const wanted = new Map(ofTracker.filter(({ part }) => part === 1).map(({ source, minimize }) => [source, minimize]));
  return ofTracker.flatMap((commentLink): readonly MinimizeOperation[] => {
    const { id, source, part, state, copy } = commentLink;
    const minimize = wanted.get(source);
    if (
      minimize === undefined ||
      state !== 'mirrored' ||
      copy === null ||
      copy.id === bodyId ||
      minimize === copy.minimize
    )
      return [];
    const key = `${link.id}:github:fold:${source}${part === 1 ? '' : `:${part}`}`;
    return [
      { kind: 'minimize', on: 'github', key, link: link.id, about: aboutOf(link, 'github'), commentLink: id, minimize },
    ];
  });
}
