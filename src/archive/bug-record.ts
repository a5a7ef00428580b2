import type {
  Headline,
  ListedBug,
  ListedField,
  ReadChange,
  ReadComment,
  ReadFile,
  Thread,
} from '../model/archive/ports.ts';
import { pullType } from '../model/attachment.ts';
import { trackerIn } from '../model/named.ts';
import { canonicalTitle, visible, withoutAddresses } from '../text/canonical.ts';

/** Everything that the archive says about a bug: the file `bugs/ID.json`, from which the page is made. */
export interface BugRecord extends Omit<ListedBug, 'summary' | 'relations' | 'dupeOf'> {
  readonly title: string;
  /** The address of the issue that continues the bug; null if there is none. */
  readonly issue: string | null;
  readonly relations: readonly Relation[];
  readonly comments: readonly ReadComment[];
  readonly changes: readonly ReadChange[];
  readonly attachments: readonly AttachmentRecord[];
}

/** The relations that are made of one field of the two bugs. */
export const [duplicateOf, duplicatedBy] = ['Duplicate of', 'Duplicates'];

export interface Relation {
  readonly label: string;
  readonly bugs: readonly number[];
}

export interface AttachmentRecord extends ReadFile {
  /** Where the content is, and its SHA-256; null if the tracker has no content any more. */
  readonly file: { readonly path: string; readonly sha256: string; readonly bytes: number } | null;
  /** The tracker has a content and did not give it out. */
  readonly isUnread?: true;
  /** The address of the pull request that it represents; absent for a file. */
  readonly pull?: string;
}

/** What one page has to know of all others. */
export interface Surroundings {
  /** The address of the tracker's pages, without a slash at the end. */
  readonly tracker: string;
  /** Where the tracker was before; absent if nowhere. */
  readonly formerTrackers?: readonly string[];
  /** The bugs that are public. No other number may become a relation or a link. */
  readonly bugs: ReadonlyMap<number, Headline>;
  readonly duplicates: ReadonlyMap<number, readonly number[]>;
  readonly issueOf: (bug: number) => string | null;
}

export type Contents = ReadonlyMap<
  number,
  Pick<AttachmentRecord, 'file' | 'isUnread'> & { readonly text?: string | null }
>;

/** What remains of a bug when everything that names something hidden is gone. */
export function recordOf(bug: ListedBug, thread: Thread, contents: Contents, around: Surroundings): BugRecord {
  const files = new Set(thread.files.map(({ id }) => id));
  return {
    id: bug.id,
    title: canonicalTitle(bug.summary),
    issue: around.issueOf(bug.id),
    aliases: bug.aliases,
    product: bug.product,
    component: bug.component,
    status: bug.status,
    resolution: bug.resolution,
    isOpen: bug.isOpen,
    createdAt: bug.createdAt,
    changedAt: bug.changedAt,
    reporter: shown(bug.reporter),
    assignee: shown(bug.assignee),
    fields: bug.fields.flatMap((field) => publicField(field, around)),
    relations: relationsOf(bug, around),
    seeAlso: bug.seeAlso.filter((url) => !leadsToHidden(url, around)).map(shown),
    comments: thread.comments
      .filter((comment) => !namesHiddenFile(comment, files))
      .map((comment) => ({ ...comment, text: shown(comment.text) })),
    changes: thread.changes.flatMap((change) => publicChange(change, files, around)),
    attachments: thread.files.map((file) => ({
      ...file,
      name: shown(file.name),
      summary: shown(file.summary),
      type: shown(file.type),
      file: contents.get(file.id)?.file ?? null,
      ...(contents.get(file.id)?.isUnread ? { isUnread: true as const } : {}),
      ...pullIn(file.type, contents.get(file.id)?.text ?? ''),
    })),
  };
}

/** What a type says comes from anyone, so the content has to be the address of a pull request and nothing else. */
function pullIn(type: string, text: string): Pick<AttachmentRecord, 'pull'> {
  const [, pull] = /^\s*(https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/pull\/\d+)\/?\s*$/u.exec(text) ?? [];
  return type === pullType && pull !== undefined ? { pull } : {};
}

/** A text without e-mail addresses, as the tracker's own pages show texts to readers without an account. */
export const shown = (text: string): string => withoutAddresses(visible(text));

/** Whole numbers in fields of an installation may be bugs. */
function publicField(field: ListedField, around: Surroundings): readonly ListedField[] {
  const values = field.values
    .filter((value) => !leadsToHidden(value, around))
    .map((value) => shown(field.name.startsWith('cf_') ? publicNumbers(value, around) : value))
    .filter((value) => value !== '');
  return values.length === 0 ? [] : [{ ...field, values }];
}

