import type { Bug } from '../model/item.ts';
import type { BugDraft, BugPatch } from '../model/operation.ts';

/**
 * What letters a tracker can keep. Bugzilla 5.0 and 5.3 on MySQL keep three bytes of a letter: a summary, whiteboard or file name with an
 * emoji in it is cut off there, or refused. They write such letters into comments as `[U+1F41B]` by themselves; the bridge does the same for
 * everything else, where people can see it, and reads it back as the letter. 5.2, harmony and BMO keep all letters.
 */
export interface CharacterSupport {
  /** True once hello has found such a tracker. */
  isBasic: boolean;
}

export const allCharacters = (): CharacterSupport => ({ isBasic: false });

/** By the version as the tracker tells it, such as `5.0.6`. */
export const keepsBasicOnly = (version: string): boolean => /^(?:[34]\.|5\.[03](?!\d))/u.test(version);

const summaryMax = 255;

/** A letter beyond the first plane becomes nine or ten; what no longer fits is cut, and shows it. */
export function written<T extends BugDraft | BugPatch>({ isBasic }: CharacterSupport, sent: T): T {
  if (!isBasic) return sent;
  return {
    ...sent,
    ...(sent.summary === undefined ? {} : { summary: within(spelled(sent.summary)) }),
    ...(sent.whiteboard === undefined ? {} : { whiteboard: spelled(sent.whiteboard) }),
  };
}

/** A bug as the tracker keeps it, for comparing with what its answers say. */
export const kept = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, spelled) : bug);

/** A bug as it was meant. */
export const read = ({ isBasic }: CharacterSupport, bug: Bug): Bug => (isBasic ? mapped(bug, meant) : bug);

/** A name or a summary of a file, to be sent, and as it was meant. */
export const writtenText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? spelled(text) : text);
export const readText = ({ isBasic }: CharacterSupport, text: string): string => (isBasic ? meant(text) : text);

const mapped = (bug: Bug, map: (text: string) => string): Bug => ({
  ...bug,
  summary: map(bug.summary),
  ...(bug.whiteboard === undefined ? {} : { whiteboard: map(bug.whiteboard) }),
});

const spelled = (text: string): string =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (letter) => `[U+${letter.codePointAt(0)?.toString(16).toUpperCase()}]`);

const meant = (text: string): string =>
  text.replace(/\[U\+((?:10|[1-9A-F])[0-9A-F]{4})\]/gu, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Never cut within the spelling of a letter, which then would be none. */
function within(summary: string): string {
  if (summary.length <= summaryMax) return summary;
  return `${summary.slice(0, summaryMax - 1).replace(/\[(?:U(?:\+[0-9A-F]{0,6})?)?$/u, '')}…`;
}
