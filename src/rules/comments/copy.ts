import type { Person } from '../../model/item.ts';
import { bodyId, type CommentLink } from '../../model/link.ts';
import { attachmentPage } from '../../model/named.ts';
import { isLogin } from '../../model/people.ts';
import type { CommentOperation, HiddenFile } from '../../model/plan/operation.ts';
import type { PublicBug, PublicPlanInput } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { withoutFooter } from '../../text/footer.ts';
import type { ShownComment } from '../attachments/notice.ts';
import { attachmentIn, attachmentMention, issueReferencesOf, referencesOf } from '../links/targets.ts';
import { withoutHeadline } from '../privacy/neutral.ts';
import { bodyDigest } from './body.ts';
import { bugComment, bugDeletion, bugEdit, issueBody, issueComment } from './compose.ts';

/** The facts about a link that its comments are written from. */
export type CopyInput = Pick<PublicPlanInput, 'link' | 'commentLinks' | 'targets' | 'takesMarkdown'>;

/** The text of a comment's copy, in one or more parts, and the targets it mentions that may look different later. */
export interface Copy {
  readonly texts: readonly string[];
  readonly mentions: readonly string[];
  /** The files that the text names and GitHub may not show, as far as is known. */
  readonly hidden: readonly HiddenFile[];
  /** True for GitHub text on a tracker that takes Markdown. */
  readonly isMarkdown: boolean;
}

/** A description is the body of its issue, even before the issue exists. */
const isBody = ({ github }: CopyInput['link'], { copy, count, part }: ShownComment): boolean =>
  copy?.id === bodyId || (github === null && count === 0 && part === 1);

export function copyOf(
  route: Route,
  { link, targets, takesMarkdown: isMarkdown = false }: Pick<CopyInput, 'link' | 'targets' | 'takesMarkdown'>,
  commentLink: ShownComment,
): Copy {
  if (commentLink.origin === 'github') {
    const issues = issueReferencesOf(link.repo, targets);
    return { texts: bugComment(commentLink, issues, isMarkdown), mentions: [], hidden: [], isMarkdown };
  }
  const named = new Set<string>();
  const references = {
    ...referencesOf(route, link.bug, targets, (what) => named.add(what)),
    webHost: route.webHost,
  };
  const texts =
    isBody(link, commentLink) && link.tracker !== null
      ? issueBody(route, link.tracker, commentLink, references)
      : issueComment(route, link.bug ?? 0, { ...commentLink, author: authorOf(commentLink, link.tracker) }, references);
  const mentions = [...(commentLink.about === undefined ? [] : [attachmentMention(commentLink.about)]), ...named];
  return { texts, mentions, hidden: hiddenIn(named, targets, link.tracker), isMarkdown: false };
}

function hiddenIn(
  named: ReadonlySet<string>,
  targets: CopyInput['targets'],
  bug: PublicBug | null,
): readonly HiddenFile[] {
  const shown = new Set(targets.flatMap(({ files }) => files.map(({ id }) => id)));
  const files = [...named].flatMap((mention) => attachmentIn(mention) ?? []);
  return files.flatMap((id) => (shown.has(id) || bug === null ? [] : [{ id, url: attachmentPage(bug.url, id) }]));
}

/**
 * The tracker tells the name of who filed a bug, and of comments only the login: one person has one name in one thread.
 */
function authorOf({ author }: ShownComment, bug: PublicBug | null): Person {
  return bug !== null && isLogin(author.login, bug.creator.login) ? bug.creator : author;
}

/** A text as comments, in one or more parts, and the digest of its source. */
interface CommentTexts extends Pick<Copy, 'texts' | 'isMarkdown'> {
  readonly digest: string;
}

/**
 * All texts that are ever written about a comment, for planning as well as for sending. Null if its text is unknown.
 */
export function textsOf(
  route: Route,
  input: CopyInput,
  commentLink: ShownComment,
  tells: CommentOperation['tells'],
): CommentTexts | null {
  switch (tells) {
    case 'copy':
      return { ...copyOf(route, input, commentLink), digest: commentLink.digest };
    case 'edit':
      return commentLink.copy?.id === bodyId ? editOfBody(input, commentLink) : editOf(input, commentLink);
    case 'deletion':
      return { texts: [bugDeletion(commentLink)], isMarkdown: false, digest: commentLink.digest };
  }
}

function editOf({ link, targets, takesMarkdown }: CopyInput, commentLink: ShownComment): CommentTexts | null {
  if (commentLink.text === null) return null;
  const { digest } = commentLink;
  return {
    ...bugEdit(commentLink, commentLink.text, digest, issueReferencesOf(link.repo, targets), takesMarkdown),
    digest,
  };
}

/** A tracker's description cannot be edited, so an edit of the issue that shows it arrives as a comment. */
function editOfBody(
  { link: { repo, github: issue }, takesMarkdown }: CopyInput,
  commentLink: ShownComment,
): CommentTexts | null {
  if (issue === null) return null;
  const digest = bodyDigest(issue.body);
  const before =
    commentLink.before !== null && bodyDigest(commentLink.before) === commentLink.copy?.digest
      ? withoutHeadline(commentLink.before)
      : null;
  const edited = { ...commentLink, source: bodyId, url: issue.url, before };
  const text = withoutHeadline(withoutFooter(issue.body));
  return { ...bugEdit(edited, text, digest, issueReferencesOf(repo, []), takesMarkdown), digest };
}

/** Digest of a text as the copy will show it. */
export const digestAsSent = ({ copy }: CommentLink, text: string): string =>
  copy?.id === bodyId ? bodyDigest(text) : digestOf(canonicalText(text));
