import { diffWordsWithSpace } from 'diff';

/** Longer texts are shown anew as a whole: nobody looks for a word in them. */
const lengthMax = 4_000;

/** Differences cost time where nothing is alike. */
const editsMax = 1_000;

/**
 * What changed from one text to another, word by word, as plain text: `It [-always-]{+sometimes+} crashes.` Null when the new text says
 * it better: when it is long, when little of the old one is left, or when the signs occur in the texts themselves.
 */
export function changesIn(before: string, after: string): string | null {
  if (!isShort(before) || !isShort(after) || [before, after].some((text) => /\[-|-\]|\{\+|\+\}/u.test(text))) return null;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: editsMax });
  if (changes === undefined || !changes.some(({ added, removed }) => added || removed)) return null;
  const kept = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length), 0);
  if (kept === 0 || kept * 2 < Math.min(before.length, after.length)) return null;
  return changes
    .map(({ added, removed, value }) => (removed ? marked('[-', value, '-]') : added ? marked('{+', value, '+}') : value))
    .join('');
}

/** A text that is short enough to be shown by what changed in it, and so worth being kept until that has been reported. */
export const isShort = (text: string): boolean => text.length <= lengthMax;

/** Lines end outside of the signs, so that each line keeps its look. */
function marked(open: string, value: string, close: string): string {
  return value
    .split('\n')
    .map((line) => (line === '' ? '' : `${open}${line}${close}`))
    .join('\n');
}
