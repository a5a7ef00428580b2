import { diffWordsWithSpace } from 'diff';

/** Longer texts are shown again in full: readers would not search them for a changed word. */
const lengthMax = 4_000;

/** Diffs of texts without similarity are expensive. */
const editsMax = 1_000;

/**
 * The changes from one text to another, word by word, as plain text: `It [-always-]{+sometimes+} crashes.` Null if the
 * new text is clearer: if it is long, if little of the old one is left, or if the signs occur in the texts themselves.
 */
export function changedWords(before: string, after: string): string | null {
  if (!isShort(before) || !isShort(after) || [before, after].some((text) => /\[-|-\]|\{\+|\+\}/u.test(text)))
    return null;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: editsMax });
  if (changes === undefined || !changes.some(({ added, removed }) => added || removed)) return null;
  const kept = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  );
  if (kept === 0 || kept * 2 < Math.min(before.length, after.length)) return null;
  return changes
    .map(({ added, removed, value }, index) => {
      if (!added && !removed) return value;
      const next = changes[index + 1];
      const isAlone = [changes[index - 1], next].every(
        (other) => other === undefined || (!other.added && !other.removed),
      );
      const signs = removed ? (['[-', '-]'] as const) : (['{+', '+}'] as const);
      return isAlone ? apart(value, signs, changes[index - 1]?.value, next?.value) : marked(value, signs);
    })
    .join('');
}

/** A text that is short enough for a diff, and therefore kept until its edit has been reported. */
export const isShort = (text: string): boolean => text.length <= lengthMax;

type Signs = readonly [open: string, close: string];

/** Puts text that only one version has between the signs, with its line breaks, which the other version lacks. */
const marked = (value: string, [open, close]: Signs): string => `${open}${value}${close}`;

/**
 * Both versions have one of the line breaks around an added or removed line or paragraph, so the breaks may stay
 * outside the signs. At the beginning and the end of a text there is no break to keep.
 */
function apart(value: string, signs: Signs, before: string | undefined, after: string | undefined): string {
  const [lead = ''] = /^\n*/u.exec(value) ?? [];
  if (lead !== '' && lead !== value && (after?.startsWith(lead) ?? true))
    return lead + marked(value.slice(lead.length), signs);
  const [trail = ''] = /(?<!\n)\n*$/u.exec(value) ?? [];
  if (trail !== '' && trail !== value && (before?.endsWith(trail) ?? true))
    return marked(value.slice(0, -trail.length), signs) + trail;
  return marked(value, signs);
}
