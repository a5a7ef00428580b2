import type { Issue, Person } from '../../model/item.ts';
import type { CommentLink } from '../../model/link.ts';
import { attachmentPage } from '../../model/named.ts';
import type { PublicBug } from '../../model/plan/public.ts';
import type { LinkPull } from '../../model/pulls/pull.ts';
import type { LinkPush } from '../../model/pulls/push.ts';
import type { Route } from '../../model/route.ts';
import { mark, titleMax, titleWithin, undirected } from '../../text/canonical.ts';
import { quotedLine, quotedLines } from '../../text/imitation/quoted-lines.ts';
import {
  deletedLine,
  editedLine,
  githubMarker,
  type Part,
  type PartOf,
  pullLine,
  pushLine,
  somebody,
  undescribed,
  wroteLine,
} from '../../text/marker.ts';
import { noIssues, noReferences, type References } from '../../text/references.ts';
import { markdownParts, trackerParts } from '../../text/split.ts';
import { toMarkdown, toMarkdownInline } from '../../text/to-markdown.ts';
import { toTrackerText } from '../../text/to-tracker.ts';
import { headingIn } from '../attachments/linked.ts';
import type { ShownComment } from '../attachments/notice.ts';
import { duplicateNoteIn } from '../fields/relations.ts';
import { shownOnGithub } from '../people/people.ts';
import { changedWords } from './changed-words.ts';

/** An issue that mirrors a bug: its body, and the comments that continue a description that is too long for a body. */
export function issueBody(
  route: Route,
  bug: PublicBug,
  description: ShownComment | null,
  references = noReferences,
): readonly string[] {
  const texts = markdownTexts(description, references);
  const by = shown(route, bug.creator);
  return texts.map((text, index) => {
    const place = `**${by}** opened [bug ${bug.id}](${bug.url}) on ${dayAndTime(bug.createdAt)}`;
    const who = `${place}${text === '' ? undescribed : `${partWords(index, texts)}:`}`;
    const comment = index === 0 ? null : (description?.source ?? null);
    return joined(who, text, githubMarker(route.instance, { bug: bug.id, comment, ...partAt(index, texts) }));
  });
}

/** A tracker comment as an issue comment, or as several if it is too long for one. */
export function issueComment(
  route: Route,
  bug: number,
  commentLink: ShownComment,
  references = noReferences,
): readonly string[] {
  const texts = markdownTexts(commentLink, references);
  const where = `[comment ${commentLink.count ?? ''}](${commentLink.url})`;
  return texts.map((text, index) => {
    const who = `**${shown(route, commentLink.author)}** wrote in ${where} on ${dayAndTime(commentLink.createdAt)}${partWords(index, texts)}:`;
    return joined(
      who,
      text,
      githubMarker(route.instance, { bug, comment: commentLink.source, ...partAt(index, texts) }),
    );
  });
}

/** The bridge's notice of a file precedes the person's words; the tracker's sentence about a duplicate follows them. */
function markdownTexts(commentLink: ShownComment | null, references: References): readonly string[] {
  const { notice, text } = withNotice(commentLink);
  const { words, note } = duplicateNoteIn(text);
  const [first = '', ...rest] = markdownParts(words, references, commentLink?.isMarkdown);
  const texts = [joined(notice, first), ...rest];
  return note === null
    ? texts
    : [...texts.slice(0, -1), joined(texts.at(-1) ?? '', `*${toMarkdown(note, references)}.*`)];
}

/**
 * A comment that came with a file begins with a heading by the tracker; if files stay on the tracker, the notice links
 * to them.
 */
function withNotice(commentLink: ShownComment | null): { readonly notice: string; readonly text: string } {
  const text = commentLink?.text ?? '';
  const heading = commentLink === null || commentLink.notice !== undefined ? null : headingIn(text);
  if (commentLink === null || heading === null) return { notice: commentLink?.notice ?? '', text };
  const file = `[attachment ${heading.attachment}](${attachmentPage(commentLink.url, heading.attachment)})`;
  const summary = toMarkdownInline(heading.summary);
  const notice = heading.event === 'created' ? [`Attached ${file}`, summary].join(': ') : `On ${file}, ${summary}:`;
  return { notice: notice.replace(/[:,]? ?:?$/u, heading.event === 'created' ? '' : ':'), text: heading.rest };
}

/** The description of a bug that mirrors an issue, and the comments that continue it. */
export function bugDescription(issue: Issue, digest: string, issues = noIssues, isMarkdown = false): readonly string[] {
  return trackerTexts(wroteLine, issue.author.login, issue.url, digest, trackerParts(issue.body, issues, isMarkdown));
}

