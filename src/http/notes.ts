import { freshSecret } from './access.ts';

const notesMax = 100;

/** Messages that the next page shows once. They are not part of the URL, because anyone could then insert others. */
export interface Notes {
  /** Keeps a message and returns a name that retrieves it. */
  keep(words: string): string;
  take(name: string | undefined): string | null;
}

export function openNotes(): Notes {
  const kept = new Map<string, string>();
  return {
    keep(words) {
      const name = freshSecret();
      kept.set(name, words);
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - notesMax))) kept.delete(oldest);
      return name;
    },
    take(name) {
      const words = name === undefined ? undefined : kept.get(name);
      if (name !== undefined) kept.delete(name);
      return words ?? null;
    },
  };
}
