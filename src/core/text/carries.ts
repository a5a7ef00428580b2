import { canonicalText } from '../canonical.ts';
import { keptMarkdown } from './kept-markdown.ts';
import type { IssueReferences } from './references.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * Whether a copy on the tracker carries what its source on GitHub says, whatever its references were known to mean when it was
 * written: `#12` may stand there as it is, or as a bug. White space and lines drawn with signs may be of any length, as those of tables
 * and headings follow the words in them.
 */
export const carries = (copy: string, source: string): boolean =>
  carriesAs(toTrackerText, copy, source) || carriesAs(keptMarkdown, copy, source);

type Translation = (markdown: string, issues?: IssueReferences) => string;

/** Which of the two it was is not told by a copy: trackers may learn Markdown. */
function carriesAs(written: Translation, copy: string, source: string): boolean {
  const shown = canonicalText(copy);
  if (canonicalText(written(source)) === shown) return true;
  const slotted = written(source, { issue: () => slot, page: (url) => (issuePage.test(url) ? slot : null) });
  if (!slotted.includes(slot)) return false;
  const pattern = squashed(slotted)
    .replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
    .replaceAll(` \\(${slot}\\)`, `(?: \\(${meaning}\\))?`)
    .replaceAll(slot, meaning);
  return new RegExp(`^${pattern}$`, 'u').test(squashed(shown));
}

/** Nobody writes this, and it is no part of a word. */
const slot = '\ue0b6';
const issuePage = /^https?:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+\/issues\/\d+(?:#issuecomment-\d+)?$/u;
const meaning = '(?:bug \\d+(?: comment \\d+)?|[\\w./-]*#\\d+|https?:\\S+)';

const squashed = (text: string): string => canonicalText(text).replace(/[\s=-]+/gu, ' ');
