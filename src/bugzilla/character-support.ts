import type { Bug } from '../model/item.ts';
import type { BugDraft, BugPatch } from '../model/operation.ts';

/**
 * 4-byte characters (emoji). Bugzilla 5.0 and 5.3 on MySQL store at most three bytes of a character: they cut off or refuse a summary,
 * whiteboard or file name with an emoji. In comments, they write such characters as `[U+1F41B]`; the bridge does the same in all other
 * visible texts, and reads it back as the character. 5.2, harmony and BMO store all characters.
 */
export interface CharacterSupport {
  /** Whether hello has found such a tracker. */
  isBasic: boolean;
}

export const allCharacters = (): CharacterSupport => ({ isBasic: false });

/** From the reported version, such as `5.0.6`. */
export const keepsBasicOnly = (version: string): boolean => /^(?:[34]\.|5\.[03](?!\d))/u.test(version);

const summaryMax = 255;

/** A 4-byte character becomes nine or ten characters; a text that no longer fits is visibly cut. */
export function written<T extends BugDraft | BugPatch>({ isBasic }: CharacterSupport, sent: T): T {
  if (!isBasic) return sent;
  return {
    ...sent,
    ...(sent.summary === undefined ? {} : { summary: within(spelled(sent.summary)) }),
    ...(sent.whiteboard === undefined ? {} : { whiteboard: spelled(sent.whiteboard) }),
  };
}

/** A bug as the tracker stores it, to compare with its answers. */
export const kept = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, spelled) : bug);

/** A bug with the intended characters. */
export const read = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, meant) : bug);

/** A name or summary of a file, encoded to send, and decoded. */
export const writtenText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? spelled(text) : text);
export const readText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? meant(text) : text);

const mapped = (bug: Bug, map: (text: string) => string): Bug => ({
  ...bug,
  summary: map(bug.summary),
  ...(bug.whiteboard === undefined ? {} : { whiteboard: map(bug.whiteboard) }),
});

const spelled = (text: string): string =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]`);

const meant = (text: string): string =>
  text.replace(/\[U\+((?:10|[1-9A-F])[0-9A-F]{4})\]/gu, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Never cuts within an encoded character. */
function within(summary: string): string {
  if (summary.length <= summaryMax) return summary;
  return `${summary.slice(0, summaryMax - 1).replace(/\[(?:U(?:\+[0-9A-F]{0,6})?)?$/u, '')}…`;
}
