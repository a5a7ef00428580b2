import type { Attachment, AttachmentLink, NewAttachmentLink } from '../../model/attachment.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { type AttachmentEvent, attachmentAfter, knownBy, leftAlone, waiting } from './life.ts';
import { filesLinkedIn, isPull, tagIn } from './linked.ts';
import { storePath, whyTooLarge } from './path.ts';

type TrackerFile = Extract<AttachmentLink, { readonly origin: 'tracker' }>;

/** The result of reading files, for the attachment links of a link. */
export interface FileReading {
  readonly add: readonly NewAttachmentLink[];
  readonly save: readonly AttachmentLink[];
}

/**
 * All files of a bug.
 *
 *   public                  an attachment link; it is carried over unless there is a reason not to
 *   private, or not shown   withdrawn; not mentioned if it was never shown
 *   attached by the bridge  the copy of a file of the issue, identified by the tag in its summary; or a pull request,
 *                           which stays where it is
 *
 * @param own our login on the tracker; null if it is unknown
 */
export function readAttachments(
  route: Route,
  link: Link,
  attachmentLinks: readonly AttachmentLink[],
  attachments: readonly Attachment[],
  own: Account | null,
): FileReading {
  const add: NewAttachmentLink[] = [];
  const save: AttachmentLink[] = [];
  const ofTracker = attachmentLinks.filter((each) => each.origin === 'tracker');
  const open = attachments.filter(({ isPrivate }) => !isPrivate).sort((one, other) => one.id - other.id);
  for (const attachment of open) {
    const tag = own === null || isBy(attachment.author, own) ? tagIn(attachment.summary) : null;
    const known = ofTracker.find(({ source }) => source === String(attachment.id));
    if (tag !== null) {
      const source = attachmentLinks.find(({ origin, source: each }) => origin === 'github' && each === tag);
      if (source === undefined) add.push(copyOnly(link, attachment, tag));
      else if (source.copy === null) save.push(attachmentAfter(source, attached(attachment)));
    } else {
      const why = isPull(attachment, own) ? { reason: null } : whyLeft(route, attachment);
      if (known === undefined) add.push(attachmentLinkOf(link, attachment, why, ofTracker.length + add.length));
      else save.push(...changed(known, seenAgain(known, attachment, why, ofTracker.indexOf(known))));
    }
  }
  const hidden = ofTracker.filter(
    (each) => each.state !== 'withdrawn' && !open.some(({ id }) => String(id) === each.source),
  );
  save.push(...hidden.map((each) => attachmentAfter(each, { kind: 'hidden' })));
  return { add, save };
}

/** New files in the issue and its comments. */
export function readLinkedFiles(
  link: Link,
  attachmentLinks: readonly AttachmentLink[],
  commentLinks: readonly CommentLink[],
): readonly NewAttachmentLink[] {
  const known = new Set(attachmentLinks.filter(({ origin }) => origin === 'github').map(({ source }) => source));
  const texts = commentLinks.filter(
    ({ origin, state, text }) => origin === 'github' && state !== 'gone' && state !== 'skipped' && text !== null,
  );
  return texts.flatMap(({ text, createdAt }) =>
    filesLinkedIn(text ?? '').flatMap(({ url, tag, name }): readonly NewAttachmentLink[] => {
      if (known.has(tag)) return [];
      known.add(tag);
      return [{ ...unknown(link), ...ofIssue, ...waiting, source: tag, url, name, createdAt }];
    }),
  );
}

function attachmentLinkOf(
  link: Link,
  attachment: Attachment,
  why: ReturnType<typeof whyLeft>,
  position: number,
): NewAttachmentLink {
  const { id, bug, url, name, summary, type, size, isPatch, isObsolete, flags, createdAt } = attachment;
  const about = { url, name, summary, type, size, isPatch, isObsolete, flags };
  const known = {
    ...unknown(link),
    origin: 'tracker',
    checkedDigest: null,
    source: String(id),
    ...about,
    createdAt,
  } as const;
  if (why === null) return { ...known, ...waiting, path: storePath(bug, id, name, position) };
  return { ...known, ...leftAlone(why.reason), path: null };
}

/** Contents never change, so an existing copy is correct; only the facts about it change. */
function seenAgain(
  known: TrackerFile,
  attachment: Attachment,
  why: ReturnType<typeof whyLeft>,
  position: number,
): AttachmentLink {
  const { id, bug, name, summary, type, size, isPatch, isObsolete, flags } = attachment;
  const seen: TrackerFile = { ...known, name, summary, type, size, isPatch, isObsolete, flags };
  // If the content was deleted for good, its copy is removed as well.
  if (why !== null && ((size === null && known.size !== null) || known.state === 'withdrawn')) {
    return attachmentAfter(seen, { kind: 'left', ...why });
  }
  if (known.state !== 'withdrawn') return seen;
  return attachmentAfter({ ...seen, path: storePath(bug, id, name, position) }, { kind: 'shown' });
}

/**
 * Why a file stays on the tracker and is only linked to, without words if the route wants that; null for a file to
 * carry over.
 */
function whyLeft({ attachments: rule }: Route, { size }: Attachment): { readonly reason: string | null } | null {
  if (size === null) return { reason: 'its content was deleted' };
  if (rule === null || rule.store === 'link') return { reason: null };
  const reason = whyTooLarge(rule, size);
  return reason === null ? null : { reason };
}

const changed = (before: AttachmentLink, after: AttachmentLink): readonly AttachmentLink[] =>
  JSON.stringify(before) === JSON.stringify(after) ? [] : [after];

/** The database lost the source of this copy; the tag is enough to avoid attaching it again. */
const copyOnly = (link: Link, { id, name, type, size, createdAt }: Attachment, tag: string): NewAttachmentLink => ({
  ...{ ...unknown(link), ...ofIssue, source: tag, name, type, size, createdAt },
  ...knownBy({ id, url: null }),
});

const attached = ({ id }: Attachment): AttachmentEvent => ({ kind: 'copied', copy: { id, url: null } });

const ofIssue = { origin: 'github', path: null, checkedDigest: null } as const;

const unknown = ({ id }: Link) => ({
  link: id,
  url: '',
  name: '',
  summary: '',
  type: '',
  size: null,
  isPatch: false,
  isObsolete: false,
  flags: [],
});
