import type { Bug, Issue } from '../../model/item.ts';
import type { BugPatch } from '../../model/plan/draft.ts';
import { sorted } from '../../text/canonical.ts';

/** Tags are the words in brackets in a bug's whiteboard; its other words are left alone. */
const tag = /\[([^[\]\r\n]+)\]/gu;

/** The tags, each once: GitHub's label names are case-insensitive, so the first of two spellings counts. */
export function tagsIn(whiteboard: string): readonly string[] {
  const spelled = new Map<string, string>();
  for (const [, written = ''] of whiteboard.matchAll(tag)) {
    const name = written.trim();
    if (name !== '' && !spelled.has(name.toLowerCase())) spelled.set(name.toLowerCase(), name);
  }
  return sorted(spelled.values());
}

/** The whiteboard with exactly these tags. Kept tags stay in place; new ones are appended. */
export function withTags(whiteboard: string, wanted: readonly string[]): string {
  const [present, lasting] = [lower(tagsIn(whiteboard)), lower(wanted)];
  const kept = whiteboard.replace(/(?<!\s)\s*\[([^[\]\r\n]+)\]/gu, (written, name: string) => {
    const isLasting = name.trim() === '' || lasting.has(name.trim().toLowerCase());
    return isLasting ? written : '';
  });
  const added = wanted.filter((name) => !present.has(name.toLowerCase())).map((name) => `[${name}]`);
  return [kept.trim(), ...added].filter((part) => part !== '').join(' ');
}

/** Whether a whiteboard can hold this as a tag. */
export const isTag = (name: string): boolean => tagsIn(`[${name}]`)[0] === name;

/** Whether a text was not all UTF-8: the bytes that it stands for would be lost if it were written back. */
export const isUnreadable = (text: string): boolean => text.includes('\ufffd');

const lower = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));

/** How many thumbs up the issue has, as a word of the whiteboard. It is no tag, so no label shows it. */
const thumbsUpWord = /(?:^|(?<!\s)\s+)github\+1:\d+(?=\s|$)/gu;

export const withoutThumbsUp = (whiteboard: string): string => whiteboard.replace(thumbsUpWord, '').trim();

/** The whiteboard with the right number of thumbs up, unchanged if it has that number already. */
function withThumbsUp(whiteboard: string, count: number): string {
  const words = (whiteboard.match(thumbsUpWord) ?? []).map((word) => word.trim());
  const wanted = count === 0 ? [] : [`github+1:${count}`];
  if (words.join() === wanted.join()) return whiteboard;
  return [withoutThumbsUp(whiteboard), ...wanted].filter((part) => part !== '').join(' ');
}

/** A change of the bug, with that word up to date. If the whiteboard was not shown, it stays as it is. */
export function withThumbsUpStep(bug: Bug, issue: Pick<Issue, 'thumbsUp'> | null, patch: BugPatch): BugPatch {
  const whiteboard = patch.whiteboard ?? bug.whiteboard;
  if (whiteboard === undefined || isUnreadable(whiteboard)) return patch;
  const wanted = withThumbsUp(whiteboard, issue?.thumbsUp ?? 0);
  return wanted === whiteboard ? patch : { ...patch, whiteboard: wanted };
}
