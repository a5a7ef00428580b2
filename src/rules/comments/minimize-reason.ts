import type { MinimizeReason } from '../../model/item.ts';

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