/** A text of nothing but numbers, without those that may be hidden bugs; any other text is unchanged. */
function publicNumbers(text: string, { bugs }: Pick<Surroundings, 'bugs'>): string {
  if (!/^\d+(?:[\s,]+\d+)*$/u.test(text)) return text;
  const numbers = text.split(/[\s,]+/u);
  const known = numbers.filter((number) => bugs.has(Number(number)));
  return known.length === numbers.length ? text : known.join(', ');
}

function relationsOf({ id, relations, dupeOf }: ListedBug, { bugs, duplicates }: Surroundings): readonly Relation[] {
  const all: readonly Relation[] = [
    { label: duplicateOf, bugs: dupeOf === null ? [] : [dupeOf] },
    { label: duplicatedBy, bugs: duplicates.get(id) ?? [] },
    ...relations,
  ];
  return all
    .map(({ label, bugs: named }) => ({
      label,
      bugs: named.filter((each) => bugs.has(each)).toSorted((one, other) => one - other),
    }))
    .filter(({ bugs: named }) => named.length > 0);
}

/**
 * The tracker's own words about an attachment contain its name. The comment stays public when the attachment becomes
 * private.
 */
function namesHiddenFile({ attachment, text }: ReadComment, files: ReadonlySet<number>): boolean {
  const named = attachment ?? /^(?:Created|Comment on) attachment (\d+)/u.exec(text)?.[1] ?? null;
  return named !== null && !files.has(Number(named));
}

/** Fields whose history is shown unchanged. History of any other field is left out: it may name anything. */
const plainFields: ReadonlySet<string> = new Set([
  ...[
    'status',
    'resolution',
    'product',
    'component',
    'version',
    'platform',
    'op_sys',
    'priority',
    'severity',
    'target_milestone',
  ],
  ...['summary', 'keywords', 'whiteboard', 'deadline', 'alias', 'is_confirmed', 'flagtypes.name'],
  ...[
    'attachments.description',
    'attachments.filename',
    'attachments.mimetype',
    'attachments.ispatch',
    'attachments.isobsolete',
  ],
]);
const peopleFields: ReadonlySet<string> = new Set(['assigned_to', 'qa_contact']);
const numberFields: ReadonlySet<string> = new Set(['depends_on', 'blocks', 'dupe_of']);
const addressFields: ReadonlySet<string> = new Set(['see_also', 'url']);

function publicChange(change: ReadChange, files: ReadonlySet<number>, around: Surroundings): readonly ReadChange[] {
  const { field, attachment } = change;
  if (attachment !== null && !files.has(attachment)) return [];
  const keep = keeperOf(field, around);
  if (keep === null) return [];
  const kept = { ...change, removed: keep(change.removed), added: keep(change.added) };
  return kept.removed === '' && kept.added === '' ? [] : [kept];
}

function keeperOf(field: string, around: Surroundings): ((text: string) => string) | null {
  if (plainFields.has(field)) return shown;
  if (peopleFields.has(field)) return (login) => shown(login.split('@', 1)[0] ?? '');
  // What one person changed twice in a second is glued together, by a space or by nothing.
  if (numberFields.has(field)) {
    return (text) => (text.match(/\d+/gu) ?? []).filter((item) => around.bugs.has(Number(item))).join(', ');
  }
  if (!addressFields.has(field) && !field.startsWith('cf_')) return null;
  const isPublic = (item: string): boolean =>
    /^\d+$/u.test(item) ? around.bugs.has(Number(item)) : !leadsToHidden(item, around);
  const parts = field === 'see_also' ? /,?\s+/u : ', ';
  return (text) => shown(publicNumbers(text, around).split(parts).filter(isPublic).join(', '));
}

/** The number of the bug that a page of this tracker shows; null for any other page. */
export const bugOnPage = (url: string, around: Places): number | null => numberOn('show_bug.cgi', url, around);

export const attachmentOnPage = (url: string, around: Places): number | null => numberOn('attachment.cgi', url, around);

type Places = Pick<Surroundings, 'tracker' | 'formerTrackers'>;

function numberOn(name: string, url: string, { tracker, formerTrackers = [] }: Places): number | null {
  const [page = '', ...query] = url.split('?');
  const place = trackerIn(page);
  const isHere = [tracker, ...formerTrackers].some((each) => trackerIn(each) === place);
  if (!isHere || !page.toLowerCase().endsWith(`/${name}`)) return null;
  const id = /(?:^|[&;])id=(\d{1,9})(?:[&;#]|$)/iu.exec(query.join('?'))?.[1];
  return id === undefined ? null : Number(id);
}

export function leadsToHidden(url: string, around: Surroundings): boolean {
  const bug = bugOnPage(url.trim(), around);
  return bug !== null && !around.bugs.has(bug);
}
