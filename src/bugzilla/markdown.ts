import * as z from 'zod';
import type { TrackerClient } from './connection/client.ts';
import { TrackerError } from './connection/errors.ts';

/**
 * How a tracker has to do with Markdown.
 *
 *   none     it reads texts as they stand (5.0, 5.2, and whoever has it switched off)
 *   comment  each comment says whether it is Markdown, and so does who writes one (5.1, 5.3)
 *   site     the installation reads its texts as Markdown, and says it of no comment (harmony, BMO)
 */
export type MarkdownUse = 'none' | 'comment' | 'site';

const renderedSchema = z.object({ html: z.string() });

/**
 * Asks the tracker to show a word with emphasis, which writes nothing. Those that never knew Markdown are not asked. Throws `TrackerError` for
 * what has nothing to do with the question.
 * Source: POST /rest/bug/comment/render, which takes `markdown` in 5.1 and 5.3 and follows the installation elsewhere.
 */
export async function markdownUseOf(client: TrackerClient, version: string): Promise<MarkdownUse> {
  if (/^(?:[34]\.|5\.[02](?!\d))/u.test(version)) return 'none';
  try {
    const { body } = await client.create(['bug', 'comment', 'render'], { text: 'so *it* is', markdown: true }, renderedSchema);
    if (!/<em\b/u.test(body.html)) return 'none';
    return /^5\.[1-8](?!\d)/u.test(version) ? 'comment' : 'site';
  } catch (failure) {
    if (failure instanceof TrackerError && isAnswer(failure)) return 'none';
    throw failure;
  }
}

const isAnswer = ({ kind }: TrackerError): boolean => kind !== 'credentials' && kind !== 'limited' && kind !== 'unavailable';

/** The account, or the installation, does without Markdown; or a new bug cannot have a description in it. A certain no in either case. */
export const isMarkdownRefused = (failure: unknown): boolean =>
  failure instanceof TrackerError && (failure.code === 140 || (failure.code === 53 && /\bis_markdown\b/u.test(failure.message)));
