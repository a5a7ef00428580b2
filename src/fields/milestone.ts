import type { Bug, Issue, Value } from '../model/item.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import { withoutAddresses } from '../text/characters.ts';

/** The tracker's value for a bug without a milestone. */
export const noMilestone = '---';

/**
 * A bug's milestone; null for none. Undefined takes no part, and neither does a milestone that contains an e-mail address, which
 * must not reach GitHub.
 */
export function milestoneOfBug({ milestones }: Route, { milestone }: Bug): string | null | undefined {
  if (!milestones || milestone === null || withoutAddresses(milestone) !== milestone) return undefined;
  return milestone === noMilestone || milestone === '' ? null : milestone;
}

/**
 * An issue's milestone in the tracker's spelling; null for none. A milestone that the tracker does not know belongs to people on
 * GitHub and takes no part; on a route to GitHub it counts as none, and the bug's milestone replaces it.
 * @param known names to recognise in addition to the vocabulary: the link's current and former milestones
 */
export function milestoneOfIssue(
  { milestones, direction }: Route,
  vocabulary: Vocabulary,
  { milestone }: Issue,
  known: readonly (Value | undefined)[],
): string | null | undefined {
  if (!milestones) return undefined;
  if (milestone === null) return null;
  const legal = vocabulary.values.milestone;
  const names = [...known.filter((name) => typeof name === 'string'), ...(legal ?? [])].filter((name) => name !== noMilestone);
  const spelled = names.find((name) => name === milestone) ?? names.find((name) => name.toLowerCase() === milestone.toLowerCase());
  return spelled ?? (legal === undefined ? milestone : direction === 'to-github' ? null : undefined);
}

/** Whether a bug can be without a milestone: a product may lack the value for it. */
export const takesNoMilestone = ({ values }: Vocabulary): boolean => values.milestone?.includes(noMilestone) ?? true;
