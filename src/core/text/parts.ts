import type { IssueReferences, References } from './references.ts';
import { lengthOn, split } from './split.ts';
import { toMarkdown } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * A text for the other side, in as many parts as it takes there. The parts are written one by one, perhaps days apart, so where they
 * begin must follow from the text alone: in a text of several parts, nothing is linked.
 */
export function markdownParts(text: string, references: References): readonly string[] {
  const plain = split(toMarkdown(text), 'github');
  return plain.length > 1 ? plain : [shorter(toMarkdown(text, references), plain, linkedMax)];
}

/** The same in the other direction. */
export function trackerParts(markdown: string, issues: IssueReferences): readonly string[] {
  const plain = split(toTrackerText(markdown), 'tracker');
  // Reading Markdown takes a while, and most texts refer to nothing.
  return plain.length > 1 || !/#\d|\/issues\/\d/u.test(markdown) ? plain : [shorter(toTrackerText(markdown, issues), plain, linkedMax)];
}

/** Addresses make a text longer; without them it certainly fits. */
const linkedMax = 62_000;
const shorter = (linked: string, [plain = '']: readonly string[], max: number): string =>
  lengthOn('tracker', linked) <= max ? linked : plain;
