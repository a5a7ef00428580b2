import * as z from 'zod';
import type { TrackerClient } from './connection/client.ts';
import { TrackerError } from './connection/errors.ts';

/**
 * How a tracker supports Markdown.
 *
 *   none     texts are plain (5.0, 5.2, and installations with Markdown turned off)
 *   comment  each comment says whether it is Markdown, and each request must (5.1, 5.3)
 *   site     the installation reads all texts as Markdown, and does not mark comments (harmony, BMO)
 */
export type MarkdownUse = 'none' | 'comment' | 'site';

/**
 * A text as its tracker shows it. Where a whole installation reads Markdown, an author turns it off for one text by its
 * first words, which are not shown.
 * @param isMarked what the comment itself says, if anything
 */
export function shownAs(
  text: string,
  isMarked: boolean | null | undefined,
  use: MarkdownUse,
): { readonly text: string; readonly isMarkdown: boolean } {
  const plain = use === 'site' ? /^\s*#\[markdown\(off\)\][ \t]*(?:\r?\n)?/u.exec(text) : null;
  if (plain !== null) return { text: text.slice(plain[0].length), isMarkdown: false };
  return { text, isMarkdown: isMarked ?? use === 'site' };
}

const renderedSchema = z.object({ html: z.string() });

/**
 * Asks the tracker to render a word with emphasis, which writes nothing. Skips versions without Markdown. Throws
 * `TrackerError` for unrelated failures. Source: POST /rest/bug/comment/render, which follows the installation. 5.1 and
 * 5.3 do not have it.
 */
export async function markdownUseOf(client: TrackerClient, version: string): Promise<MarkdownUse> {
  if (/^(?:[34]\.|5\.[02](?!\d))/u.test(version)) return 'none';
  // Nothing can be asked there; a refusal of the first Markdown text says that it is off.
  if (/^5\.[1-8](?!\d)/u.test(version)) return 'comment';
  try {
    const { body } = await client.create(
      ['bug', 'comment', 'render'],
      { text: 'so *it* is', markdown: true },
      renderedSchema,
    );
    if (!/<em\b/u.test(body.html)) return 'none';
    return 'site';
  } catch (failure) {
    if (failure instanceof TrackerError && isAnswer(failure)) return 'none';
    throw failure;
  }
}

const isAnswer = ({ kind }: TrackerError): boolean =>
  kind !== 'credentials' && kind !== 'limited' && kind !== 'unavailable';

/**
 * The account or the installation has Markdown turned off, or a new bug cannot have a Markdown description: certain
 * refusals.
 */
export const isMarkdownRefused = (failure: unknown): boolean =>
  failure instanceof TrackerError &&
  (failure.code === 140 || (failure.code === 53 && /\bis_markdown\b/u.test(failure.message)));
