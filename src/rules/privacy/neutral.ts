import type { Issue } from '../../model/item.ts';
import { type Link, shownBug } from '../../model/link.ts';
import { withoutFooter } from '../../text/footer.ts';
import { githubMarker, undescribed } from '../../text/marker.ts';
import { saysUnused } from '../links/placeholder.ts';

/** The title of an issue whose bug is not public. The marker stays, so that the issue is found again. */
export const neutralTitle = (bug: number): string => `Bug ${bug} is not public`;

const withdrawn = 'This text was withdrawn because its original is not public.';

/** The same sentence as earlier versions wrote it. Issues that have it are withdrawn too, and are not written again. */
const formerlyWithdrawn = 'What stood here was withdrawn, because its original is not public.';

const neutralBodyWith = (sentence: string, instance: string, bug: number): string =>
  `${sentence}\n\n${githubMarker(instance, { bug, comment: null })}`;

/** The body of an issue whose bug is not public. */
export const neutralBody = (instance: string, bug: number): string => neutralBodyWith(withdrawn, instance, bug);

/** Whether the body of an issue is exactly what a withdrawal leaves. */
export const isNeutralBody = (instance: string, body: string, bug: number): boolean =>
  [withdrawn, formerlyWithdrawn].some((sentence) => sameText(body, neutralBodyWith(sentence, instance, bug)));

/** Whether the issue of a link is exactly what a withdrawal leaves. */
export const isEmptied = (instance: string, link: Link): boolean =>
  isNeutralBody(instance, link.github?.body ?? '', shownBug(link) ?? 0);

const saysWithdrawn = (text: string): boolean => [withdrawn, formerlyWithdrawn].includes(text.trim());

/** Whether the title comes from a withdrawal, so that it is not an edit by people. */
export const isNeutralTitle = (title: string, bug: number): boolean => title.trim() === neutralTitle(bug);

/** GitHub's website saves line ends as CR LF. */
export const sameText = (one: string, other: string): boolean => one.replaceAll('\r\n', '\n').trim() === other.trim();

/** The line under an issue that people opened, without a link. */
export const plainFooter = (instance: string, bug: number): string =>
  `---\n*Mirrored as bug ${bug}, which is not public.*\n\n${githubMarker(instance, { bug, comment: null })}`;

/** Whether a body ends with exactly this line. */
export const hasPlainFooter = (instance: string, body: string, bug: number): boolean =>
  sameText(body.slice(withoutFooter(body).length), plainFooter(instance, bug));

/** Whether the line that names the bug is below the body. The bridge adds it to texts that people wrote. */
export const hasPointerUnder = (body: string): boolean =>
  /^\s*---\r?\n\*Mirrored as (?:\[bug \d+\]\(|bug \d+, )/u.test(body.slice(withoutFooter(body).length));

/** Whether a body contains our line about who filed a bug, as copies of descriptions do. */
export const saysWhoFiled = (body: string): boolean => /^\*\*.*\*\* opened \[bug \d+\]\(/mu.test(body);

/**
 * The length of the first line if it is our line about who opened a bug, else 0. The names in it may contain anything,
 * even our own words.
 */
function headlineLength(text: string): number {
  const [line = ''] = text.split('\n', 1);
  const said = line.trimEnd();
  const opened = /\*\* opened \[bug \d+\]\(/gu;
  opened.lastIndex = '**'.length;
  const isOurs =
    said.startsWith('**') &&
    (said.endsWith(':') || said.endsWith(undescribed)) &&
    opened.test(said) &&
    said.lastIndexOf(') on ', said.length - 6) >= opened.lastIndex;
  return isOurs ? line.length : 0;
}

const isHeadline = (text: string): boolean => text !== '' && headlineLength(text) === text.length;

/** The body of an issue that mirrors a bug, without the bridge's line about who opened the bug. */
export const withoutHeadline = (text: string): string => {
  const length = headlineLength(text);
  return length === 0 ? text : text.slice(length).replace(/^(?:\r?\n)+/u, '');
};

/**
 * Whether the body of an issue, without its footer, contains nothing of a description: a description that may be shown
 * later goes there.
 */
export const saysNothing = (text: string): boolean =>
  saysWithdrawn(text) || saysUnused(text) || isHeadline(text.trim());

/**
 * Whether an issue holds the number of a bug and nothing of the bug itself: the bug was never public, or no longer is.
 */
export function saysOfNoBug({ body }: Issue): boolean {
  const text = withoutFooter(body);
  return saysWithdrawn(text) || saysUnused(text);
}
