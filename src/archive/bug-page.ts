import { html } from 'hono/html';
import { canonicalTitle } from '../text/canonical.ts';
import type { AttachmentRecord, BugRecord, Surroundings } from './bug-record.ts';
import { bytesInWords, dayOf, joinedMarkup, type Markup, momentHtml, pageOf, statusHtml } from './page.ts';
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
    html`<p class="crumbs">${crumbs(record, around)}</p>`,
    html`<h1><span class="number">Bug ${record.id}</span> <bdi>${record.title}</bdi></h1>`,
    html`<p class="facts">${statusHtml(record)} reported by <b>${record.reporter}</b> ${momentHtml(record.createdAt)}</p>`,
    ...(record.issue === null ? [] : [issueHtml(record.issue)]),
    fieldsHtml(record, references, around),
    ...(record.attachments.length === 0 ? [] : [attachmentsHtml(record.attachments)]),
    html`<section class="timeline" aria-label="Comments and changes">\n${timelineHtml(record, references, root)}\n</section>`,
  ];
  return pageOf({
    title: `${record.id} – ${record.title}`,
    root,
    site: around.site,
    content: joinedMarkup(content, '\n'),
  });
}

export interface Names {
  /** The name of the tracker. */
  readonly site: string;
  /** The list that contains a bug of this product and component. */
  readonly listOf: (product: string, component: string | null) => string;
}

const crumbs = ({ product, component }: BugRecord, { listOf }: Names): Markup =>
  html`<a href="${root}${listOf(product, null)}">${product}</a> › <a href="${root}${listOf(product, component)}">${component}</a>`;

function issueHtml(issue: string): Markup {
  const name = issue.replace(/^https?:\/\/[^/]+\//u, '').replace(/\/issues\/(\d+)$/u, '#$1');
  return html`<p class="continues">This bug continues on GitHub as <a href="${issue}">${name}</a>.</p>`;
}

function fieldsHtml(record: BugRecord, references: PageReferences, around: Surroundings): Markup {
  const rows: (readonly [label: string, values: readonly (Markup | string)[], between?: string])[] = [
    ['Assignee', record.assignee === '' ? [] : [record.assignee]],
    ['Alias', record.aliases],
    ...record.fields.map(
      ({ label, values }) =>
        [label, values.filter((value) => value.trim() !== '').map((value) => plainHtml(value, references))] as const,
    ),
    ['Last change', [momentHtml(record.changedAt)].filter((moment) => moment !== null)],
    ...record.relations.map(({ label, bugs }) => [label, bugs.flatMap((bug) => bugHtml(bug, around)), ''] as const),
    ['See also', record.seeAlso.map((url) => html`<div>${addressHtml(url, references)}</div>`), ''],
  ];
  const shown = rows
    .filter(([, values]) => values.length > 0)
    .map(
      ([label, values, between = ', ']) => html`<div><dt>${label}</dt><dd>${joinedMarkup(values, between)}</dd></div>`,
    );
  return html`<dl class="fields">\n${joinedMarkup(shown, '\n')}\n</dl>`;
}

/** A line of its own: the title says what a number does not. */
function bugHtml(id: number, { bugs }: Surroundings): readonly Markup[] {
  const bug = bugs.get(id);
  if (bug === undefined) return [];
  const title = canonicalTitle(bug.summary);
  return [
    html`<div class="related ${bug.isOpen ? '' : 'done'}"><a href="${root}${bugPath(id)}">${id}</a> <bdi>${title}</bdi></div>`,
  ];
}

function attachmentsHtml(attachments: readonly AttachmentRecord[]): Markup {
  const rows = attachments.map((attachment) => {
    const { id, summary, name, author, at, isObsolete, isPatch, flags, file, isUnread, pull } = attachment;
    const kind = pull === undefined ? [] : ['pull request'];
    const marks = [...kind, ...(isPatch ? ['patch'] : []), ...(isObsolete ? ['obsolete'] : []), ...flags];
    const size = file === null ? (isUnread ? 'missing here' : 'deleted') : bytesInWords(file.bytes);
    const about = pull === undefined ? html`<bdi>${name}</bdi>, ${size}` : pullHtml(pull);
    const shownMarks = joinedMarkup(
      marks.map((mark) => html`<span class="tag">${mark}</span>`),
      ' ',
    );
    return html`<li${isObsolete ? html` class="obsolete"` : ''}>${pictureHtml(attachment, root)}<div><a href="${root}${attachmentPath(id)}">${summary || name || `Attachment ${id}`}</a> ${shownMarks}
<p>${about}, ${author}, ${dayOf(at)}</p></div></li>`;
  });
  return html`<section class="attachments"><h2>Attachments</h2><ul>\n${joinedMarkup(rows, '\n')}\n</ul></section>`;
}

export const pullHtml = (pull: string): Markup => html`<a href="${pull}" rel="nofollow noreferrer">${pull}</a>`;

/** A small picture of an attached one. */
export function pictureHtml({ file, summary }: AttachmentRecord, way: string): Markup | null {
  const kind = file?.path.split('.').at(-1) ?? '';
  return file !== null && pictureKinds.has(kind)
    ? html`<img src="${way}${file.path}" alt="${summary}" loading="lazy">`
    : null;
}
