/** Pull requests that name bugs and issues: which they name, and what the bugs are told of them. */

import { aboutOf, type CommentLink } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LinkPull, Pull, PullState, ShownPull } from '../../model/pulls/pull.ts';
import type { Route } from '../../model/route.ts';
import { titleMax, titleWithin } from '../../text/canonical.ts';
import { fixedRemark, pullRemark } from '../../text/marker.ts';

/** What a pull request names, by its title and its text. */
export interface NamedItems {
  readonly bugs: ReadonlySet<number>;
  /** Numbers of the repository's own issues. */
  readonly issues: ReadonlySet<number>;
}

/** As GitHub reads it: `Fixes #5`, `closes: acme/widget#5`, `resolved https://github.com/acme/widget/issues/5`. */
const closingWords =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:https?:\/\/[^/\s]+\/)?([\w.-]+\/[\w.-]+)?(?:#|\/issues\/)(\d{1,10})\b/giu;

/** @param written how texts name bugs, with `{bug}` for the number, and `{component}` for any word */
export function namedItems(route: Route, { title, body }: Words, written: readonly string[]): NamedItems {
  const text = `${title}\n${body}`;
  const own = `${route.owner}/${route.repo}`;
  const issues = [...text.matchAll(closingWords)].flatMap(([, repo = own, number]) =>
    sameName(repo, own) ? Number(number) : [],
  );
  const patterns = [addressPattern(route), ...written.map(asPattern)];
  const bugs = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, bug]) => Number(bug)));
  return { bugs: new Set(bugs), issues: new Set(issues) };
}

export type Words = Pick<Pull, 'title' | 'body'>;

/**
 * The address of a bug: with either scheme, as many trackers began with http; without one, where nothing before the
 * host could make it part of another address; and with other parameters before the number. What repeats has a bound and
 * an end of its own, so no text takes long.
 */
function addressPattern({ newBugUrl }: Route): RegExp {
  const place = escaped(newBugUrl.slice(0, newBugUrl.lastIndexOf('/')).replace(/^https?:\/\//iu, ''));
  const start = '(?:(?<![\\w-])https?:\\/\\/|(?<![\\p{L}\\p{M}\\p{N}_.@:/\\\\%=?&#~+-]))';
  const before = '(?:[\\w.%+-]{1,40}(?:=[\\w.,:/%+-]{0,100})?&(?:amp;)?){0,9}?';
  return new RegExp(`${start}${place}\\/show_bug\\.cgi\\?${before}id=(\\d{1,10})(?!\\d)`, 'giu');
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** `bug {bug}` as an expression: any case, any spaces, and whole words only. */
function asPattern(pattern: string): RegExp {
  const [before = '', after = ''] = pattern
    .split('{bug}')
    .map((part) => escaped(part).replace(/\s+/gu, '\\s{0,9}').replaceAll('\\{component\\}', '[\\w+.-]{1,64}'));
  return new RegExp(`(?<![\\w-])${before}(\\d{1,10})(?!\\d)${after}`, 'giu');
}

/**
 * What the bug is still to be told: that a pull request was opened, and how it ended. Its attachment, if it has one,
 * follows its title and state.
 * @param isClosing whether the bug is about to be closed, which names what fixed it
 */
export function planPulls(
  { link, commentLinks, pulls = [] }: Pick<PlanInput, 'link' | 'pulls'> & { readonly commentLinks: readonly Said[] },
  isClosing: boolean,
): readonly Operation<'pull'>[] {
  const isSaid = (remark: string): boolean => commentLinks.some((commentLink) => commentLink.remark === remark);
  const isNews = (pull: LinkPull): boolean =>
    !isTold(commentLinks, pull, pull.state) &&
    !isKnownOtherwise(pull, isClosing, isSaid) &&
    (pull.state !== 'closed' || isTold(commentLinks, pull, 'open'));
  return pulls
    .filter((pull) => isNews(pull) || (attachmentOf(commentLinks, pull) !== null && !isShown(pull)))
    .map((pull) => ({
      kind: 'pull',
      on: 'tracker',
      key: `${link.id}:tracker:pull:${pull.number}`,
      link: link.id,
      about: aboutOf(link, 'tracker'),
      pull: pull.number,
      tells: isNews(pull) ? pull.state : null,
    }));
}

type Said = Pick<CommentLink, 'remark' | 'attachment'>;

/** Whether the bug was told that it is in this state. */
export const isTold = (commentLinks: readonly Said[], { told, url }: LinkPull, state: PullState): boolean =>
  told.includes(state) || commentLinks.some(({ remark }) => remark === pullRemark(state, url));

/**
 * The attachment as which the pull request stands on its bug: the first comment that told of it came with it. Null if
 * there is none.
 */
export const attachmentOf = (commentLinks: readonly Said[], { url }: LinkPull): number | null => {
  const remarks: readonly unknown[] = [pullRemark('open', url), pullRemark('merged', url)];
  return (
    commentLinks.find(({ remark, attachment }) => attachment !== null && remarks.includes(remark))?.attachment ?? null
  );
};

/**
 * What its attachment is to show. One that was merged is what changed the bug, so only one that was given up is
 * obsolete.
 */
export const lookOf = ({ title, state }: LinkPull): ShownPull => ({
  title: titleWithin(title, titleMax.tracker),
  isObsolete: state === 'closed',
});

/** Whether its attachment shows it as it is. */
export const isShown = (pull: LinkPull): boolean => pull.shown !== null && isSameLook(pull.shown, lookOf(pull));

export const isSameLook = (one: ShownPull, other: ShownPull): boolean =>
  one.title === other.title && one.isObsolete === other.isObsolete;

/** A bug that is closed with its issue says what fixed it, in the same e-mail; a second one would say the same. */
function isKnownOtherwise({ state, url }: LinkPull, isClosing: boolean, isSaid: (remark: string) => boolean): boolean {
  if (state !== 'merged') return false;
  return isClosing || isSaid(fixedRemark(url));
}
