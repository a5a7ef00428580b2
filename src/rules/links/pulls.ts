/** Pull requests that name bugs and issues: which ones they name, and which reports the bugs get. */

import { aboutOf, type CommentLink } from '../../model/link.ts';
import { sameName, trackerIn } from '../../model/named.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LinkPull, Pull, PullState, ShownPull } from '../../model/pulls/pull.ts';
import type { Route } from '../../model/route.ts';
import { titleMax, titleWithin } from '../../text/canonical.ts';
import { fixedRemark, pullRemark } from '../../text/marker.ts';

/** What a pull request names, by its title and its text. */
interface NamedItems {
  readonly bugs: ReadonlySet<number>;
  /** Numbers of the repository's own issues. */
  readonly issues: ReadonlySet<number>;
}

/** As GitHub reads it: `Fixes #5`, `closes: acme/widget#5`, `resolved https://github.com/acme/widget/issues/5`. */
const closingWords =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:https?:\/\/[^/\s]+\/)?([\w.-]+\/[\w.-]+)?(?:#|\/issues\/)(\d{1,10})\b/giu;

/** @param written how texts name bugs, with `{bug}` for the number, and `{component}` for any word */
export function namedItems(route: Route, { title, body }: PullTexts, written: readonly string[]): NamedItems {
  const text = `${title}\n${body}`;
  const own = `${route.owner}/${route.repo}`;
  const issues = [...text.matchAll(closingWords)].flatMap(([, repo = own, number]) =>
    sameName(repo, own) ? Number(number) : [],
  );
  const patterns = [addressPattern(route), ...written.map(asPattern)];
  const bugs = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, bug]) => Number(bug)));
  return { bugs: new Set(bugs), issues: new Set(issues) };
}

export type PullTexts = Pick<Pull, 'title' | 'body'>;

/**
 * The address of a bug: with either scheme, as many trackers began with http; without one, where nothing before the
 * host could make it part of another address; and with other parameters before the number. Each repetition is bounded
 * and has a distinct end, so the pattern takes linear time.
 */
function addressPattern({ newBugUrl, formerUrls = [] }: Route): RegExp {
  const trackers = [newBugUrl.slice(0, newBugUrl.lastIndexOf('/')), ...formerUrls];
  const place = `(?:${trackers.map(placePattern).join('|')})`;
  const start = '(?:(?<![\\w-])https?:\\/\\/|(?<![\\p{L}\\p{M}\\p{N}_.@:/\\\\%=?&#~+-]))';
  const before = '(?:[\\w.%+-]{1,40}(?:=[\\w.,:/%+-]{0,100})?&(?:amp;)?){0,9}?';
  return new RegExp(`${start}${place}\\/{1,9}show_bug\\.cgi\\?${before}id=(\\d{1,10})(?!\\d)`, 'giu');
}

/** A tracker's address, with a port that says nothing, or slashes too many. */
function placePattern(tracker: string): string {
  const [host = '', ...path] = trackerIn(tracker).split('/').map(escaped);
  return [`${host}(?::(?:443|80))?`, ...path].join('\\/{1,9}');
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
 * Plans the missing reports about pull requests on a bug: one when a pull request is opened, and one when it ends. If
 * the pull request has an attachment, its title and state follow.
 * @param isClosing whether the bug is about to be closed by a comment that names its fix
 */
export function planPulls(
  {
    link,
    commentLinks,
    pulls = [],
  }: Pick<PlanInput, 'link' | 'pulls'> & { readonly commentLinks: readonly RemarkLink[] },
  isClosing: boolean,
): readonly Operation<'pull'>[] {
  const isSaid = (remark: string): boolean => commentLinks.some((commentLink) => commentLink.remark === remark);
  const isUnreported = (pull: LinkPull): boolean =>
    !isReported(commentLinks, pull, pull.state) &&
    !isKnownOtherwise(pull, isClosing, isSaid) &&
    (pull.state !== 'closed' || isReported(commentLinks, pull, 'open'));
  return pulls
    .filter((pull) => isUnreported(pull) || (attachmentOf(commentLinks, pull) !== null && !isShown(pull)))
    .map((pull) => ({
      kind: 'pull',
      on: 'tracker',
      key: `${link.id}:tracker:pull:${pull.number}`,
      link: link.id,
      about: aboutOf(link, 'tracker'),
      pull: pull.number,
      tells: isUnreported(pull) ? pull.state : null,
    }));
}

type RemarkLink = Pick<CommentLink, 'remark' | 'attachment'>;

/** Whether this state was reported on the bug. */
export const isReported = (commentLinks: readonly RemarkLink[], { told, url }: LinkPull, state: PullState): boolean =>
  told.includes(state) || commentLinks.some(({ remark }) => remark === pullRemark(state, url));

/** The attachment that shows the pull request on its bug. It came with the first report. Null if there is none. */
export const attachmentOf = (commentLinks: readonly RemarkLink[], { url }: LinkPull): number | null => {
  const remarks: readonly unknown[] = [pullRemark('open', url), pullRemark('merged', url)];
  return (
    commentLinks.find(({ remark, attachment }) => attachment !== null && remarks.includes(remark))?.attachment ?? null
  );
};

/**
 * The title and state that the attachment should show. A merged pull request fixed the bug, so only an abandoned one is
 * obsolete.
 */
export const lookOf = ({ title, state }: LinkPull): ShownPull => ({
  title: titleWithin(title, titleMax.tracker),
  isObsolete: state === 'closed',
});

/** Whether the attachment is up to date. */
export const isShown = (pull: LinkPull): boolean => pull.shown !== null && isSameLook(pull.shown, lookOf(pull));

export const isSameLook = (one: ShownPull, other: ShownPull): boolean =>
  one.title === other.title && one.isObsolete === other.isObsolete;

/** A bug that is closed with its issue names its fix in the same e-mail, so a further report would repeat that. */
function isKnownOtherwise({ state, url }: LinkPull, isClosing: boolean, isSaid: (remark: string) => boolean): boolean {
  if (state !== 'merged') return false;
  return isClosing || isSaid(fixedRemark(url));
}
