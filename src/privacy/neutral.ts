import { saysUnused } from '../links/placeholder.ts';
import type { Issue } from '../model/item.ts';
import { githubMarker, withoutFooter } from '../text/marker.ts';

/** What an issue says instead of a bug that is not public. The marker stays, so that the issue is found again. */
export const neutralTitle = (bug: number): string => `Bug ${bug} is not public`;

const withdrawn = 'What stood here was withdrawn, because its original is not public.';

export const neutralBody = (instance: string, bug: number): string => `${withdrawn}\n\n${githubMarker(instance, { bug, comment: null })}`;

/** The line under an issue of people, without a link. */
export const plainFooter = (instance: string, bug: number): string =>
  `---\n*Mirrored as bug ${bug}, which is not public.*\n\n${githubMarker(instance, { bug, comment: null })}`;

/** Whether the line that names the bug stands under the body, with a link or without: the bridge puts it under what it did not write. */
export const hasPointerUnder = (body: string): boolean =>
  /^\s*---\r?\n\*Mirrored as (?:\[bug \d+\]\(|bug \d+, )/u.test(body.slice(withoutFooter(body).length));

/** Whether a body says in our words who filed a bug, as copies of descriptions do. */
export const saysWhoFiled = (body: string): boolean => /^\*\*.*\*\* opened \[bug \d+\]\(/mu.test(body);

const bare = /^\*\*[^\n]*\*\* opened \[bug \d+\]\([^\n]*\) on [^\n]*:$/u;

/** The body of an issue that mirrors a bug, without the line by which the bridge says who opened the bug. */
export const withoutHeadline = (text: string): string =>
  text.replace(/^\*\*[^\n]*\*\* opened \[bug \d+\]\([^\n]*\) on [^\n]*:[ \t]*(?:(?:\r?\n)+|$)/u, '');

/** Whether the body of an issue, without its footer, holds nothing of a description: one that may be shown later has its place there. */
export const saysNothing = (text: string): boolean => text.trim() === withdrawn || saysUnused(text) || bare.test(text.trim());

/** Whether an issue holds the number of a bug and nothing of the bug itself: it was never there for other eyes, or no longer is. */
export function saysOfNoBug({ body }: Issue): boolean {
  const text = withoutFooter(body);
  return text.trim() === withdrawn || saysUnused(text);
}
