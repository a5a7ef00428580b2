import { html } from 'hono/html';
import { pictureHtml, pullHtml } from './bug-page.ts';
import type { AttachmentRecord, BugRecord } from './bug-record.ts';
import { bytesInWords, joinedMarkup, type Markup, momentHtml, pageOf } from './page.ts';
import { bugPath } from './paths.ts';
import { savedName } from './safe-file.ts';

const root = '../';

/** Longer texts can only be saved. */
export const previewBytesMax = 200_000;

/**
 * The page of an attachment, which old links to the attachment lead to.
 * @param text the content, if it is a text that is short enough to be shown
 */
export function attachmentPage(
  attachment: AttachmentRecord,
  bug: BugRecord,
  site: string,
  text: string | null,
): string {
  const { id, name, summary, author, at, isObsolete, isPatch, type, file, flags, pull } = attachment;
  const rows: readonly (readonly [label: string, value: Markup | string])[] = [
    ['File name', name],
    ['Type', isPatch ? `patch (${type})` : type],
    ['Pull request', pull === undefined ? '' : pullHtml(pull)],
    ['Size', file === null ? noFile(attachment) : bytesInWords(file.bytes)],
    ['SHA-256', file === null ? '' : html`<code>${file.sha256}</code>`],
    ['Flags', flags.join(', ')],
    ['Obsolete', isObsolete ? 'yes' : ''],
  ];
  const shown = rows
    .filter(([, value]) => value !== '')
    .map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const save =
    file === null
      ? null
      : html`<p><a class="button" href="${root}${file.path}" download="${savedName(name)}">Save the file</a></p>`;
  const picture = pictureHtml(attachment, root);
  const content = [
    html`<p class="crumbs"><a href="${root}${bugPath(bug.id)}">Bug ${bug.id}: <bdi>${bug.title}</bdi></a></p>`,
    html`<h1><span class="number">Attachment ${id}</span> <bdi>${summary || name}</bdi></h1>`,
    html`<p class="facts">attached by <b>${author}</b> ${momentHtml(at)}</p>`,
    html`<dl class="fields">\n${joinedMarkup(shown, '\n')}\n</dl>`,
    ...(save === null ? [] : [save]),
    ...(picture === null ? [] : [html`<p class="picture">${picture}</p>`]),
    ...(text === null ? [] : [html`<pre class="preview">\n${isPatch ? patchHtml(text) : text}</pre>`]),
  ];
  return pageOf({
    title: `Attachment ${id} – ${summary || name}`,
    root,
    site,
    content: joinedMarkup(content, '\n'),
  });
}

const noFile = ({ isUnread }: AttachmentRecord): string =>
  isUnread ? 'The file is missing here: the tracker did not give it out.' : 'The content was deleted.';

/** A patch with colours for added and removed lines. */
const patchHtml = (text: string): Markup =>
  joinedMarkup(
    text.split('\n').map((line) => {
      if (/^\+(?!\+\+ )/u.test(line)) return html`<ins>${line}</ins>`;
      if (/^-(?!-- )/u.test(line)) return html`<del>${line}</del>`;
      return /^(?:@@|diff |Index: )/u.test(line) ? html`<b>${line}</b>` : line;
    }),
    '\n',
  );
