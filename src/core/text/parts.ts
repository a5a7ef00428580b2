import { keptMarkdown } from './kept-markdown.ts';
import { type IssueReferences, noIssues, type References, withoutTargets } from './references.ts';
import { safeMarkdowns } from './safe-markdown.ts';
import { split, splitWithLinks } from './split.ts';
import { toMarkdown } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * A text for the other side, in as many parts as it takes there. The parts are written one by one, perhaps days apart, so where they
 * begin follows from the text alone, whatever is known by then of what it refers to.
 */
export function markdownParts(text: string, references: References, isMarkdown = false): readonly string[] {
  const both = [withoutTargets(references), references];
  const [plain = '', linked = ''] = isMarkdown ? safeMarkdowns(text, both) : both.map((each) => toMarkdown(text, each));
  return splitWithLinks(plain, linked, 'github');
}

/** The same in the other direction. */
export function trackerParts(markdown: string, issues: IssueReferences, isMarkdown = false): readonly string[] {
  const written = isMarkdown ? keptMarkdown : toTrackerText;
  const plain = written(markdown);
  // Reading Markdown takes a while, and most texts refer to nothing.
  if (issues === noIssues || !/#\d|\/issues\/\d/u.test(markdown)) return split(plain, 'tracker');
  return splitWithLinks(plain, written(markdown, issues), 'tracker');
}
