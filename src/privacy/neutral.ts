import { saysUnused } from '../links/placeholder.ts';
import type { Issue } from '../model/item.ts';
import { githubMarker, withoutFooter } from '../text/marker.ts';

/** The title of an issue whose bug is not public. The marker stays, so that the issue is found again. */
export const neutralTitle = (bug: number): string => `Bug ${bug} is not public`;

const withdrawn = 'What stood here was withdrawn, because its original is not public.';

export const neutralBody = (instance: string, bug: number): string => `${withdrawn}\n\n${githubMarker(instance, { bug, comment: null })}`;

/** The line under an issue that people opened, without a link. */
export const plainFooter = (instance: string, bug: number): string =>
  `---\n*Mirrored as bug ${bug}, which is not public.*\n\n${githubMarker(instance, { bug, comment: null })}`;

/** Whether the line that names the bug is below the body, with or without a link: the bridge adds it to texts that are not its own. */
export const hasPointerUnder = (body: string): boolean =>
  /^\s*---\r?\n\*Mirrored as (?:\[bug \d+\]\(|bug \d+, )/u.test(body.slice(withoutFooter(body).length));

/** Whether a body says in our words who filed a bug, as copies of descriptions do. */
export const saysWhoFiled = (body: string): boolean => /^\*\*.*\*\* opened \[bug \d+\]\(/mu.test(body);

const bare = /^\*\*[^\n]*\*\* opened \[bug \d+\]\([^\n]*\) on [^\n]*:$/u;

/** The body of an issue that mirrors a bug, without the bridge's line about who opened the bug. */
export const withoutHeadline = (text: string): string =>
  text.replace(/^\*\*[^\n]*\*\* opened \[bug \d+\]\([^\n]*\) on [^\n]*:[ \t]*(?:(?:\r?\n)+|$)/u, '');

/**
 * Whether the body of an issue, without its footer, contains nothing of a description: a description that may be shown later goes
 * there.
 */
export const saysNothing = (text: string): boolean => text.trim() === withdrawn || saysUnused(text) || bare.test(text.trim());

/** Whether an issue holds the number of a bug and nothing of the bug itself: the bug was never public, or no longer is. */
export function saysOfNoBug({ body }: Issue): boolean {
  const text = withoutFooter(body);
  return text.trim() === withdrawn || saysUnused(text);
}
