import type { ListedField } from '../model/archive/ports.ts';
import { canonicalTitle } from '../text/canonical.ts';
import type { AttachmentRecord, BugRecord, Surroundings } from './bug-record.ts';
import { bytesInWords, dayOf, escaped, momentHtml, pageOf, statusHtml } from './page.ts';
import { attachmentPath, bugPath } from './paths.ts';
import { type PageReferences, referencesOf } from './references.ts';
import { pictureKinds } from './safe-file.ts';
import { timelineHtml } from './timeline.ts';
import { addressHtml, plainHtml } from './words.ts';

const root = '../';

/**
 * The page of a bug: what it is, where it continues, its fields, attachments, relations, and all that was said and
 * changed.
 */
export function bugPage(record: BugRecord, around: Surroundings & Names): string {
  const references = referencesOf(record, root, around);
  const content = [
    `<p class="crumbs">${crumbs(record, around)}</p>`,
    `<h1><span class="number">Bug ${record.id}</span> ${escaped(record.title)}</h1>`,
    `<p class="facts">${statusHtml(record)} reported by <b>${escaped(record.reporter)}</b> ${momentHtml(record.createdAt)}</p>`,
    issueHtml(record),
    fieldsHtml(record, references, around),
    attachmentsHtml(record),
    `<section class="timeline" aria-label="Comments and changes">\n${timelineHtml(record, references, root)}\n</section>`,
  ];
  return pageOf({
    title: `${record.id} – ${record.title}`,
    root,
    site: around.site,
    content: content.filter((part) => part !== '').join('\n'),
  });
}

export interface Names {
  /** The name of the tracker. */
  readonly site: string;
  /** The list that contains a bug of this product and component. */
  readonly listOf: (product: string, component: string | null) => string;
}

const crumbs = ({ product, component }: BugRecord, { listOf }: Names): string =>
  `<a href="${root}${listOf(product, null)}">${escaped(product)}</a> › <a href="${root}${listOf(product, component)}">${escaped(component)}</a>`;

function issueHtml({ issue }: BugRecord): string {
  if (issue === null) return '';
  const name = issue.replace(/^https?:\/\/[^/]+\//u, '').replace(/\/issues\/(\d+)$/u, '#$1');
  return `<p class="continues">This bug continues on GitHub as <a href="${escaped(issue)}">${escaped(name)}</a>.</p>`;
}

function fieldsHtml(record: BugRecord, references: PageReferences, around: Surroundings): string {
  const rows: (readonly [label: string, html: string])[] = [
    ['Assignee', escaped(record.assignee)],
    ['Alias', record.aliases.map(escaped).join(', ')],
    ...record.fields.map((field) => [field.label, fieldHtml(field, references)] as const),
    ['Last change', momentHtml(record.changedAt)],
    ...record.relations.map(({ label, bugs }) => [label, bugs.map((bug) => bugHtml(bug, around)).join('')] as const),
    ['See also', record.seeAlso.map((url) => `<div>${addressHtml(url, references)}</div>`).join('')],
  ];
  const shown = rows
    .filter(([, html]) => html !== '')
    .map(([label, html]) => `<div><dt>${escaped(label)}</dt><dd>${html}</dd></div>`);
  return `<dl class="fields">\n${shown.join('\n')}\n</dl>`;
}

const fieldHtml = ({ values }: ListedField, references: PageReferences): string =>
  values.map((value) => plainHtml(value, references)).join(', ');

/** A line of its own: the title says what a number does not. */
function bugHtml(id: number, { bugs }: Surroundings): string {
  const bug = bugs.get(id);
  if (bug === undefined) return '';
  return `<div class="related ${bug.isOpen ? '' : 'done'}"><a href="${root}${bugPath(id)}">${id}</a> ${escaped(canonicalTitle(bug.summary))}</div>`;
}

function attachmentsHtml({ attachments }: BugRecord): string {
  if (attachments.length === 0) return '';
  const rows = attachments.map((attachment) => {
    const { id, summary, name, author, at, isObsolete, isPatch, flags, file, isUnread, pull } = attachment;
    const kind = pull === undefined ? [] : ['pull request'];
    const marks = [...kind, ...(isPatch ? ['patch'] : []), ...(isObsolete ? ['obsolete'] : []), ...flags];
    const size = file === null ? (isUnread ? 'missing here' : 'deleted') : bytesInWords(file.bytes);
    const about = pull === undefined ? `${escaped(name)}, ${size}` : pullHtml(pull);
    const shownMarks = marks.map((mark) => `<span class="tag">${escaped(mark)}</span>`).join(' ');
    return `<li${isObsolete ? ' class="obsolete"' : ''}>${pictureHtml(attachment, root)}<div><a href="${root}${attachmentPath(id)}">${escaped(summary || name || `Attachment ${id}`)}</a> ${shownMarks}
<p>${about}, ${escaped(author)}, ${dayOf(at)}</p></div></li>`;
  });
  return `<section class="attachments"><h2>Attachments</h2><ul>\n${rows.join('\n')}\n</ul></section>`;
}

export const pullHtml = (pull: string): string =>
  `<a href="${escaped(pull)}" rel="nofollow noreferrer">${escaped(pull)}</a>`;

/** A small picture of an attached one. */
export function pictureHtml({ file, summary }: AttachmentRecord, way: string): string {
  const kind = file?.path.split('.').at(-1) ?? '';
  return file !== null && pictureKinds.has(kind)
    ? `<img src="${way}${escaped(file.path)}" alt="${escaped(summary)}" loading="lazy">`
    : '';
}