/** A GitHub comment as one or more tracker comments. */
export function bugComment(commentLink: CommentLink, issues = noIssues, isMarkdown = false): readonly string[] {
  return trackerTexts(
    wroteLine,
    commentLink.author.login,
    commentLink.url,
    commentLink.digest,
    trackerParts(commentLink.text ?? '', issues, isMarkdown),
  );
}

/** The text of a report for a bug, in one or more comments. */
export interface Report {
  readonly texts: readonly string[];
  readonly isMarkdown: boolean;
}

/** What people removed may be a secret, and a comment of the tracker stays: a report only says where words are gone. */
const withoutRemoved = (changed: string): string => changed.replace(/\[-[\s\S]*?-\]/gu, '[-…-]');

/**
 * The tracker cannot edit a copied comment, so an edit on GitHub arrives as a comment that shows the changes. The signs
 * that mark changed words mean something else in Markdown, so the report is plain text.
 */
export function bugEdit(
  commentLink: CommentLink,
  text: string,
  digest: string,
  issues = noIssues,
  takesMarkdown = false,
): Report {
  const changed =
    commentLink.before === null
      ? null
      : changedWords(toTrackerText(commentLink.before, issues), toTrackerText(text, issues));
  if (changed !== null)
    return {
      texts: [joined(editedLine(commentLink.url, { revision: digest }), quotedLines(withoutRemoved(changed)))],
      isMarkdown: false,
    };
  const parts = trackerParts(text, issues, takesMarkdown).map((part) => part || '(The text was emptied.)');
  const line: Line = (_by, url, of) => editedLine(url, of ?? { revision: digest });
  return { texts: trackerTexts(line, somebody, commentLink.url, digest, parts), isMarkdown: takesMarkdown };
}

type Line = (login: string, url: string, of?: PartOf) => string;

function trackerTexts(
  line: Line,
  login: string,
  url: string,
  revision: string,
  parts: readonly string[],
): readonly string[] {
  if (parts.length === 1) return [joined(line(login, url), ...parts)];
  const of = (index: number): PartOf => ({ revision, index: index + 1, count: parts.length });
  return parts.map((part, index) => joined((index === 0 ? line : wroteLine)(login, url, of(index)), part));
}

/** Reports that a comment was deleted on GitHub while its copy is still on the bug. */
export function bugDeletion({ author, url, count }: CommentLink): string {
  return joined(deletedLine(author.login, url), count === null ? '' : `Its copy on this bug is comment ${count}.`);
}

/**
 * A title from GitHub, which is no Markdown there. If it says "comment 3", it does not mean a comment of the bug, so
 * the tracker must not turn it into a link.
 */
function titleText(title: string, isMarkdown: boolean): string {
  const words = titleWithin(title, titleMax.github).replace(
    /\b(comments?|attachments?)(?=\s*(?:#\s*)?\d)/giu,
    `$1${mark}`,
  );
  return isMarkdown ? toMarkdownInline(words) : words;
}

/** Reports the state and the title of a pull request on a bug. */
export const pullText = (pull: LinkPull, isMarkdown: boolean): string =>
  joined(pullLine(pull, ':'), titleText(quotedLine(titleWithin(pull.title, titleMax.github)), isMarkdown));

/** The most commits that a comment lists. */
const commitsMax = 20;

/** Lists the commits of a push that name the bug. */
export function pushText({ owner, repo }: Route, push: LinkPush, isMarkdown: boolean): string {
  const { commits, unread } = push;
  const lines = commits.slice(-commitsMax).map(({ sha, url, title, by }) => {
    const where = commits.length === 1 ? '' : ` (${url})`;
    const author = by === null ? '' : ` by ${titleText(undirected(by), isMarkdown)}`;
    return `- ${sha.slice(0, 7)}${author}: ${titleText(title, isMarkdown)}${where}`;
  });
  const left = commits.length - lines.length;
  const more =
    left === 0 ? '' : left === 1 ? '1 earlier commit is not listed.' : `${left} earlier commits are not listed.`;
  const others = unread === 1 ? '1 more commit that was' : `${unread} more commits that were`;
  const rest = unread === 0 ? '' : `The push contains ${others} not read.`;
  return joined(
    pushLine(`${owner}/${repo}`, push),
    lines.join('\n'),
    [more, rest].filter((words) => words !== '').join(' '),
  );
}

/** A person of the tracker; mentioned only if the route wants it. */
function shown(route: Route, person: Person): string {
  const { text, isMention } = shownOnGithub(route, person);
  return isMention ? text : toMarkdownInline(undirected(text));
}

/** `2026-09-23 08:50 UTC` */
export const dayAndTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

const partAt = (index: number, { length }: readonly string[]): { readonly part?: Part } =>
  length === 1 ? {} : { part: { index: index + 1, count: length } };
const partWords = (index: number, { length }: readonly string[]): string =>
  length === 1 ? '' : ` (part ${index + 1} of ${length})`;
